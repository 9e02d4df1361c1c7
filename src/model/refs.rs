//! What the names in a declaration refer to.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::layout::{embedded_lists, keys_of, layout, placements, table_attributes};
use super::lower::lowered;
use super::names::{Names, entity_def, names, table_def};
use crate::syntax::TextRange;
use std::collections::BTreeMap;

/// What a reference turned out to mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The declarations of the name, the best first.
    Found(Vec<Declared>),
    /// Nothing has the name; these names could stand there.
    Unknown { candidates: Vec<String> },
    /// It cannot be told, because what it belongs to is unknown itself.
    Undecided,
}

/// Where something is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Declared {
    pub decl: Decl,
    /// The name, relative to the declaration.
    pub range: TextRange,
    pub what: What,
}

/// What kind of thing a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    Entity,
    Table,
    Pattern,
    Index,
    Attribute,
    Key,
    EmbeddedList,
    Workflow,
    Application,
    /// A name of an enum's type.
    EnumValue,
    /// The part that an item plays in a transaction: `as`.
    Role,
    /// A value that the caller of a pattern supplies: `:name`.
    Parameter,
}

/// The declarations that match a name, and the names that could stand there.
enum Search<'s> {
    Decls { found: Vec<Declared>, candidates: Candidates<'s> },
    Undecided,
}

/// Gathered only for a name that nothing has: nearly every name is known, and
/// a list of all names for each would cost the square of a model's size.
type Candidates<'s> = Box<dyn FnOnce() -> Vec<String> + 's>;

impl<'s> Search<'s> {
    fn of(found: Vec<Declared>, candidates: impl FnOnce() -> Vec<String> + 's) -> Self {
        Search::Decls { found, candidates: Box::new(candidates) }
    }
}

/// Finds what a reference in `decl` refers to. Names of rules are not resolved
/// here: the catalogue is not the model's.
pub fn resolve(db: &dyn Db, root: SourceFile, reference: &Reference) -> Resolution {
    let name = &reference.name.text;
    let all = names(db, root);
    let search = match &reference.target {
        Target::Rule => Search::Undecided,
        Target::Entity => declarations(db, all.entity(name), &all.entities, What::Entity),
        Target::Table => declarations(db, all.table(name), &all.tables, What::Table),
        Target::Pattern => declarations(db, all.pattern(name), &all.patterns, What::Pattern),
        Target::Index { table } => match all.table(table) {
            Some(decl) => index(db, decl, name),
            None => Search::Undecided,
        },
        Target::EntityAttribute { entities } => entity_attribute(db, root, all, entities, name),
        Target::ItemAttribute { entity, table } => item_attribute(db, root, all, entity, all.table(table), name),
        Target::TableAttribute { table } => match all.table(table) {
            Some(decl) => table_attribute(db, root, decl, name),
            None => Search::Undecided,
        },
        Target::Key { table } => match all.table(table) {
            // A key that a block sets for nothing is a finding of another rule.
            Some(decl) => Search::of(found_keys(db, decl, name), Vec::new),
            None => Search::Undecided,
        },
        Target::UntypedKey { table } => match all.table(table) {
            Some(decl) => untyped_key(db, root, decl, name),
            None => Search::Undecided,
        },
        Target::AnyAttribute { entities } => any_attribute(db, root, all, entities, name),
    };
    match search {
        Search::Undecided => Resolution::Undecided,
        Search::Decls { found, .. } if !found.is_empty() => Resolution::Found(found),
        Search::Decls { .. } if matches!(reference.target, Target::Key { .. }) => Resolution::Undecided,
        Search::Decls { candidates, .. } => {
            let mut candidates = candidates();
            candidates.sort();
            candidates.dedup();
            Resolution::Unknown { candidates }
        }
    }
}

fn declarations<'s>(db: &dyn Db, found: Option<Decl>, all: &'s BTreeMap<String, Vec<Decl>>, what: What) -> Search<'s> {
    let found = found.and_then(|decl| {
        let range = lowered(db, decl).name.as_ref()?.range;
        Some(Declared { decl, range, what })
    });
    Search::of(found.into_iter().collect(), || all.keys().cloned().collect())
}

