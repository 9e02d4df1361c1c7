//! What a random model is made of, in words to count.

use super::opened::Opened;
use keywright::capacity::facts::Declared;
use keywright::capacity::sizes::members;
use keywright::model::db::Db;
use keywright::model::defs::*;
use keywright::model::layout::{ItemLayout, Source, TableLayout};
use keywright::model::names::{entity_def, names, relationships, table_def};
use keywright::model::resolve::Step;
use keywright::syntax::template::Format;
use std::collections::BTreeSet;

/// Names of features, such as `query limit`.
pub type Features = BTreeSet<String>;

/// The features of the language that a model has.
pub fn features(text: &str) -> Features {
    let opened = Opened::new(text);
    let db = opened.db();
    let mut found = Features::new();
    let mut entities = 0;
    for decl in opened.root.decls(db) {
        if let Some(entity) = entity_def(db, *decl) {
            entities += 1;
            entity_features(entity, &mut found);
        }
    }
    found.insert(format!("{entities} entities"));
    assert!((2..=6).contains(&entities), "{entities} entities");
    for (_, relationship) in relationships(db, opened.root) {
        relationship_features(relationship, &mut found);
    }
    let single = text.contains("style    single_table") || text.contains("style  single_table");
    found.insert(format!("style {}", if single { "single_table" } else { "aggregate" }));
    if opened.layouts().count() > 1 {
        found.insert("several tables".to_owned());
    }
    for table in opened.layouts() {
        table_features(&opened, table, &mut found);
    }
    for steps in opened.patterns() {
        for step in steps {
            step_features(db, &step, &mut found);
        }
    }
    for pattern in names(db, opened.root).all_patterns() {
        let pattern = keywright::model::names::pattern_def(db, pattern).expect("it is a pattern");
        pattern_features(pattern, &mut found);
    }
    found
}

/// Notes what is so.
fn note<'a>(found: &mut Features, facts: impl IntoIterator<Item = (bool, &'a str)>) {
    found.extend(facts.into_iter().filter(|(is_so, _)| *is_so).map(|(_, feature)| feature.to_owned()));
}

fn entity_features(entity: &EntityDef, found: &mut Features) {
    for attribute in &entity.attributes {
        let ty = attribute.ty.spelling();
        found.insert(ty.split(['(', '<']).next().unwrap_or_default().to_owned());
        let several = |measure: &Measure| matches!((&measure.avg, &measure.max), (Some(avg), Some(max)) if avg.written != max.written);
        note(
            found,
            [
                (attribute.id, "id"),
                (attribute.unique.is_some(), "unique"),
                (attribute.unique.is_some() && attribute.id, "unique id"),
                (attribute.immutable.is_some(), "immutable"),
                (attribute.size.is_some(), "size"),
                (attribute.size.as_ref().is_some_and(several), "size avg max"),
                (attribute.distinct.is_some(), "distinct"),
                (attribute.hottest.is_some(), "hottest"),
                (attribute.of.is_some(), "of"),
                (attribute.copied_from.is_some(), "copied"),
                (attribute.present.is_some(), "present"),
                (!attribute.without.is_empty(), "without"),
                (attribute.example.is_some(), "example"),
            ],
        );
    }
    note(
        found,
        [
            (entity.ids().count() > 1, "several ids"),
            (entity.count.is_some(), "count"),
            (entity.growing.is_some(), "growing"),
            (entity.size.is_some(), "item size"),
            (entity.size.is_none(), "computed size"),
            (entity.lifetime.is_some(), "lifetime"),
        ],
    );
}

fn relationship_features(relationship: &RelationshipDef, found: &mut Features) {
    found.extend(relationship.cardinality.map(|cardinality| cardinality.written().to_owned()));
    let children = relationship.children.as_ref();
    note(
        found,
        [
            (relationship.through.is_some(), "through"),
            (children.is_some_and(|children| children.avg.is_some()), "children avg"),
            (children.is_some_and(|children| children.max.is_some()), "children max"),
            (relationship.parents.is_some(), "parents"),
            (relationship.identifying.is_some(), "identifying"),
        ],
    );
}

