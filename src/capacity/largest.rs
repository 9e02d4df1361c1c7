//! How large an item can become with all that DynamoDB counts as a part of it
//! (L01, L02).

use super::facts::Facts;
use super::figure::Figure;
use super::sizes::{Bound, ListSize, Presence, entity, entry_bytes, list_size, own_bytes};
use crate::model::defs::IndexKind;
use crate::model::layout::{ItemLayout, Source, TableLayout};

/// Bytes of the largest item that DynamoDB takes; in a table with local indexes,
/// of an item and its entries in them (L01, L02).
pub const ITEM_LIMIT: f64 = 400.0 * 1_024.0;

/// What an item takes: what it has itself, what is embedded in it, and its
/// entries in local indexes.
#[derive(Clone, Debug, PartialEq)]
pub struct Largest {
    pub own: Figure,
    pub lists: Vec<ListSize>,
    /// The local indexes that the item is in, with its entry in each.
    pub entries: Vec<(String, Figure)>,
    /// Bytes of all of it.
    pub bytes: Figure,
}

impl Largest {
    /// An item of a table at its maximum, or on average.
    pub fn of(facts: &dyn Facts, layout: &TableLayout, item: &ItemLayout, bound: Bound) -> Self {
        let own = own_bytes(facts, item, bound, Presence::Share);
        let lists: Vec<ListSize> = item.embeds.iter().map(|embed| list_size(facts, item, embed, bound)).collect();
        let entries: Vec<(String, Figure)> = local_indexes(layout, item)
            .filter_map(|source| {
                let bytes = entry_bytes(facts, source, item, bound, Presence::Share);
                Some((source.index?.name.text.clone(), bytes))
            })
            .collect();
        let embedded: Figure = lists.iter().map(ListSize::bytes).sum();
        let indexed: Figure = entries.iter().map(|(_, bytes)| bytes).sum();
        let bytes = own.plus(&embedded).plus(&indexed);
        Self { own, lists, entries, bytes }
    }
}

/// The local indexes that an item is in: their entries count as a part of it.
pub fn local_indexes<'l>(layout: &'l TableLayout, item: &'l ItemLayout) -> impl Iterator<Item = Source<'l>> {
    layout.of_indexes().filter(|source| {
        source.index.is_some_and(|index| index.kind == IndexKind::Local)
            && source.key().all(|key| item.keys.contains_key(&key.name))
    })
}

/// An item that is certainly over the limit: at its maximum, or, where that is not
/// declared, on average already. `None` for one that may fit.
pub fn too_large(facts: &dyn Facts, layout: &TableLayout, item: &ItemLayout) -> Option<(Largest, Bound)> {
    entity(facts, item)?;
    let over = |bound| Some(Largest::of(facts, layout, item, bound)).filter(|item| item.bytes.low() > ITEM_LIMIT);
    over(Bound::Max).map(|item| (item, Bound::Max)).or_else(|| Some((over(Bound::Avg)?, Bound::Avg)))
}
