//! A filter that throws away nearly all that was read.

use super::check::{Check, Cx, StepCx};
use super::finding::Level;
use super::fixes::listed;
use super::priced;
use super::rule::{Group, Rule};
use super::sparse::{Sparse, full_index, sparse_fix, sparse_index, updaters};
use super::threshold::Threshold;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::kept::{Kept, kept};
use crate::capacity::limit::returned;
use crate::capacity::operations::{StepNumbers, Work};
use crate::capacity::reads::{ReadKind, ReadNumbers};
use crate::capacity::show;
use crate::config::Bounds;
use crate::model::defs::*;
use crate::model::key_condition::{filters_on_key, is_sound};
use crate::model::layout::Source;
use crate::model::lower::decl_name;
use crate::syntax::{Quantity, Unit};

const KEPT: Threshold = Threshold {
    name: "kept",
    default: Quantity { value: 0.1, unit: Unit::Percent },
    bounds: Bounds::NONE,
    summary: "the share of the items read below which a filter keeps too few",
};

const COLLECTION: Threshold = Threshold {
    name: "collection",
    default: Quantity { value: 64.0 * 1_024.0, unit: Unit::Size },
    bounds: Bounds::NONE,
    summary: "the average size of what a query selects from which its filter is judged; a scan's always is",
};

pub static RULE: Rule = Rule {
    name: "low-selectivity-filter",
    group: Group::Cost,
    level: Level::Warning,
    summary: "a filter keeps less than 10 % of a scan, or of a query of a large collection",
    thresholds: &[KEPT, COLLECTION],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let (Some(source), Some(filter)) = (step.source, step.step.op.options().and_then(|o| o.filter.as_ref())) else {
            continue;
        };
        // What DynamoDB refuses, or reads too much for another reason, is another
        // finding.
        let is_sound = match &step.step.op {
            OpDef::Query { conditions: Some(conditions), .. } => is_sound(source, conditions),
            OpDef::Scan { .. } => true,
            _ => false,
        };
        if !is_sound || step.operation.group.is_some() || filters_on_key(source, &step.step.op) {
            continue;
        }
        let Some(numbers) = priced::numbers(cx, cx.decl, step) else { continue };
        let Work::Read(read) = &numbers.work else { continue };
        if read.how == ReadKind::Query && selected(read).low() < cx.threshold(&COLLECTION) {
            continue;
        }
        let name = decl_name(cx.db, cx.decl).as_deref().unwrap_or("?");
        let kept = kept(cx.db, &Declared { db: cx.db, root: cx.root }, source, read, filter, name);
        // Of what no item has nothing is kept: that is another finding.
        if !kept.declared && kept.share == Figure::ZERO {
            continue;
        }
        if kept.share.high().is_some_and(|share| share < cx.threshold(&KEPT)) {
            report(cx, step, source, (numbers, read), filter, &kept);
        }
    }
}

/// Bytes that the key condition selects, before any limit.
fn selected(read: &ReadNumbers) -> Figure {
    let there: Vec<Figure> = read.kinds.iter().map(|kind| kind.there.clone()).collect();
    returned(&there, read.returning).iter().zip(&read.kinds).map(|(there, kind)| there.times(&kind.each)).sum()
}