fn table_features(opened: &Opened, table: &TableLayout, found: &mut Features) {
    let (db, def) = (opened.db(), table_def(opened.db(), table.decl).expect("it is a table"));
    let ty = |key: &[keywright::model::layout::KeyAttribute]| key.first().and_then(|key| key.ty);
    let is_computed = |name: &str| table.items.iter().any(|item| item.keys.get(name).is_some_and(|key| key.template));
    note(
        found,
        [
            (table.sort.is_empty(), "table without sort key"),
            (ty(&table.partition) == Some(KeyType::Number), "number partition key"),
            (ty(&table.partition) == Some(KeyType::Binary), "binary partition key"),
            (ty(&table.sort) == Some(KeyType::Number), "number sort key"),
            (table.sort.iter().any(|key| is_computed(&key.name)), "computed sort key"),
            (table.items.iter().any(|item| !item.embeds.is_empty()), "embedded"),
            (def.ttl.is_some(), "ttl"),
            (def.stream.is_some(), "stream"),
            (def.point_in_time_recovery, "point in time recovery"),
        ],
    );
    for hole in table.items.iter().flat_map(|item| item.keys.values()).flat_map(|key| key.value.holes()) {
        found.insert(match hole.format {
            Format::Plain => "hole".to_owned(),
            Format::Lower => "hole lower".to_owned(),
            Format::Upper => "hole upper".to_owned(),
            Format::Padded(_) => "hole padded".to_owned(),
            Format::Shard(_) => "hole shard".to_owned(),
            Format::Time(part) => format!("hole {part:?}").to_lowercase(),
        });
    }
    for source in table.of_indexes() {
        index_features(db, source, found);
        let mut shares =
            source.items().filter_map(|item| members(&Declared { db, root: opened.root }, source, item).value());
        assert!(shares.all(|members| members > 0.0), "{} holds nothing", source.label());
    }
}

fn index_features(db: &dyn Db, source: Source<'_>, found: &mut Features) {
    let index = source.index.expect("it is an index");
    let optional = |item: &ItemLayout| {
        let entity = item.entity_decl.and_then(|decl| entity_def(db, decl)).expect("it is declared");
        let made = item.made_from(source.key());
        made.into_iter().filter(|name| entity.attribute(name).is_some_and(|attribute| attribute.optional)).count()
    };
    let most_optional = source.items().map(optional).max().unwrap_or(0);
    let is_list =
        |name: &String| source.items().any(|i| i.embeds.iter().any(|embed| embed.list.as_ref() == Some(name)));
    let (parts, sorts) = (index.partition.len(), index.sort.len());
    note(
        found,
        [
            (index.kind == IndexKind::Global, "gsi"),
            (index.kind == IndexKind::Local, "lsi"),
            (index.kind == IndexKind::Local && index.sort[0].ty == Some(KeyType::Number), "lsi of numbers"),
            (source.items().count() > 1, "overloaded index"),
            (most_optional > 0, "sparse"),
            (most_optional > 1, "sparse by two"),
            (index.projection == ProjectionKind::All, "projection all"),
            (index.projection == ProjectionKind::KeysOnly, "projection keys_only"),
            (index.projection == ProjectionKind::Include, "projection include"),
            (index.included.iter().any(is_list), "embedded included"),
        ],
    );
    if parts > 1 {
        found.insert(format!("multi-attribute {parts} {sorts}"));
        found.insert(format!("multi-attribute {parts}"));
    }
}

fn pattern_features(pattern: &PatternDef, found: &mut Features) {
    let reads: Vec<&RequirementDef> = pattern.requirements.iter().filter(|requirement| !requirement.writes).collect();
    let queries = pattern.steps().any(|(_, step)| matches!(step.op, OpDef::Query { .. }));
    note(
        found,
        [
            (pattern.rate.is_some(), "rate"),
            (pattern.latency.is_some(), "latency"),
            (pattern.pages.is_some() && queries, "query pages"),
            (pattern.external.is_some(), "external"),
            (!reads.is_empty(), "reads"),
            (reads.iter().any(|read| read.uses.iter().any(|used| !used.attributes.is_empty())), "reads attributes"),
            (reads.iter().any(|read| !read.by.is_empty()), "reads by"),
            (reads.iter().any(|read| read.order.is_some()), "reads ordered"),
            (pattern.requirements.iter().any(|requirement| requirement.writes), "writes"),
        ],
    );
}

