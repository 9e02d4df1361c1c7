//! Declarations in Markdown, with what the analysis derived for them.

use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, KeyAttribute, Source, TableLayout, keys_of, layout, placements};
use crate::model::lower::lowered;
use crate::model::names::{entity_def, names, pattern_def, relationships, table_def};
use crate::model::refs::{Declared, What};
use crate::model::resolve::{patterns_of_tables, resolved};
use crate::syntax::strings::quote_name;

/// A declared thing, described.
pub(super) fn declared(db: &dyn Db, root: SourceFile, declared: Declared) -> Option<String> {
    let mut out = Description::default();
    match declared.what {
        What::Entity => entity(db, root, declared.decl, &mut out)?,
        What::Table => table(db, root, declared.decl, &mut out)?,
        What::Pattern => pattern(db, root, declared.decl, &mut out)?,
        What::Index => index(db, root, declared, &mut out)?,
        What::Attribute => attribute(db, root, declared, &mut out)?,
        What::Key => key(db, root, declared, &mut out)?,
        What::EmbeddedList => embedded(db, declared, &mut out)?,
    }
    Some(out.text())
}

/// A heading in code, prose, and a list.
#[derive(Default)]
struct Description {
    code: String,
    prose: Vec<String>,
    list: Vec<String>,
}

