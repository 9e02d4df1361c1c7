//! *Bounded Read Strategy*: what ends each query and scan of a table and its
//! indexes, and what happens there.

use super::keys::figure;
use crate::capacity::figure::{Figure, list};
use crate::capacity::most::Most;
use crate::capacity::operations::{StepNumbers, Work, pattern_numbers};
use crate::capacity::reads::ReadNumbers;
use crate::capacity::show;
use crate::capacity::units::PAGE;
use crate::deliverables::bounds::{End, end};
use crate::deliverables::markdown::{code, codes, inline, prose};
use crate::deliverables::numbers::{measure, number};
use crate::deliverables::outline::Outline;
use crate::deliverables::patterns::Pattern;
use crate::derive::{Cx, weighted_items};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::resolve::Step;
use crate::syntax::Unit;

/// How far each read of a table and its indexes is bounded, as the lines of a list.
pub(super) fn bounds(outline: &Outline<'_>, table: Decl, patterns: &[Pattern<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut single: Vec<String> = Vec::new();
    for pattern in patterns {
        for step in pattern.steps.iter().filter(|step| step.resolved.table == Some(table)) {
            match &step.step.op {
                OpDef::Query { .. } | OpDef::Scan { .. } => lines.push(bound(outline, pattern, step)),
                OpDef::Get { .. } if !single.contains(&pattern.reference()) => single.push(pattern.reference()),
                _ => {}
            }
        }
    }
    if lines.is_empty() {
        lines.push(String::from("No pattern queries or scans it."));
    }
    if !single.is_empty() {
        lines.push(format!("Bounded by the whole primary key, one item each: {}", single.join(", ")));
    }
    lines
}

/// How far a query or scan is bounded.
fn bound(outline: &Outline<'_>, pattern: &Pattern<'_>, step: &Step<'_>) -> String {
    let target = step.target().map(|target| code(&target)).unwrap_or_else(|| String::from("(no table yet)"));
    let start = format!("{}: {} of {target}", pattern.reference(), step.step.op.word());
    let options = step.step.op.options();
    let limit = options.and_then(|options| options.limit.as_ref()).and_then(|limit| limit.get(Unit::Number));
    let pages = pattern.def.pages.as_ref().and_then(|pages| measure(pages, Unit::Number));
    let mut parts = vec![match limit {
        Some(limit) => format!("at most {} a page", items(limit)),
        None => String::from("no limit"),
    }];
    parts.extend(pages.as_ref().map(|pages| format!("pages: {pages}")));
    let read = numbers(outline, pattern, step);
    parts.extend(read.map(|read| {
        let (items, bytes) = read.call();
        let items = figure(&items, |items| show::count_of(items, "item"), "a number of items that is not known");
        let bytes = show::figure(&bytes, show::bytes);
        let weighted = step.source.and_then(|source| weighted_items(Cx::new(outline.db, outline.root), source, read));
        let weighted = weighted.map_or_else(String::new, |how| format!(" ({how})"));
        match times(outline, pattern, step) {
            1.0 => format!("a call reads {items}, {bytes}{weighted}"),
            times => format!("each of the {} that a call sends reads {items}, {bytes}{weighted}", show::number(times)),
        }
    }));
    parts.push(match end(outline, pattern, step) {
        End::Limit if limit.is_some_and(|limit| holds_all(outline, step, limit)) => {
            String::from("that is all that there can be")
        }
        // A page of so many large items ends before.
        End::Limit | End::Item => String::from(match pages {
            Some(_) => "`LastEvaluatedKey` leads from page to page",
            None => "the rest is not read, and `LastEvaluatedKey` leads to it",
        }),
        end => unlimited(&end, read, pages.is_some()),
    });
    if let Some(filter) = options.and_then(|options| options.filter.as_ref()) {
        let names = filter.conditions.iter().flat_map(ConditionsDef::leaves).filter_map(Term::attribute);
        let names = codes(names.map(|name| name.text.as_str()));
        parts.push(format!("the limit and the page count what is read, before the filter on {names}"));
    }
    format!("{start}: {}", parts.join("; "))
}

/// Whether a limit is never reached: there can be no more items than that.
fn holds_all(outline: &Outline<'_>, step: &Step<'_>, limit: f64) -> bool {
    let most = Most::of(outline.db, outline.root, step).filter(|most| most.returning.is_none() && most.within_a_page());
    most.is_some_and(|most| {
        let items: Figure = most.kinds.iter().map(|kind| &kind.items).sum();
        items.high().is_some_and(|high| high <= limit)
    })
}

