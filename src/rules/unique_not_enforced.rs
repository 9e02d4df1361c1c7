//! A put that lets two entities share a unique value.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::{attribute_lines, free_name, insert_after, listed, pascal, plural, upper_snake};
use super::groups::into_transaction;
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::{self, *};
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::names::table_def;
use crate::model::unique::{UniqueValue, guard_of, is_transactional, refuses_existing, unique_values, wants_existing};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use crate::syntax::template::Format;

pub static RULE: Rule = Rule {
    name: "unique-not-enforced",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a pattern puts an entity so that nothing keeps two from sharing the value of a `@unique` attribute",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    let steps = cx.steps();
    // The condition or the guard that seems to be missing may only be unreadable,
    // here or in a table.
    let is_readable = |step: &StepCx<'_>| step.source.is_none_or(|s| cx.is_whole(s.layout.decl));
    if cx.is_broken() || !steps.iter().all(is_readable) {
        return;
    }
    for put in &steps {
        let OpDef::Put { subject: Some(subject), .. } = &put.step.op else { continue };
        let (Some(decl), Some(source)) = (cx.names().entity(&subject.entity.text), put.source) else { continue };
        let (Some(entity), Some(item)) = (cx.entity(&subject.entity.text), source.layout.item_of(&subject.entity.text))
        else {
            continue;
        };
        let open: Vec<UniqueValue<'_>> = unique_values(&subject.entity.text, entity)
            .filter(|value| !is_enforced(cx, value, put, source.layout, item, &steps))
            .collect();
        // Where the value is the whole key, a guard would say the same twice.
        let (keys, open): (Vec<UniqueValue<'_>>, Vec<UniqueValue<'_>>) =
            open.into_iter().partition(|value| value.is_own_key(source.layout, item));
        if !keys.is_empty() {
            report_key(cx, put, decl, &keys);
        } else if !open.is_empty() {
            let put = Put { step: *put, entity, decl, name: &subject.entity.text, layout: source.layout };
            report(cx, &put, &open);
        }
    }
}

/// Whether the put says by `with` that the items have no such attribute: there
/// is no value to share then.
fn is_left_out(value: &UniqueValue<'_>, op: &OpDef) -> bool {
    let OpDef::Put { with: Some(with), .. } = op else { return false };
    value.attribute.optional && !with.attributes.iter().any(|name| name.text == value.attribute.name.text)
}

/// A put that leaves unique values open.
struct Put<'db> {
    step: StepCx<'db>,
    entity: &'db EntityDef,
    /// The declaration of the entity.
    decl: Decl,
    name: &'db str,
    layout: &'db TableLayout,
}

