//! What items need in bytes, so that a declared size is never too small
//! (numbers S2, S3 and S5).

use super::keys::{Format, Part, Value, value_of};
use super::plan::{Attribute, Entity, Item, Plan, Role, Table, Type};
use super::rng::Rng;
use std::collections::BTreeMap;

/// Bytes of a value: on average, and at most.
pub fn value_bytes(attribute: &Attribute) -> (u64, u64) {
    let fixed = match &attribute.ty {
        Type::Uuid => 36,
        Type::Ulid => 26,
        Type::Ksuid => 27,
        Type::Timestamp => 20,
        Type::Epoch => 6,
        Type::Boolean => 1,
        Type::Number => 8,
        Type::Enum(names) => names.iter().map(|name| name.len() as u64).max().unwrap_or(0),
        Type::Text | Type::Binary | Type::List(_) | Type::Set(_) | Type::Map => {
            return attribute.size.expect("what has no length of its own is declared with one");
        }
    };
    attribute.size.unwrap_or((fixed, fixed))
}

fn part_bytes(entity: &Entity, part: &Part) -> (u64, u64) {
    let same = |bytes| (bytes, bytes);
    match part {
        Part::Text(text) => same(text.len() as u64),
        Part::Hole(_, Format::Padded(width)) => same(*width),
        Part::Hole(_, Format::Year) => same(4),
        Part::Hole(_, Format::Month) => same(7),
        Part::Hole(_, Format::Day) => same(10),
        Part::Hole(_, Format::Hour) => same(13),
        Part::Hole(_, Format::Minute) => same(16),
        Part::Hole(_, Format::Shard(shards)) => same((shards - 1).to_string().len() as u64),
        Part::Hole(name, Format::Plain | Format::Lower | Format::Upper) => {
            value_bytes(entity.attribute(name).expect("holes name attributes"))
        }
    }
}

fn key_bytes(entity: &Entity, value: &Value) -> (u64, u64) {
    match value {
        Value::Whole(name) => value_bytes(entity.attribute(name).expect("keys name attributes")),
        Value::Template(parts) => {
            let parts = parts.iter().map(|part| part_bytes(entity, part));
            parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
        }
    }
}

/// Bytes of an item with all its optional attributes and its computed keys: on
/// average, and at most. What it embeds comes on top.
pub fn item_bytes(table: &Table, item: &Item, entity: &Entity) -> (u64, u64) {
    let mut stored: BTreeMap<&str, (u64, u64)> =
        entity.attributes.iter().map(|attribute| (attribute.name.as_str(), value_bytes(attribute))).collect();
    let index_keys = table.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort));
    for key in table.primary_key().chain(index_keys) {
        if let Some(value) = value_of(item, entity, &key.name) {
            stored.insert(&key.name, key_bytes(entity, &value));
        }
    }
    stored.iter().fold((0, 0), |sum, (name, bytes)| {
        let name = name.len() as u64;
        (sum.0 + name + bytes.0, sum.1 + name + bytes.1)
    })
}

/// Bytes of an element of an embedded list; the id of the parent is not stored.
pub fn element_bytes(entity: &Entity, parent: &Entity) -> (u64, u64) {
    let kept = entity.attributes.iter().filter(|attribute| attribute.of.as_ref() != Some(&parent.name));
    kept.fold((3, 3), |sum, attribute| {
        let (average, most) = value_bytes(attribute);
        let name = 1 + attribute.name.len() as u64;
        (sum.0 + name + average, sum.1 + name + most)
    })
}

/// Declares the size of every other entity, with room for what it needs.
pub fn declare(rng: &mut Rng, plan: &mut Plan) {
    let roles: Vec<Role> = plan.entities.iter().map(|entity| entity.role).collect();
    for role in roles {
        if !rng.chance(50) {
            continue;
        }
        let entity = plan.entity(role);
        let need = match plan.embedded_in(role) {
            Some((parent, _)) => element_bytes(entity, plan.entity(parent)),
            None => {
                let placed = plan.tables.iter().flat_map(|table| table.items.iter().map(move |item| (table, item)));
                let own = placed.filter(|(_, item)| item.role == role);
                own.map(|(table, item)| item_bytes(table, item, entity)).max().expect("every entity is somewhere")
            }
        };
        let size = declared(rng, need, plan.embedded_in(role).is_some());
        let entity = plan.entities.iter_mut().find(|entity| entity.role == role);
        entity.expect("it is there").size = Some(size);
    }
}

/// A size above what is needed, with room for an attribute that fills it up.
fn declared(rng: &mut Rng, (average, most): (u64, u64), small: bool) -> (u64, u64) {
    const ROOM: u64 = 48;
    let more = if small { *rng.pick(&[0, 40]) } else { *rng.pick(&[0, 100, 500, 1_500, 5_000]) };
    let average = rounded(average + ROOM + more);
    let most = rounded((most + ROOM).max(average * rng.between(1, if small { 2 } else { 4 })));
    (average, most)
}

/// The next size that is written with a round number.
fn rounded(bytes: u64) -> u64 {
    match bytes {
        ..=1023 => bytes.next_multiple_of(10),
        _ => bytes.next_multiple_of(1024),
    }
}

/// Bytes of an item (facts L01).
const LARGEST_ITEM: u64 = 400 * 1024;

/// Holds every item at its maximum, with what it embeds and its entries in local
/// indexes, against what DynamoDB takes (facts L01, L02).
pub fn check(plan: &Plan) {
    let of_child = plan.relations.iter().find(|relation| relation.right == Role::Leaf);
    let most_leaves = of_child.and_then(|relation| relation.children?.1).unwrap_or(0);
    for (table, item) in plan.tables.iter().flat_map(|table| table.items.iter().map(move |item| (table, item))) {
        let entity = plan.entity(item.role);
        let (average, most) = item_bytes(table, item, entity);
        let own = entity.size.unwrap_or((average, most));
        assert!(own.0 >= average && own.1 >= most, "the size of {} leaves no room for what it holds", entity.name);
        let list = item.embeds.as_ref().map_or(0, |(role, list)| {
            let leaf = plan.entity(*role);
            let element = leaf.size.unwrap_or(element_bytes(leaf, entity)).1;
            list.len() as u64 + 3 + most_leaves * (1 + element)
        });
        let copies = 1 + table.indexes.iter().filter(|index| index.local).count() as u64;
        let largest = (own.1 + list) * copies;
        assert!(largest <= LARGEST_ITEM, "an item of {} may have {largest} bytes", entity.name);
    }
}
