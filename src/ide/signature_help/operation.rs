//! Operations: what stands behind `get`, `query` and the others, and in a
//! transaction or a batch.

use super::context::Context;
use super::position::{Slot, slot};
use super::proposals::proposals;
use super::signature::{Builder, code_list, naming, page};
use super::{Signature, SignatureHelp};
use crate::model::defs::{AttributeDef, EntityDef, GroupKind, GroupMode, IndexKind};
use crate::model::layout::{ItemLayout, KeyAttribute, Source};
use crate::model::names::find_entity;
use crate::model::step_options::{StepKind, StepOption};
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub(super) fn help(cx: &Context<'_>) -> Option<SignatureHelp> {
    let last = cx.tokens.len().checked_sub(1)?;
    // The next line is another clause, unless this one cannot end here.
    let goes_on = matches!(cx.source(last), "," | "and" | "or") && cx.kind(last) != "name";
    if cx.line_ends_behind(last) && !goes_on {
        return group(cx, last);
    }
    let Some(operation) = cx.operation() else { return group(cx, last) };
    if !cx.is_done(operation) {
        return group(cx, last);
    }
    let source = cx.target(operation);
    let slot = slot(cx, operation, source);
    let proposed = proposals(cx, operation, source, &slot);
    let mut signatures: Vec<Signature> =
        proposed.into_iter().map(|source| one(cx, operation, Some(source), &slot)).collect();
    if signatures.is_empty() {
        signatures.push(one(cx, operation, None, &slot));
    }
    Some(SignatureHelp { signatures, active: 0 })
}

/// The signature of an operation on one table or index.
fn one(cx: &Context<'_>, operation: usize, source: Option<Source<'_>>, slot: &Slot) -> Signature {
    let word = cx.kind(operation);
    let subject = cx.subject(operation);
    let entity = subject.and_then(|name| find_entity(cx.db, cx.root, name));
    let item = subject.and_then(|name| source?.layout.item_of(name));
    // What makes the key of the item is no update's to set.
    let key = source.zip(item).map(|(source, item)| item.made_from(source.layout.primary_key())).unwrap_or_default();
    let mut out = Builder::new(word);
    out.text(" ");
    if !matches!(word, "query" | "scan") {
        let shown = subject.filter(|_| entity.is_some()).map_or_else(|| "entity".to_owned(), quote_name);
        let about = "The entity whose item it is; `as` names its part where one transaction touches two.";
        out.parameter(Slot::Subject, &shown, about);
        out.text(match word {
            "get" | "delete" => " from ",
            "put" => " into ",
            _ => " in ",
        });
    }
    out.parameter(Slot::Target, &target(source), target_documentation(source, item, subject));
    if word == "query" {
        out.text(" where ");
        key_condition(&mut out, source);
    }
    let step = StepKind { operation: word, group: group_of(cx, operation), index: index_kind(source) };
    read_options(&mut out, step);
    write_options(&mut out, step, entity, &key);
    option(&mut out, step, StepOption::Times, "[times n]", "How often one call of the pattern runs it.");
    // Where a part has no place here, as `with` where nothing is optional, it is
    // the next.
    let slot = out.from(slot).unwrap_or(slot).clone();
    out.finish(page(word), &slot)
}

fn target(source: Option<Source<'_>>) -> String {
    match source {
        Some(Source { layout, index: Some(index) }) => {
            format!("{}.{}", quote_name(&layout.name.text), quote_name(&index.name.text))
        }
        Some(Source { layout, index: None }) => quote_name(&layout.name.text),
        None => "Table".to_owned(),
    }
}

