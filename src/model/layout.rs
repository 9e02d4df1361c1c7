//! The layout of a table: its keys, the items it holds with the values of
//! their keys, and its indexes with the items that are in them.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::key::{KeySource, KeyValue};
use super::lower::lowered;
use super::names::{Names, entity_def, names, table_def};
use crate::syntax::TextRange;
use std::collections::{BTreeMap, BTreeSet};

/// A table with everything resolved that its key conditions and writes need.
#[derive(Clone, Debug, PartialEq)]
pub struct TableLayout {
    pub decl: Decl,
    pub name: Name,
    pub partition: Vec<KeyAttribute>,
    pub sort: Vec<KeyAttribute>,
    pub items: Vec<ItemLayout>,
    pub indexes: Vec<IndexLayout>,
}

/// An attribute of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyAttribute {
    pub name: String,
    /// The key part in the table's declaration.
    pub range: TextRange,
    /// Its DynamoDB type: as declared, else that of the items' values.
    pub ty: Option<KeyType>,
}

/// An entity's items in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemLayout {
    pub entity: String,
    pub entity_decl: Option<Decl>,
    /// The name of the entity in the item clause.
    pub range: TextRange,
    pub embeds: Vec<EmbedLayout>,
    /// The value of each key attribute that the items have, by its name.
    pub keys: BTreeMap<String, KeySource>,
}

/// Items kept in a list of another item.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbedLayout {
    pub entity: String,
    pub entity_decl: Option<Decl>,
    pub list: Option<String>,
    /// The child's attribute that holds the parent's id, where it is asked of one of
    /// several relationships of the two; else the first of them counts.
    pub by: Option<String>,
}

/// An index with its keys and its projection resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexLayout {
    pub kind: IndexKind,
    pub name: Name,
    pub partition: Vec<KeyAttribute>,
    pub sort: Vec<KeyAttribute>,
    pub projection: ProjectionKind,
    pub included: Vec<String>,
}

/// A table or one of its indexes: what an operation reads.
#[derive(Clone, Copy)]
pub struct Source<'l> {
    pub layout: &'l TableLayout,
    pub index: Option<&'l IndexLayout>,
}

impl TableLayout {
    /// The index of this name; `None` where there is none.
    pub fn index(&self, name: &str) -> Option<&IndexLayout> {
        self.indexes.iter().find(|index| index.name.text == name)
    }

    /// The item of an entity, or the item that embeds it.
    pub fn item_of(&self, entity: &str) -> Option<&ItemLayout> {
        let own = self.items.iter().find(|item| item.entity == entity);
        own.or_else(|| self.items.iter().find(|item| item.embeds.iter().any(|embed| embed.entity == entity)))
    }

    /// The table itself, as what an operation reads.
    pub fn table(&self) -> Source<'_> {
        Source { layout: self, index: None }
    }

    /// One of its indexes, as what an operation reads.
    pub fn of_index<'l>(&'l self, index: &'l IndexLayout) -> Source<'l> {
        Source { layout: self, index: Some(index) }
    }

    /// Its indexes, as what an operation reads.
    pub fn of_indexes(&self) -> impl Iterator<Item = Source<'_>> {
        self.indexes.iter().map(|index| self.of_index(index))
    }

    /// All that an operation can read: the table itself, then its indexes.
    pub fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        std::iter::once(self.table()).chain(self.of_indexes())
    }

    /// The attributes of the table's primary key, partition key first.
    pub fn primary_key(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }
}

impl ItemLayout {
    /// The attributes from which the values of these key attributes are made.
    pub fn made_from<'l>(&'l self, key: impl Iterator<Item = &'l KeyAttribute>) -> BTreeSet<&'l str> {
        key.filter_map(|attribute| self.keys.get(&attribute.name))
            .flat_map(|source| source.value.attributes())
            .collect()
    }

    /// Whether the entity is this item or embedded in it.
    pub fn holds(&self, entity: &str) -> bool {
        self.kinds().any(|kind| kind == entity)
    }

    /// Its own entity and those embedded in it.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.entity.as_str()).chain(self.embeds.iter().map(|embed| embed.entity.as_str()))
    }
}

