//! What a table or index holds of an item, and in which order.

use super::items::Stored;
use crate::capacity::values::{Item, Value, item_bytes};
use crate::model::defs::ProjectionKind;
use crate::model::layout::Source;
use std::cmp::Ordering;

/// What is there of an item: in a table the item, in an index its entry; `None`
/// where the index does not hold it, for want of one of its keys (facts C4).
pub fn image(source: Source<'_>, item: &Item) -> Option<Item> {
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
pub struct Entry<'p, 'db> {
    pub stored: &'p Stored<'db>,
    pub image: Item,
    pub bytes: u64,
}

impl Entry<'_, '_> {
    /// The entity whose item it is.
    pub fn entity(&self) -> &str {
        &self.stored.kind.entity
    }
}

/// Everything that a table or index holds, in the order of the population.
pub fn entries<'p, 'db>(source: Source<'_>, items: &'p [Stored<'db>]) -> Vec<Entry<'p, 'db>> {
    let entries = items.iter().filter_map(|stored| {
        let image = image(source, &stored.item)?;
        let bytes = item_bytes(&image);
        Some(Entry { stored, image, bytes })
    });
    entries.collect()
}

/// The order in which a query of the source returns two items of one partition;
/// equal where DynamoDB promises none (S7, S12, M7).
pub fn order(source: Source<'_>, a: &Item, b: &Item) -> Ordering {
    let keys = source.sort().iter();
    let orders = keys.map(|key| a.get(&key.name).zip(b.get(&key.name)).and_then(|(a, b)| a.order(b)));
    orders.map(|order| order.unwrap_or(Ordering::Equal)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The same in the order of a scan that a reader can follow: partition by
/// partition, as they come in the population, each in the order of its sort key.
pub fn in_order<'p, 'db>(source: Source<'_>, items: &'p [Stored<'db>]) -> Vec<Entry<'p, 'db>> {
    let mut partitions: Vec<(Vec<Option<Value>>, Vec<Entry<'p, 'db>>)> = Vec::new();
    for entry in entries(source, items) {
        let key: Vec<Option<Value>> =
            source.partition().iter().map(|part| entry.image.get(&part.name).cloned()).collect();
        match partitions.iter_mut().find(|(known, _)| *known == key) {
            Some((_, own)) => own.push(entry),
            None => partitions.push((key, vec![entry])),
        }
    }
    for (_, own) in &mut partitions {
        own.sort_by(|a, b| order(source, &a.image, &b.image));
    }
    partitions.into_iter().flat_map(|(_, own)| own).collect()
}

/// At most so many of them, from the front, but of each entity at least one as
/// long as there is room.
pub fn sample<'p, 'db>(source: Source<'_>, items: &'p [Stored<'db>], most: usize) -> Vec<Entry<'p, 'db>> {
    let all = in_order(source, items);
    let mut firsts: Vec<usize> = Vec::new();
    for (place, entry) in all.iter().enumerate() {
        if firsts.iter().all(|first| all[*first].entity() != entry.entity()) {
            firsts.push(place);
        }
    }
    firsts.truncate(most);
    let others = (0..all.len()).filter(|place| !firsts.contains(place)).take(most - firsts.len());
    let mut kept: Vec<usize> = firsts.iter().copied().chain(others).collect();
    kept.sort_unstable();
    let is_kept = |place: &usize| kept.binary_search(place).is_ok();
    all.into_iter().enumerate().filter(|(place, _)| is_kept(place)).map(|(_, entry)| entry).collect()
}
