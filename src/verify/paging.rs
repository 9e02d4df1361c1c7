//! Reads of several pages, and in which order items came.

use super::engine::EngineFault;
use super::run::Cx;
use super::tally::Units;
use crate::capacity::units::PAGE;
use crate::capacity::values::Item;
use crate::model::layout::{Source, TableLayout};
use crate::population::images::{Entry, order};
use crate::population::items::{key_of, spelled};
use crate::requests::Request;
use crate::requests::wire::item_from_json;
use std::collections::{BTreeMap, BTreeSet};

/// Pages of one read that are followed; no run has so many.
const MOST_PAGES: usize = 10_000;

/// Pages of at most 1 MB, as (items, bytes): an item that would go beyond begins
/// the next one (L26, Q7). Where nothing is read there is still one.
pub(super) fn pages(sizes: impl Iterator<Item = u64>) -> Vec<(usize, u64)> {
    let mut pages = vec![(0, 0)];
    for bytes in sizes {
        let (items, page) = pages[pages.len() - 1];
        match items > 0 && page + bytes > PAGE as u64 {
            true => pages.push((1, bytes)),
            false => *pages.last_mut().expect("there is one from the start") = (items + 1, page + bytes),
        }
    }
    pages
}

/// Sends a query or scan, page after page unless one is enough, and adds up what
/// they return and consume.
pub(super) fn follow(cx: &Cx<'_, '_>, request: Request, one_page: bool) -> Result<(Vec<Item>, Units), EngineFault> {
    let (mut items, mut units) = (Vec::new(), Units::default());
    let mut start = None;
    for _ in 0..MOST_PAGES {
        let mut page = request.clone();
        if let Some(start) = start.take() {
            page.body.insert("ExclusiveStartKey", start);
        }
        let (answer, consumed) = cx.session.measure(page)?;
        items.extend(answer["Items"].as_array().into_iter().flatten().filter_map(item_from_json));
        units.extend(&consumed);
        match answer.get("LastEvaluatedKey") {
            Some(key) if !key.is_null() && !one_page => start = Some(key.clone()),
            _ => return Ok((items, units)),
        }
    }
    Err(EngineFault { code: "Endless".to_owned(), message: format!("no end after {MOST_PAGES} pages") })
}

/// The places of the returned items among those that are there; `None` where
/// they are not all of these, each once.
pub(super) fn places(layout: &TableLayout, there: &[&Entry<'_, '_>], came: &[Item]) -> Option<Vec<usize>> {
    let keys: BTreeMap<String, usize> =
        there.iter().enumerate().map(|(place, entry)| (spelled(&entry.stored.key()), place)).collect();
    let places: Vec<usize> =
        came.iter().map(|item| keys.get(&spelled(&key_of(layout, item))).copied()).collect::<Option<_>>()?;
    let distinct: BTreeSet<usize> = places.iter().copied().collect();
    (distinct.len() == places.len() && places.len() == there.len()).then_some(places)
}

/// The matched items in the order in which they came, if that keeps what is
/// promised: the order of their sort keys.
pub(super) fn as_came<'e, 'p, 'db>(
    source: Source<'_>,
    matched: &[&'e Entry<'p, 'db>],
    came: &[Item],
) -> Option<Vec<&'e Entry<'p, 'db>>> {
    let places = places(source.layout, matched, came)?;
    let ordered: Vec<&Entry> = places.iter().map(|place| matched[*place]).collect();
    let kept = ordered.iter().zip(matched).all(|(a, b)| order(source, &a.image, &b.image).is_eq());
    kept.then_some(ordered)
}
