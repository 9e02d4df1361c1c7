//! Items with the bytes that the model says they have: what their attributes
//! leave is filled (S1, S2, S5).

use super::arrange::Instance;
use super::items::Embedded;
use super::spell::{self, Spelling};
use super::template::key_value;
use crate::capacity::values::{Item, Value, item_bytes};
use crate::model::defs::*;
use crate::model::key::{KeyPiece, KeySource};
use crate::model::layout::ItemLayout;
use crate::syntax::Unit;
use crate::syntax::template::Format;

/// Bytes of a map besides its entries, and of an entry besides its name and
/// value (facts 3.1).
const CONTAINER: u64 = 3;
const ENTRY: u64 = 1;

/// The filling of an item: an attribute of its own.
pub type Filler = Option<(&'static str, Value)>;

/// An item without its filling: attributes, computed keys, embedded lists.
pub fn build(kind: &ItemLayout, values: &Item, lists: &[Vec<Value>]) -> Item {
    let mut item = values.clone();
    for (name, source) in &kind.keys {
        match key_value(source, |attribute| values.get(attribute)) {
            Some(value) => item.insert(name.clone(), value),
            // A key of an absent attribute is absent, also where it bears the name of
            // one that is there.
            None => item.remove(name),
        };
    }
    for (embed, elements) in kind.embeds.iter().zip(lists) {
        if let Some(list) = &embed.list {
            item.insert(list.clone(), Value::L(elements.clone()));
        }
    }
    item
}

/// What fills an item up to the bytes that the model gives it, embedded lists
/// apart; and by how many bytes its attributes alone exceed that.
pub fn filler(kind: &ItemLayout, def: &EntityDef, instance: &Instance, spelling: Spelling) -> (Filler, u64) {
    if spelling == Spelling::Plausible {
        return (None, 0);
    }
    let item = build(kind, &instance.values, &[]);
    let own = item_bytes(&item);
    let Some(target) = target(kind, def, &item) else { return (None, 0) };
    if own >= target {
        return (None, own - target);
    }
    let used = |name: &str| {
        item.contains_key(name)
            || def.attribute(name).is_some()
            || kind.keys.contains_key(name)
            || kind.embeds.iter().any(|embed| embed.list.as_deref() == Some(name))
    };
    let name = ["_", "~", "^", "+", "%"].into_iter().find(|name| !used(name));
    (name.map(|name| (name, blank(target - own - name.len() as u64))), 0)
}

fn blank(bytes: u64) -> Value {
    Value::S(".".repeat((bytes as usize).min(spell::MOST)))
}

/// The bytes that an item without its lists should have: as declared (S1), else
/// the sum over what it has (S2); `None` where the model does not determine it.
fn target(kind: &ItemLayout, def: &EntityDef, item: &Item) -> Option<u64> {
    if let Some(size) = &def.size {
        return size.avg(Unit::Size).map(|bytes| bytes.round() as u64);
    }
    let bytes = item.keys().map(|name| {
        let value = match (kind.keys.get(name), def.attribute(name)) {
            (Some(source), _) => key_length(source, def),
            (None, Some(attribute)) => spell::length(attribute).map(|length| length as u64),
            (None, None) => None,
        };
        value.map(|value| name.len() as u64 + value)
    });
    bytes.sum()
}

/// Bytes of a computed key (S3).
fn key_length(source: &KeySource, def: &EntityDef) -> Option<u64> {
    if let Some(name) = source.value.whole_attribute().filter(|_| !source.template) {
        return spell::length(def.attribute(name)?).map(|length| length as u64);
    }
    let lengths = source.value.parts.iter().map(|part| match part {
        KeyPiece::Literal(text) => Some(text.len() as u64),
        KeyPiece::Hole(hole) => match hole.format {
            Format::Padded(width) => Some(u64::from(width)),
            Format::Time(part) => Some(part.length() as u64),
            Format::Shard(shards) => Some(shards.saturating_sub(1).to_string().len() as u64),
            Format::Plain | Format::Lower | Format::Upper => match def.attribute(&hole.name)? {
                attribute if attribute.ty == Type::Epoch && attribute.size.is_none() => Some(10),
                attribute => spell::length(attribute).map(|length| length as u64),
            },
        },
    });
    lengths.sum()
}

/// An embedded item as an element of its parent's list: without the parent's id,
/// filled to its bytes; and by how many bytes it misses them.
pub fn element(parent: &str, list: &Embedded<'_>, instance: &Instance, spelling: Spelling) -> (Value, u64) {
    let def = list.def;
    let kept = |name: &str| {
        let of = def.attribute(name).and_then(|attribute| attribute.of.as_ref());
        of.is_none_or(|of| of.text != parent) || list.by.is_some_and(|by| by != name)
    };
    let mut map: Item = instance
        .values
        .iter()
        .filter(|(name, _)| kept(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if spelling == Spelling::Plausible {
        return (Value::M(map), 0);
    }
    let target = match &def.size {
        Some(size) => size.avg(Unit::Size).map(|bytes| bytes.round() as u64),
        None => {
            let lengths = map.keys().map(|name| {
                let length = spell::length(def.attribute(name)?)? as u64;
                Some(ENTRY + name.len() as u64 + length)
            });
            lengths.sum::<Option<u64>>().map(|bytes| CONTAINER + bytes)
        }
    };
    let own = Value::M(map.clone()).bytes();
    let missed = match target {
        Some(target) if target >= own + 2 => {
            let name = ["_", "~", "^", "+", "%"].into_iter().find(|name| def.attribute(name).is_none());
            if let Some(name) = name {
                map.insert(name.to_owned(), blank(target - own - 2));
            }
            0
        }
        Some(target) => target.abs_diff(own),
        None => 0,
    };
    (Value::M(map), missed)
}
