//! An item that can become larger than DynamoDB takes.

use super::check::{Check, Cx};
use super::embedding::relationship_of;
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::capacity::facts::Declared;
use crate::capacity::figure::list;
use crate::capacity::largest::{ITEM_LIMIT, Largest, local_indexes, too_large};
use crate::capacity::show;
use crate::capacity::sizes::Bound;
use crate::model::layout::{ItemLayout, TableLayout};

pub static RULE: Rule = Rule {
    name: "item-too-large",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an item with what it embeds, and with its entries in LSIs, exceeds 400 KB at its maximum",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let facts = Declared { db: cx.db, root: cx.root };
    for item in &layout.items {
        let Some((largest, bound)) = too_large(&facts, layout, item) else { continue };
        let embeds = item.embeds.iter().filter_map(|embed| relationship_of(cx, &facts, item, embed));
        let mut related: Vec<(Place, String)> = embeds.collect();
        for index in local_indexes(layout, item).filter_map(|source| source.index) {
            related.push((cx.place(index.name.range), "its entry here counts as a part of the item".to_owned()));
        }
        let message = message(item, &largest, bound);
        let finding = cx.report(item.range, message);
        for (place, message) in related {
            finding.relate(place, message);
        }
    }
}

fn message(item: &ItemLayout, largest: &Largest, bound: Bound) -> String {
    let total = &largest.bytes;
    let much = show::bytes_beside(total.low(), &[ITEM_LIMIT]);
    let takes = match (bound, total.value()) {
        (Bound::Max, Some(_)) => format!("takes up to {much}"),
        (Bound::Max, None) => format!("takes at least {much} at its maximum"),
        (Bound::Avg, Some(_)) => format!("takes {much} on average already"),
        (Bound::Avg, None) => format!("takes at least {much} on average already"),
    };
    // What it is made of and what was computed stand in one pair of parentheses.
    let parts = format!("{}{}", parts(largest), total.computed_note()).replace(") (", "; ");
    let missing = total.missing();
    let ask = if missing.is_empty() { String::new() } else { format!(", and declare {}", list(missing)) };
    let advice = match (largest.lists.is_empty(), largest.entries.is_empty()) {
        (false, _) => "keep the children as items of their own, or bound how many there are",
        (true, false) => "let the local index project less or make it global, or keep large values in an object store",
        (true, true) => {
            "keep large values in an object store with their address here, or split them over several items"
        }
    };
    format!(
        "an item of `{}` {takes}{parts}, and DynamoDB takes 400 KB: the write that makes it larger is refused, and the \
         item can only shrink from then on; {advice}{ask}",
        item.entity
    )
}

/// What the item is made of, the largest first; nothing where it is one thing.
fn parts(largest: &Largest) -> String {
    let own = ("its own attributes".to_owned(), largest.own.low());
    let lists = largest.lists.iter().map(|list| {
        let many = match list.children.value() {
            Some(children) => format!("{} `{}`", show::count(children), list.child),
            None => format!("`{}`", list.child),
        };
        (format!("{many} in the list `{}`", list.list), list.bytes().low())
    });
    let entries = largest.entries.iter().map(|(index, bytes)| (format!("the entry in LSI `{index}`"), bytes.low()));
    let mut parts: Vec<(String, f64)> = std::iter::once(own).chain(lists).chain(entries).collect();
    if parts.len() == 1 {
        return String::new();
    }
    parts.retain(|(_, bytes)| *bytes > 0.0);
    parts.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let parts: Vec<String> = parts.iter().map(|(what, bytes)| format!("{what}: {}", show::bytes(*bytes))).collect();
    format!(" ({})", parts.join(", "))
}
