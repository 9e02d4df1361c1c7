//! An average above its own maximum.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::{Lowered, Measure, QuantityUse};

pub static RULE: Rule = Rule {
    name: "measure-inverted",
    group: Group::Language,
    level: Level::Error,
    summary: "an average is above its maximum or its peak",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    for measure in lowered.facts.measures.iter().filter(|measure| measure.is_inverted()) {
        let uses = lowered.facts.quantities.iter().filter(|used| measure.range.contains(used.value.range));
        let uses: Vec<&QuantityUse> = uses.collect();
        // A quantity of the wrong kind is a fault of its own, and may be what
        // turns the two around.
        if uses.iter().any(|used| used.fault().is_some()) {
            continue;
        }
        let Some(role) = uses.first().map(|used| used.role) else { continue };
        if let Some(message) = message(measure, role, &uses) {
            cx.report(measure.range, message);
        }
    }
}

fn message(measure: &Measure, role: &str, uses: &[&QuantityUse]) -> Option<String> {
    let (avg, max) = (measure.avg.as_ref()?, measure.max.as_ref()?);
    let label = uses.iter().find(|used| used.value.range == max.range)?.label.as_ref()?;
    Some(format!(
        "{role} averages `{}`, above its {} `{}`: no series of values does that, and every number computed from either \
         would be wrong; swap them, or mend the one that is mistyped",
        avg.written, label.text, max.written
    ))
}
