//! Random models have no errors: none that a rule reports, and none of the kinds
//! that wait for their rule.

use crate::support::census::features;
use crate::support::models::model;
use crate::support::opened::Opened;
use keywright::capacity::facts::Declared;
use keywright::capacity::sizes::{Bound, Presence, item_bytes};
use keywright::format::format;
use keywright::model::db::Db;
use keywright::model::defs::*;
use keywright::model::key_condition::conjuncts;
use keywright::model::layout::{IndexLayout, ItemLayout, Source, TableLayout};
use keywright::model::names::{entity_def, find_entity, pattern_def, relationships};
use keywright::model::resolve::Step;
use keywright::rules::finding::Level;
use std::collections::{BTreeMap, BTreeSet};

const SEEDS: u64 = 1_000;
/// So many are asked what no rule asks yet.
const AUDITED: u64 = 300;

/// Holds every model against a question; the answers are its faults.
fn hold(seeds: u64, question: impl Fn(&str, &Opened) -> Vec<String>) {
    let mut faults = Vec::new();
    for seed in 0..seeds {
        let text = model(seed);
        faults.extend(question(&text, &Opened::new(&text)).into_iter().map(|fault| format!("seed {seed}: {fault}")));
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn no_model_has_an_error() {
    hold(SEEDS, |_, opened| {
        let errors = opened.diagnostics().into_iter().filter(|found| found.level == Level::Error);
        errors.map(|found| format!("{}: {}", found.rule, found.message)).collect()
    });
}

#[test]
fn a_seed_is_a_model() {
    let all: BTreeSet<String> = (0..SEEDS).map(model).collect();
    assert_eq!(all.len() as u64, SEEDS, "different seeds make different models");
    assert!((0..SEEDS).all(|seed| all.contains(&model(seed))), "the same seed makes the same model");
}

#[test]
fn models_are_formatted() {
    hold(SEEDS, |_, opened| {
        let edits = format(opened.root.content(opened.db()).parse().expect("it is text"));
        edits.iter().map(|edit| format!("{edit:?}")).collect()
    });
}

#[test]
fn declared_sizes_have_room_for_what_is_stored() {
    hold(AUDITED, |text, _| {
        // Without the declared sizes the analysis says what is needed, and without
        // `@present` all that is optional counts in full.
        let full: Vec<String> = text.lines().map(|line| without(line, " @present(")).collect();
        let bare: Vec<&str> = full.iter().map(String::as_str).filter(|line| !line.starts_with("  size ")).collect();
        let (declared, needed) = (Opened::new(&full.join("\n")), Opened::new(&bare.join("\n")));
        let items = |opened: &Opened| -> Vec<(String, Option<f64>)> {
            let items = opened.layouts().flat_map(|table| &table.items);
            let facts = Declared { db: opened.db(), root: opened.root };
            let bytes = |item: &ItemLayout| item_bytes(&facts, item, Bound::Avg, Presence::Share).value();
            items.map(|item| (item.entity.clone(), bytes(item))).collect()
        };
        let faults = items(&declared).into_iter().zip(items(&needed)).filter_map(|((entity, has), (_, need))| {
            let (has, need) = (has?, need?);
            (has + 1e-6 < need).then(|| format!("{entity} has {has} bytes and needs {need}"))
        });
        faults.collect()
    });
}

/// The line without a modifier.
fn without(line: &str, modifier: &str) -> String {
    let Some((before, rest)) = line.split_once(modifier) else { return line.to_owned() };
    format!("{before}{}", rest.split_once(')').map_or("", |(_, after)| after))
}

#[test]
fn keys_have_one_type_and_are_always_there() {
    hold(AUDITED, |_, opened| opened.layouts().flat_map(|table| faults_of_keys(opened.db(), table)).collect());
}

fn faults_of_keys(db: &dyn Db, table: &TableLayout) -> Vec<String> {
    let mut faults = Vec::new();
    let all = table.sources().flat_map(|source| source.key().collect::<Vec<_>>());
    for key in all {
        for item in &table.items {
            let Some(value) = item.keys.get(&key.name) else { continue };
            let whole = value.value.whole_attribute().filter(|_| !value.template);
            let attribute = whole.and_then(|name| entity_def(db, item.entity_decl?)?.attribute(name));
            let ty = attribute.map_or(Some(KeyType::String), |attribute| attribute.ty.key_type());
            if ty != key.ty {
                faults.push(format!("`{}` is {:?}, and of {} {ty:?}", key.name, key.ty, item.entity));
            }
        }
    }
    for (item, key) in table.items.iter().flat_map(|item| table.primary_key().map(move |key| (item, key))) {
        if item.keys.get(&key.name).is_none_or(|value| value.optional) {
            faults.push(format!("{} may be without `{}`", item.entity, key.name));
        }
    }
    faults
}

#[test]
fn indexes_project_what_there_is() {
    hold(AUDITED, |_, opened| {
        let mut faults = Vec::new();
        for table in opened.layouts() {
            faults.extend(table.indexes.iter().flat_map(|index| faults_of_projection(opened.db(), table, index)));
            let included: usize = table.indexes.iter().map(|index| index.included.len()).sum();
            let local = table.indexes.iter().filter(|index| index.kind == IndexKind::Local).count();
            if included > 100 || local > 5 || table.indexes.len() - local > 20 {
                faults.push(format!("{} has too many indexes", table.name.text));
            }
        }
        faults
    });
}

fn faults_of_projection(db: &dyn Db, table: &TableLayout, index: &IndexLayout) -> Vec<String> {
    let source = table.of_index(index);
    let is_key = |name: &str| table.primary_key().chain(source.key()).any(|key| key.name == name);
    let has = |item: &ItemLayout, name: &str| {
        let entity = item.entity_decl.and_then(|decl| entity_def(db, decl));
        entity.is_some_and(|entity| entity.attribute(name).is_some())
            || item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name))
    };
    let faulty = index.included.iter().filter(|name| is_key(name) || !source.items().any(|item| has(item, name)));
    faulty.map(|name| format!("{} cannot include {name}", source.label())).collect()
}

