//! A put that lets two entities share a unique value.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::{condition_end, listed};
use super::guard::{Guard, Guarded, guards};
use super::guarding::transactions;
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::unique::{UniqueValue, unique_values};
use crate::syntax::TextRange;

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
            .filter(|value| !value.is_enforced(cx.db, put, &steps))
            .collect();
        // Where the value is the whole key, a guard would say the same twice.
        let (keys, open): (Vec<UniqueValue<'_>>, Vec<UniqueValue<'_>>) =
            open.into_iter().partition(|value| value.is_own_key(source.layout, item));
        if !keys.is_empty() {
            report_key(cx, put, decl, &keys);
        } else if !open.is_empty() {
            let (db, root, name) = (cx.db, cx.root, subject.entity.text.as_str());
            let owner = Guarded { db, root, name, entity, decl, layout: source.layout };
            report(cx, put, &owner, &open);
        }
    }
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
    let end = TextRange::empty(condition_end(&cx.chunk().text, put.step));
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

fn report(cx: &mut Cx<'_>, put: &StepCx<'_>, owner: &Guarded<'_>, open: &[UniqueValue<'_>]) {
    let names: Vec<String> = open.iter().map(|value| format!("`{}`", value.attribute.name.text)).collect();
    let names = names.join(" and ");
    let item = owner.layout.items.iter().find(|item| item.entity == owner.name);
    let index = owner.layout.indexes.iter().find(|index| {
        let found_by = item.map(|item| item.made_from(index.partition.iter())).unwrap_or_default();
        open.iter().any(|value| found_by.contains(value.attribute.name.text.as_str()))
    });
    let index = index.map_or(String::new(), |index| format!(" (index `{}` does not)", index.name.text));
    let message = format!(
        "nothing keeps two of `{}` from sharing {names}: DynamoDB keeps only primary keys unique{index}, and no \
         condition sees another item; put a guard item whose key is the value with `if not_exists`, in the same \
         `transact write`",
        owner.name
    );
    let edits = fix(cx, owner, open);
    let finding = cx.report(put.step.range, message);
    for value in open {
        finding.relate(Place { decl: owner.decl, range: value.unique.range }, "declared unique here");
    }
    if let Some((edits, guards)) = edits {
        let guards: Vec<&str> = guards.iter().map(|guard| guard.entity.as_str()).collect();
        finding.suggest(format!("Guard {names} with `{}` in a transaction", guards.join("` and `")), edits);
    }
}

/// The guard entities with their places in tables, where there are none yet, and the
/// transactions of every write that they take part in, this put among them; with the
/// guards.
fn fix(cx: &Cx<'_>, owner: &Guarded<'_>, open: &[UniqueValue<'_>]) -> Option<(Vec<Edit>, Vec<Guard>)> {
    let (mut edits, guards) = guards(owner, open)?;
    let guarded: Vec<(UniqueValue<'_>, &Guard)> = open.iter().copied().zip(&guards).collect();
    edits.extend(transactions(cx.db, cx.root, &guarded, Some(cx.decl))?);
    Some((edits, guards))
}
