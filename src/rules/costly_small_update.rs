//! An update of a small part of a large item.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::priced;
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::operations::Work;
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Part, Presence, item_bytes, parts};
use crate::capacity::units::write;
use crate::capacity::writes::{Effect, WriteNumbers};
use crate::config::Bounds;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout};
use crate::syntax::{Quantity, TextRange, Unit};

const ITEM: Threshold = Threshold {
    name: "item",
    default: Quantity { value: 4.0 * 1_024.0, unit: Unit::Size },
    bounds: Bounds::NONE,
    summary: "the average size of an item above which a small update is costly",
};

const PART: Threshold = Threshold {
    name: "part",
    default: Quantity { value: 0.1, unit: Unit::Percent },
    bounds: Bounds::NONE,
    summary: "the share of the item below which what an update sets is small",
};

pub static RULE: Rule = Rule {
    name: "costly-small-update",
    group: Group::Cost,
    level: Level::Info,
    summary: "an update sets less than a tenth of an item of over 4 KB",
    thresholds: &[ITEM, PART],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    // What else it sets may stand where the text cannot be read.
    if cx.is_broken() {
        return;
    }
    for step in cx.steps() {
        let OpDef::Update { subject: Some(subject), set, .. } = &step.step.op else { continue };
        let Some(layout) = step.source.map(|source| source.layout) else { continue };
        // An update of an embedded entity is judged where the embedding is.
        let Some(item) = layout.items.iter().find(|item| item.entity == subject.entity.text) else { continue };
        // What makes up the primary key cannot be updated at all.
        let primary = item.made_from(layout.primary_key());
        if set.iter().any(|name| primary.contains(name.text.as_str())) {
            continue;
        }
        let (Some(first), Some(last)) = (set.first(), set.last()) else { continue };
        let Some(small) = small(cx, layout, item, set) else { continue };
        report(cx, step, layout, item, &small, TextRange::new(first.range.start as usize, last.range.end as usize));
    }
}

/// What is set, against the whole.
struct Small {
    item: Figure,
    set: Figure,
    names: Vec<String>,
    /// Bytes of an item with these attributes and the key.
    alone: Figure,
}

/// Whether what is set is certainly a small part of an item that is certainly large.
fn small(cx: &Cx<'_>, layout: &TableLayout, item: &ItemLayout, set: &[Name]) -> Option<Small> {
    let facts = Declared { db: cx.db, root: cx.root };
    let whole = item_bytes(&facts, item, Bound::Avg, Presence::Share);
    if whole.low() <= cx.threshold(&ITEM) {
        return None;
    }
    let all = parts(&facts, item, Bound::Avg, Presence::Share);
    let is_set = |part: &&Part| set.iter().any(|name| name.text == part.name);
    let is_key = |part: &&Part| layout.primary_key().any(|key| key.name == part.name);
    // A name that is no attribute of the item is another finding, or a list whose
    // size is not this rule's.
    if set.iter().any(|name| !all.iter().any(|part| part.name == name.text)) {
        return None;
    }
    // What is set is there, on however many items it was before.
    let full = |part: &Part| part.value.plus(&Figure::known(part.name.len() as f64));
    let bytes: Figure = all.iter().filter(is_set).map(full).sum();
    let key: Figure = all.iter().filter(|part| is_key(part) && !is_set(part)).map(full).sum();
    let is_small = bytes.high().is_some_and(|bytes| bytes < cx.threshold(&PART) * whole.low());
    is_small.then(|| Small {
        alone: key.plus(&bytes),
        item: whole,
        set: bytes,
        names: set.iter().map(|name| name.text.clone()).collect(),
    })
}

/// Write units of the indexes, were what is set an item of its own: an index that is
/// keyed by it holds the small item then, and one that only projected it has nothing
/// to do with it any more.
fn indexes_then(work: &WriteNumbers, small: &Small) -> Figure {
    let moved = work.indexes.iter().filter(|index| matches!(index.effect, Effect::Moved { .. }));
    let units = moved.map(|index| {
        let entry = index.entry.min(&small.alone);
        index.before.plus(&index.after).times(&entry.map(write))
    });
    units.sum()
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>, layout: &TableLayout, item: &ItemLayout, small: &Small, range: TextRange) {
    let Some(numbers) = priced::numbers(cx, cx.decl, step) else { return };
    let Work::Write(work) = &numbers.work else { return };
    let of_indexes: Figure = numbers.index_writes().map(|(_, _, units)| units).sum();
    let now = numbers.write_units().plus(&of_indexes);
    let factor = if work.transaction { 2.0 } else { 1.0 };
    let then = small.alone.map(write).scaled(factor).plus(&indexes_then(work, small)).scaled(numbers.times);
    let priced =
        |units: &Figure| match priced::calls(cx.db, cx.root, cx.decl, layout.decl, &Figure::ZERO, units).as_str() {
            "" => show::figure(units, |units| show::count_of(units, "write unit")),
            price => format!("{}, {price}", show::figure(units, |units| show::count_of(units, "write unit"))),
        };
    let message = format!(
        "this sets {} ({}) in an item of {}, and an update pays for the whole item, a write unit for each KB{}: {}; in \
         an item of {} own under the same partition key it would be {}, while whoever reads both reads one item more",
        listed(&small.names),
        show::figure(&small.set, show::bytes),
        show::figure(&small.item, show::bytes),
        if of_indexes.low() > 0.0 { ", and for its entries in the indexes that hold what is set" } else { "" },
        priced(&now),
        if small.names.len() == 1 { "its" } else { "their" },
        priced(&then),
    );
    let place = Place { decl: layout.decl, range: item.range };
    cx.report(range, message).relate(place, "the item that is written whole").about(place);
}
