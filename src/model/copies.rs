//! Attributes that are copies of others (`@copied_from`): who changes what is
//! copied, who keeps the copies, and who reads them.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::layout::ItemLayout;
use super::lower::decl_name;
use super::mentions::{all_mentions, by_entity};
use super::names::{entity_def, find_entity, names, pattern_def};
use super::resolve::{Step, steps};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An attribute that holds a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    pub entity: String,
    pub attribute: String,
    /// The declaration of the entity.
    pub decl: Decl,
    /// It keeps what the source was when it was copied: `@immutable`.
    pub frozen: bool,
}

/// The copies in a model, by the entity and attribute that they are copies of.
#[salsa::tracked(returns(ref))]
pub fn copies(db: &dyn Db, root: SourceFile) -> BTreeMap<(String, String), Vec<Copied>> {
    let mut copies: BTreeMap<(String, String), Vec<Copied>> = BTreeMap::new();
    for (entity, decls) in &names(db, root).entities {
        let Some(decl) = decls.first().copied() else { continue };
        for attribute in entity_def(db, decl).into_iter().flat_map(|def| &def.attributes) {
            let Some(from) = &attribute.copied_from else { continue };
            let Some(source) = &from.attribute else { continue };
            copies.entry((from.entity.text.clone(), source.text.clone())).or_default().push(Copied {
                entity: entity.clone(),
                attribute: attribute.name.text.clone(),
                decl,
                frozen: attribute.immutable.is_some(),
            });
        }
    }
    copies
}

/// The patterns that update an attribute, by the entity and the attribute.
#[salsa::tracked(returns(ref))]
pub fn updaters(db: &dyn Db, root: SourceFile) -> BTreeMap<(String, String), Vec<Decl>> {
    let mut updaters: BTreeMap<(String, String), Vec<Decl>> = BTreeMap::new();
    for (pattern, mentions) in all_mentions(db, root) {
        for updated in &mentions.updated {
            updaters.entry(updated.clone()).or_default().push(pattern);
        }
    }
    updaters
}

/// What a pattern updates: the entity and each attribute.
pub(super) fn updated_in(db: &dyn Db, pattern: Decl) -> BTreeSet<(String, String)> {
    let steps = pattern_def(db, pattern).into_iter().flat_map(PatternDef::steps);
    let updated = steps.flat_map(|(_, step)| updated(&step.op));
    updated.map(|(entity, attribute)| (entity.to_owned(), attribute.text.clone())).collect()
}

/// What a step updates: the entity and each attribute that it sets or removes.
pub fn updated(op: &OpDef) -> Vec<(&str, &Name)> {
    let OpDef::Update { subject: Some(subject), set, remove, .. } = op else { return Vec::new() };
    set.iter().chain(remove).map(|name| (subject.entity.text.as_str(), name)).collect()
}

/// The steps of a pattern, by operation and step, that are there for this attribute
/// and other copies alone: without the copies they would not be there.
///
/// A time that such a step sets besides says when the item was changed, and does not
/// make it a change of its own: where the pattern changes what is copied, or where
/// other updates of the entity set it as well.
pub fn only_copies(db: &dyn Db, root: SourceFile, pattern: Decl, entity: &str, attribute: &str) -> Vec<(usize, usize)> {
    let of = |name: &Name| find_entity(db, root, entity).and_then(|def| def.attribute(&name.text));
    let is_copy = |name: &Name| of(name).is_some_and(|def| def.copied_from.is_some());
    let is_time = |name: &Name| of(name).is_some_and(|def| matches!(def.ty, Type::Timestamp | Type::Epoch));
    let is_noted = |name: &Name| {
        let others = updaters(db, root).get(&(entity.to_owned(), name.text.clone()));
        others.is_some_and(|others| others.iter().any(|other| *other != pattern))
    };
    let follows = steps(db, root, pattern).any(|step| {
        updated(&step.step.op).iter().any(|(of, name)| {
            let copied = copies(db, root).get(&((*of).to_owned(), name.text.clone()));
            copied.is_some_and(|held| held.iter().any(|held| held.entity == entity && held.attribute == attribute))
        })
    });
    let own = |step: &Step<'_>| {
        let updated = updated(&step.step.op);
        updated.iter().any(|(of, name)| *of == entity && name.text == attribute)
            && updated.iter().all(|(_, name)| is_copy(name) || is_time(name) && (follows || is_noted(name)))
    };
    steps(db, root, pattern).filter(own).map(|step| (step.resolved.operation, step.resolved.step)).collect()
}

/// The patterns that read a copy: their `reads` lists it, or lists no attributes
/// of its entity and reaches it (numbers C2).
pub fn reads_copy(db: &dyn Db, root: SourceFile, entity: &str, attribute: &str) -> Vec<Decl> {
    let reads = |decl: &Decl| {
        pattern_def(db, *decl).is_some_and(|pattern| uses_copy(db, root, *decl, pattern, entity, attribute))
    };
    near(db, root, entity, near_readers, readers).filter(reads).collect()
}

