//! A step that a transaction does not take.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Fix, Level, Safety};
use super::groups::{Grouped, grouped};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::groups::{belongs, call};

pub static RULE: Rule = Rule {
    name: "transaction-invalid",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a `transact write` holds a get, query or scan, or a `transact get` anything but gets",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for transaction in grouped(cx).into_iter().filter(|grouped| grouped.group.kind == GroupKind::Transact) {
        for step in &transaction.steps {
            let (op, mode) = (&step.step.op, transaction.group.mode);
            if belongs(GroupKind::Transact, mode, op) {
                continue;
            }
            let fixes = fixes(cx, &transaction, step);
            cx.report(step.step.range, message(mode, op)).fixes = fixes;
        }
    }
}

fn message(mode: GroupMode, op: &OpDef) -> String {
    let takes = match mode {
        GroupMode::Write => "takes puts, updates, deletes and checks of single items, 100 at most",
        GroupMode::Get => "takes gets of single items by the whole key, 100 at most",
    };
    let advice = match (mode, op) {
        (GroupMode::Write, OpDef::Get { .. }) => {
            "read before it, and let a condition or a `check` make sure that nothing has changed since"
        }
        (_, OpDef::Query { .. } | OpDef::Scan { .. }) => "a stretch of items is read outside of transactions",
        (_, OpDef::Check { .. }) => "a check belongs in a `transact write`; a get returns what it finds",
        _ => "write in a `transact write`, or by itself: no transaction both reads and writes",
    };
    format!("a transaction takes no `{}` here: {} {takes}; {advice}", op.word(), call(GroupKind::Transact, mode))
}

fn fixes(cx: &Cx<'_>, transaction: &Grouped<'_>, step: &StepCx<'_>) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = Vec::new();
    let mut suggest = |title: String, edits: Vec<Edit>| fixes.push(Fix { title, safety: Safety::Choice, edits });
    let (other, word) = match transaction.group.mode {
        GroupMode::Write => (GroupMode::Get, "get"),
        GroupMode::Get => (GroupMode::Write, "write"),
    };
    if transaction.would_be(cx, GroupKind::Transact, other) {
        let edit = transaction.switch(cx, GroupKind::Transact, other);
        suggest(format!("Make it a `transact {word}`"), vec![edit]);
    }
    let op = &step.step.op;
    let before = op.reads() && transaction.group.mode == GroupMode::Write;
    // A check says something of a transaction only.
    if !matches!(op, OpDef::Check { .. })
        && let Some(edits) = transaction.take_out(cx, step.step, before)
    {
        let title = match before {
            true => format!("Run the `{}` before the transaction", op.word()),
            false => format!("Run the `{}` behind the transaction", op.word()),
        };
        suggest(title, edits);
    }
    fixes
}
