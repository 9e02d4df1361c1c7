//! How large an item collection can become: all that shares one value of a
//! table's partition key, with its entries in local indexes (L12).

use super::distinct::Owner;
use super::facts::{Declared, Facts};
use super::figure::Figure;
use super::load::{partition_holes, template};
use super::select::{Pinned, select_most};
use super::sizes::{Bound, Presence, entry_bytes, share};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::IndexKind;
use crate::model::layout::{ItemLayout, Source, TableLayout, layout};

/// The largest collection of one template of the partition key.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection {
    /// The template of the partition key.
    pub value: String,
    /// What is in it, by kind of item and by table and local index.
    pub parts: Vec<CollectionPart>,
    /// Bytes of all of it.
    pub bytes: Figure,
}

/// The items of one kind in a collection, or their entries in a local index.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionPart {
    /// The local index; `None` for the items themselves.
    pub index: Option<String>,
    pub entity: String,
    /// At the greatest number of children.
    pub items: Figure,
    /// Bytes of one on average: of many items the average is what counts.
    pub each: Figure,
}

impl CollectionPart {
    /// Bytes of them all.
    pub fn bytes(&self) -> Figure {
        self.items.times(&self.each)
    }
}

/// The largest collections of a table with local indexes; none for another
/// table, whose collections have no limit (L13).
#[salsa::tracked(returns(ref))]
pub fn collections(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<Collection> {
    let Some(layout) = layout(db, root, table) else { return Vec::new() };
    // Of a key that is no key nothing can be said.
    let local = layout.indexes.iter().any(|index| index.kind == IndexKind::Local);
    if !local || !layout.table().has_sound_partition() {
        return Vec::new();
    }
    of_layout(&Declared { db, root }, layout)
}

/// Kinds add up where they can meet on one value: same template of the
/// partition key (H2).
fn of_layout(facts: &dyn Facts, layout: &TableLayout) -> Vec<Collection> {
    let mut families: Vec<(String, Collection)> = Vec::new();
    let keyed = |item: &&ItemLayout| layout.partition.iter().all(|key| item.keys.contains_key(&key.name));
    for item in layout.items.iter().filter(keyed) {
        let Some(owner) = Owner::of(facts, item) else { continue };
        let (family, value) = template(owner, layout.table(), item);
        let at = families.iter().position(|(other, _)| *other == family).unwrap_or_else(|| {
            families.push((family, Collection { value, parts: Vec::new(), bytes: Figure::ZERO }));
            families.len() - 1
        });
        families[at].1.parts.extend(parts(facts, layout, item));
    }
    let collections = families.into_iter().map(|(_, mut collection)| {
        collection.bytes = collection.parts.iter().map(CollectionPart::bytes).sum();
        collection
    });
    collections.collect()
}

fn parts(facts: &dyn Facts, layout: &TableLayout, item: &ItemLayout) -> Vec<CollectionPart> {
    let table = layout.table();
    let pinned = Pinned { partition: partition_holes(table, item), sort: Vec::new(), whole: table.sort().is_empty() };
    let items = select_most(facts, table, item, &pinned);
    let local = layout.of_indexes().filter(|source| source.index.is_some_and(|index| index.kind == IndexKind::Local));
    let part = |source: Source<'_>| CollectionPart {
        index: source.index.map(|index| index.name.text.clone()),
        entity: item.entity.clone(),
        items: items.times(&share(facts, source, item)),
        each: entry_bytes(facts, source, item, Bound::Avg, Presence::Share),
    };
    let all = std::iter::once(table).chain(local).map(part);
    all.filter(|part| part.items != Figure::ZERO).collect()
}