fn step_features(db: &dyn Db, step: &Step<'_>, found: &mut Features) {
    let Some(source) = step.source else { return };
    if let Some(group) = &step.operation.group {
        group_features(step, group, found);
    }
    match &step.step.op {
        OpDef::Get { options, .. } => note(
            found,
            [
                (true, "get"),
                (is_embedded(step), "get embedded"),
                (options.consistent.is_some(), "get consistent"),
                (!options.project.is_empty(), "get project"),
            ],
        ),
        OpDef::Query { conditions: Some(conditions), options, .. } => {
            query_features(db, step, source, conditions, options, found);
        }
        OpDef::Scan { options, .. } => note(
            found,
            [
                (source.index.is_none(), "scan table"),
                (source.index.is_some(), "scan index"),
                (options.limit.is_some(), "scan limit"),
                (options.filter.is_some(), "scan filter"),
                (options.consistent.is_some(), "scan consistent"),
            ],
        ),
        _ => write_features(step, source, found),
    }
    let filter = step.step.op.options().and_then(|options| options.filter.as_ref());
    if let Some(FilterDef { conditions: Some(conditions), keeping, .. }) = filter {
        filter_features(conditions, found);
        note(found, [(keeping.is_some(), "filter keeping")]);
    }
}

fn group_features(step: &Step<'_>, group: &Group, found: &mut Features) {
    let kind = format!("{:?} {:?}", group.kind, group.mode).to_lowercase();
    let subject = step.step.op.subject().expect("a step of a group names an entity");
    let mut also = |is_so: bool, what: &str| {
        if is_so {
            found.insert(format!("{kind} {what}"));
        }
    };
    also(true, step.step.op.word());
    also(subject.role.is_some(), "roles");
    also(step.step.times.is_some(), "times");
    also(step.step.op.options().is_some_and(|options| options.consistent.is_some()), "consistent");
    let guard = kind == "transact write" && subject.entity.text == "EmailClaim";
    let scoped = kind == "transact write" && subject.entity.text == "CodeClaim";
    note(found, [(true, kind.as_str()), (guard, "guard"), (scoped, "guard in a scope")]);
}

fn is_embedded(step: &Step<'_>) -> bool {
    step.step.op.subject().is_some_and(|subject| !step.resolved.reached.contains(&subject.entity.text))
}

fn query_features(
    db: &dyn Db,
    step: &Step<'_>,
    source: Source<'_>,
    conditions: &ConditionsDef,
    options: &ReadOptions,
    found: &mut Features,
) {
    let kind = source.index.map(|index| index.kind);
    let comparisons = keywright::model::key_condition::conjuncts(conditions);
    let of_sort = |name: &str| source.sort().iter().any(|key| key.name == name);
    let sorted: Vec<Operator> =
        comparisons.iter().filter(|c| of_sort(&c.attribute.text)).map(|comparison| comparison.operator).collect();
    let literal = |operand: &OperandDef| matches!(operand, OperandDef::String { template, .. } if template.as_literal().is_some());
    let pins = comparisons
        .iter()
        .any(|c| c.operator == Operator::Equal && !of_sort(&c.attribute.text) && c.operands.iter().any(literal));
    let fetches = source.items().filter(|item| step.resolved.reached.contains(&item.entity)).any(|item| {
        let entity = item.entity_decl.and_then(|decl| entity_def(db, decl)).expect("it is declared");
        let lacks = |name: &Name| source.projected(item).is_some_and(|projected| !projected.contains(&name.text));
        options.project.iter().any(|name| entity.attribute(&name.text).is_some() && lacks(name))
    });
    note(
        found,
        [
            (kind.is_none(), "query table"),
            (kind == Some(IndexKind::Global), "query gsi"),
            (kind == Some(IndexKind::Local), "query lsi"),
            (kind == Some(IndexKind::Local) && fetches, "lsi fetch"),
            (kind == Some(IndexKind::Local) && !fetches, "lsi without fetch"),
            (source.partition().len() > 1, "query multi-attribute"),
            (step.resolved.reached.len() > 1, "query of several entities"),
            (pins, "query with enum literal"),
            (sorted.is_empty(), "sort none"),
            (sorted.len() > 1 && sorted.last() != Some(&Operator::Equal), "sort equal then range"),
            (options.limit.is_some(), "query limit"),
            (options.descending.is_some(), "query descending"),
            (options.consistent.is_some(), "query consistent"),
            (options.filter.is_some(), "query filter"),
            (!options.project.is_empty(), "query project"),
            (options.returning.is_some(), "query returning"),
            (step.step.times.is_some(), "query times"),
        ],
    );
    found.extend(sorted.iter().map(|operator| format!("sort {}", operator.written())));
}