impl<'l> Source<'l> {
    /// The attributes of its partition key.
    pub fn partition(self) -> &'l [KeyAttribute] {
        self.index.map_or(&self.layout.partition, |index| &index.partition)
    }

    /// Whether the partition key has a shape that DynamoDB takes here. Where it has
    /// not, that is the fault, and no query can be held against it.
    pub fn has_sound_partition(self) -> bool {
        match self.index.map(|index| index.kind) {
            Some(IndexKind::Global) => !self.partition().is_empty(),
            _ => match (self.partition(), self.layout.partition.as_slice()) {
                ([own], [shared]) => own.name == shared.name,
                _ => false,
            },
        }
    }

    /// The attributes of its sort key; none where it has none.
    pub fn sort(self) -> &'l [KeyAttribute] {
        self.index.map_or(&self.layout.sort, |index| &index.sort)
    }

    /// The attributes of its key, partition key first.
    pub fn key(self) -> impl Iterator<Item = &'l KeyAttribute> {
        self.partition().iter().chain(self.sort())
    }

    /// The items that are in it: those with a value for every key attribute.
    pub fn items(self) -> impl Iterator<Item = &'l ItemLayout> {
        self.layout.items.iter().filter(move |item| {
            self.index.is_none() || self.key().all(|attribute| item.keys.contains_key(&attribute.name))
        })
    }

    /// `Table` or `Table.Index`.
    pub fn label(self) -> String {
        match self.index {
            Some(index) => format!("{}.{}", self.layout.name.text, index.name.text),
            None => self.layout.name.text.clone(),
        }
    }

    /// The attributes of an item that a read finds here; `None` stands for all.
    /// What a projected key holds whole counts as projected.
    pub fn projected(self, item: &ItemLayout) -> Option<BTreeSet<String>> {
        let index = self.index?;
        if index.projection == ProjectionKind::All {
            return None;
        }
        let keys = self.layout.primary_key().chain(self.key());
        let mut projected: BTreeSet<String> = index.included.iter().cloned().collect();
        for attribute in keys {
            projected.insert(attribute.name.clone());
            let source = item.keys.get(&attribute.name);
            projected.extend(source.into_iter().flat_map(|s| s.value.whole_holes()).map(str::to_owned));
        }
        Some(projected)
    }
}

/// Lays out a table of the model with this root; `None` for one without a name.
#[salsa::tracked(returns(ref))]
pub fn layout(db: &dyn Db, root: SourceFile, decl: Decl) -> Option<TableLayout> {
    let table = table_def(db, decl)?;
    let name = lowered(db, decl).name.clone()?;
    let all = names(db, root);
    let key_names: BTreeSet<&str> =
        keys_of(table).flat_map(|key| &key.parts).map(|part| part.name.text.as_str()).collect();
    let items: Vec<ItemLayout> = table.items.iter().filter_map(|item| item_layout(db, all, &key_names, item)).collect();
    let partition = key_attributes(&table.partition, &items);
    let sort = key_attributes(&table.sort, &items);
    let indexes = table.indexes.iter().filter_map(|index| index_layout(index, &partition, &items)).collect();
    Some(TableLayout { decl, name, partition, sort, items, indexes })
}

/// An item with the values of the keys of its table; `None` where it names no
/// entity.
fn item_layout(db: &dyn Db, all: &Names, key_names: &BTreeSet<&str>, item: &ItemDef) -> Option<ItemLayout> {
    let entity_name = item.entity.as_ref()?;
    let entity_decl = all.entity(&entity_name.text);
    let entity = entity_decl.and_then(|decl| entity_def(db, decl));
    let find = |name: &str| entity.and_then(|entity| entity.attribute(name));
    let mut keys = BTreeMap::new();
    for key in key_names {
        // An attribute of the same name gives the value where the block does not.
        if let Some(attribute) = find(key) {
            keys.insert((*key).to_owned(), KeySource::new(KeyValue::of_attribute(key, Some(attribute)), entity));
        }
    }
    for value in &item.values {
        let source = match &value.value {
            Some(KeyExpr::Template { template, .. }) => KeySource::of_template(template, entity),
            Some(KeyExpr::Attribute(name)) => {
                KeySource::new(KeyValue::of_attribute(&name.text, find(&name.text)), entity)
            }
            None => continue,
        };
        keys.insert(value.key.text.clone(), source);
    }
    let embeds = item.embeds.iter().map(|embed| EmbedLayout {
        entity: embed.entity.text.clone(),
        entity_decl: all.entity(&embed.entity.text),
        list: embed.list.as_ref().map(|list| list.text.clone()),
        by: None,
    });
    Some(ItemLayout {
        entity: entity_name.text.clone(),
        entity_decl,
        range: entity_name.range,
        embeds: embeds.collect(),
        keys,
    })
}