/// The patterns that are to read a copy, by what their `reads` lists, and that no
/// operation answers yet.
pub fn wants_copy(db: &dyn Db, root: SourceFile, entity: &str, attribute: &str) -> Vec<Decl> {
    let wants = |decl: &Decl| {
        pattern_def(db, *decl).is_some_and(|pattern| {
            let mut read = pattern.requirements.iter().filter(|r| !r.writes).flat_map(|r| &r.uses);
            pattern.operations.is_empty()
                && pattern.external.is_none()
                && read.any(|used| asks(used, entity, attribute))
        })
    };
    near(db, root, entity, near_askers, askers).filter(wants).collect()
}

/// The patterns near an entity: apart from those of the others where it is declared,
/// so that a change of theirs is none of this one's.
fn near<'db>(
    db: &'db dyn Db,
    root: SourceFile,
    entity: &str,
    own: fn(&'db dyn Db, SourceFile, Decl) -> &'db Vec<Decl>,
    all: fn(&'db dyn Db, SourceFile) -> &'db HashMap<String, Vec<Decl>>,
) -> impl Iterator<Item = Decl> {
    let near = match names(db, root).entity(entity) {
        Some(decl) => Some(own(db, root, decl)),
        None => all(db, root).get(entity),
    };
    near.into_iter().flatten().copied()
}

#[salsa::tracked(returns(ref))]
fn near_readers(db: &dyn Db, root: SourceFile, entity: Decl) -> Vec<Decl> {
    let name = decl_name(db, entity).as_ref();
    name.and_then(|name| readers(db, root).get(name)).cloned().unwrap_or_default()
}

#[salsa::tracked(returns(ref))]
fn near_askers(db: &dyn Db, root: SourceFile, entity: Decl) -> Vec<Decl> {
    let name = decl_name(db, entity).as_ref();
    name.and_then(|name| askers(db, root).get(name)).cloned().unwrap_or_default()
}

/// The patterns that read items which hold an entity, as their own or embedded, by
/// the entity. Each copy would look through all patterns else.
#[salsa::tracked(returns(ref))]
fn readers(db: &dyn Db, root: SourceFile) -> HashMap<String, Vec<Decl>> {
    by_entity(db, root, |mentions| &mentions.kinds_read)
}

/// The kinds of the items that the reads of a pattern reach, own or embedded.
pub(super) fn kinds_read_in(db: &dyn Db, root: SourceFile, pattern: Decl) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    for step in steps(db, root, pattern).filter(|step| step.step.op.reads()) {
        let items = step.source.into_iter().flat_map(|source| &source.layout.items);
        let reached = items.filter(|item| step.resolved.reached.contains(&item.entity));
        kinds.extend(reached.flat_map(ItemLayout::kinds).map(str::to_owned));
    }
    kinds
}

/// The patterns without an operation by the entities that they are to read.
#[salsa::tracked(returns(ref))]
fn askers(db: &dyn Db, root: SourceFile) -> HashMap<String, Vec<Decl>> {
    by_entity(db, root, |mentions| &mentions.asked)
}

/// The entities that a pattern without an operation is to read.
pub(super) fn asked_in(db: &dyn Db, pattern: Decl) -> BTreeSet<String> {
    let open = pattern_def(db, pattern).filter(|pattern| pattern.operations.is_empty());
    let used = open.into_iter().flat_map(|pattern| &pattern.requirements).flat_map(|r| &r.uses);
    used.map(|used| used.entity.text.clone()).collect()
}

/// Whether an entity that a pattern reads is this one, with the attribute or without a
/// list of any.
fn asks(used: &EntityUse, entity: &str, attribute: &str) -> bool {
    used.entity.text == entity
        && (used.attributes.is_empty() || used.attributes.iter().any(|name| name.text == attribute))
}

fn uses_copy(db: &dyn Db, root: SourceFile, decl: Decl, pattern: &PatternDef, entity: &str, attribute: &str) -> bool {
    let mut uses = pattern.requirements.iter().filter(|r| !r.writes).flat_map(|r| &r.uses).peekable();
    (uses.peek().is_none() || uses.any(|used| asks(used, entity, attribute)))
        && steps(db, root, decl).any(|step| reaches(&step, entity, attribute))
}

/// Whether a step brings the copy: it reads an item that holds it, from where it
/// is projected, and does not leave it out.
pub fn reaches(step: &Step<'_>, entity: &str, attribute: &str) -> bool {
    let Some(source) = step.source.filter(|_| step.step.op.reads()) else { return false };
    let items = source.layout.items.iter().filter(|item| step.resolved.reached.contains(&item.entity));
    let holds = items.clone().any(|item| item.holds(entity));
    let list = items.flat_map(|item| &item.embeds).find(|embed| embed.entity == entity);
    let stored = list.and_then(|embed| embed.list.as_deref()).unwrap_or(attribute);
    let projected = source.index.is_none_or(|index| match index.projection {
        ProjectionKind::All => true,
        ProjectionKind::KeysOnly => source.key().any(|key| key.name == stored),
        ProjectionKind::Include => {
            index.included.iter().any(|name| name == stored) || source.key().any(|key| key.name == stored)
        }
    });
    let asked = step
        .step
        .op
        .options()
        .is_none_or(|options| options.project.is_empty() || options.project.iter().any(|name| name.text == stored));
    holds && projected && asked
}
