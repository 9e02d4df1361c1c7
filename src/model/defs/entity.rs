//! Entities and their attributes.

use super::{Measure, Name, Text, Value};
use crate::syntax::TextRange;

/// An `entity`: what is stored of one kind of thing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EntityDef {
    pub attributes: Vec<AttributeDef>,
    /// Items there are, a plain number.
    pub count: Option<Value>,
    /// New items, a rate.
    pub growing: Option<Value>,
    /// Bytes of an item.
    pub size: Option<Measure>,
    /// How long an item stays useful.
    pub lifetime: Option<Value>,
}

impl EntityDef {
    /// The attribute of this name; the first where there are several.
    pub fn attribute(&self, name: &str) -> Option<&AttributeDef> {
        self.attributes.iter().find(|a| a.name.text == name)
    }

    /// The attributes that make up the identity, in order.
    pub fn ids(&self) -> impl Iterator<Item = &AttributeDef> {
        self.attributes.iter().filter(|a| a.id)
    }
}

/// An attribute of an entity with its modifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDef {
    pub name: Name,
    pub doc: Option<String>,
    pub ty: Type,
    pub type_range: TextRange,
    /// Absent on some items.
    pub optional: bool,
    pub id: bool,
    pub unique: Option<Unique>,
    pub immutable: Option<TextRange>,
    pub size: Option<Measure>,
    pub distinct: Option<Value>,
    pub hottest: Option<Value>,
    /// The entity whose id it holds.
    pub of: Option<Name>,
    pub copied_from: Option<CopiedFrom>,
    pub present: Option<Value>,
    /// Texts that the value never contains.
    pub without: Vec<Text>,
    /// The literal as it is written.
    pub example: Option<Text>,
    /// From the name to the last modifier.
    pub range: TextRange,
}

/// `@unique`, `@unique(tenant)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Unique {
    /// The attributes within whose values it is unique; none: everywhere.
    pub scope: Vec<Name>,
    pub range: TextRange,
}

/// `@copied_from(User.name)`: the attribute that this one is a copy of.
#[derive(Clone, Debug, PartialEq)]
pub struct CopiedFrom {
    pub entity: Name,
    pub attribute: Option<Name>,
    pub range: TextRange,
}

/// The type of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    String,
    Number,
    Binary,
    Boolean,
    /// ISO 8601 in UTC, to the second, as a String.
    Timestamp,
    /// Unix seconds, as a Number.
    Epoch,
    Uuid,
    Ulid,
    Ksuid,
    Enum(Vec<Name>),
    List(Option<Box<Type>>),
    Set(Option<Box<Type>>),
    Map,
    /// Not typed yet.
    Missing,
}

/// Characters, each of one byte, of a [`Type::Uuid`] (numbers.md, S2).
pub const UUID_LENGTH: usize = 36;
/// The same of a [`Type::Ulid`].
pub const ULID_LENGTH: usize = 26;
/// The same of a [`Type::Ksuid`].
pub const KSUID_LENGTH: usize = 27;
/// The same of a [`Type::Timestamp`]: `2026-11-29T12:44:00Z`.
pub const TIMESTAMP_LENGTH: usize = 20;

/// A DynamoDB key type (L07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyType {
    String,
    Number,
    Binary,
}

impl KeyType {
    /// The letter that DynamoDB's attribute definitions use.
    pub fn letter(self) -> &'static str {
        match self {
            KeyType::String => "S",
            KeyType::Number => "N",
            KeyType::Binary => "B",
        }
    }

    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            KeyType::String => "string",
            KeyType::Number => "number",
            KeyType::Binary => "binary",
        }
    }
}

impl Type {
    /// The key type of a value of this type; `None` for those that no key can
    /// have, and where the type is missing.
    pub fn key_type(&self) -> Option<KeyType> {
        match self {
            Type::String | Type::Timestamp | Type::Uuid | Type::Ulid | Type::Ksuid | Type::Enum(_) => {
                Some(KeyType::String)
            }
            Type::Number | Type::Epoch => Some(KeyType::Number),
            Type::Binary => Some(KeyType::Binary),
            Type::Boolean | Type::List(_) | Type::Set(_) | Type::Map | Type::Missing => None,
        }
    }

    /// The type as it is written.
    pub fn spelling(&self) -> String {
        match self {
            Type::String => "string".into(),
            Type::Number => "number".into(),
            Type::Binary => "binary".into(),
            Type::Boolean => "boolean".into(),
            Type::Timestamp => "timestamp".into(),
            Type::Epoch => "epoch".into(),
            Type::Uuid => "uuid".into(),
            Type::Ulid => "ulid".into(),
            Type::Ksuid => "ksuid".into(),
            Type::Enum(names) => {
                let names: Vec<_> = names.iter().map(|n| crate::syntax::strings::quote_name(&n.text)).collect();
                format!("enum({})", names.join(", "))
            }
            Type::List(None) => "list".into(),
            Type::List(Some(element)) => format!("list<{}>", element.spelling()),
            Type::Set(None) => "set".into(),
            Type::Set(Some(element)) => format!("set<{}>", element.spelling()),
            Type::Map => "map".into(),
            Type::Missing => "?".into(),
        }
    }
}
