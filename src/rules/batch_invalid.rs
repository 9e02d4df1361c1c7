//! A step that a batch does not take.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Fix, Level, Safety};
use super::groups::{Grouped, grouped};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::groups::{belongs, call};
use crate::model::step_options::{StepKind, StepOption};
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "batch-invalid",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a batch holds an update, a condition, a check, a query or a scan, a `get` among writes or the reverse",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for batch in grouped(cx).into_iter().filter(|grouped| grouped.group.kind == GroupKind::Batch) {
        for step in &batch.steps {
            let (op, mode) = (&step.step.op, batch.group.mode);
            let fault: (TextRange, String) = match op.condition() {
                _ if !belongs(GroupKind::Batch, mode, op) => (step.step.range, not_taken(mode, op)),
                Some(condition) if !StepKind::of_table(op.word(), Some(batch.group)).takes(StepOption::Condition) => (
                    condition.range,
                    format!(
                        "BatchWriteItem takes no condition: each of its puts and deletes is carried out whatever is \
                         there; make it a transaction, which costs 2 write units for each KB instead of 1, or a `{}` \
                         by itself",
                        op.word()
                    ),
                ),
                _ => continue,
            };
            let fixes = fixes(cx, &batch, step);
            cx.report(fault.0, fault.1).fixes = fixes;
        }
    }
}

fn not_taken(mode: GroupMode, op: &OpDef) -> String {
    let call = call(GroupKind::Batch, mode);
    let takes = match mode {
        GroupMode::Write => "takes puts and deletes, 25 at most",
        GroupMode::Get => "takes gets by the whole key, 100 at most",
    };
    let advice = match (mode, op) {
        (_, OpDef::Query { .. } | OpDef::Scan { .. }) => "run it by itself",
        (GroupMode::Write, OpDef::Update { .. }) => {
            "run it by itself, put the whole item instead, or make it a transaction, which takes updates at 2 write \
             units for each KB"
        }
        (GroupMode::Write, OpDef::Check { .. }) => "make it a transaction: only there a check holds for the writes",
        (GroupMode::Get, OpDef::Check { .. }) => "a check belongs in a `transact write`",
        (GroupMode::Write, _) => "read it in a `batch get`, or by itself",
        (GroupMode::Get, _) => "write it in a `batch write`, or by itself",
    };
    format!("a batch takes no `{}` here: {call} {takes}; {advice}", op.word())
}

fn fixes(cx: &Cx<'_>, batch: &Grouped<'_>, step: &StepCx<'_>) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = Vec::new();
    let mut suggest = |title: String, edits: Vec<Edit>| fixes.push(Fix { title, safety: Safety::Choice, edits });
    let (op, mode) = (&step.step.op, batch.group.mode);
    let other = match mode {
        GroupMode::Write => GroupMode::Get,
        GroupMode::Get => GroupMode::Write,
    };
    if batch.would_be(cx, GroupKind::Batch, other) {
        let word = if other == GroupMode::Get { "get" } else { "write" };
        suggest(format!("Make it a `batch {word}`"), vec![batch.switch(cx, GroupKind::Batch, other)]);
    }
    if mode == GroupMode::Write && batch.would_be(cx, GroupKind::Transact, mode) {
        let edit = batch.switch(cx, GroupKind::Transact, mode);
        suggest("Make it a transaction: twice the write units in tables".to_owned(), vec![edit]);
    }
    // A check says something of a transaction only.
    if !matches!(op, OpDef::Check { .. })
        && let Some(edits) = batch.take_out(cx, step.step, op.reads() && mode == GroupMode::Write)
    {
        suggest(format!("Take the `{}` out of the batch", op.word()), edits);
    }
    // A put that no condition keeps from replacing another would share a unique value.
    let unique = op.subject().and_then(|subject| cx.entity(&subject.entity.text));
    let unique = unique.is_some_and(|entity| entity.attributes.iter().any(|attribute| attribute.unique.is_some()));
    if let Some(condition) = op.condition().filter(|_| belongs(GroupKind::Batch, mode, op) && !unique) {
        let edit = Edit::RemoveLines { place: cx.place(condition.range) };
        suggest("Leave the condition out".to_owned(), vec![edit]);
    }
    fixes
}
