//! Whose id an attribute holds, and which items therefore share a key.

use super::db::{Db, SourceFile};
use super::defs::*;
use super::key::{KeyHole, KeyPiece, KeyValue};
use super::layout::{ItemLayout, Source, TableLayout};
use super::names::{entity_def, find_entity};
use super::unify::{Meet, meet};

/// Ids that hold ids of other entities are followed so far; a longer chain is a
/// circle.
const LONGEST_CHAIN: usize = 16;

/// The entity whose id an attribute of `entity` holds: the one that `@of`
/// names, or its own where it is the whole identity. Where that id is in turn
/// `@of` another entity, it is the other's.
fn id_of(db: &dyn Db, root: SourceFile, entity: &str, attribute: &AttributeDef) -> Option<String> {
    let mut owner = match &attribute.of {
        Some(of) => of.text.clone(),
        None if is_whole_identity(db, root, entity, attribute) => return Some(entity.to_owned()),
        None => return None,
    };
    for _ in 0..LONGEST_CHAIN {
        let Some(def) = find_entity(db, root, &owner) else { break };
        let mut ids = def.ids();
        let (Some(id), None) = (ids.next(), ids.next()) else { break };
        match &id.of {
            Some(of) => owner = of.text.clone(),
            None => break,
        }
    }
    Some(owner)
}

/// Whether two attributes, each of an entity, hold the id of one.
pub fn hold_one_id(db: &dyn Db, root: SourceFile, a: (&str, &str), b: (&str, &str)) -> bool {
    let owner = |(entity, name): (&str, &str)| id_of(db, root, entity, find_entity(db, root, entity)?.attribute(name)?);
    owner(a).is_some_and(|own| owner(b) == Some(own))
}

fn is_whole_identity(db: &dyn Db, root: SourceFile, entity: &str, attribute: &AttributeDef) -> bool {
    let ids = find_entity(db, root, entity).into_iter().flat_map(EntityDef::ids);
    attribute.id && ids.count() == 1
}

/// Whether two items of a table have the same primary key whenever their ids
/// are the same: the same literals, and holes that hold the same ids in the
/// same format.
pub fn always_same_key(db: &dyn Db, root: SourceFile, table: &TableLayout, a: &ItemLayout, b: &ItemLayout) -> bool {
    let mut keys = table.primary_key().peekable();
    keys.peek().is_some()
        && keys.all(|key| match (a.keys.get(&key.name), b.keys.get(&key.name)) {
            (Some(own), Some(other)) => always_same(db, root, (a, &own.value), (b, &other.value)),
            _ => false,
        })
}

/// Whether two items of a table or index lie under one value of its partition key
/// whenever their ids are the same: an item collection.
pub fn share_partition(db: &dyn Db, root: SourceFile, source: Source<'_>, a: &ItemLayout, b: &ItemLayout) -> bool {
    !source.partition().is_empty()
        && source.partition().iter().all(|key| match (a.keys.get(&key.name), b.keys.get(&key.name)) {
            (Some(own), Some(other)) => always_same(db, root, (a, &own.value), (b, &other.value)),
            _ => false,
        })
}

/// Whether the value that two items share as the partition key holds the id of one
/// entity, and not only attributes of one name.
pub fn share_owner(db: &dyn Db, root: SourceFile, source: Source<'_>, a: &ItemLayout, b: &ItemLayout) -> bool {
    let values = source.partition().iter().filter_map(|key| Some((a.keys.get(&key.name)?, b.keys.get(&key.name)?)));
    let mut holes = values.flat_map(|(own, other)| own.value.holes().zip(other.value.holes()));
    share_partition(db, root, source, a, b)
        && holes.any(|(own, other)| {
            hole_owner(db, root, a, own).is_some_and(|owner| hole_owner(db, root, b, other) == Some(owner))
        })
}

/// Whether a shared partition is that of the parent whose id this attribute of the
/// child holds: where the child's key holds ids of such parents, it is this one.
pub fn shares_by(db: &dyn Db, source: Source<'_>, parent: &str, child: &ItemLayout, by: &str) -> bool {
    let Some(entity) = child.entity_decl.and_then(|decl| entity_def(db, decl)) else { return true };
    let held = child.made_from(source.partition().iter());
    let of_parent = |name: &&str| {
        let attribute = entity.attribute(name);
        attribute.is_some_and(|attribute| attribute.of.as_ref().is_some_and(|of| of.text == parent))
    };
    let mut ids = held.into_iter().filter(of_parent).peekable();
    ids.peek().is_none() || ids.any(|name| name == by)
}

/// Whether an item and those of its own kind that are below it lie under one value of
/// the partition key: what that is made of is no identity of one of them, and not
/// whose child it is.
pub fn shares_with_own_kind(db: &dyn Db, source: Source<'_>, item: &ItemLayout, by: Option<&str>) -> bool {
    let Some(entity) = item.entity_decl.and_then(|decl| entity_def(db, decl)) else { return false };
    let is_keyed = source.partition().iter().all(|key| item.keys.contains_key(&key.name));
    let held = item.made_from(source.partition().iter());
    let is_own = |name: &&str| {
        let attribute = entity.attribute(name);
        attribute.is_some_and(|attribute| {
            let of_own = attribute.of.as_ref().is_some_and(|of| of.text == item.entity);
            attribute.unique.is_some() || of_own || by == Some(*name)
        })
    };
    let is_identity = entity.ids().next().is_some() && entity.ids().all(|id| held.contains(id.name.text.as_str()));
    !source.partition().is_empty() && is_keyed && !is_identity && !held.iter().any(is_own)
}

/// The entity whose id fills a hole of an item's key.
fn hole_owner(db: &dyn Db, root: SourceFile, item: &ItemLayout, hole: &KeyHole) -> Option<String> {
    let attribute = entity_def(db, item.entity_decl?)?.attribute(&hole.name)?;
    id_of(db, root, &item.entity, attribute)
}

fn always_same(db: &dyn Db, root: SourceFile, a: (&ItemLayout, &KeyValue), b: (&ItemLayout, &KeyValue)) -> bool {
    let parts = a.1.parts.iter().zip(&b.1.parts);
    a.1.parts.len() == b.1.parts.len()
        && parts.clone().all(|pair| match pair {
            (KeyPiece::Literal(own), KeyPiece::Literal(other)) => own == other,
            (KeyPiece::Hole(own), KeyPiece::Hole(other)) => {
                own.format == other.format && same_attribute(db, root, (a.0, own), (b.0, other))
            }
            _ => false,
        })
        // Attributes of one name and of types that share no value never agree.
        && meet(&a.1.pieces(), &b.1.pieces(), Meet::Whole)
}

fn same_attribute(db: &dyn Db, root: SourceFile, a: (&ItemLayout, &KeyHole), b: (&ItemLayout, &KeyHole)) -> bool {
    if a.1.name == b.1.name {
        return true;
    }
    let id = |(item, hole): (&ItemLayout, &KeyHole)| hole_owner(db, root, item, hole);
    id(a).is_some_and(|own| id(b).is_some_and(|other| own == other))
}
