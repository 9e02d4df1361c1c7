//! Key values: attributes as they are, and templates.

use super::plan::{Attribute, Entity, Index, Item, Projection, Table, Type};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Plain,
    Lower,
    Upper,
    Padded(u64),
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Shard(u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Hole(String, Format),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An attribute as it is.
    Whole(String),
    Template(Vec<Part>),
}

pub fn text(text: impl Into<String>) -> Part {
    Part::Text(text.into())
}

pub fn shard(attribute: &Attribute, shards: u64) -> Part {
    Part::Hole(attribute.name.clone(), Format::Shard(shards))
}

/// A hole that writes an attribute so that it sorts as it should: numbers get
/// as many digits as their size holds.
pub fn hole(attribute: &Attribute) -> Part {
    let format = match (&attribute.ty, attribute.size) {
        (Type::Number, Some((bytes, _))) => Format::Padded(digits(bytes)),
        _ => Format::Plain,
    };
    Part::Hole(attribute.name.clone(), format)
}

pub fn formatted(attribute: &Attribute, format: Format) -> Part {
    Part::Hole(attribute.name.clone(), format)
}

/// Digits of a number of so many bytes (facts 3.1: one byte, and one for each
/// two digits).
pub fn digits(bytes: u64) -> u64 {
    2 * (bytes - 1)
}

/// Whether a template can write the attribute with a length that is known.
pub fn fits_template(attribute: &Attribute) -> bool {
    match attribute.ty {
        Type::Number => attribute.size.is_some(),
        Type::Binary | Type::Epoch => false,
        _ => attribute.ty.is_key(),
    }
}

/// A template as the language writes it, in quotes.
pub fn spelled(parts: &[Part]) -> String {
    let parts = parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Hole(name, format) => match format {
            Format::Plain => format!("{{{name}}}"),
            Format::Lower => format!("{{{name}:lower}}"),
            Format::Upper => format!("{{{name}:upper}}"),
            Format::Padded(width) => format!("{{{name}:{width}}}"),
            Format::Year => format!("{{{name}:year}}"),
            Format::Month => format!("{{{name}:month}}"),
            Format::Day => format!("{{{name}:day}}"),
            Format::Hour => format!("{{{name}:hour}}"),
            Format::Minute => format!("{{{name}:minute}}"),
            Format::Shard(shards) => format!("{{shard({name}, {shards})}}"),
        },
    });
    format!("\"{}\"", parts.collect::<String>())
}

impl Value {
    /// The names of the attributes in it.
    pub fn attributes(&self) -> Vec<&str> {
        match self {
            Value::Whole(name) => vec![name],
            Value::Template(parts) => parts
                .iter()
                .filter_map(|part| match part {
                    Part::Hole(name, _) => Some(name.as_str()),
                    Part::Text(_) => None,
                })
                .collect(),
        }
    }

    /// The text that every value begins with.
    pub fn leading_text(&self) -> &str {
        match self {
            Value::Template(parts) => match parts.first() {
                Some(Part::Text(text)) => text,
                _ => "",
            },
            Value::Whole(_) => "",
        }
    }

    /// In how many shards it is spread.
    pub fn shards(&self) -> Option<u64> {
        let Value::Template(parts) = self else { return None };
        parts.iter().find_map(|part| match part {
            Part::Hole(_, Format::Shard(shards)) => Some(*shards),
            _ => None,
        })
    }
}

/// The value of an item for a key attribute: what its block sets, else the
/// attribute of that name.
pub fn value_of(item: &Item, entity: &Entity, key: &str) -> Option<Value> {
    let set = item.values.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    set.or_else(|| entity.attribute(key).map(|attribute| Value::Whole(attribute.name.clone())))
}

/// Whether an index holds items of this entity.
pub fn is_in(index: &Index, item: &Item, entity: &Entity) -> bool {
    index.partition.iter().chain(&index.sort).all(|key| value_of(item, entity, &key.name).is_some())
}

/// The attributes from which an item's primary key is made.
pub fn primary_attributes(table: &Table, item: &Item, entity: &Entity) -> BTreeSet<String> {
    let values = table.primary_key().filter_map(|key| value_of(item, entity, &key.name));
    values.flat_map(|value| value.attributes().into_iter().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The names of the key attributes of a table and, where one is given, of an
/// index.
pub fn key_names<'t>(table: &'t Table, index: Option<&'t Index>) -> BTreeSet<&'t str> {
    let own = index.into_iter().flat_map(|index| index.partition.iter().chain(&index.sort));
    table.primary_key().chain(own).map(|key| key.name.as_str()).collect()
}

/// The attributes of an entity that a table or index stores: those that it can
/// be asked to test and return.
pub fn stored<'e>(table: &Table, index: Option<&Index>, item: &Item, entity: &'e Entity) -> Vec<&'e Attribute> {
    let included = match index.map(|index| &index.projection) {
        None | Some(Projection::All) => return entity.attributes.iter().collect(),
        Some(Projection::KeysOnly) => &[][..],
        Some(Projection::Include(included)) => included.as_slice(),
    };
    let mut names: BTreeSet<String> = included.iter().cloned().collect();
    for key in key_names(table, index) {
        // What a template holds is stored under the name of the key only.
        if value_of(item, entity, key).is_some() {
            names.insert(key.to_owned());
        }
    }
    entity.attributes.iter().filter(|attribute| names.contains(&attribute.name)).collect()
}

/// The attributes whose value a caller gets from a read of the table or index:
/// what is stored, and what the keys hold as a whole.
pub fn readable<'e>(table: &Table, index: Option<&Index>, item: &Item, entity: &'e Entity) -> Vec<&'e Attribute> {
    let mut names: BTreeSet<String> =
        stored(table, index, item, entity).into_iter().map(|attribute| attribute.name.clone()).collect();
    let values = key_names(table, index).into_iter().filter_map(|key| value_of(item, entity, key));
    for part in values.flat_map(|value| match value {
        Value::Whole(name) => vec![Part::Hole(name, Format::Plain)],
        Value::Template(parts) => parts,
    }) {
        if let Part::Hole(name, Format::Plain) = part {
            names.insert(name);
        }
    }
    entity.attributes.iter().filter(|attribute| names.contains(&attribute.name)).collect()
}