fn index<'s>(db: &'s dyn Db, decl: Decl, name: &str) -> Search<'s> {
    let Some(table) = table_def(db, decl) else { return Search::Undecided };
    let named = move || table.indexes.iter().filter_map(|index| index.name.as_ref());
    let found = named().find(|own| own.text == name).map(|own| Declared { decl, range: own.range, what: What::Index });
    Search::of(found.into_iter().collect(), move || named().map(|own| own.text.clone()).collect())
}

fn attribute_of(db: &dyn Db, decl: Decl, name: &str) -> Option<Declared> {
    let attribute = entity_def(db, decl)?.attribute(name)?;
    Some(Declared { decl, range: attribute.name.range, what: What::Attribute })
}

fn entity_attribute<'s>(
    db: &'s dyn Db,
    root: SourceFile,
    all: &Names,
    entities: &'s [String],
    name: &str,
) -> Search<'s> {
    let known: Vec<(Decl, &String)> =
        entities.iter().filter_map(|entity| Some((all.entity(entity)?, entity))).collect();
    if known.is_empty() || known.len() < entities.len() {
        return Search::Undecided;
    }
    let mut found = Vec::new();
    for (decl, entity) in &known {
        found.extend(attribute_of(db, *decl, name));
        if found.is_empty() {
            found.extend(embedded_in(db, root, entity, name));
        }
    }
    Search::of(found, move || {
        let names = |(decl, entity): (Decl, &String)| {
            let attributes = entity_def(db, decl).into_iter().flat_map(|e| &e.attributes);
            let own = attributes.map(|a| a.name.text.clone()).collect::<Vec<_>>();
            own.into_iter().chain(embedded_lists(db, root, entity))
        };
        known.into_iter().flat_map(names).collect()
    })
}

/// An attribute of an entity's item in a table, or a key of it. An embedded entity is
/// in its parent's item, which has attributes of its own.
fn item_attribute<'s>(
    db: &'s dyn Db,
    root: SourceFile,
    all: &Names,
    entity: &'s String,
    table: Option<Decl>,
    name: &str,
) -> Search<'s> {
    let own = entity_attribute(db, root, all, std::slice::from_ref(entity), name);
    let (mut found, candidates, decl) = match (own, table) {
        (Search::Decls { found, candidates }, Some(decl)) => (found, candidates, decl),
        (own, _) => return own,
    };
    found.extend(found_keys(db, decl, name));
    let parent = layout(db, root, decl).as_ref().and_then(|layout| layout.item_of(entity));
    let parent = parent.filter(|item| item.entity != *entity);
    if let Some(item) = parent.filter(|_| found.is_empty()) {
        match item.entity_decl {
            Some(above) => found.extend(attribute_of(db, above, name)),
            None => return Search::Undecided,
        }
        found.extend(lists_in(db, decl, Some(&item.entity), name));
    }
    Search::of(found, move || {
        let above = parent.and_then(|item| entity_def(db, item.entity_decl?));
        let above = above.into_iter().flat_map(|entity| &entity.attributes).map(|a| a.name.text.clone());
        let lists = parent.into_iter().flat_map(|item| &item.embeds).filter_map(|embed| embed.list.clone());
        let keys = keys(db, decl).map(|part| part.name.text.clone());
        candidates().into_iter().chain(above).chain(lists).chain(keys).collect()
    })
}

/// The lists of this name that are embedded in the items of `entity`, in whichever
/// table.
fn embedded_in(db: &dyn Db, root: SourceFile, entity: &str, name: &str) -> Vec<Declared> {
    let tables = placements(db, root).get(entity).map(Vec::as_slice).unwrap_or_default();
    tables.iter().flat_map(|decl| lists_in(db, *decl, Some(entity), name)).collect()
}

/// The same of one table, and of all its items where no entity is given.
fn lists_in(db: &dyn Db, decl: Decl, entity: Option<&str>, name: &str) -> Vec<Declared> {
    let items = table_def(db, decl).into_iter().flat_map(|table| &table.items);
    let items = items.filter(|item| entity.is_none_or(|e| item.entity.as_ref().is_some_and(|own| own.text == e)));
    let lists = items
        .filter_map(|item| item.embeds.iter().filter_map(|embed| embed.list.as_ref()).find(|list| list.text == name));
    lists.map(|list| Declared { decl, range: list.range, what: What::EmbeddedList }).collect()
}

fn keys(db: &dyn Db, decl: Decl) -> impl Iterator<Item = &KeyPart> {
    table_def(db, decl).into_iter().flat_map(keys_of).flat_map(|key| &key.parts)
}