impl Description {
    fn text(self) -> String {
        let mut parts = vec![format!("```dynamo\n{}\n```", self.code)];
        parts.extend(self.prose);
        if !self.list.is_empty() {
            parts.push(self.list.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n"));
        }
        parts.join("\n\n")
    }

    fn line(&mut self, line: impl Into<String>) {
        self.list.push(line.into());
    }

    fn doc(&mut self, doc: &Option<String>) {
        self.prose.extend(doc.clone());
    }
}

fn code_list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    names.into_iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

fn written(measure: &Option<Measure>) -> Option<String> {
    let measure = measure.as_ref()?;
    let part = |value: &Option<Value>, label: &str| value.as_ref().map(|value| format!("{label} {}", value.written));
    if measure.avg.is_some() && measure.avg == measure.max {
        return measure.avg.as_ref().map(|value| value.written.clone());
    }
    let parts: Vec<String> = [part(&measure.avg, "avg"), part(&measure.max, "max")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn decl_name(db: &dyn Db, decl: Decl) -> String {
    lowered(db, decl).name.as_ref().map_or_else(|| "?".to_owned(), |name| name.text.clone())
}

/// The patterns that touch an entity: by what they read or write by name, and
/// by what their queries reach.
fn patterns_of_entity(db: &dyn Db, root: SourceFile, entity: &str) -> Vec<String> {
    let touches = |decl: &Decl| {
        let Some(pattern) = pattern_def(db, *decl) else { return false };
        let named = pattern.requirements.iter().flat_map(|r| &r.uses).any(|used| used.entity.text == entity);
        let subject = pattern.steps().any(|(_, s)| s.op.subject().is_some_and(|subject| subject.entity.text == entity));
        named || subject || resolved(db, root, *decl).steps.iter().any(|step| step.reached.iter().any(|e| e == entity))
    };
    names(db, root).all_patterns().filter(touches).map(|decl| decl_name(db, decl)).collect()
}

fn entity(db: &dyn Db, root: SourceFile, decl: Decl, out: &mut Description) -> Option<()> {
    let def = entity_def(db, decl)?;
    let own = lowered(db, decl);
    let name = own.name.as_ref()?;
    out.code = format!("entity {}", quote_name(&name.text));
    out.doc(&own.doc);
    let ids = code_list(def.ids().map(|id| &id.name.text));
    if !ids.is_empty() {
        out.line(format!("Identity: {ids}"));
    }
    if let Some(count) = &def.count {
        let growing = def.growing.as_ref().map(|g| format!(", growing {}", g.written)).unwrap_or_default();
        out.line(format!("Count: {}{growing}", count.written));
    }
    if let Some(size) = written(&def.size) {
        out.line(format!("Item size: {size}"));
    }
    let tables = placements(db, root).get(&name.text).map(Vec::as_slice).unwrap_or_default();
    for table in tables {
        let Some(layout) = layout(db, root, *table) else { continue };
        for item in &layout.items {
            if item.entity == name.text {
                out.line(format!("Stored in `{}`: {}", layout.name.text, key_values(item, layout.primary_key())));
                for index in &layout.indexes {
                    let source = Source { layout, index: Some(index) };
                    if source.items().any(|member| member.entity == item.entity) {
                        let sparse = source.key().any(|k| item.keys.get(&k.name).is_some_and(|s| s.optional));
                        let some = if sparse { " (those that have every key attribute)" } else { "" };
                        out.line(format!("In index `{}`{some}: {}", source.label(), key_values(item, source.key())));
                    }
                }
            } else if let Some(embed) = item.embeds.iter().find(|embed| embed.entity == name.text) {
                let list = embed.list.as_ref().map(|list| format!(" as `{list}`")).unwrap_or_default();
                out.line(format!("Embedded in the items of `{}`{list}, in table `{}`", item.entity, layout.name.text));
            }
        }
    }
    if tables.is_empty() {
        out.line("Stored in no table");
    }
    for (_, relationship) in relationships(db, root) {
        let ends = (relationship.left.as_ref(), relationship.right.as_ref());
        if let (Some(left), Some(right)) = ends
            && (left.text == name.text || right.text == name.text)
        {
            let card = relationship.cardinality.map_or("?", Cardinality::written);
            let children = written(&relationship.children).map(|c| format!(", children {c}")).unwrap_or_default();
            let identifying = if relationship.identifying.is_some() { ", identifying" } else { "" };
            out.line(format!("`{} {card} {}`{children}{identifying}", left.text, right.text));
        }
    }
    let patterns = patterns_of_entity(db, root, &name.text);
    if !patterns.is_empty() {
        out.line(format!("Patterns: {}", code_list(patterns)));
    }
    Some(())
}

/// `user_id = {user_id}, sk = "PROFILE"` of an item.
fn key_values<'k>(item: &ItemLayout, key: impl Iterator<Item = &'k KeyAttribute>) -> String {
    let values = key.map(|attribute| match item.keys.get(&attribute.name) {
        Some(source) => match source.value.whole_attribute() {
            Some(name) if name == attribute.name => format!("`{name}`"),
            _ => format!("`{} = {}`", attribute.name, source.value.spelling()),
        },
        None => format!("`{}` has no value", attribute.name),
    });
    values.collect::<Vec<_>>().join(", ")
}

fn key_line(key: &[KeyAttribute]) -> String {
    let parts = key.iter().map(|k| match k.ty {
        Some(ty) => format!("`{}` ({})", k.name, ty.letter()),
        None => format!("`{}`", k.name),
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn keys(source: Source<'_>, out: &mut Description) {
    if !source.partition().is_empty() {
        out.line(format!("Partition key: {}", key_line(source.partition())));
    }
    if !source.sort().is_empty() {
        out.line(format!("Sort key: {}", key_line(source.sort())));
    }
}

fn table(db: &dyn Db, root: SourceFile, decl: Decl, out: &mut Description) -> Option<()> {
    let own = lowered(db, decl);
    let def = table_def(db, decl)?;
    let layout = layout(db, root, decl).as_ref()?;
    out.code = format!("table {}", quote_name(&layout.name.text));
    out.doc(&own.doc);
    out.prose.extend(def.boundary.as_ref().map(|boundary| boundary.value.clone()));
    keys(Source { layout, index: None }, out);
    for item in &layout.items {
        let embeds = code_list(item.embeds.iter().map(|embed| &embed.entity));
        let embeds = if embeds.is_empty() { embeds } else { format!(", embeds {embeds}") };
        out.line(format!("Item `{}`: {}{embeds}", item.entity, key_values(item, layout.primary_key())));
    }
    for index in &layout.indexes {
        let source = Source { layout, index: Some(index) };
        let members = code_list(source.items().map(|item| &item.entity));
        out.line(format!(
            "{} `{}`: {} → {}",
            index.kind.short(),
            index.name.text,
            key_names(source),
            or_nothing(members)
        ));
    }
    let patterns = patterns_of_tables(db, root).get(&decl).map(Vec::as_slice).unwrap_or_default();
    out.line(format!("Patterns: {}", or_nothing(code_list(patterns.iter().map(|p| decl_name(db, *p))))));
    Some(())
}

fn or_nothing(list: String) -> String {
    if list.is_empty() { "none".to_owned() } else { list }
}

fn key_names(source: Source<'_>) -> String {
    code_list(source.key().map(|k| &k.name))
}

fn index(db: &dyn Db, root: SourceFile, declared: Declared, out: &mut Description) -> Option<()> {
    let table = table_def(db, declared.decl)?;
    let named = |index: &&IndexDef| index.name.as_ref().is_some_and(|name| name.range == declared.range);
    let def = table.indexes.iter().find(named)?;
    let layout = layout(db, root, declared.decl).as_ref()?;
    let index = layout.indexes.iter().find(|index| index.name.range == declared.range)?;
    let source = Source { layout, index: Some(index) };
    let word = if index.kind == IndexKind::Global { "gsi" } else { "lsi" };
    out.code = format!("{word} {}  // of table {}", quote_name(&index.name.text), layout.name.text);
    out.doc(&def.doc);
    out.prose.extend(def.purpose.as_ref().map(|purpose| purpose.value.clone()));
    keys(source, out);
    let projected = match index.projection {
        ProjectionKind::All => "every attribute".to_owned(),
        ProjectionKind::KeysOnly => "keys only".to_owned(),
        ProjectionKind::Include => format!("keys and {}", code_list(&index.included)),
    };
    out.line(format!("Projection: {projected}"));
    for item in source.items() {
        let optional = source.key().any(|k| item.keys.get(&k.name).is_some_and(|value| value.optional));
        let which = if optional { "those that have every key attribute" } else { "all of them" };
        out.line(format!("Holds `{}`, {which}: {}", item.entity, key_values(item, source.key())));
    }
    if source.items().next().is_none() {
        out.line("Holds no item: no entity of the table has a value for every key");
    }
    out.line(format!("Read by: {}", or_nothing(code_list(readers(db, root, declared.decl, &index.name.text)))));
    Some(())
}

/// The patterns that read an index.
fn readers(db: &dyn Db, root: SourceFile, table: Decl, index: &str) -> Vec<String> {
    let reads = |decl: &Decl| {
        let steps = &resolved(db, root, *decl).steps;
        steps.iter().any(|step| step.table == Some(table) && step.index.as_deref() == Some(index))
    };
    names(db, root).all_patterns().filter(reads).map(|decl| decl_name(db, decl)).collect()
}

fn pattern(db: &dyn Db, root: SourceFile, decl: Decl, out: &mut Description) -> Option<()> {
    let own = lowered(db, decl);
    let def = pattern_def(db, decl)?;
    out.code = format!("pattern {}", quote_name(&own.name.as_ref()?.text));
    out.doc(&own.doc);
    if let Some(rate) = &def.rate {
        let shown = |value: &Option<Value>| value.as_ref().map_or("unknown".to_owned(), |value| value.written.clone());
        out.line(format!("Rate: avg {}, peak {}", shown(&rate.avg), shown(&rate.max)));
    }
    if let Some(latency) = &def.latency {
        out.line(format!("Latency: {}", latency.written));
    }
    for requirement in &def.requirements {
        let verb = if requirement.writes { "Writes" } else { "Reads" };
        let by = code_list(requirement.by.iter().map(|name| &name.text));
        let by = if by.is_empty() { by } else { format!(" by {by}") };
        out.line(format!("{verb} {}{by}", code_list(requirement.uses.iter().map(|u| &u.entity.text))));
    }
    for step in &resolved(db, root, decl).steps {
        let Some(operation) = def.operations.get(step.operation) else { continue };
        let Some(step_def) = operation.steps.get(step.step) else { continue };
        out.line(operation_line(db, root, operation, step_def, step.table, &step.reached));
    }
    if let Some(external) = &def.external {
        let service = external.service.as_ref().map_or("", |service| &service.value);
        out.line(format!("Answered outside DynamoDB: {service}"));
    } else if def.operations.is_empty() {
        out.line("Not solved yet: no operation answers it");
    }
    Some(())
}

fn operation_line(
    db: &dyn Db,
    root: SourceFile,
    operation: &OperationDef,
    step: &StepDef,
    table: Option<Decl>,
    reached: &[String],
) -> String {
    let group = operation.group.as_ref().map_or("", |group| match (group.kind, group.mode) {
        (GroupKind::Transact, GroupMode::Write) => " in `transact write`",
        (GroupKind::Transact, GroupMode::Get) => " in `transact get`",
        (GroupKind::Batch, GroupMode::Write) => " in `batch write`",
        (GroupKind::Batch, GroupMode::Get) => " in `batch get`",
    });
    let word = step.op.word();
    let name = step.op.table().map_or("?", |name| &name.text);
    let target = step.op.index().map_or_else(|| name.to_owned(), |index| format!("{name}.{}", index.text));
    let layout = table.and_then(|table| layout(db, root, table).as_ref());
    let what = match (step.op.subject(), layout) {
        (Some(subject), Some(layout)) => {
            let item = layout.item_of(&subject.entity.text);
            let keys = item.map(|item| format!(" with {}", key_values(item, layout.primary_key()))).unwrap_or_default();
            format!(" `{}`{keys}", subject.entity.text)
        }
        (Some(subject), None) => format!(" `{}`", subject.entity.text),
        (None, _) if reached.is_empty() => " that reaches no item".to_owned(),
        (None, _) => format!(" that reaches {}", code_list(reached)),
    };
    let times = step.times.as_ref().map(|times| format!(", {} times", times.written)).unwrap_or_default();
    format!("`{word}` on `{target}`{group}:{what}{times}")
}

fn attribute(db: &dyn Db, root: SourceFile, declared: Declared, out: &mut Description) -> Option<()> {
    let entity = entity_def(db, declared.decl)?;
    let attribute = entity.attributes.iter().find(|a| a.name.range == declared.range)?;
    let owner = decl_name(db, declared.decl);
    let text = &declared.decl.chunk(db).text;
    out.code = text.get(attribute.range.indices())?.split_whitespace().collect::<Vec<_>>().join(" ");
    out.doc(&attribute.doc);
    out.line(format!("Attribute of `{owner}`"));
    let name = &attribute.name.text;
    let updaters: Vec<String> = names(db, root)
        .all_patterns()
        .filter(|decl| pattern_def(db, *decl).is_some_and(|p| p.steps().any(|(_, s)| updates(&s.op, &owner, name))))
        .map(|decl| decl_name(db, decl))
        .collect();
    match updaters.is_empty() {
        true => out.line("Never updated by a pattern of this model"),
        false => out.line(format!("Updated by {}", code_list(updaters))),
    }
    for table in placements(db, root).get(&owner).map(Vec::as_slice).unwrap_or_default() {
        if let Some(layout) = layout(db, root, *table) {
            key_uses(layout, &owner, name, out);
        }
    }
    Some(())
}

fn updates(op: &OpDef, entity: &str, attribute: &str) -> bool {
    let OpDef::Update { subject: Some(subject), set, remove, .. } = op else { return false };
    subject.entity.text == entity && set.iter().chain(remove).any(|name| name.text == attribute)
}

/// The keys whose values are made of an attribute.
fn key_uses(layout: &TableLayout, entity: &str, attribute: &str, out: &mut Description) {
    let Some(item) = layout.items.iter().find(|item| item.entity == entity) else { return };
    let indexes = layout.indexes.iter().map(|index| Source { layout, index: Some(index) });
    for source in std::iter::once(Source { layout, index: None }).chain(indexes) {
        for (part, kind) in
            source.partition().iter().map(|k| (k, "partition")).chain(source.sort().iter().map(|k| (k, "sort")))
        {
            let Some(stored) = item.keys.get(&part.name) else { continue };
            if stored.value.attributes().contains(&attribute) {
                out.line(format!(
                    "In the {kind} key `{}` of `{}`: `{}`",
                    part.name,
                    source.label(),
                    stored.value.spelling()
                ));
            }
        }
    }
}

fn key(db: &dyn Db, root: SourceFile, declared: Declared, out: &mut Description) -> Option<()> {
    let table = table_def(db, declared.decl)?;
    let layout = layout(db, root, declared.decl).as_ref()?;
    let written = keys_of(table).flat_map(|key| &key.parts).map(|part| &part.name);
    let set = table.items.iter().flat_map(|item| &item.values).map(|value| &value.key);
    let name = written.chain(set).find(|name| name.range == declared.range)?;
    let indexes = layout.indexes.iter().map(|index| Source { layout, index: Some(index) });
    let mut ty = None;
    for source in std::iter::once(Source { layout, index: None }).chain(indexes) {
        for (part, kind) in
            source.partition().iter().map(|k| (k, "Partition")).chain(source.sort().iter().map(|k| (k, "Sort")))
        {
            if part.name == name.text {
                ty = ty.or(part.ty);
                out.line(format!("{kind} key of `{}`", source.label()));
            }
        }
    }
    out.code = match ty {
        Some(ty) => format!("{}: {}  // key in table {}", quote_name(&name.text), ty.word(), layout.name.text),
        None => format!("{}  // key in table {}", quote_name(&name.text), layout.name.text),
    };
    for item in &layout.items {
        match item.keys.get(&name.text) {
            Some(source) => out.line(format!("`{}`: `{}`", item.entity, source.value.spelling())),
            None => out.line(format!("`{}`: no value", item.entity)),
        }
    }
    Some(())
}

fn embedded(db: &dyn Db, declared: Declared, out: &mut Description) -> Option<()> {
    let table = table_def(db, declared.decl)?;
    for item in &table.items {
        let owner = item.entity.as_ref().map_or("?", |name| &name.text);
        for embed in &item.embeds {
            if let Some(list) = embed.list.as_ref().filter(|list| list.range == declared.range) {
                out.code = format!("{}: list  // of {} items", quote_name(&list.text), owner);
                out.line(format!("All `{}` of one `{owner}`, stored in its item", embed.entity.text));
                return Some(());
            }
        }
    }
    None
}