/// What the table or index holds, and of one item how its key is made.
fn target_documentation(source: Option<Source<'_>>, item: Option<&ItemLayout>, subject: Option<&str>) -> String {
    let Some(source) = source else { return "The table, or an index of it as `Table.Index`.".to_owned() };
    let Some(item) = item else {
        return match subject {
            Some(entity) => format!("`{}` holds no `{entity}`.", source.label()),
            None => naming("Holds", &code_list(source.items().map(|item| &item.entity))),
        };
    };
    let values = source.layout.primary_key().filter_map(|key| Some(format!("`{} = {}`", key.name, value(item, key)?)));
    let values: Vec<String> = values.collect();
    let caller = code_list(item.made_from(source.layout.primary_key()));
    let caller = if caller.is_empty() { "nothing".to_owned() } else { caller };
    format!("The key is {}: the caller gives {caller}.", values.join(", "))
}

/// The value of a key attribute as it is written.
fn value(item: &ItemLayout, key: &KeyAttribute) -> Option<String> {
    let source = item.keys.get(&key.name)?;
    Some(match source.value.whole_attribute().filter(|_| !source.template) {
        Some(name) => quote_name(name),
        None => source.value.spelling(),
    })
}

/// The group that an operation stands in; one that does not say yet what its steps
/// do is what takes them.
fn group_of(cx: &Context<'_>, operation: usize) -> Option<(GroupKind, GroupMode)> {
    let head = cx.group_around(operation)?;
    let kind = if cx.source(head) == "batch" { GroupKind::Batch } else { GroupKind::Transact };
    let mode = if cx.source(head + 1) == "get" { GroupMode::Get } else { GroupMode::Write };
    Some((kind, mode))
}

fn index_kind(source: Option<Source<'_>>) -> Option<IndexKind> {
    source?.index.map(|index| index.kind)
}

const SORT_KEY: &str = "The sort key, by `=`, `<`, `<=`, `>`, `>=`, `between … and …` or `begins_with`.";

/// The partition key by equality; of the sort key as much as is wanted, from the
/// left.
fn key_condition(out: &mut Builder<Slot>, source: Option<Source<'_>>) {
    // A table whose key is not written yet says no more than none.
    let Some(source) = source.filter(|source| !source.partition().is_empty()) else {
        out.parameter(Slot::Key("partition_key".to_owned()), "partition_key = …", "The partition key, by `=`.");
        out.text(" ").parameter(Slot::Key("sort_key".to_owned()), "[and sort_key …]", SORT_KEY);
        return;
    };
    for (index, key) in source.partition().iter().enumerate() {
        out.text(if index > 0 { " and " } else { "" });
        let label = format!("{} = …", quote_name(&key.name));
        out.parameter(Slot::Key(key.name.clone()), &label, key_documentation(source, key, "Partition key, by `=`."));
    }
    for (index, key) in source.sort().iter().enumerate() {
        out.text(" ");
        let label = format!("[and {} …", quote_name(&key.name));
        let closing = if index + 1 == source.sort().len() { "]".repeat(index + 1) } else { String::new() };
        let label = format!("{label}{closing}");
        out.parameter(Slot::Key(key.name.clone()), &label, key_documentation(source, key, SORT_KEY));
    }
}

/// What a key attribute holds, item kind by item kind.
fn key_documentation(source: Source<'_>, key: &KeyAttribute, what: &str) -> String {
    let ty = key.ty.map(|ty| format!(" ({})", ty.letter())).unwrap_or_default();
    let mut lines = vec![format!("`{}`{ty}. {what}", key.name)];
    let values = source.items().filter_map(|item| Some((item, value(item, key)?)));
    lines.extend(values.map(|(item, value)| format!("- `{}`: `{value}`", item.entity)));
    lines.join("\n")
}

/// An option, where the step takes it.
fn option(out: &mut Builder<Slot>, step: StepKind<'_>, option: StepOption, label: &str, about: &str) {
    if step.takes(option) {
        out.text(" ").parameter(Slot::Option(option), label, about);
    }
}

fn read_options(out: &mut Builder<Slot>, step: StepKind<'_>) {
    let options = [
        (
            StepOption::Filter,
            "[filter …]",
            "What is thrown away after it was read and paid for; `keeping` says how much stays.",
        ),
        (StepOption::Limit, "[limit n]", "Items that one call reads, before the filter."),
        (StepOption::Descending, "[descending]", "From the end of the sort key."),
        (StepOption::Consistent, "[consistent]", "Strongly consistent: twice the read units."),
        (StepOption::Project, "[project …]", "The attributes that are sent; what is read and paid for stays the same."),
        (StepOption::Returning, "[returning n]", "Items read by a call, where that cannot be derived."),
    ];
    for (kind, label, about) in options {
        option(out, step, kind, label, about);
    }
}

