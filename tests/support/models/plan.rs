//! What a random model is made of, before it is written as text.

use super::keys::Value;
use super::words::{Names, Theme};

/// What an entity is to the others. A model has at most one entity in a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// What the application is about.
    Root,
    /// Many of one root.
    Child,
    /// Many of one child; embedded in it, or stored apart.
    Leaf,
    /// Something else that stands alone.
    Other,
    /// Connects roots and others.
    Edge,
    /// One for each root.
    Twin,
    /// Keeps a value of the root unique.
    Guard,
    /// Keeps a value of the child unique among the children of its root.
    ScopedGuard,
}

impl Role {
    pub fn is_guard(self) -> bool {
        matches!(self, Role::Guard | Role::ScopedGuard)
    }

    /// What keeps a value of this entity unique, where something does.
    pub fn guard(self) -> Option<Role> {
        match self {
            Role::Root => Some(Role::Guard),
            Role::Child => Some(Role::ScopedGuard),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Text,
    Number,
    Binary,
    Boolean,
    Timestamp,
    Epoch,
    Uuid,
    Ulid,
    Ksuid,
    Enum(Vec<String>),
    List(Option<&'static str>),
    Set(&'static str),
    Map,
}

impl Type {
    /// Whether a key attribute may be it.
    pub fn is_key(&self) -> bool {
        !matches!(self, Type::Boolean | Type::List(_) | Type::Set(_) | Type::Map)
    }

    /// The word for its key type.
    pub fn key_word(&self) -> &'static str {
        match self {
            Type::Number | Type::Epoch => "number",
            Type::Binary => "binary",
            _ => "string",
        }
    }

    /// Whether DynamoDB stores it as a string.
    pub fn is_text(&self) -> bool {
        self.is_key() && !matches!(self, Type::Number | Type::Epoch | Type::Binary)
    }
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: String,
    pub ty: Type,
    pub id: bool,
    pub unique: bool,
    /// Within the values of this attribute it is unique, not everywhere.
    pub scope: Option<String>,
    pub immutable: bool,
    pub without: bool,
    /// Bytes of the value: on average, and at most.
    pub size: Option<(u64, u64)>,
    pub distinct: Option<u64>,
    /// Percent of the items that have the most popular value.
    pub hottest: Option<u64>,
    /// The entity whose id it holds.
    pub of: Option<String>,
    pub copied_from: Option<(String, String)>,
    pub optional: bool,
    /// Percent of the items that have it, where it is optional.
    pub present: Option<u64>,
    pub example: Option<String>,
}

impl Attribute {
    pub fn new(name: &str, ty: Type) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            id: false,
            unique: false,
            scope: None,
            immutable: false,
            without: false,
            size: None,
            distinct: None,
            hottest: None,
            of: None,
            copied_from: None,
            optional: false,
            present: None,
            example: None,
        }
    }

    /// The same value in an entity that refers to this one.
    pub fn referring(&self, entity: &str) -> Self {
        Self { of: Some(entity.to_owned()), id: false, unique: false, example: None, ..self.clone() }
    }

    /// Whether the type says nothing about how many values there are.
    pub fn needs_distinct(&self) -> bool {
        !self.id
            && !self.unique
            && self.of.is_none()
            && !matches!(self.ty, Type::Enum(_) | Type::Boolean)
            && self.distinct.is_none()
    }
}

#[derive(Clone, Debug)]
pub struct Entity {
    pub role: Role,
    /// In Pascal case.
    pub name: String,
    /// In snake case.
    pub word: &'static str,
    pub attributes: Vec<Attribute>,
    pub count: Option<u64>,
    /// More of them a day.
    pub growing: Option<u64>,
    /// Bytes of its stored item: on average, and at most.
    pub size: Option<(u64, u64)>,
    /// Days.
    pub lifetime: Option<u64>,
}

impl Entity {
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Its own id; of an edge the first one, of a twin and of a guard that which
    /// it shares with another entity.
    pub fn id(&self) -> &Attribute {
        self.attributes.iter().find(|attribute| attribute.id).expect("every entity has an id")
    }