#[test]
fn reads_have_the_options_that_there_are() {
    hold(AUDITED, |_, opened| {
        let steps = opened.patterns().flatten().filter(|step| step.step.op.reads());
        steps.flat_map(|step| faults_of_read(&step)).collect()
    });
}

fn faults_of_read(step: &Step<'_>) -> Vec<String> {
    let source = step.source.expect("all names are known");
    let options = step.step.op.options().expect("it is a read");
    let group = step.operation.group.as_ref();
    let is_get = matches!(step.step.op, OpDef::Get { .. });
    let is_query = matches!(step.step.op, OpDef::Query { .. });
    let several = options.filter.is_some() || options.limit.is_some() || options.returning.is_some();
    let mut faults = Vec::new();
    let mut say = |wrong: bool, fault: &str| {
        if wrong {
            faults.push(format!("{fault} on {} of {}", step.step.op.word(), source.label()));
        }
    };
    say(is_get && (several || options.descending.is_some()), "an option of queries");
    say(!is_query && options.descending.is_some(), "descending");
    say(group.is_some_and(|g| g.kind == GroupKind::Transact) && options.consistent.is_some(), "consistent in a group");
    say(group.is_some() && !is_get, "no get in a group");
    let filter = options.filter.iter().filter_map(|filter| filter.conditions.as_ref());
    for leaf in filter.flat_map(ConditionsDef::leaves) {
        let (Term::Comparison(Comparison { attribute, .. }) | Term::Existence { attribute, .. }) = leaf else {
            continue;
        };
        let is_key = source.key().any(|key| key.name == attribute.text);
        say(is_query && is_key, "a filter on a key");
    }
    if let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op {
        say(!is_left_to_right(source, conditions), "a gap in the sort key");
    }
    faults
}

