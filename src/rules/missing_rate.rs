//! A pattern that does not say how often it is called.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::*;

pub static RULE: Rule = Rule {
    name: "missing-rate",
    group: Group::Requirements,
    level: Level::Warning,
    summary: "a pattern has no `rate`, or its rate has no average or no peak",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    // A label that means nothing in a rate hides which of the two was meant; it
    // is a finding of its own.
    let known = |use_: &QuantityUse| use_.label.as_ref().is_none_or(|label| use_.labels.contains(&&*label.text));
    let rates = || cx.lowered().facts.quantities.iter().filter(|use_| use_.role == "`rate`");
    if cx.is_broken() || !rates().all(known) {
        return;
    }
    let both = "`rate avg …/s, peak …/s`";
    let message = match &pattern.rate {
        None => format!(
            "this pattern has no rate: its cost follows from the average and the load on a key from the peak, and \
             neither is ever assumed; add {both}"
        ),
        Some(Measure { avg: None, .. }) => format!(
            "this pattern's rate has no average: its cost a month cannot be computed from the peak alone; give {both}"
        ),
        Some(Measure { max: None, .. }) => format!(
            "this pattern's rate has no peak: its load on the hottest key cannot be held against the limits of a \
             partition; give {both}"
        ),
        Some(_) => return,
    };
    let rate = pattern.rate.as_ref().map(|rate| cx.place(rate.range));
    let finding = cx.report(cx.name_range(), message);
    if let Some(place) = rate {
        finding.relate(place, "the rate as it is");
    }
}