    /// All that its id is made of.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = &Attribute> {
        self.attributes.iter().filter(|attribute| attribute.id)
    }

    /// The attribute that holds the id of another entity.
    pub fn reference(&self, entity: &str) -> &Attribute {
        let holds = |attribute: &&Attribute| attribute.of.as_deref() == Some(entity);
        self.attributes.iter().find(holds).expect("it refers to that entity")
    }

    /// In upper case: what its keys begin with.
    pub fn upper(&self) -> String {
        self.word.to_uppercase()
    }
}

#[derive(Clone, Debug)]
pub struct Relation {
    pub left: Role,
    pub cardinality: &'static str,
    pub right: Role,
    pub through: Option<Role>,
    pub children: Option<(u64, Option<u64>)>,
    pub parents: Option<u64>,
    pub identifying: bool,
}

/// A key attribute; with a type where the model says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub name: String,
    pub ty: Option<&'static str>,
}

impl Key {
    /// Of a name that an attribute of an item has.
    pub fn natural(name: &str) -> Self {
        Self { name: name.to_owned(), ty: None }
    }

    /// Computed by a template.
    pub fn computed(name: &str) -> Self {
        Self { name: name.to_owned(), ty: Some("string") }
    }
}

#[derive(Clone, Debug)]
pub struct Item {
    pub role: Role,
    /// What is embedded in it, and the name of the list.
    pub embeds: Option<(Role, String)>,
    /// The keys that its block sets.
    pub values: Vec<(String, Value)>,
}

impl Item {
    pub fn new(role: Role) -> Self {
        Self { role, embeds: None, values: Vec::new() }
    }

    pub fn set(&mut self, key: &str, value: Value) {
        self.values.push((key.to_owned(), value));
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Projection {
    All,
    KeysOnly,
    Include(Vec<String>),
}

#[derive(Clone, Debug)]
pub struct Index {
    pub local: bool,
    pub name: String,
    pub partition: Vec<Key>,
    pub sort: Vec<Key>,
    pub projection: Projection,
    pub sparse: bool,
    pub purpose: String,
}

#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    pub partition: Key,
    pub sort: Option<Key>,
    pub items: Vec<Item>,
    pub indexes: Vec<Index>,
    /// `ttl`, `stream` and the like, as they are written.
    pub clauses: Vec<String>,
}

impl Table {
    pub fn primary_key(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.partition).chain(&self.sort)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Pattern {
    pub name: String,
    pub doc: String,
    /// The whole clause, without its keyword.
    pub reads: Option<String>,
    pub writes: Option<String>,
    /// Operations; a transaction or batch takes several lines.
    pub operations: Vec<String>,
    /// Thousandths of a call a second, on average and at the peak.
    pub rate: Option<(u64, u64)>,
    pub latency: Option<u64>,
    pub pages: bool,
}

pub struct Plan {
    pub single_table: bool,
    pub theme: Theme,
    pub names: Names,
    pub entities: Vec<Entity>,
    pub relations: Vec<Relation>,
    pub tables: Vec<Table>,
    pub patterns: Vec<Pattern>,
    /// Clauses of the application besides those that all have.
    pub application: Vec<(&'static str, String)>,
}

impl Plan {
    pub fn find(&self, role: Role) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.role == role)
    }

    pub fn entity(&self, role: Role) -> &Entity {
        self.find(role).expect("there is an entity in this role")
    }

    pub fn has(&self, role: Role) -> bool {
        self.find(role).is_some()
    }

    /// The role in whose item an entity is embedded, with the name of the list.
    pub fn embedded_in(&self, role: Role) -> Option<(Role, &str)> {
        let items = self.tables.iter().flat_map(|table| &table.items);
        let mut embeds = items.filter_map(|item| Some((item.role, item.embeds.as_ref()?)));
        embeds.find(|(_, embeds)| embeds.0 == role).map(|(parent, embeds)| (parent, embeds.1.as_str()))
    }
}