fn report(
    cx: &mut Cx<'_>,
    step: StepCx<'_>,
    source: Source<'_>,
    (numbers, read): (&StepNumbers, &ReadNumbers),
    filter: &FilterDef,
    kept: &Kept,
) {
    let (items, bytes) = read.call();
    let bytes = bytes.value().map(|bytes| format!(" ({})", show::bytes(bytes)));
    let items = items.value().map(|items| format!("of the {}", show::count_of(items, "item")));
    let times = match numbers.times {
        1.0 => String::new(),
        times => format!(", {} times", show::count(times)),
    };
    let share = show::figure(&kept.share, show::percent);
    let now = numbers.read_units();
    let price = |units: &Figure| {
        let price = priced::calls(cx.db, cx.root, cx.decl, source.layout.decl, units, &Figure::ZERO);
        let units = show::count_of(units.value()?, "read unit");
        Some(if price.is_empty() { units } else { format!("{units}, {price}") })
    };
    let asked = asked(filter);
    let sparse = asked.is_empty().then(|| sparse_index(cx, source, read, kept, filter, numbers.times));
    let advice = match &sparse {
        Some(sparse) => advice(cx, source, filter, sparse, price(&sparse.reads)),
        None => {
            let full = full_index(cx, source, read, kept, filter, numbers.times);
            let cost = cost(cx, source, &full, price(&full.reads));
            format!("an index {} would read those alone{cost}", keyed(source, read, &asked))
        }
    };
    let message = format!(
        "the filter keeps {share} {}{} that each call reads{times}, and all of it is paid for{}; {advice}",
        items.unwrap_or_else(|| "of the items".to_owned()),
        bytes.unwrap_or_default(),
        price(&now).map(|price| format!(": {price}")).unwrap_or_default(),
    );
    let fix = sparse.and_then(|sparse| {
        let (title, edits) = sparse_fix(cx, step, source, filter, (read, kept), &sparse)?;
        let change = priced::units_change(&now, &sparse.reads, "read unit");
        let change = change.map(|change| format!(": {change} a call")).unwrap_or_default();
        Some((format!("{title}{change}"), edits))
    });
    let place = cx.place(filter.range);
    let finding = cx.report(step.step.range, message);
    finding.relate(place, "the filter, which runs after the read");
    if let Some((title, edits)) = fix {
        finding.suggest(title, edits);
    }
}

/// The attributes whose value the caller gives by `=`. Every item is wanted under some
/// value: what holds the wanted ones only would hold them all.
fn asked(filter: &FilterDef) -> Vec<&str> {
    let Some(conditions) = &filter.conditions else { return Vec::new() };
    if conditions.operators.iter().any(|(or, _)| *or) {
        return Vec::new();
    }
    let asked = conditions.terms.iter().filter_map(|term| match term {
        Term::Comparison(Comparison { attribute, operator: Operator::Equal, operands, .. }) => {
            matches!(operands.as_slice(), [OperandDef::Parameter(_)]).then_some(attribute.text.as_str())
        }
        _ => None,
    });
    asked.collect()
}

/// The key of an index for values that the caller gives: behind the key of the query,
/// where there is one.
fn keyed(source: Source<'_>, read: &ReadNumbers, asked: &[&str]) -> String {
    if read.how == ReadKind::Scan {
        return format!("with the partition key {}", listed(asked));
    }
    let own = source.partition().iter().map(|key| key.name.as_str());
    format!("keyed by {}", listed(&own.chain(asked.iter().copied()).collect::<Vec<_>>()))
}

/// What an index would cost: its reads, its writes and its storage.
fn cost(cx: &Cx<'_>, source: Source<'_>, index: &Sparse, reads: Option<String>) -> String {
    let upkeep = index.upkeep.monthly(cx.db, cx.root, source.layout.decl);
    match (reads, priced::month(&upkeep)) {
        (Some(reads), Some(month)) => format!(": {reads}; its writes and its storage add {month}"),
        (Some(reads), None) => format!(": {reads}"),
        (None, _) => String::new(),
    }
}

/// The sparse index with its price, writes and storage apart.
fn advice(cx: &Cx<'_>, source: Source<'_>, filter: &FilterDef, sparse: &Sparse, reads: Option<String>) -> String {
    let cost = cost(cx, source, sparse, reads);
    let updaters = updaters(cx, source, filter);
    let names: Vec<&str> = updaters.iter().filter_map(|decl| decl_name(cx.db, *decl).as_deref()).take(3).collect();
    let follow = match names.is_empty() {
        true => String::new(),
        false => format!("; every update of what the filter tests ({}) has to set or remove that key", listed(&names)),
    };
    format!("a sparse index, whose key only the wanted items have, would read those alone{cost}{follow}")
}