fn filter_features(conditions: &ConditionsDef, found: &mut Features) {
    let any = |is_so: fn(&Term) -> bool| conditions.terms.iter().any(is_so);
    let or = |conditions: &ConditionsDef| conditions.operators.iter().any(|(or, _)| *or);
    let groups = conditions.terms.iter().any(|t| matches!(t, Term::Group { conditions, .. } if or(conditions)));
    note(
        found,
        [(or(conditions) || groups, "filter or"), (any(|term| matches!(term, Term::Not { .. })), "filter not")],
    );
    for leaf in conditions.leaves() {
        found.insert(match leaf {
            Term::Comparison(comparison) => format!("filter {}", comparison.operator.written()),
            _ => "filter exists".to_owned(),
        });
    }
}

fn write_features(step: &Step<'_>, source: Source<'_>, found: &mut Features) {
    let op = &step.step.op;
    let item = source.layout.items.iter().find(|item| step.resolved.reached.contains(&item.entity));
    let item = item.expect("a write reaches an item");
    let condition = op.condition().map(|condition| &condition.kind);
    let embedded = is_embedded(step);
    match op {
        OpDef::Put { with, .. } => note(
            found,
            [
                (true, "put"),
                (with.as_ref().is_some_and(|with| !with.attributes.is_empty()), "put with"),
                (with.as_ref().is_some_and(|with| with.attributes.is_empty()), "put with none"),
                (condition == Some(&WriteConditionKind::NotExists), "put not_exists"),
                (condition.is_none(), "put unconditional"),
                (embedded, "put embedded"),
            ],
        ),
        OpDef::Update { set, remove, .. } => {
            let primary = item.made_from(source.layout.primary_key());
            let changes = |names: &[Name]| -> usize {
                let of_key = |source: Source<'_>| {
                    let made = item.made_from(source.key());
                    let own = |name: &&Name| made.contains(name.text.as_str()) && !primary.contains(name.text.as_str());
                    names.iter().filter(own).count()
                };
                if embedded { 0 } else { source.layout.of_indexes().map(of_key).max().unwrap_or(0) }
            };
            note(
                found,
                [
                    (!set.is_empty(), "update set"),
                    (!remove.is_empty(), "update remove"),
                    (!set.is_empty() && !remove.is_empty(), "update both"),
                    (changes(set) > 0, "update index key"),
                    (changes(set) > 1, "update several of a key"),
                    (changes(remove) > 0, "remove index key"),
                    (embedded, "update embedded"),
                    (condition == Some(&WriteConditionKind::Exists), "update if exists"),
                    (matches!(condition, Some(WriteConditionKind::Conditions(_))), "update if compares"),
                ],
            );
        }
        OpDef::Delete { .. } => {
            note(found, [(true, "delete"), (condition.is_some(), "delete if"), (embedded, "delete embedded")]);
        }
        _ => {}
    }
}
