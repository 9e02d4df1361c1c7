//! Tables, items and indexes as they are declared.

use super::{Capacity, KeyType, Name, TableClass, Text};
use crate::syntax::TextRange;
use crate::syntax::template::Template;

/// A `table` as it is declared.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TableDef {
    pub partition: Option<KeyDef>,
    pub sort: Option<KeyDef>,
    pub boundary: Option<Text>,
    pub ttl: Option<TtlDef>,
    /// The stream view, as written.
    pub stream: Option<Text>,
    pub point_in_time_recovery: bool,
    pub class: Option<TableClass>,
    pub capacity: Option<Capacity>,
    pub items: Vec<ItemDef>,
    pub indexes: Vec<IndexDef>,
    /// The block, braces included.
    pub body: Option<TextRange>,
}

/// `ttl expires_at`: the attribute that says when an item expires.
#[derive(Clone, Debug, PartialEq)]
pub struct TtlDef {
    pub attribute: Option<Name>,
    pub range: TextRange,
}

/// A `partition key` or `sort key` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyDef {
    pub parts: Vec<KeyPart>,
    pub because: Option<Text>,
    pub range: TextRange,
}

/// One attribute of a key clause.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyPart {
    pub name: Name,
    pub ty: Option<KeyType>,
    /// The name with its type.
    pub range: TextRange,
}

/// An `item`: an entity's place in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemDef {
    pub entity: Option<Name>,
    pub embeds: Vec<EmbedDef>,
    pub values: Vec<KeyValueDef>,
    pub range: TextRange,
    /// The block, braces included.
    pub body: Option<TextRange>,
}

/// `embeds Line as lines`: items kept in a list of another.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbedDef {
    pub entity: Name,
    /// The name of the list attribute.
    pub list: Option<Name>,
    pub range: TextRange,
}

/// `sk = "ORDER#{order_id}"`.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyValueDef {
    pub key: Name,
    pub value: Option<KeyExpr>,
    pub range: TextRange,
}

/// What a key's value is computed from.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyExpr {
    /// `range` is that of the string literal; ranges in the template are
    /// relative to its start.
    Template {
        template: Template,
        range: TextRange,
    },
    Attribute(Name),
}

impl KeyExpr {
    /// The whole expression.
    pub fn range(&self) -> TextRange {
        match self {
            KeyExpr::Template { range, .. } => *range,
            KeyExpr::Attribute(name) => name.range,
        }
    }
}

/// Global (GSI) or local (LSI) secondary index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexKind {
    Global,
    Local,
}

impl IndexKind {
    /// The usual short name.
    pub fn short(self) -> &'static str {
        match self {
            IndexKind::Global => "GSI",
            IndexKind::Local => "LSI",
        }
    }
}

/// A `gsi` or `lsi` as it is declared.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexDef {
    pub kind: IndexKind,
    pub name: Option<Name>,
    pub doc: Option<String>,
    pub partition: Option<KeyDef>,
    pub sort: Option<KeyDef>,
    pub projection: Option<ProjectionDef>,
    pub sparse: Option<SparseDef>,
    pub purpose: Option<Text>,
    pub range: TextRange,
    /// The block, braces included.
    pub body: Option<TextRange>,
}

/// A `projection` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectionDef {
    pub kind: Option<ProjectionKind>,
    /// The word for the kind; empty where it is missing.
    pub kind_range: TextRange,
    pub attributes: Vec<Name>,
    pub because: Option<Text>,
    pub range: TextRange,
}

/// What an index copies besides the keys of table and index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectionKind {
    All,
    KeysOnly,
    Include,
}

/// `sparse`: the index is meant to hold some of the items only.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseDef {
    pub because: Option<Text>,
    pub range: TextRange,
}
