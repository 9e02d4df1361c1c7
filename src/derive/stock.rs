//! What a table or index holds, and what storing that costs (numbers S4, S6, C1).

use super::Cx;
use super::cost::price;
use super::reads::members;
use super::sizes::entry;
use super::text::{Unit, equation, number, operand, sum, term};
use crate::capacity::figure::Figure;
use crate::capacity::prices::{GB, Priced, STORED_BESIDES};
use crate::capacity::sizes::{Bound, Presence};
use crate::capacity::stock::{KindStock, Stock};
use crate::model::db::Decl;
use crate::model::layout::{ItemLayout, Source};

/// The items of each kind with their bytes, and all of them together.
pub fn held(cx: Cx<'_>, source: Source<'_>, stock: &Stock) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in &stock.kinds {
        let Some(item) = source.layout.items.iter().find(|item| item.entity == kind.entity) else { continue };
        lines.push(members(cx, source, item, &kind.items));
        super::text::add_new(&mut lines, entry(cx, source, item, Bound::Avg, Presence::Share));
    }
    if stock.kinds.len() > 1 {
        let items = sum(stock.kinds.iter().map(|kind| term(&kind.items)).collect());
        lines.push(format!("Items: {}", equation(&items, &stock.items, Unit::Of("item"))));
    }
    if !stock.kinds.is_empty() {
        let product = |kind: &KindStock| {
            let text = format!("{} × {}", operand(&kind.items, Unit::Number), operand(&kind.each, Unit::Number));
            (text, kind.items.times(&kind.each))
        };
        let bytes = sum(stock.kinds.iter().map(product).collect());
        lines.push(format!("Bytes: {}", equation(&bytes, &stock.bytes, Unit::Bytes)));
    }
    lines
}

/// Gigabytes and dollars of storage.
pub fn storage(cx: Cx<'_>, table: Decl, stock: &Stock) -> Vec<String> {
    if stock.kinds.is_empty() {
        return Vec::new();
    }
    let terms = stock.kinds.iter().map(|kind| stored(&kind.items, &kind.each)).collect();
    let mut lines = vec![gigabytes(terms, &stock.storage_gb)];
    let price = price(cx, table, Priced::StorageGbMonth);
    let monthly = stock.storage_gb.times(&price);
    let gb = operand(&stock.storage_gb, Unit::Gb);
    let price = match price.value() {
        Some(_) => operand(&price, Unit::Dollars),
        None => "unknown price".to_owned(),
    };
    let product = equation(&format!("{gb} × {price}"), &monthly, Unit::Dollars);
    lines.push(format!("Storing that: {product} a month"));
    lines
}

fn stored(items: &Figure, each: &Figure) -> (String, Figure) {
    let text =
        format!("{} × ({} + {})", operand(items, Unit::Number), operand(each, Unit::Number), number(STORED_BESIDES));
    (text, items.times(&each.plus(&Figure::known(STORED_BESIDES))))
}

fn gigabytes(terms: Vec<(String, Figure)>, total: &Figure) -> String {
    let sum = if terms.len() == 1 { sum(terms) } else { format!("({})", sum(terms)) };
    let quotient = equation(&format!("{sum} ÷ {}", number(GB)), total, Unit::Gb);
    format!("Storage, with 100 B besides for each: {quotient}")
}

/// What a table or index holds of one entity.
pub fn holding(cx: Cx<'_>, source: Source<'_>, item: &ItemLayout, kind: &KindStock) -> Vec<String> {
    let mut lines = vec![members(cx, source, item, &kind.items)];
    // The item itself is derived above.
    if source.index.is_some_and(|index| index.projection != crate::model::defs::ProjectionKind::All) {
        super::text::add_new(&mut lines, entry(cx, source, item, Bound::Avg, Presence::Share));
    }
    let gb = kind.items.times(&kind.each.plus(&Figure::known(STORED_BESIDES))).scaled(1.0 / GB);
    lines.push(gigabytes(vec![stored(&kind.items, &kind.each)], &gb));
    lines
}
