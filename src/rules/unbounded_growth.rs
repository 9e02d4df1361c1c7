//! An entity that grows and never shrinks.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::cost::price;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::prices::{GB, MONTH_SECONDS, Priced, STORED_BESIDES};
use crate::capacity::show;
use crate::capacity::sizes::{Bound, list_size};
use crate::capacity::stock::stocks;
use crate::config::Bounds;
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::model::uses::{expires_by, items_of, uses_of};
use crate::syntax::{Quantity, Unit};

pub static RULE: Rule = Rule {
    name: "unbounded-growth",
    group: Group::Cost,
    level: Level::Info,
    summary: "an entity grows, and neither a delete nor a TTL ever takes an item away",
    thresholds: &[GROWTH],
    check: Check::Entity(check),
};

const GROWTH: Threshold = Threshold {
    name: "growth",
    default: Quantity { value: 0.0, unit: Unit::Size },
    bounds: Bounds::NONE,
    summary: "the growth in a month, indexes included, above which an entity is reported",
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    let Some(rate) = entity.growing.as_ref().filter(|rate| rate.get(Unit::Rate).is_some_and(|rate| rate > 0.0)) else {
        return;
    };
    // Of a lifetime that no table keeps, `lifetime-without-ttl` speaks.
    if cx.is_broken() || entity.lifetime.is_some() || is_deleted(cx, &name) {
        return;
    }
    let mut tables = Vec::new();
    let mut is_indexed = false;
    let mut bytes = Figure::ZERO;
    let mut dollars = Figure::ZERO;
    for (layout, item) in items_of(cx.db, cx.root, &name) {
        let parent_goes = item.entity != name && is_deleted(cx, &item.entity);
        if parent_goes || expires_by(cx.db, layout, item).is_some() {
            continue;
        }
        let each = bytes_of_one(cx, layout, item, &name);
        let storage = price(cx.db, cx.root, layout.decl, Priced::StorageGbMonth);
        dollars = dollars.plus(&each.times(&storage).scaled(1.0 / GB));
        bytes = bytes.plus(&each);
        let holds = |source: Source<'_>| source.key().all(|key| item.keys.contains_key(&key.name));
        is_indexed |= layout.of_indexes().any(holds);
        tables.push((layout.decl, layout.name.text.clone()));
    }
    if tables.is_empty() {
        return;
    }
    let month = rate.get(Unit::Rate).unwrap_or(0.0) * MONTH_SECONDS;
    if bytes.scaled(month).high().is_some_and(|bytes| bytes <= cx.threshold(&GROWTH)) {
        return;
    }
    let names: Vec<&str> = tables.iter().map(|(_, name)| name.as_str()).collect();
    let indexes = match (is_indexed, tables.len()) {
        (false, _) => "",
        (true, 1) => " and its indexes",
        (true, _) => " and their indexes",
    };
    let message = format!(
        "`{name}` grows by {} and nothing ever takes one away: every month adds {} to {}{indexes}{}; delete what \
         is over, give it a `lifetime` and the table a `ttl`, or move what nobody reads to cheaper storage",
        rate.written,
        show::figure(&bytes.scaled(month), show::bytes),
        super::fixes::listed(&names),
        priced(&dollars.scaled(month)),
    );
    let places: Vec<_> = tables.iter().filter_map(|(decl, _)| cx.name_place(*decl)).collect();
    let finding = cx.report(cx.name_range(), message);
    for place in places {
        finding.relate(place, "it is kept here for ever");
    }
}

/// Whether a pattern deletes items of the entity.
fn is_deleted(cx: &Cx<'_>, entity: &str) -> bool {
    uses_of(cx.db, cx.root, entity).is_some_and(|uses| !uses.deletes.is_empty())
}

/// What one item more stores, in the table and in its indexes (numbers C1); of an
/// embedded one, its element in the list (numbers S5).
fn bytes_of_one(
    cx: &Cx<'_>,
    layout: &crate::model::layout::TableLayout,
    item: &crate::model::layout::ItemLayout,
    name: &str,
) -> Figure {
    if item.entity != name {
        let facts = Declared { db: cx.db, root: cx.root };
        let embeds = item.embeds.iter().filter(|embed| embed.entity == name);
        let element = |embed| list_size(&facts, item, embed, Bound::Avg).element.plus(&Figure::known(1.0));
        return embeds.map(element).sum();
    }
    let kinds = stocks(cx.db, cx.root, layout.decl).iter().flat_map(|stock| &stock.kinds);
    let own = kinds.filter(|kind| kind.entity == name);
    own.map(|kind| kind.share.times(&kind.each.plus(&Figure::known(STORED_BESIDES)))).sum()
}

/// What a month's growth costs, and what it has come to after a year.
fn priced(month: &Figure) -> String {
    match month.value() {
        Some(usd) => format!(
            ", {} a month more each month, {} a month after a year",
            show::dollars(usd),
            show::dollars(usd * 12.0)
        ),
        None => String::new(),
    }
}
