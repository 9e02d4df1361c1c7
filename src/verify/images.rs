//! What a table or index holds of an item, and in which order.

use super::population::Stored;
use crate::capacity::values::{Item, item_bytes};
use crate::model::defs::ProjectionKind;
use crate::model::layout::Source;
use std::cmp::Ordering;

/// What is there of an item: in a table the item, in an index its entry; `None`
/// where the index does not hold it, for want of one of its keys (facts C4).
pub(super) fn image(source: Source<'_>, item: &Item) -> Option<Item> {
    let Some(index) = source.index else { return Some(item.clone()) };
    if source.key().any(|attribute| !item.contains_key(&attribute.name)) {
        return None;
    }
    if index.projection == ProjectionKind::All {
        return Some(item.clone());
    }
    let keys = source.layout.primary_key().chain(source.key()).map(|attribute| attribute.name.as_str());
    let names = keys.chain(index.included.iter().map(String::as_str));
    Some(names.filter_map(|name| Some((name.to_owned(), item.get(name)?.clone()))).collect())
}

/// An item as a table or index holds it.
pub(super) struct Entry<'p, 'db> {
    pub stored: &'p Stored<'db>,
    pub image: Item,
    pub bytes: u64,
}

/// Everything that a table or index holds, in the order of the population.
pub(super) fn entries<'p, 'db>(source: Source<'_>, items: &'p [Stored<'db>]) -> Vec<Entry<'p, 'db>> {
    let entries = items.iter().filter_map(|stored| {
        let image = image(source, &stored.item)?;
        let bytes = item_bytes(&image);
        Some(Entry { stored, image, bytes })
    });
    entries.collect()
}

/// The order in which a query of the source returns two items of one partition;
/// equal where DynamoDB promises none (S7, S12, M7).
pub(super) fn order(source: Source<'_>, a: &Item, b: &Item) -> Ordering {
    let keys = source.sort().iter();
    let orders = keys.map(|key| a.get(&key.name).zip(b.get(&key.name)).and_then(|(a, b)| a.order(b)));
    orders.map(|order| order.unwrap_or(Ordering::Equal)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
