//! A collection that grows to the limit that local indexes bring with them.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::collection::{Collection, CollectionPart, collections};
use crate::capacity::figure::list;
use crate::capacity::show;
use crate::config::Bounds;
use crate::model::defs::IndexKind;
use crate::model::layout::TableLayout;
use crate::syntax::{Quantity, Unit};

pub static RULE: Rule = Rule {
    name: "lsi-collection-size",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "items and entries of local indexes under one partition-key value reach 5 GB; an error from 10 GB",
    thresholds: &[SIZE],
    check: Check::Table(check),
};

const GB: f64 = 1_073_741_824.0;
/// From where a collection is near to the limit.
const SIZE: Threshold = Threshold {
    name: "size",
    default: Quantity { value: 5.0 * GB, unit: Unit::Size },
    bounds: Bounds::most(10.0 * GB),
    summary: "the size of the items and entries under one partition-key value from which it is reported",
};
/// Bytes of a collection that DynamoDB takes, where a table has a local index
/// (L12).
const LIMIT: f64 = 10.0 * GB;

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let near = cx.threshold(&SIZE).min(LIMIT);
    let collections = collections(cx.db, cx.root, cx.decl);
    let largest = collections.iter().max_by(|a, b| a.bytes.low().total_cmp(&b.bytes.low()));
    let Some(largest) = largest.filter(|collection| collection.bytes.low() >= near) else { return };
    let message = message(largest, near);
    let mut related: Vec<(Place, String)> = Vec::new();
    for part in largest.parts.iter().filter(|part| part.index.is_none()) {
        let item = layout.items.iter().find(|item| item.entity == part.entity);
        related.extend(item.map(|item| (cx.place(item.range), what(part, "item"))));
    }
    for index in layout.indexes.iter().filter(|index| index.kind == IndexKind::Local) {
        related.push((cx.place(index.name.range), "this local index brings the limit".to_owned()));
    }
    let over = largest.bytes.low() >= LIMIT;
    let finding = cx.report(cx.name_range(), message);
    if over {
        finding.level(Level::Error);
    }
    for (place, message) in related {
        finding.relate(place, message);
    }
}

/// "5M items at 1 KB".
fn what(part: &CollectionPart, one: &str) -> String {
    let each = show::bytes(part.each.low());
    if part.items.low() == 1.0 {
        return format!("1 {one} of {each}");
    }
    let several = if one == "entry" { "entries" } else { "items" };
    format!("{} {several} of {each}", show::count(part.items.low()))
}

fn message(collection: &Collection, near: f64) -> String {
    let least = if collection.bytes.value().is_none() { "at least " } else { "" };
    let parts: Vec<String> = collection
        .parts
        .iter()
        .filter(|part| part.bytes().low() > 0.0)
        .map(|part| match &part.index {
            None => format!("`{}`: {}", part.entity, what(part, "item")),
            Some(index) => format!("`{}` in `{index}`: {}", part.entity, what(part, "entry")),
        })
        .collect();
    let lacks = match collection.bytes.missing() {
        missing if missing.is_empty() => String::new(),
        missing => format!(" (without {})", list(missing)),
    };
    format!(
        "one value of the partition key `{}` can hold {least}{}{} ({}){lacks}; in a table with a local index that ends at \
         10 GB, and every write that would add to it fails from then on; make the index global, or put a month or a \
         shard into the partition key",
        collection.value,
        show::bytes_beside(collection.bytes.low(), &[near, LIMIT]),
        collection.bytes.computed_note(),
        parts.join("; ")
    )
}