/// Whether the conditions on sort attributes leave no gap and have a range only
/// at their end (facts M5).
fn is_left_to_right(source: Source<'_>, conditions: &ConditionsDef) -> bool {
    let conjuncts = conjuncts(conditions);
    let of_key = |name: &str| conjuncts.iter().find(|comparison| comparison.attribute.text == name);
    let operators: Vec<Option<Operator>> =
        source.sort().iter().map(|key| of_key(&key.name).map(|comparison| comparison.operator)).collect();
    let used = operators.iter().take_while(|operator| operator.is_some()).count();
    operators[used..].iter().all(Option::is_none)
        && operators[..used.saturating_sub(1)].iter().all(|operator| *operator == Some(Operator::Equal))
}

#[test]
fn writes_set_what_may_change() {
    hold(AUDITED, |_, opened| opened.patterns().flatten().flat_map(|step| faults_of_write(opened, &step)).collect());
}

fn faults_of_write(opened: &Opened, step: &Step<'_>) -> Vec<String> {
    let (Some(subject), Some(source)) = (step.step.op.subject(), step.source) else { return Vec::new() };
    let name = &subject.entity.text;
    let entity = find_entity(opened.db(), opened.root, name).expect("it is declared");
    let item = source.layout.item_of(name).expect("the table holds it");
    let primary = if item.entity == *name { item.made_from(source.layout.primary_key()) } else { BTreeSet::new() };
    let optional = |name: &&Name| entity.attribute(&name.text).is_some_and(|attribute| attribute.optional);
    let mut faults = Vec::new();
    match &step.step.op {
        OpDef::Update { set, remove, .. } => {
            for changed in set.iter().chain(remove) {
                let attribute = entity.attribute(&changed.text).expect("it is an attribute");
                let fixed = attribute.immutable.is_some() || attribute.id || attribute.unique.is_some();
                if fixed || primary.contains(changed.text.as_str()) {
                    faults.push(format!("`{}` of {name} never changes", changed.text));
                }
            }
            if !remove.iter().all(|name| optional(&name)) || set.iter().any(|name| remove.contains(name)) {
                faults.push(format!("an update of {name} removes what it cannot"));
            }
        }
        OpDef::Put { with: Some(with), .. } if !with.attributes.iter().all(|name| optional(&name)) => {
            faults.push(format!("`with` of {name} names what is always there"));
        }
        _ => {}
    }
    faults
}

#[test]
fn transactions_and_batches_are_within_their_limits() {
    hold(AUDITED, |_, opened| opened.patterns().flat_map(|steps| faults_of_groups(&steps)).collect());
}