fn is_enforced(
    cx: &Cx<'_>,
    value: &UniqueValue<'_>,
    put: &StepCx<'_>,
    table: &TableLayout,
    item: &ItemLayout,
    steps: &[StepCx<'_>],
) -> bool {
    // Without a value for its whole primary key the item cannot be put at all,
    // which is a finding on the table.
    if item.entity == value.entity && table.primary_key().any(|key| !item.keys.contains_key(&key.name)) {
        return true;
    }
    if is_left_out(value, &put.step.op) {
        return true;
    }
    // Where the value is the key there is one item of it; what has to be kept out
    // is the put that replaces it unawares.
    let condition = put.step.op.condition().map(|condition| &condition.kind);
    if condition.is_some_and(|condition| refuses_existing(condition, table) || wants_existing(condition))
        && value.is_own_key(table, item)
    {
        return true;
    }
    if !is_transactional(put) {
        return false;
    }
    let mut others = steps.iter().filter(|other| other.resolved.operation == put.resolved.operation);
    others.any(|other| guard_of(cx.db, value, other, true).is_some())
}

/// A put of an item whose key is the unique value, which replaces the item that
/// has the value already.
fn report_key(cx: &mut Cx<'_>, put: &StepCx<'_>, decl: Decl, keys: &[UniqueValue<'_>]) {
    let names: Vec<&str> = keys.iter().map(|value| value.attribute.name.text.as_str()).collect();
    let entity = keys[0].entity;
    let message = format!(
        "this put replaces the `{entity}` that has the same {} already: the value is the whole key, and a put without \
         `if not_exists` overwrites what has it; add `if not_exists`",
        listed(&names)
    );
    let end = TextRange::empty(condition_end(cx, put.step));
    // A batch knows no conditions, and one that is there says what was meant.
    let batch = put.operation.group.as_ref().is_some_and(|group| group.kind == GroupKind::Batch);
    let edit = (!batch && put.step.op.condition().is_none())
        .then(|| Edit::Replace { place: cx.place(end), text: " if not_exists".to_owned() });
    let finding = cx.report(put.step.range, message);
    for value in keys {
        finding.relate(Place { decl, range: value.unique.range }, "declared unique here");
    }
    if let Some(edit) = edit {
        finding.suggest("Put it only `if not_exists`", vec![edit]);
    }
}

/// Where a condition of a step goes that has none: at its end, before `times`.
pub fn condition_end(cx: &Cx<'_>, step: &StepDef) -> usize {
    let before_times = step.times.as_ref().and_then(|times| {
        let before = cx.chunk().text[..times.range.start as usize].trim_end();
        Some(before.strip_suffix("times")?.trim_end().len())
    });
    before_times.unwrap_or(step.range.end as usize)
}

fn report(cx: &mut Cx<'_>, put: &Put<'_>, open: &[UniqueValue<'_>]) {
    let names: Vec<String> = open.iter().map(|value| format!("`{}`", value.attribute.name.text)).collect();
    let names = names.join(" and ");
    let item = put.layout.items.iter().find(|item| item.entity == put.name);
    let index = put.layout.indexes.iter().find(|index| {
        let found_by = item.map(|item| item.made_from(index.partition.iter())).unwrap_or_default();
        open.iter().any(|value| found_by.contains(value.attribute.name.text.as_str()))
    });
    let index = index.map_or(String::new(), |index| format!(" (index `{}` does not)", index.name.text));
    let message = format!(
        "nothing keeps two of `{}` from sharing {names}: DynamoDB keeps only primary keys unique{index}, and no \
         condition sees another item; put a guard item whose key is the value with `if not_exists`, in the same \
         `transact write`",
        put.name
    );
    let edits = fix(cx, put, open);
    let finding = cx.report(put.step.step.range, message);
    for value in open {
        finding.relate(Place { decl: put.decl, range: value.unique.range }, "declared unique here");
    }
    if let Some((edits, guards)) = edits {
        finding.suggest(format!("Guard {names} with `{}` in a transaction", guards.join("` and `")), edits);
    }
}

/// A guard that the fix puts: its entity and its table.
struct NewGuard {
    entity: String,
    table: String,
}

/// The guard entities with their places in tables, where there are none yet, and
/// the transaction; with the names of the guards.
fn fix(cx: &Cx<'_>, put: &Put<'_>, open: &[UniqueValue<'_>]) -> Option<(Vec<Edit>, Vec<String>)> {
    let group = put.step.operation.group.as_ref();
    // A batch knows no conditions; what else it does may not fit a transaction.
    if group.is_some_and(|group| group.kind == GroupKind::Batch || group.mode == GroupMode::Get) {
        return None;
    }
    // A guard repeats attributes of the entity: all of them have to be read first.
    let has_all = |value: &UniqueValue<'_>| value.names().all(|name| put.entity.attribute(name).is_some());
    if !cx.is_whole(put.decl) || !open.iter().all(has_all) {
        return None;
    }
    let mut edits = Vec::new();
    let mut guards: Vec<NewGuard> = Vec::new();
    let mut declarations = Vec::new();
    let mut tables = Vec::new();
    for value in open {
        if let Some(guard) = value.guards(cx.db, cx.root).first() {
            guards.push(NewGuard { entity: guard.item.entity.clone(), table: guard.layout.name.text.clone() });
            continue;
        }
        value.attribute.ty.key_type()?;
        let guard = new_guard(cx, put, value, &guards);
        let format = format_in_keys(put, &value.attribute.name.text);
        declarations.push(guard_entity(put, value, &guard.entity));
        declarations.push(format!(
            "relationship {} 1:1 {} {{ identifying }}",
            quote_name(put.name),
            quote_name(&guard.entity)
        ));
        match cx.style() {
            Style::Aggregate => tables.push(guard_table(value, &guard, put.name, format)),
            Style::SingleTable => edits.push(guard_item(cx, put, value, &guard.entity, format)?),
        }
        guards.push(guard);
    }
    if !declarations.is_empty() {
        edits.push(Edit::DeclarationAfter { decl: put.decl, text: declarations.join("\n\n") });
    }
    if !tables.is_empty() {
        edits.push(Edit::DeclarationAfter { decl: put.layout.decl, text: tables.join("\n\n") });
    }
    edits.push(transaction(cx, put, &guards));
    Some((edits, guards.into_iter().map(|guard| guard.entity).collect()))
}

/// Names for a guard that nothing has yet.
fn new_guard(cx: &Cx<'_>, put: &Put<'_>, value: &UniqueValue<'_>, others: &[NewGuard]) -> NewGuard {
    let all = cx.names();
    let short = format!("{}Claim", pascal(&value.attribute.name.text));
    let taken = |name: &str| all.entity(name).is_some() || others.iter().any(|other| other.entity == name);
    let name = if taken(&short) { format!("{}{short}", pascal(put.name)) } else { short };
    let entity = free_name(&name, taken);
    let table = match cx.style() {
        Style::SingleTable => put.layout.name.text.clone(),
        Style::Aggregate => free_name(&plural(&entity), |name| all.table(name).is_some()),
    };
    NewGuard { entity, table }
}

/// How the entity's keys write the attribute: a guard that told `Ana@x.com` from
/// `ana@x.com` where they do not would guard nothing.
fn format_in_keys(put: &Put<'_>, attribute: &str) -> Format {
    let item = put.layout.items.iter().find(|item| item.entity == put.name);
    let holes = item.into_iter().flat_map(|item| item.keys.values()).flat_map(|key| key.value.holes());
    let mut formats = holes.filter(|hole| hole.name == attribute).map(|hole| hole.format);
    formats.find(|format| matches!(format, Format::Lower | Format::Upper)).unwrap_or(Format::Plain)
}

fn guard_entity(put: &Put<'_>, value: &UniqueValue<'_>, guard: &str) -> String {
    let keys: Vec<&AttributeDef> = value.names().filter_map(|name| put.entity.attribute(name)).collect();
    let mut lines = Vec::new();
    // In a table of many entities each says what it is.
    let kind = put.entity.attributes.first().filter(|a| matches!(&a.ty, Type::Enum(names) if names.len() == 1));
    if let Some(kind) = kind.filter(|kind| !keys.iter().any(|key| key.name == kind.name)) {
        lines.push((quote_name(&kind.name.text), format!("enum({})", quote_name(guard))));
    }
    for key in &keys {
        let of = key.of.as_ref().map_or(String::new(), |of| format!(" @of({})", quote_name(&of.text)));
        lines.push((quote_name(&key.name.text), format!("{} @id{of}{}", key.ty.spelling(), size_of(key))));
    }
    let ids = put.entity.ids().filter(|id| !keys.iter().any(|key| key.name == id.name));
    for id in ids {
        let of = format!("@of({})", quote_name(put.name));
        lines.push((quote_name(&id.name.text), format!("{} {of}{}", id.ty.spelling(), size_of(id))));
    }
    let lines: Vec<String> = attribute_lines(&lines).into_iter().map(|line| format!("  {line}\n")).collect();
    // An optional value has fewer guards than there are entities.
    let count = put.entity.count.as_ref().filter(|_| !value.attribute.optional);
    let count = count.map_or(String::new(), |count| format!("\n  count {}\n", count.written));
    let name = &value.attribute.name.text;
    format!(
        "/// Proves that the `{name}` of a `{}` is taken.\nentity {} {{\n{}{count}}}",
        put.name,
        quote_name(guard),
        lines.concat()
    )
}

fn size_of(attribute: &AttributeDef) -> String {
    let Some(size) = &attribute.size else { return String::new() };
    let written = |value: &Option<defs::Value>| value.as_ref().map(|value| value.written.clone());
    match (written(&size.avg), written(&size.max)) {
        (Some(avg), Some(max)) if avg == max => format!(" @size({avg})"),
        (Some(avg), Some(max)) => format!(" @size(avg {avg}, max {max})"),
        (Some(avg), None) => format!(" @size(avg {avg})"),
        (None, Some(max)) => format!(" @size(max {max})"),
        (None, None) => String::new(),
    }
}

fn hole(name: &str, format: Format) -> String {
    let case = match format {
        Format::Lower => ":lower",
        Format::Upper => ":upper",
        _ => "",
    };
    format!("{{{}{case}}}", quote_name(name))
}

/// A table of its own, keyed by the value, or by its scope and the value.
fn guard_table(value: &UniqueValue<'_>, guard: &NewGuard, owner: &str, format: Format) -> String {
    let name = value.attribute.name.text.as_str();
    let own = hole(name, format);
    let computed = |key: &str, holes: &str| format!(" {{ {} = \"{holes}\" }}", quote_name(key));
    let plain = format == Format::Plain;
    let scope: Vec<&str> = value.unique.scope.iter().map(|name| name.text.as_str()).collect();
    let (keys, values) = match scope.as_slice() {
        [] => (
            format!("  partition key {}\n", quote_name(name)),
            if plain { String::new() } else { computed(name, &own) },
        ),
        [scope] => (
            format!("  partition key {}\n  sort key {}\n", quote_name(scope), quote_name(name)),
            if plain { String::new() } else { computed(name, &own) },
        ),
        [first, rest @ ..] => {
            let holes: Vec<String> = rest.iter().map(|name| hole(name, Format::Plain)).chain([own]).collect();
            let sort = free_name("claim", |taken| value.names().any(|name| name == taken));
            (
                format!("  partition key {}\n  sort key {sort}: string\n", quote_name(first)),
                computed(&sort, &holes.join("#")),
            )
        }
    };
    format!(
        "/// Keeps the `{name}` of each `{owner}` unique.\ntable {} {{\n{keys}\n  item {}{values}\n}}",
        quote_name(&guard.table),
        quote_name(&guard.entity)
    )
}

/// An item in the entity's own table: the prefix of its key is the guard's name,
/// which no other entity has.
fn guard_item(cx: &Cx<'_>, put: &Put<'_>, value: &UniqueValue<'_>, guard: &str, format: Format) -> Option<Edit> {
    let table = table_def(cx.db, put.layout.decl)?;
    let holder = put.layout.item_of(put.name)?;
    let after = table.items.iter().find(|item| item.entity.as_ref().is_some_and(|name| name.range == holder.range))?;
    let mut keys = put.layout.primary_key();
    if put.layout.primary_key().any(|key| key.ty.is_some_and(|ty| ty != KeyType::String)) {
        return None;
    }
    let scope = value.unique.scope.iter().map(|name| hole(&name.text, Format::Plain));
    let holes: Vec<String> = scope.chain([hole(&value.attribute.name.text, format)]).collect();
    let partition = format!("{} = \"{}#{}\"", quote_name(&keys.next()?.name), upper_snake(guard), holes.join("#"));
    let sort: Vec<String> = keys.map(|key| format!("{} = \"CLAIM\"", quote_name(&key.name))).collect();
    let values: Vec<String> = [partition].into_iter().chain(sort).map(|value| format!("  {value}\n")).collect();
    let lines = format!("item {} {{\n{}}}", quote_name(guard), values.concat());
    let text = &put.layout.decl.chunk(cx.db).text;
    Some(insert_after(text, Place { decl: put.layout.decl, range: after.range }, &lines))
}

/// Puts the guards in the transaction of the step, or makes one of it.
fn transaction(cx: &Cx<'_>, put: &Put<'_>, guards: &[NewGuard]) -> Edit {
    let step = put.step.step;
    let times = step.times.as_ref().map_or(String::new(), |times| format!(" times {}", times.written));
    let puts: Vec<String> = guards
        .iter()
        .map(|guard| {
            let (entity, table) = (quote_name(&guard.entity), quote_name(&guard.table));
            format!("put {entity} into {table} if not_exists{times}")
        })
        .collect();
    into_transaction(cx, &put.step, &puts)
}