/// The attributes of a key clause, typed as they are declared, else as the first
/// item that has a value is.
fn key_attributes(key: &Option<KeyDef>, items: &[ItemLayout]) -> Vec<KeyAttribute> {
    let parts = key.iter().flat_map(|key| &key.parts);
    let attributes = parts.map(|part| KeyAttribute {
        name: part.name.text.clone(),
        range: part.name.range,
        ty: part.ty.or_else(|| items.iter().find_map(|item| value_type(item, &part.name.text))),
    });
    attributes.collect()
}

/// An index of a table with this partition key; `None` where it has no name.
fn index_layout(index: &IndexDef, table_partition: &[KeyAttribute], items: &[ItemLayout]) -> Option<IndexLayout> {
    let own = key_attributes(&index.partition, items);
    // A local index shares the table's partition key; saying so again is allowed.
    let shares = own.is_empty() && index.kind == IndexKind::Local;
    let projection = index.projection.as_ref();
    Some(IndexLayout {
        kind: index.kind,
        name: index.name.clone()?,
        partition: if shares { table_partition.to_vec() } else { own },
        sort: key_attributes(&index.sort, items),
        // Without a `projection`, all is projected (docs/decisions.md).
        projection: projection.and_then(|p| p.kind).unwrap_or(ProjectionKind::All),
        included: projection.iter().flat_map(|p| &p.attributes).map(|name| name.text.clone()).collect(),
    })
}

/// The key clauses of a table and of its indexes.
pub fn keys_of(table: &TableDef) -> impl Iterator<Item = &KeyDef> {
    let own = table.partition.iter().chain(&table.sort);
    own.chain(table.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort)))
}

/// The DynamoDB type of an item's value for a key attribute.
fn value_type(item: &ItemLayout, key: &str) -> Option<KeyType> {
    let source = item.keys.get(key)?;
    let value = &source.value;
    match value.whole_attribute().filter(|_| !source.template) {
        Some(_) => value.holes().next().and_then(|hole| hole.ty.as_ref()).and_then(Type::key_type),
        None => Some(KeyType::String),
    }
}

/// Every table that holds or embeds an entity.
#[salsa::tracked(returns(ref))]
pub fn placements(db: &dyn Db, root: SourceFile) -> BTreeMap<String, Vec<Decl>> {
    let mut placements: BTreeMap<String, Vec<Decl>> = BTreeMap::new();
    for decl in names(db, root).all_tables() {
        let Some(layout) = layout(db, root, decl) else { continue };
        for item in &layout.items {
            for entity in std::iter::once(&item.entity).chain(item.embeds.iter().map(|embed| &embed.entity)) {
                let tables = placements.entry(entity.clone()).or_default();
                if !tables.contains(&decl) {
                    tables.push(decl);
                }
            }
        }
    }
    placements
}

/// The names that a condition, a projection or a `ttl` of a table may use: the
/// attributes of its items, the lists embedded in them, and its keys.
#[salsa::tracked(returns(ref))]
pub fn table_attributes(db: &dyn Db, root: SourceFile, decl: Decl) -> BTreeSet<String> {
    let mut attributes = BTreeSet::new();
    let Some(layout) = layout(db, root, decl) else { return attributes };
    for item in &layout.items {
        let entity = item.entity_decl.and_then(|decl| entity_def(db, decl));
        attributes.extend(entity.into_iter().flat_map(|e| &e.attributes).map(|a| a.name.text.clone()));
        attributes.extend(item.embeds.iter().filter_map(|embed| embed.list.clone()));
    }
    if let Some(table) = table_def(db, decl) {
        attributes.extend(keys_of(table).flat_map(|key| &key.parts).map(|part| part.name.text.clone()));
    }
    attributes
}

/// The names of the lists that are embedded in an entity's items.
pub fn embedded_lists(db: &dyn Db, root: SourceFile, entity: &str) -> Vec<String> {
    let tables = placements(db, root).get(entity).map(Vec::as_slice).unwrap_or_default();
    let layouts = tables.iter().filter_map(|decl| layout(db, root, *decl).as_ref());
    layouts
        .flat_map(|layout| &layout.items)
        .filter(|item| item.entity == entity)
        .flat_map(|item| &item.embeds)
        .filter_map(|embed| embed.list.clone())
        .collect()
}