fn faults_of_groups(steps: &[Step<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    let grouped: Vec<&Step<'_>> = steps.iter().filter(|step| step.operation.group.is_some()).collect();
    let Some(group) = grouped.first().and_then(|step| step.operation.group.as_ref()) else { return faults };
    let most = match (group.kind, group.mode) {
        (GroupKind::Batch, GroupMode::Write) => 25.0,
        _ => 100.0,
    };
    if grouped.iter().map(|step| step.step.times()).sum::<f64>() > most {
        faults.push(format!("more than {most} items in a group"));
    }
    let mut items = BTreeSet::new();
    for step in grouped {
        let op = &step.step.op;
        let fits = match (group.kind, group.mode) {
            (_, GroupMode::Get) => matches!(op, OpDef::Get { .. }),
            (GroupKind::Batch, GroupMode::Write) => {
                matches!(op, OpDef::Put { .. } | OpDef::Delete { .. }) && op.condition().is_none()
            }
            (GroupKind::Transact, GroupMode::Write) => !op.reads(),
        };
        let subject =
            op.subject().map(|subject| (subject.entity.text.clone(), subject.role.clone().map(|role| role.text)));
        let subject = subject.expect("a step of a group names an entity");
        // What is embedded is its parent's item.
        let stored = step.resolved.reached.first().expect("its table has it").clone();
        if !fits || !items.insert((stored, subject.1)) {
            faults.push(format!("{} {} cannot stand in its group", op.word(), subject.0));
        }
    }
    faults
}

#[test]
fn one_model_in_five_lacks_an_input() {
    let lacking = (0..AUDITED).filter(|seed| lacks_an_input(&Opened::new(&model(*seed)))).count();
    let share = lacking as f64 / AUDITED as f64;
    assert!((0.1..0.25).contains(&share), "{share} of the models lack an input");
}

fn lacks_an_input(opened: &Opened) -> bool {
    let db = opened.db();
    let decls = opened.root.decls(db);
    let has_length = |ty: &Type| !matches!(ty, Type::String | Type::Binary | Type::List(_) | Type::Set(_) | Type::Map);
    let attribute = |a: &AttributeDef| (a.optional && a.present.is_none()) || (a.size.is_none() && !has_length(&a.ty));
    let entity = |entity: &EntityDef| entity.count.is_none() || entity.attributes.iter().any(attribute);
    let children =
        |relation: &RelationshipDef| relation.cardinality != Some(Cardinality::OneToOne) && relation.children.is_none();
    decls.iter().filter_map(|decl| entity_def(db, *decl)).any(entity)
        || decls.iter().filter_map(|decl| pattern_def(db, *decl)).any(|pattern| pattern.rate.is_none())
        || relationships(db, opened.root).any(|(_, relation)| children(relation))
}

/// In so many of the audited models each feature occurs at least.
const LEAST: usize = 10;

/// What is asked for. The words are made in `support/census.rs`.
const FEATURES: &[&str] = &[
    "style aggregate, style single_table, several tables, 2 entities, 6 entities",
    "string, number, binary, boolean, timestamp, epoch, uuid, ulid, ksuid, enum, list, set, map",
    "id, several ids, unique, unique id, immutable, size, size avg max, distinct, hottest, of, copied, present, without, example",
    "count, growing, item size, computed size, lifetime",
    "1:1, 1:N, N:M, through, children avg, children max, parents, identifying",
    "table without sort key, number partition key, binary partition key, number sort key, computed sort key",
    "hole, hole padded, hole lower, hole upper, hole shard, hole year, hole month, hole day, hole hour, hole minute",
    "embedded, embedded included, ttl, stream, point in time recovery",
    "gsi, lsi, lsi of numbers, overloaded index, sparse, sparse by two",
    "projection all, projection keys_only, projection include",
    "multi-attribute 2 0, multi-attribute 2 1, multi-attribute 2 2, multi-attribute 2 3, multi-attribute 3, multi-attribute 4",
    "get, get embedded, get consistent, get project",
    "query table, query gsi, query lsi, query multi-attribute, query of several entities, query with enum literal",
    "sort none, sort =, sort begins_with, sort between, sort <, sort >, sort >=, sort equal then range",
    "query limit, query descending, query consistent, query filter, query project, query returning, query times, query pages",
    "lsi fetch, lsi without fetch",
    "filter or, filter not, filter in, filter contains, filter begins_with, filter between, filter exists, filter keeping",
    "scan table, scan index, scan limit, scan filter, scan consistent",
    "put, put with, put with none, put not_exists, put unconditional, put embedded",
    "update set, update remove, update both, update index key, update several of a key, update embedded, remove index key",
    "update if exists, update if compares",
    "delete, delete if, delete embedded",
    "transact write, transact write put, transact write update, transact write delete, transact write check",
    "transact write roles, transact write times, transact get, transact get roles",
    "batch get, batch get times, batch get consistent, batch write, batch write put, batch write delete",
    "rate, latency, reads, reads attributes, reads by, reads ordered, writes, external, guard, guard in a scope",
];

#[test]
fn everything_occurs_again_and_again() {
    let mut census: BTreeMap<String, usize> = BTreeMap::new();
    for feature in (0..AUDITED).flat_map(|seed| features(&model(seed))) {
        *census.entry(feature).or_default() += 1;
    }
    let count = |feature: &str| census.get(feature).copied().unwrap_or(0);
    let asked = FEATURES.iter().flat_map(|line| line.split(", "));
    let rare: Vec<String> = asked
        .filter(|feature| count(feature) < LEAST)
        .map(|feature| format!("{feature}: {}", count(feature)))
        .collect();
    assert!(rare.is_empty(), "rare: {}\nof {census:#?}", rare.join(", "));
}
