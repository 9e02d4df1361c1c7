//! A read that does not say how fast it has to be.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::*;

pub static RULE: Rule = Rule {
    name: "missing-latency",
    group: Group::Requirements,
    level: Level::Hint,
    summary: "a pattern that reads has no `latency`",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    let asks = pattern.requirements.iter().any(|requirement| !requirement.writes);
    let reads = asks || pattern.steps().any(|(_, step)| step.op.reads());
    if cx.is_broken() || !reads || pattern.latency.is_some() {
        return;
    }
    let rounds =
        pattern.operations.iter().filter(|operation| operation.steps.iter().any(|step| step.op.reads())).count();
    let trips = match rounds {
        0 => "how it is to be answered".to_owned(),
        1 => "whether one request will do".to_owned(),
        rounds => format!("whether {rounds} requests one after the other will do"),
    };
    cx.report(
        cx.name_range(),
        format!(
            "this pattern reads, and does not say how fast its answer is needed: {trips}, with a cache, a copy or an \
             index or without, cannot be judged in a review; add `latency …ms`"
        ),
    );
}
