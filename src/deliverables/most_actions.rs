//! How many items one transaction takes at most: `times` says how many on average, and
//! relationships say how many there can be.

use super::markdown::{code, inline};
use super::outline::{Outline, pair};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::groups::{call, most_items};
use crate::model::pairs::pairs;
use crate::model::resolve::Step;

/// A transaction that DynamoDB refuses where its items have as many children as they
/// can.
pub(super) struct Overfull {
    /// How many items it then has.
    actions: f64,
    /// How many DynamoDB takes.
    takes: f64,
    call: &'static str,
    /// What there can be so many of, in words.
    reasons: Vec<String>,
}

impl Overfull {
    /// The end of a sentence about the pattern.
    pub fn words(&self) -> String {
        format!(
            "up to {} items in one {}, which takes {}: {}",
            show::count(self.actions),
            code(self.call),
            show::count(self.takes),
            self.reasons.join(", ")
        )
    }

    /// The same with what can be done.
    pub fn advice(&self) -> String {
        format!(
            "{}; DynamoDB refuses it as a whole, so the caller has to allow fewer, or divide the work",
            self.words()
        )
    }
}

/// The most that one step takes, and by which relationship.
struct Counted {
    items: f64,
    reason: Option<String>,
}

/// The transactions of a pattern that can be too large. Those that are so on average are
/// findings of `batch-limit`.
pub(super) fn overfull(outline: &Outline<'_>, operations: &[OperationDef], steps: &[Step<'_>]) -> Vec<Overfull> {
    let mut all = Vec::new();
    for (place, operation) in operations.iter().enumerate() {
        let Some(group) = operation.group.as_ref().filter(|group| group.kind == GroupKind::Transact) else { continue };
        let own: Vec<&Step<'_>> = steps.iter().filter(|step| step.resolved.operation == place).collect();
        let counted: Vec<Counted> = own.iter().map(|step| most(outline, step, &own)).collect();
        let average: f64 = own.iter().map(|step| step.step.times()).sum();
        let (actions, takes) = (counted.iter().map(|one| one.items).sum(), most_items(group.kind, group.mode));
        if actions > takes && average <= takes {
            let reasons = counted.into_iter().filter_map(|one| one.reason).collect();
            all.push(Overfull { actions, takes, call: call(group.kind, group.mode), reasons });
        }
    }
    all
}

/// The most items of a step that runs several times in one call: as many as belong to an
/// item that the call takes once, or as those that do refer to.
fn most(outline: &Outline<'_>, step: &Step<'_>, all: &[&Step<'_>]) -> Counted {
    let times = step.step.times();
    let entity = |step: &Step<'_>| step.step.op.subject().map(|subject| subject.entity.text.clone());
    let (Some(own), true) = (entity(step), times > 1.0) else { return Counted { items: times, reason: None } };
    let single: Vec<&Step<'_>> = all.iter().filter(|other| other.step.times() <= 1.0).copied().collect();
    // What is embedded in an item of the call, or written beside it, is of that item.
    let is_taken = |name: &str| {
        all.iter()
            .any(|other| entity(other).as_deref() == Some(name) || other.items().iter().any(|item| item.holds(name)))
    };
    let known: Vec<_> =
        outline.relationships.iter().flat_map(|own| pairs(own.def).into_iter().map(|pair| (own.def, pair))).collect();
    let is_named = |name: &str| single.iter().any(|other| entity(other).as_deref() == Some(name));
    // What there can be several of below another item of the call is not taken once.
    let is_one = |name: &str| {
        !known.iter().any(|(_, pair)| pair.child == name && pair.most != Some(1.0) && is_named(pair.parent))
    };
    let is_single = |name: &str| is_named(name) && is_one(name);
    let refers = |child: &str| known.iter().any(|(_, pair)| pair.parent == own && pair.child == child);
    let bounds = known.iter().filter(|(_, pair)| {
        let is_child = pair.child == own || (refers(pair.child) && is_taken(pair.child));
        is_child && pair.parent != own && is_single(pair.parent)
    });
    let bounds = bounds.filter_map(|(def, pair)| Some((pair.most?, pair.child, *def)));
    let most = bounds.filter(|(most, ..)| *most > times).min_by(|a, b| a.0.total_cmp(&b.0));
    match most {
        None => Counted { items: times, reason: None },
        Some((items, child, def)) => {
            let what = if child == own { String::new() } else { format!(" through {}", inline(child)) };
            let reason = format!(
                "{} {}{what} at most by {}, {} on average",
                show::count(items),
                inline(&own),
                pair(def),
                show::count(times)
            );
            Counted { items, reason: Some(reason) }
        }
    }
}
