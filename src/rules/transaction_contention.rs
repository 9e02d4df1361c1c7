//! Transactions that meet on one item.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::distinct::Owner;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::load::{HoleShare, hole_shares, primary_holes};
use crate::capacity::operations::pattern_numbers;
use crate::capacity::show;
use crate::config::Bounds;
use crate::model::defs::*;
use crate::model::layout::ItemLayout;
use crate::syntax::{Quantity, Unit};

pub static RULE: Rule = Rule {
    name: "transaction-contention",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "ten or more transactions a second meet on one item",
    thresholds: &[RATE],
    check: Check::Pattern(check),
};

/// How often they get into each other's way (S19).
pub const RATE: Threshold = Threshold {
    name: "rate",
    default: Quantity { value: 10.0, unit: Unit::Rate },
    bounds: Bounds::NONE,
    summary: "the transactions on one item from which they get into each other's way",
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    let facts = Declared { db: cx.db, root: cx.root };
    let often = cx.threshold(&RATE);
    for StepCx { operation, step, source, .. } in cx.steps() {
        if operation.group.as_ref().is_none_or(|group| group.kind != GroupKind::Transact) {
            continue;
        }
        // A query or scan has no place in a transaction: a finding of its own.
        let (Some(source), Some(subject)) = (source, step.op.subject()) else { continue };
        let Some(item) = source.layout.item_of(&subject.entity.text) else { continue };
        // A key that is none, or that the item gives no value, is a finding of its own.
        let layout = source.layout;
        let keyed = layout.primary_key().all(|key| item.keys.contains_key(&key.name));
        if !keyed || !layout.table().has_sound_partition() {
            continue;
        }
        let Some(owner) = Owner::of(&facts, item) else { continue };
        let Some(numbers) = pattern_numbers(cx.db, cx.root, cx.decl) else { continue };
        let holes = hole_shares(owner, &primary_holes(layout, item), !step.op.reads());
        let share = holes.iter().fold(Figure::known(1.0), |product, hole| product.times(&hole.share));
        let times = step.times().max(0.0);
        let meets = numbers.peak.scaled(times).times(&share);
        if meets.low() < often {
            continue;
        }
        let message = message(&meets, often, &numbers.peak, times, &holes, item);
        let keys = layout.primary_key().map(|key| Place { decl: layout.decl, range: key.range });
        let keys: Vec<Place> = keys.collect();
        let finding = cx.report(step.range, message);
        for place in keys {
            finding.relate(place, "the key that says which item it is");
        }
    }
}

fn message(meets: &Figure, often: f64, peak: &Figure, times: f64, holes: &[HoleShare], item: &ItemLayout) -> String {
    let least = if meets.value().is_none() { "at least " } else { "" };
    let calls = if times == 1.0 { String::new() } else { format!(" × {} times", show::count(times)) };
    let shares: Vec<String> = holes
        .iter()
        .filter(|hole| hole.share.low() < 1.0)
        .map(|hole| format!(" × {} of `{}`", percent(hole.share.low()), hole.hole))
        .collect();
    let how = match (shares.is_empty(), times == 1.0) {
        (true, true) => "every call meets there".to_owned(),
        _ => format!("{} calls a second at the peak{calls}{}", show::count(peak.low()), shares.concat()),
    };
    format!(
        "{least}{} transactions a second touch one item of `{}` ({how}); two that overlap on an item cancel each other \
         (`TransactionConflict`), and the SDK does not try a cancelled one again; from {} a second that is the normal \
         case: spread the item over shards, or update it outside the transaction",
        show::count_beside(meets.low(), &[often]),
        item.entity,
        show::count(often)
    )
}

/// A share with two digits that count: `5 %`, `0.025 %`.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let places = if percent >= 1.0 || percent <= 0.0 { 1 } else { (1.0 - percent.log10().floor()).max(1.0) as usize };
    let text = format!("{percent:.places$}");
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