fn write_options(out: &mut Builder<Slot>, step: StepKind<'_>, entity: Option<&EntityDef>, key: &BTreeSet<&str>) {
    let settable = |attribute: &&AttributeDef| !attribute.id && attribute.immutable.is_none();
    let optional = names_of(entity, key, |attribute| attribute.optional);
    if entity.is_none() || !optional.is_empty() {
        let names = naming("Optional", &optional);
        let about = format!("The optional attributes that it sets; `with none` for none. {names}");
        option(out, step, StepOption::With, "[with …]", about.trim_end());
    }
    let names = naming("It may set", &names_of(entity, key, settable));
    let about = format!("The attributes that get a value. {names}");
    option(out, step, StepOption::Set, "[set …]", about.trim_end());
    let removable = |attribute: &&AttributeDef| attribute.optional && settable(attribute);
    let about =
        format!("The attributes that are taken away. {}", naming("Optional", &names_of(entity, key, removable)));
    option(out, step, StepOption::Remove, "[remove …]", about.trim_end());
    // Without its condition a check says nothing.
    let label = if step.operation == "check" { "if condition" } else { "[if …]" };
    let about = "It fails unless this holds of the item as it is: `exists`, `not_exists`, or conditions.";
    option(out, step, StepOption::Condition, label, about);
}

/// The wanted attributes of an entity, but for those that make the key of its item.
fn names_of(entity: Option<&EntityDef>, key: &BTreeSet<&str>, wanted: impl Fn(&&AttributeDef) -> bool) -> String {
    let in_key = |name: &str| key.contains(name);
    let attributes = entity.into_iter().flat_map(|entity| &entity.attributes).filter(wanted);
    code_list(attributes.map(|attribute| &*attribute.name.text).filter(|name| !in_key(name)))
}

/// The transaction or batch that the cursor is in, and no operation of it.
fn group(cx: &Context<'_>, last: usize) -> Option<SignatureHelp> {
    // `transact`, `transact write`, or both with the brace that nothing closes.
    let (head, inside) = match cx.group_around(cx.tokens.len()) {
        Some(head) => (head, true),
        None if cx.is_group_head(last) && cx.is_done(last) && !cx.line_ends_behind(last) => (last, false),
        None => {
            let head = last.checked_sub(1).filter(|head| cx.is_group_head(*head) && !cx.line_ends_behind(last))?;
            (head, false)
        }
    };
    let kind = cx.source(head);
    let mode = cx.source(head + 1);
    let modes: &[(&str, &str, &str)] = match kind {
        "transact" => &[
            (
                "write",
                "put … | update … | delete … | check …",
                "TransactWriteItems: all or nothing, at most 100 items, 4 MB.",
            ),
            ("get", "get …", "TransactGetItems: one view of at most 100 items, 4 MB."),
        ],
        _ => &[
            (
                "write",
                "put … | delete …",
                "BatchWriteItem: at most 25 items, 16 MB; no update, no condition, each by itself.",
            ),
            ("get", "get …", "BatchGetItem: at most 100 items, 16 MB, each by itself."),
        ],
    };
    let signatures = modes.iter().map(|(mode, steps, about)| {
        let mut out = Builder::new(kind);
        out.text(" ").parameter(false, mode, "What its steps do.");
        out.text(" { ").parameter(true, steps, "Its steps, each on an item of its own.").text(" }");
        let documentation = format!("{about}\n\n{}", page(&format!("{kind} {mode}")));
        out.finish(documentation, &inside)
    });
    let active = modes.iter().position(|(known, ..)| *known == mode).unwrap_or(0);
    Some(SignatureHelp { signatures: signatures.collect(), active })
}
