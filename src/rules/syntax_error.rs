//! The text does not parse.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::Lowered;

pub static RULE: Rule = Rule {
    name: "syntax-error",
    group: Group::Language,
    level: Level::Error,
    summary: "the text does not parse",
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, _: &Lowered) {
    for error in &cx.chunk().errors {
        cx.report(error.range, error.message.clone());
    }
}