/// What ends a read that has no limit.
fn unlimited(end: &End<'_>, read: Option<&ReadNumbers>, paged: bool) -> String {
    let follow = if paged { "the caller follows `LastEvaluatedKey`" } else { "`LastEvaluatedKey` leads to the next" };
    let page = format!("a page ends at 1 MB, {follow}");
    match end {
        End::Item | End::Limit => page,
        End::Pages(pages, most) => {
            let what = most.as_ref().map_or_else(|| everything(read), |most| selected(most));
            format!("bounded by `pages`, the caller fetches at most {}: {what}; {page}", show::count_of(*pages, "page"))
        }
        End::Scan => format!("**unbounded**: {}; {page}", everything(read)),
        End::Unkeyed => String::from("no key condition that DynamoDB takes bounds it"),
        End::Nothing => String::from("its key condition reaches no item"),
        End::OverPage(most) => format!("**unbounded** by the request: {}; {page}", selected(most)),
        End::Unknown(most) => format!("**not known to be bounded**: {}; {page}", selected(most)),
        End::Unsaid(most) => format!("**bounded by nothing**: {}; {page}", selected(most)),
        End::Data(most) if most.bytes.high().is_some_and(|high| high <= PAGE) => {
            format!("bounded by the data: {}, within one page", selected(most))
        }
        End::Data(most) => format!("bounded by the data: {}; {page}", selected(most)),
    }
}

/// What a scan reads.
fn everything(read: Option<&ReadNumbers>) -> String {
    let there = read.map(|read| read.kinds.iter().map(|kind| kind.there.times(&kind.each)).sum::<Figure>());
    let there = there.map(|bytes| figure(&bytes, show::bytes, "a size that is not known"));
    let there = there.unwrap_or_else(|| String::from("a size that is not known"));
    format!("it reads everything, {there}, and grows with it")
}

/// What a query selects at most, and its size.
fn selected(most: &Most<'_>) -> String {
    let kinds: Vec<String> = most
        .kinds
        .iter()
        .map(|kind| {
            let there = figure(&kind.items, show::count, "an unknown number");
            format!("{there} of {}", inline(&kind.item.entity))
        })
        .collect();
    let what = match most.returning {
        Some((items, true)) => format!("`returning` says up to {}", show::count_of(items, "item")),
        Some((items, false)) => format!("`returning` says {} on average", show::count_of(items, "item")),
        None if kinds.is_empty() => return String::from("its key condition reaches no item"),
        None if most.is_maximum() && most.kinds.iter().all(|kind| kind.items.high().is_some()) => {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.trim_start_matches("≤ ")).collect();
            format!("the key condition selects at most {}", kinds.join(", "))
        }
        None => format!("as the model counts them, the key condition selects {}", kinds.join(", ")),
    };
    let lacks = most.bytes.missing();
    let needs = if lacks.is_empty() { String::new() } else { format!(" (needs {})", prose(&list(lacks))) };
    // Sizes are the largest ones, also where the number of items is an average.
    let largest = if most.is_maximum() { "" } else { " at their largest" };
    match most.bytes.high().is_some() || most.bytes.low() > PAGE {
        true => {
            format!("{what}, {}{largest}{needs}", show::figure(&most.bytes, |bytes| show::bytes_beside(bytes, &[PAGE])))
        }
        false => format!("{what}{needs}"),
    }
}

fn items(limit: f64) -> String {
    if limit == 1.0 { String::from("1 item") } else { format!("{} items", number(limit)) }
}

/// How often a call does a step.
fn times(outline: &Outline<'_>, pattern: &Pattern<'_>, step: &Step<'_>) -> f64 {
    let numbers = pattern_numbers(outline.db, outline.root, pattern.decl).as_ref();
    let is_own = |own: &&StepNumbers| (own.operation, own.step) == (step.resolved.operation, step.resolved.step);
    numbers.and_then(|numbers| numbers.steps.iter().find(is_own)).map_or(1.0, |own| own.times)
}

/// The numbers of a read.
fn numbers<'db>(outline: &Outline<'db>, pattern: &Pattern<'_>, step: &Step<'_>) -> Option<&'db ReadNumbers> {
    let numbers = pattern_numbers(outline.db, outline.root, pattern.decl).as_ref()?;
    let own = (step.resolved.operation, step.resolved.step);
    match &numbers.steps.iter().find(|step| (step.operation, step.step) == own)?.work {
        Work::Read(read) => Some(read),
        Work::Write(_) | Work::Unknown(_) => None,
    }
}
