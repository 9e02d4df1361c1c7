//! An item that embeds so much that it is no longer small.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use super::unbounded_item;
use crate::capacity::facts::Declared;
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, entity, item_bytes, list_size};
use crate::capacity::units::{Consistency, read, write};
use crate::config::Bounds;
use crate::model::layout::{ItemLayout, TableLayout};
use crate::syntax::{Quantity, Unit};

pub static RULE: Rule = Rule {
    name: "oversized-aggregate",
    group: Group::Design,
    level: Level::Warning,
    summary: "an item that embeds others is over 100 KB at its maximum",
    thresholds: &[ITEM],
    check: Check::Table(check),
};

const ITEM: Threshold = Threshold {
    name: "item",
    default: Quantity { value: 102_400.0, unit: Unit::Size },
    bounds: Bounds::NONE,
    summary: "the size of an embedding item at its maximum, above which it is reported",
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let facts = Declared { db: cx.db, root: cx.root };
    let limit = cx.threshold(&ITEM);
    for item in layout.items.iter().filter(|item| !item.embeds.is_empty() && entity(&facts, item).is_some()) {
        let bytes = item_bytes(&facts, item, Bound::Max, Presence::Share);
        // Of an item that nothing keeps small enough to be stored that is said.
        if bytes.low() <= limit || unbounded_item::is_unbounded(cx, item) {
            continue;
        }
        let least = if bytes.value().is_some() { "up to" } else { "at least" };
        let message = format!(
            "an item of `{}` with what it embeds takes {least} {}{} at its maximum, over {}: each change of any part of it \
             writes all of it, {}, and each read reads all of it, {} strongly consistent; keep {} as items of their own \
             under the same partition key, or only the latest of them here",
            item.entity,
            show::bytes_beside(bytes.low(), &[limit]),
            bytes.computed_note(),
            show::bytes(limit),
            show::count_of(write(bytes.low()), "write unit"),
            show::count_of(read(bytes.low(), Consistency::Strong), "read unit"),
            largest(&facts, item),
        );
        cx.report(item.range, message);
    }
}

/// The embedded entity that takes most, with what it takes.
fn largest(facts: &Declared<'_>, item: &ItemLayout) -> String {
    let lists = item.embeds.iter().map(|embed| (list_size(facts, item, embed, Bound::Max), embed));
    let largest = lists.max_by(|(a, _), (b, _)| a.bytes().low().total_cmp(&b.bytes().low()));
    let Some((list, embed)) = largest else { return "what it embeds".to_owned() };
    match (list.children.value(), list.bytes().value()) {
        (Some(children), Some(bytes)) => {
            format!("`{}` ({} of them, {})", embed.entity, show::count(children), show::bytes(bytes))
        }
        _ => format!("`{}`", embed.entity),
    }
}
