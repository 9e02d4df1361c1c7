//! An item that nothing keeps small enough.

use super::check::{Check, Cx};
use super::embedding::relationship_of;
use super::finding::{Level, Place};
use super::missing_count::{children_unclear, declare};
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::facts::Declared;
use crate::capacity::figure::{Figure, Input, list};
use crate::capacity::largest::{ITEM_LIMIT, too_large};
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, entity, item_bytes, list_size};
use crate::config::Bounds;
use crate::model::layout::{EmbedLayout, ItemLayout, TableLayout};
use crate::syntax::{Quantity, Unit};
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "unbounded-item",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "an item is over 300 KB at its maximum, or embeds children with no declared maximum",
    thresholds: &[SIZE],
    check: Check::Table(check),
};

/// From where an item comes near to the limit (facts 9, a heuristic; the limit is
/// 400 KB, L01).
const SIZE: Threshold = Threshold {
    name: "size",
    default: Quantity { value: 300.0 * 1_024.0, unit: Unit::Size },
    bounds: Bounds::most(400.0 * 1_024.0),
    summary: "the maximum size of an item above which it is reported",
};

/// Bytes above which the rule speaks.
fn large(cx: &Cx<'_>) -> f64 {
    SIZE.value(cx.db, cx.root, &RULE).min(ITEM_LIMIT)
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let facts = Declared { db: cx.db, root: cx.root };
    let large = large(cx);
    // What is over the limit itself is told as that.
    let may_fit = |item: &&ItemLayout| entity(&facts, item).is_some() && too_large(&facts, layout, item).is_none();
    for item in layout.items.iter().filter(may_fit) {
        let bytes = item_bytes(&facts, item, Bound::Max, Presence::Share);
        let open: Vec<&EmbedLayout> = item.embeds.iter().filter(|embed| is_open(cx, &facts, item, embed)).collect();
        let average = item_bytes(&facts, item, Bound::Avg, Presence::Share);
        // The largest is certainly no smaller than the average.
        let size = match (bytes.low() > large, average.low() > large) {
            (true, _) => Some(Size::Maximum(&bytes)),
            (false, true) => Some(Size::Average(&average, bytes.missing())),
            (false, false) if open.is_empty() => continue,
            (false, false) => None,
        };
        let asked: Vec<String> = open.iter().map(|embed| declare(cx, &item.entity, &embed.entity)).collect();
        let message = message(item, large, size, &open, &asked.join(" and "));
        let related: Vec<(Place, String)> =
            item.embeds.iter().filter_map(|embed| relationship_of(cx, &facts, item, embed)).collect();
        let finding = cx.report(item.range, message);
        for (place, message) in related {
            finding.relate(place, message);
        }
    }
}

/// Whether the rule speaks of an item.
pub fn is_unbounded(cx: &Cx<'_>, item: &ItemLayout) -> bool {
    let facts = Declared { db: cx.db, root: cx.root };
    let large = large(cx);
    let over = |bound| item_bytes(&facts, item, bound, Presence::Share).low() > large;
    over(Bound::Max) || over(Bound::Avg) || item.embeds.iter().any(|embed| is_open(cx, &facts, item, embed))
}

/// What of an item is too large.
enum Size<'f> {
    /// What it takes at most, or certainly takes at its maximum.
    Maximum(&'f Figure),
    /// What it takes on average, and what is missing to tell the maximum.
    Average(&'f Figure, &'f BTreeSet<Input>),
}

/// Whether nothing says how many children one item embeds at most. A fault of
/// the relationship is reported there.
fn is_open(cx: &Cx<'_>, facts: &Declared<'_>, item: &ItemLayout, embed: &EmbedLayout) -> bool {
    let missing = Input::MaxChildren { parent: item.entity.clone(), child: embed.entity.clone() };
    embed.entity_decl.is_some()
        && list_size(facts, item, embed, Bound::Max).children.missing().contains(&missing)
        && !children_unclear(cx, &item.entity, &embed.entity)
}

fn message(item: &ItemLayout, large: f64, size: Option<Size<'_>>, open: &[&EmbedLayout], ask: &str) -> String {
    let entity = &item.entity;
    let lists: Vec<String> = open.iter().map(|embed| format!("`{}`", embed.entity)).collect();
    let lists = lists.join(" and ");
    let over = format!("over {}, too near to the 400 KB from which DynamoDB refuses an item", show::bytes(large));
    let shown =
        |bytes: &Figure| format!("{}{}", show::bytes_beside(bytes.low(), &[large, ITEM_LIMIT]), bytes.computed_note());
    match size {
        Some(Size::Maximum(bytes)) if open.is_empty() => format!(
            "an item of `{entity}` takes up to {}{} {over}, with whatever write makes it so; keep children as items of \
             their own, large values in an object store, or lower the maximum that the model declares",
            shown(bytes),
            if bytes.value().is_some() { "," } else { " or more," }
        ),
        Some(Size::Maximum(bytes)) => format!(
            "an item of `{entity}` takes at least {} at its maximum, {over}, and nothing says how many {lists} it embeds \
             at most; {ask}, or keep them as items of their own",
            shown(bytes)
        ),
        Some(Size::Average(bytes, missing)) => {
            let least = if bytes.value().is_some() { "" } else { "at least " };
            let ask = match (open.is_empty(), missing.is_empty()) {
                (false, _) => ask.to_owned(),
                (true, false) => format!("declare {}", list(missing)),
                (true, true) => "declare its maximum".to_owned(),
            };
            format!(
                "an item of `{entity}` takes {least}{} on average, {over}, and nothing says how much it takes at most; \
                 {ask}, and keep children as items of their own or large values in an object store",
                shown(bytes)
            )
        }
        None => format!(
            "an item of `{entity}` embeds {lists}, and nothing says how many at most: it grows with each, every write \
             rewrites it whole, and DynamoDB refuses an item over 400 KB; {ask}, or keep them as items of their own"
        ),
    }
}