fn declared_key(decl: Decl, part: &KeyPart) -> Declared {
    Declared { decl, range: part.name.range, what: What::Key }
}

fn found_keys(db: &dyn Db, decl: Decl, name: &str) -> Vec<Declared> {
    keys(db, decl).filter(|part| part.name.text == name).map(|part| declared_key(decl, part)).collect()
}

/// An attribute or key of a table.
fn table_attribute<'s>(db: &'s dyn Db, root: SourceFile, decl: Decl, name: &str) -> Search<'s> {
    // Items of entities that nobody declares may have any attribute.
    let Some(layout) = layout(db, root, decl) else { return Search::Undecided };
    let mut found: Vec<Declared> = found_keys(db, decl, name);
    found.truncate(1);
    found.extend(layout.items.iter().filter_map(|item| attribute_of(db, item.entity_decl?, name)));
    found.extend(lists_in(db, decl, None, name));
    let embedded = layout.items.iter().flat_map(|item| &item.embeds);
    found.extend(embedded.filter_map(|embed| attribute_of(db, embed.entity_decl?, name)));
    if found.is_empty() && layout.items.iter().any(|item| item.entity_decl.is_none()) {
        return Search::Undecided;
    }
    Search::of(found, move || table_attributes(db, root, decl).iter().cloned().collect())
}

/// A key part without a type is declared by the items that have a value for it.
fn untyped_key<'s>(db: &'s dyn Db, root: SourceFile, decl: Decl, name: &str) -> Search<'s> {
    let (Some(layout), Some(table)) = (layout(db, root, decl), table_def(db, decl)) else { return Search::Undecided };
    if layout.items.is_empty() || layout.items.iter().any(|item| item.entity_decl.is_none()) {
        return Search::Undecided;
    }
    let mut found: Vec<Declared> =
        layout.items.iter().filter_map(|item| attribute_of(db, item.entity_decl?, name)).collect();
    let set = table.items.iter().flat_map(|item| &item.values).filter(|value| value.key.text == name);
    found.extend(set.map(|value| Declared { decl, range: value.key.range, what: What::Key }));
    let typed = keys_of(table).flat_map(|key| &key.parts).filter(|part| part.name.text == name && part.ty.is_some());
    found.extend(typed.map(|part| declared_key(decl, part)));
    Search::of(found, move || {
        let entities = layout.items.iter().filter_map(|item| entity_def(db, item.entity_decl?));
        let attributes = entities.flat_map(|e| &e.attributes).map(|a| a.name.text.clone());
        attributes.chain(table.items.iter().flat_map(|i| &i.values).map(|v| v.key.text.clone())).collect()
    })
}

/// An attribute of these entities, else of any: `by` and `ordered by` speak of what
/// the caller has, which may belong to another entity than those read.
fn any_attribute<'s>(db: &'s dyn Db, root: SourceFile, all: &Names, entities: &[String], name: &str) -> Search<'s> {
    if all.entities.is_empty() {
        return Search::Undecided;
    }
    let own: Vec<Declared> = entities.iter().filter_map(|entity| attribute_of(db, all.entity(entity)?, name)).collect();
    if !own.is_empty() {
        return Search::of(own, Vec::new);
    }
    let places = attribute_places(db, root);
    let found = places.get(name).cloned().unwrap_or_default();
    Search::of(found, || places.keys().cloned().collect())
}

/// Where the attributes of a model's entities and the keys of its tables are
/// declared, by name.
#[salsa::tracked(returns(ref))]
fn attribute_places(db: &dyn Db, root: SourceFile) -> BTreeMap<String, Vec<Declared>> {
    let mut places: BTreeMap<String, Vec<Declared>> = BTreeMap::new();
    let all = names(db, root);
    for decl in all.entities.values().filter_map(|decls| decls.first()) {
        for attribute in entity_def(db, *decl).into_iter().flat_map(|entity| &entity.attributes) {
            let place = Declared { decl: *decl, range: attribute.name.range, what: What::Attribute };
            places.entry(attribute.name.text.clone()).or_default().push(place);
        }
    }
    for decl in all.all_tables() {
        for part in keys(db, decl) {
            places.entry(part.name.text.clone()).or_default().push(declared_key(decl, part));
        }
    }
    places
}
