//! The text does not parse.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::{Def, Lowered, OperandDef};
use crate::model::held::{Clause, held};

pub static RULE: Rule = Rule {
    name: "syntax-error",
    group: Group::Language,
    level: Level::Error,
    summary: "the text does not parse",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    for error in &cx.chunk().errors {
        cx.report(error.range, error.message.clone());
    }
    if matches!(lowered.def, Def::Pattern(_)) {
        templates(cx);
    }
}

/// In a filter and an `if`, braces are plain text unless the string is held
/// against a key: only the model tells.
fn templates(cx: &mut Cx<'_>) {
    for step in cx.steps() {
        let Some(source) = step.source else { continue };
        for held in held(cx.db, cx.root, source, &step.step.op) {
            if held.clause == Clause::Where || !held.key {
                continue;
            }
            for operand in &held.comparison.operands {
                let OperandDef::String { template, range, .. } = operand else { continue };
                for fault in &template.faults {
                    let place = fault.range.shifted(range.start);
                    if cx.chunk().errors.iter().all(|error| error.range != place) {
                        cx.report(place, fault.message.clone());
                    }
                }
            }
        }
    }
}
