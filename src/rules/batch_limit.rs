//! A transaction or batch of more than one call takes.

use super::check::{Check, Cx, StepCx};
use super::finding::Level;
use super::groups::grouped;
use super::rule::{Group, Rule};
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, item_bytes};
use crate::model::defs::*;
use crate::model::groups::{belongs, call, most_bytes, most_items};
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "batch-limit",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a transaction or batch holds more items or bytes than one call of DynamoDB takes",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// The most bytes of an item (L01): a larger one is a fault of its own.
const LARGEST_ITEM: f64 = 409_600.0;

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for grouped in grouped(cx) {
        let (kind, mode) = (grouped.group.kind, grouped.group.mode);
        let Some(excess) = excess(cx, kind, mode, &grouped.steps) else { continue };
        let unwrapped = match kind {
            // One by one they are what they were in a batch; a transaction is more.
            GroupKind::Batch => grouped.unwrap(cx).filter(|_| grouped.would_do_apart()),
            GroupKind::Transact => None,
        };
        let advice = match (kind, mode, excess.of_bytes) {
            (GroupKind::Batch, GroupMode::Get, true) => {
                "the rest comes back unread, to be asked for again; split it into"
            }
            (GroupKind::Batch, ..) => "DynamoDB refuses it as a whole; split it into",
            (GroupKind::Transact, ..) => {
                "DynamoDB refuses it as a whole; put less under one transaction, or split it into"
            }
        };
        let calls = match kind {
            GroupKind::Batch => format!("{} batches at least", show::count(excess.calls)),
            GroupKind::Transact => {
                format!("{} at least, each of which succeeds or fails by itself", show::count(excess.calls))
            }
        };
        let message = format!("{}: {advice} {calls}", excess.what);
        let finding = cx.report(excess.range.unwrap_or(grouped.group.range), message);
        if let Some(edit) = unwrapped {
            finding.suggest("Run the steps one by one, without the batch", vec![edit]);
        }
    }
}

/// What is too much for one call.
pub(super) struct Excess {
    /// The number of times of the one step that is too much alone.
    range: Option<TextRange>,
    /// How much there is, and what a call takes.
    what: String,
    /// How many calls it takes at least.
    calls: f64,
    /// It is not the number of items, but their bytes.
    of_bytes: bool,
}

/// What of these steps would be too much for one call of such a group: items, or
/// else bytes at the greatest sizes that are certain.
pub(super) fn excess(cx: &Cx<'_>, kind: GroupKind, mode: GroupMode, steps: &[StepCx<'_>]) -> Option<Excess> {
    let own: Vec<&StepCx<'_>> = steps.iter().filter(|step| belongs(kind, mode, &step.step.op)).collect();
    let call = call(kind, mode);
    let times: Vec<f64> = own.iter().map(|step| step.step.times().max(0.0)).collect();
    let (items, most) = (times.iter().sum::<f64>(), most_items(kind, mode));
    let place = |position: Option<usize>| own[position?].step.times.as_ref().map(|times| times.range);
    if items > most {
        let alone = times.iter().position(|times| *times > most);
        let what = format!("one call holds {} items, and {call} takes {}", show::count(items), show::count(most));
        return Some(Excess { range: place(alone), what, calls: (items / most).ceil(), of_bytes: false });
    }
    let bytes: Vec<Figure> = own.iter().zip(&times).map(|(step, times)| largest(cx, step).scaled(*times)).collect();
    let (total, most) = (bytes.iter().sum::<Figure>(), most_bytes(kind));
    if total.low() <= most {
        return None;
    }
    let alone = bytes.iter().position(|bytes| bytes.low() > most);
    let what = format!(
        "one call holds {} at the greatest size of its items{}, and {call} takes {}",
        show::bytes_beside(total.low(), &[most]),
        total.computed_note(),
        show::bytes(most)
    );
    Some(Excess { range: place(alone), what, calls: (total.low() / most).ceil(), of_bytes: true })
}

/// Bytes of the largest item that a step reads or brings; the average, where no
/// maximum is declared. A delete and a check bring no more than a key.
fn largest(cx: &Cx<'_>, step: &StepCx<'_>) -> Figure {
    if !matches!(step.step.op, OpDef::Get { .. } | OpDef::Put { .. } | OpDef::Update { .. }) {
        return Figure::ZERO;
    }
    let item = step.step.op.subject().zip(step.source).and_then(|(s, source)| source.layout.item_of(&s.entity.text));
    let Some(item) = item else { return Figure::ZERO };
    let facts = Declared { db: cx.db, root: cx.root };
    let set: Option<Vec<String>> = match &step.step.op {
        OpDef::Put { with: Some(with), .. } => Some(with.attributes.iter().map(|name| name.text.clone()).collect()),
        _ => None,
    };
    let presence = set.as_deref().map_or(Presence::Share, Presence::Only);
    let size = |bound| item_bytes(&facts, item, bound, presence);
    let largest = size(Bound::Max);
    let largest = if largest.value().is_some() { largest } else { largest.max(&size(Bound::Avg)) };
    largest.min(&Figure::known(LARGEST_ITEM))
}
