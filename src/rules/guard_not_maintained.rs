//! A guard of a unique value that a delete or update of its entity leaves behind.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::groups::{grouped, into_transaction};
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::unique::{GuardsInUse, UniqueValue, guard_of, guards_in_use, is_transactional, unique_values};
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "guard-not-maintained",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "a delete, or an update of a unique attribute, leaves the guard of the value as it is",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// What a write does to a unique value.
enum Change<'s> {
    /// The entity goes, and its value with it.
    Deleted,
    /// The value, or a part of its scope, becomes another; the first name of it.
    Set(&'s Name),
    /// An optional value goes, and the entity stays.
    Removed(&'s Name),
}

/// What the guard of a value lacks in the transaction of a step.
#[derive(Clone, Copy)]
struct Lacks {
    delete: bool,
    put: bool,
}

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    let in_use = guards_in_use(cx.db, cx.root);
    // A step that seems to be missing may only be unreadable.
    if cx.is_broken() || in_use.is_empty() {
        return;
    }
    let steps = cx.steps();
    for step in &steps {
        let Some(subject) = step.step.op.subject() else { continue };
        let (name, Some(source)) = (&subject.entity.text, step.source) else { continue };
        let (Some(entity), Some(decl)) = (cx.entity(name), cx.names().entity(name)) else { continue };
        for value in unique_values(name, entity) {
            // Where the value is the key, the item is its own guard.
            let own = source.layout.items.iter().find(|item| item.entity == *name);
            if own.is_some_and(|item| value.is_own_key(source.layout, item)) {
                continue;
            }
            let Some(change) = change(&value, &step.step.op) else { continue };
            let Some(guards) = guards(in_use, &value) else { continue };
            let lacks = lacks(cx, &value, &change, step, &steps);
            if lacks.delete || lacks.put {
                report(cx, step, (&value, decl), &change, lacks, guards);
            }
        }
    }
}

/// The guards of a value that patterns put.
fn guards<'g>(in_use: &'g GuardsInUse, value: &UniqueValue<'_>) -> Option<(&'g str, Decl)> {
    let guards = in_use.get(&(value.entity.to_owned(), value.attribute.name.text.clone()))?;
    guards.first().map(|(guard, table)| (guard.as_str(), *table))
}

fn change<'s>(value: &UniqueValue<'_>, op: &'s OpDef) -> Option<Change<'s>> {
    let is_part = |name: &&Name| value.names().any(|own| own == name.text);
    match op {
        OpDef::Delete { .. } => Some(Change::Deleted),
        OpDef::Update { set, remove, .. } => match set.iter().find(is_part) {
            Some(name) => Some(Change::Set(name)),
            None => remove.iter().find(is_part).map(Change::Removed),
        },
        _ => None,
    }
}

/// What the transaction of a step does not do for the guard.
fn lacks(cx: &Cx<'_>, value: &UniqueValue<'_>, change: &Change<'_>, step: &StepCx<'_>, steps: &[StepCx<'_>]) -> Lacks {
    let beside = |puts: bool| {
        let mut others = steps.iter().filter(|other| other.resolved.operation == step.resolved.operation);
        is_transactional(step) && others.any(|other| guard_of(cx.db, value, other, puts).is_some())
    };
    let (deleted, put) = (beside(false), beside(true));
    match change {
        Change::Deleted | Change::Removed(_) => Lacks { delete: !deleted, put: false },
        // Of a value that was not there before there is no guard to delete.
        Change::Set(_) => Lacks { delete: !(deleted || put && value.attribute.optional), put: !put },
    }
}

fn report(
    cx: &mut Cx<'_>,
    step: &StepCx<'_>,
    (value, decl): (&UniqueValue<'_>, Decl),
    change: &Change<'_>,
    lacks: Lacks,
    (guard, table): (&str, Decl),
) {
    let (attribute, entity) = (&value.attribute.name.text, value.entity);
    let stays = format!("the old value stays taken and no `{entity}` can have it again");
    let open = "the new value is not guarded, and a second can take it";
    let (range, what, why) = match (change, lacks.delete, lacks.put) {
        (Change::Deleted, ..) => (step.step.range, format!("this deletes the `{entity}` and not the `{guard}`"), stays),
        (Change::Removed(name), ..) => {
            (name.range, format!("this removes `{}` and does not delete its guard `{guard}`", name.text), stays)
        }
        (Change::Set(name), true, true) => (
            name.range,
            format!("this changes `{}` and leaves its guard `{guard}`", name.text),
            format!("{stays}, and {open}"),
        ),
        (Change::Set(name), true, false) => {
            (name.range, format!("this changes `{}` and does not delete the old `{guard}`", name.text), stays)
        }
        (Change::Set(name), false, _) => (
            name.range,
            format!("this changes `{}` and does not put the new `{guard}` with `if not_exists`", name.text),
            open.to_owned(),
        ),
    };
    let done = match (lacks.delete, lacks.put) {
        (true, true) => "delete the old guard and put the new one `if not_exists`",
        (true, false) => "delete the guard",
        (false, _) => "put the guard `if not_exists`",
    };
    let message =
        format!("{what}, which proves that `{attribute}` is taken: {why}; {done} in the same `transact write`");
    let edit = steps_to_add(cx, step, lacks, (guard, table))
        .map(|lines| into_transaction(&cx.chunk().text, cx.decl, step, &lines));
    let guard_place = cx.layout(table).and_then(|layout| {
        let item = layout.items.iter().find(|item| item.entity == guard)?;
        Some(Place { decl: table, range: item.range })
    });
    let declared = Place { decl, range: value.unique.range };
    let finding = cx.report(range, message);
    finding.relate(declared, "declared unique here").about(declared);
    if let Some(place) = guard_place {
        finding.relate(place, "the guard");
    }
    if let Some(edit) = edit {
        let title = match change {
            Change::Set(_) => format!("Move the guard `{guard}` in the same transaction"),
            Change::Deleted | Change::Removed(_) => format!("Delete the guard `{guard}` in the same transaction"),
        };
        finding.suggest(title, vec![edit]);
    }
}

/// The steps that maintain the guard; `None` where the step cannot be in one
/// transaction with them.
fn steps_to_add(cx: &Cx<'_>, step: &StepCx<'_>, lacks: Lacks, (guard, table): (&str, Decl)) -> Option<Vec<String>> {
    if step.operation.group.is_some() && !is_transactional(step) {
        return None;
    }
    let layout = cx.layout(table)?;
    let times = step.step.times.as_ref().map_or(String::new(), |times| format!(" times {}", times.written));
    let (name, table) = (quote_name(guard), quote_name(&layout.name.text));
    let both = lacks.delete && lacks.put;
    let role = |role: &str| if both { format!(" as {role}") } else { String::new() };
    let mut lines = Vec::new();
    if lacks.delete {
        lines.push(format!("delete {name}{} from {table}{times}", role("before")));
    }
    if lacks.put {
        lines.push(format!("put {name}{} into {table} if not_exists{times}", role("after")));
    }
    // A transaction that would be too large is none.
    let others = grouped(cx).into_iter().find(|grouped| std::ptr::eq(grouped.operation, step.operation));
    let there: f64 = match &others {
        Some(grouped) => grouped.steps.iter().map(|step| step.step.times()).sum(),
        None => step.step.times(),
    };
    (there + lines.len() as f64 * step.step.times() <= 100.0).then_some(lines)
}
