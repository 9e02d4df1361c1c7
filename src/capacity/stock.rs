//! What a table and its indexes hold: items, bytes, storage (numbers S4, S6, C1).

use super::facts::{Declared, Facts};
use super::figure::{Figure, Input};
use super::load::partition_holes;
use super::prices::{GB, STORED_BESIDES};
use super::select::{Pinned, Selection, select, select_most};
use super::sizes::{Bound, Presence, entry_bytes, members, share};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::IndexKind;
use crate::model::layout::{ItemLayout, Source, layout};

/// What a table or one of its indexes holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Stock {
    /// `Table` or `Table.Index`.
    pub label: String,
    /// The index and its kind; `None` for the table.
    pub index: Option<(String, IndexKind)>,
    pub kinds: Vec<KindStock>,
    pub items: Figure,
    /// Bytes of all of them, without what storage adds.
    pub bytes: Figure,
    /// GB that are paid for: items × (bytes + 100) / 2^30 (C1).
    pub storage_gb: Figure,
}

/// The items of one kind in a table or index.
#[derive(Clone, Debug, PartialEq)]
pub struct KindStock {
    pub entity: String,
    /// The share of the entity's items that it holds, from 0 to 1 (S4).
    pub share: Figure,
    pub items: Figure,
    /// Bytes of one, on average and at most.
    pub each: Figure,
    pub largest: Figure,
    /// How many share a value of the partition key, on average.
    pub collection: Selection,
    /// The same at the greatest number of children.
    pub most: Figure,
}

/// What a table and its indexes hold, the table first.
#[salsa::tracked(returns(ref))]
pub fn stocks(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<Stock> {
    let Some(layout) = layout(db, root, table) else { return Vec::new() };
    let facts = Declared { db, root };
    layout.sources().map(|source| stock(&facts, source)).collect()
}

/// What a table or index holds.
pub fn stock(facts: &dyn Facts, source: Source<'_>) -> Stock {
    let kinds: Vec<KindStock> = source.items().map(|item| kind(facts, source, item)).collect();
    let index = source.index.map(|index| (index.name.text.clone(), index.kind));
    let label = source.label();
    // An index that no item has the keys of is empty (S4); of a table without an
    // item nobody has said yet what it holds.
    if kinds.is_empty() && (source.index.is_none() || source.layout.items.is_empty()) {
        let nothing = Figure::unknown(Input::Items(label.clone()));
        return Stock { label, index, kinds, items: nothing.clone(), bytes: nothing.clone(), storage_gb: nothing };
    }
    let overhead = Figure::known(STORED_BESIDES);
    let stored = kinds.iter().map(|kind| kind.items.times(&kind.each.plus(&overhead)));
    Stock {
        storage_gb: stored.sum::<Figure>().scaled(1.0 / GB),
        items: kinds.iter().map(|kind| &kind.items).sum(),
        bytes: kinds.iter().map(|kind| kind.items.times(&kind.each)).sum(),
        label,
        index,
        kinds,
    }
}

fn kind(facts: &dyn Facts, source: Source<'_>, item: &ItemLayout) -> KindStock {
    let pinned = Pinned { partition: partition_holes(source, item), sort: Vec::new(), whole: source.sort().is_empty() };
    KindStock {
        entity: item.entity.clone(),
        share: share(facts, source, item),
        items: members(facts, source, item),
        each: entry_bytes(facts, source, item, Bound::Avg, Presence::Share),
        largest: entry_bytes(facts, source, item, Bound::Max, Presence::Share),
        collection: select(facts, source, item, &pinned),
        most: select_most(facts, source, item, &pinned),
    }
}
