//! Transactions and batches: which items one call touches, and its request.

use super::express::Placeholders;
use super::origin::{Body, Placed, below, of_item};
use super::owner::Owner;
use super::shape::Shape;
use super::write::{Action, Write};
use super::{Request, table_request};
use crate::capacity::units::Consistency;
use crate::model::defs::GroupKind;
use crate::model::resolve::Step;
use crate::population::items::{Stored, spelled};
use crate::population::template::hash;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Hands out the things of each step in turn, none of them twice in one call.
pub struct Turns {
    /// How many things of a step one call takes, and which is next.
    steps: Vec<(usize, usize)>,
}

impl Turns {
    /// Of steps that take so many things a call each.
    pub fn new(times: impl Iterator<Item = usize>) -> Self {
        Self { steps: times.map(|times| (times, 0)).collect() }
    }

    /// The things of the next call, each with its step; `None` where a step has too
    /// few of them that no other has.
    pub fn next<'t, T>(&mut self, all: &'t [Vec<T>], key: impl Fn(&T) -> String) -> Option<Vec<(usize, &'t T)>> {
        let mut used = BTreeSet::new();
        let mut chosen = Vec::new();
        for (index, ((times, next), own)) in self.steps.iter_mut().zip(all).enumerate() {
            for _ in 0..*times {
                let places = (0..own.len()).map(|i| (*next + i) % own.len());
                let place = places.into_iter().find(|place| !used.contains(&key(&own[*place])))?;
                *next = (place + 1) % own.len();
                used.insert(key(&own[place]));
                chosen.push((index, &own[place]));
            }
        }
        Some(chosen)
    }
}

/// How many distinct items a step touches in one call.
pub fn times(step: &Step<'_>) -> usize {
    step.step.times().max(1.0) as usize
}

/// What tells apart the items that a group touches.
pub fn key_of_write(write: &Write<'_>) -> String {
    format!("{}: {}", write.table(), spelled(&write.key))
}

/// The same of items that are read.
pub fn key_of_stored(stored: &Stored<'_>) -> String {
    format!("{}: {}", stored.layout.name.text, spelled(&stored.key()))
}

/// Whether a group can hold a write: a batch takes puts and deletes of whole
/// items only.
pub fn takes(kind: GroupKind, write: &Write<'_>) -> bool {
    kind == GroupKind::Transact || matches!(write.action, Action::Put | Action::Delete)
}

/// The request of writes that are sent together.
pub fn write(kind: GroupKind, writes: &[&Write<'_>]) -> Request {
    let mut body = Body::default();
    match kind {
        GroupKind::Transact => {
            let mut items = Vec::new();
            for (place, write) in writes.iter().enumerate() {
                let action = write.action.in_transaction();
                let path = ["TransactItems", &place.to_string(), action];
                let owner = Owner { item: place, ..write.owner.clone() };
                body.values.extend(below(&path, write.body.values.clone(), owner));
                items.push(json!({ action: write.body.json }));
            }
            body.insert("TransactItems", items);
            Request { operation: "TransactWriteItems", body }
        }
        GroupKind::Batch => {
            let mut tables: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
            for (place, write) in writes.iter().enumerate() {
                let own = tables.entry(write.table()).or_default();
                let (action, member) = match write.action {
                    Action::Put => ("PutRequest", "Item"),
                    _ => ("DeleteRequest", "Key"),
                };
                let path = ["RequestItems", write.table(), &own.len().to_string(), action];
                let values = write.body.values.iter().filter(|placed| placed.path.first().is_some_and(|m| m == member));
                let owner = Owner { item: place, ..write.owner.clone() };
                body.values.extend(below(&path, values.cloned().collect(), owner));
                own.push(json!({ action: { member: write.body.json[member] } }));
            }
            body.insert("RequestItems", json!(tables));
            Request { operation: "BatchWriteItem", body }
        }
    }
}

/// What tells DynamoDB that a transaction is the same, tried again: a UUID, another
/// for each request.
pub fn token(body: &Body) -> String {
    let text = Json::Object(body.json.clone()).to_string();
    let (first, last) = (hash(&text), hash(&format!("{text} ")));
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        first >> 32,
        (first >> 16) & 0xffff,
        first & 0xfff,
        last >> 52,
        last & 0xffff_ffff_ffff
    )
}

/// The request of items that are read together, each with what is asked of it.
pub fn get(kind: GroupKind, items: &[(&Stored<'_>, &Shape)]) -> Request {
    let mut body = Body::default();
    match kind {
        GroupKind::Transact => {
            let mut gets = Vec::new();
            for (place, (stored, shape)) in items.iter().enumerate() {
                let mut get = table_request(&stored.layout.name.text);
                let mut placeholders = Placeholders::default();
                get.place("Key", &stored.key(), |name| of_item(stored, name));
                shape.ask(&mut get, &mut placeholders);
                placeholders.give(&mut get);
                // A transaction is consistent without being asked.
                get.json.remove("ConsistentRead");
                let owner = Owner::of(stored, &stored.kind.entity, place);
                body.values.extend(below(&["TransactItems", &place.to_string(), "Get"], get.values, owner));
                gets.push(json!({ "Get": get.json }));
            }
            body.insert("TransactItems", gets);
            Request { operation: "TransactGetItems", body }
        }
        GroupKind::Batch => {
            let mut tables: BTreeMap<&str, (&Shape, Vec<Json>)> = BTreeMap::new();
            for (place, (stored, shape)) in items.iter().enumerate() {
                let table = stored.layout.name.text.as_str();
                let keys = &mut tables.entry(table).or_insert((shape, Vec::new())).1;
                let mut key = Body::default();
                key.place("Key", &stored.key(), |name| of_item(stored, name));
                let values = key.values.into_iter().map(|placed| Placed { path: placed.path[1..].to_vec(), ..placed });
                let path = ["RequestItems", table, "Keys", &keys.len().to_string()];
                let owner = Owner::of(stored, &stored.kind.entity, place);
                body.values.extend(below(&path, values.collect(), owner));
                keys.push(key.json["Key"].clone());
            }
            let mut requests = Map::new();
            for (table, (shape, keys)) in tables {
                let mut one = Body::default();
                one.insert("Keys", keys);
                let mut placeholders = Placeholders::default();
                shape.ask(&mut one, &mut placeholders);
                placeholders.give(&mut one);
                requests.insert(table.to_owned(), Json::Object(one.json));
            }
            body.insert("RequestItems", requests);
            Request { operation: "BatchGetItem", body }
        }
    }
}

/// A batch reads each table in one way: what any of its steps asks for, as
/// consistently as any does.
pub fn share(shapes: &mut [Shape], steps: &[Step<'_>]) {
    let mut tables: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate() {
        tables.entry(step.source.map_or("", |source| &source.layout.name.text)).or_default().push(index);
    }
    for group in tables.values() {
        let all = group.iter().map(|index| shapes[*index].project.clone()).collect::<Option<Vec<_>>>();
        let project =
            all.map(|lists| lists.into_iter().flatten().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>());
        let strong = group.iter().any(|index| shapes[*index].consistency == Consistency::Strong);
        for index in group {
            shapes[*index].project = project.clone();
            if strong {
                shapes[*index].consistency = Consistency::Strong;
            }
        }
    }
}
