//! A query that nothing ends before its first page is full.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::capacity::figure::{Input, list};
use crate::capacity::most::{KindMost, Most};
use crate::capacity::show;
use crate::capacity::units::PAGE;
use crate::model::defs::*;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "unbounded-read",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "a query without `limit` and without `pages` can read over 1 MB",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    // A limit may be what cannot be read.
    if cx.is_broken() || pattern.pages.is_some() {
        return;
    }
    for step in cx.steps() {
        let OpDef::Query { options, .. } = &step.step.op else { continue };
        // In a batch or transaction it answers nothing; that is a finding of its own.
        if step.operation.group.is_some() || options.limit.is_some() {
            continue;
        }
        let Some(read) = Most::of(cx.db, cx.root, &step).filter(|read| read.bytes.low() > PAGE) else { continue };
        let message = message(&read);
        let places: Vec<(Place, String)> = read
            .kinds
            .iter()
            .filter(|kind| kind.bytes().low() > 0.0)
            .map(|kind| {
                let message = if read.returning.is_some() { each(kind) } else { written(kind) };
                (Place { decl: read.source.layout.decl, range: kind.item.range }, message)
            })
            .collect();
        let finding = cx.report(step.step.range, message);
        for (place, message) in places {
            finding.relate(place, message);
        }
    }
}

/// "5,000 of `Order`, up to 12 KB each".
fn written(kind: &KindMost<'_>) -> String {
    format!("{} of `{}`, {}", show::count(kind.items.low()), kind.item.entity, each(kind))
}

/// "up to 12 KB each"; the average where the largest is not known.
fn each(kind: &KindMost<'_>) -> String {
    let at_most = if kind.each.value().is_some() { "up to " } else { "" };
    format!("{at_most}{} each", show::bytes(kind.each.low()))
}

fn message(read: &Most<'_>) -> String {
    let what: Vec<String> = match read.returning {
        Some((items, true)) => vec![format!("`returning` says up to {}", show::count_of(items, "item"))],
        Some((items, false)) => vec![format!("`returning` says {} on average", show::count_of(items, "item"))],
        None => read.kinds.iter().filter(|kind| kind.bytes().low() > 0.0).map(written).collect(),
    };
    let bytes = read.bytes.low();
    let pages = (bytes / PAGE).ceil();
    format!(
        "one call can read {}{} ({}), and a page of a query ends at 1 MB: who asks once gets the first of {}, and \
         who fetches them all waits for each; set `limit`, or `pages avg …, max …` where the caller fetches several{}",
        show::bytes_beside(bytes, &[PAGE]),
        read.bytes.computed_note(),
        what.join("; "),
        show::count_of(pages, "page"),
        asks(read)
    )
}

/// What the averages stand in for.
fn asks(read: &Most<'_>) -> String {
    let heavy = read.kinds.iter().filter(|kind| kind.bytes().low() > 0.0);
    let mut missing: BTreeSet<&Input> = BTreeSet::new();
    let mut uncounted = false;
    for kind in heavy {
        let maximum = |input: &&Input| matches!(input, Input::MaxSize(_) | Input::AttributeSize { .. });
        missing.extend(kind.each.missing().iter().filter(maximum));
        if read.returning.is_none() {
            missing.extend(kind.items.missing().iter().filter(|input| matches!(input, Input::MaxChildren { .. })));
            uncounted |= !kind.related && kind.items.low() > 1.0;
        }
    }
    let mut asks: Vec<String> = Vec::new();
    if !missing.is_empty() {
        asks.push(list(missing));
    }
    if uncounted || read.returning.is_some_and(|(_, most)| !most) {
        asks.push("`returning max`".to_owned());
    }
    match asks.as_slice() {
        [] => String::new(),
        asks => format!("; these are averages: declare {} for what it is at most", asks.join(" and ")),
    }
}
