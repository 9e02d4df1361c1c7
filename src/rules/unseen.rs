//! What seems to be missing and may only be unreadable, or misspelt: that is the
//! fault then, and reported where it stands.

use super::check::Cx;
use super::fixes::nearest;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::Target;
use crate::model::imports::model_decls;
use crate::model::lower::{decl_name, lowered};
use crate::model::names::{is_whole, names};
use std::collections::BTreeSet;

/// Whether another declaration may speak of this entity, though it cannot be read
/// that it does.
pub(super) fn may_be_mentioned(cx: &Cx<'_>, entity: &str) -> bool {
    let is_there = |decl: &Decl| *decl != cx.decl && has_word(&decl.chunk(cx.db).text, entity);
    unreadable(cx.db, cx.root).iter().any(is_there) || is_meant(cx.db, cx.root, cx.decl, entity)
}

/// Whether a name that is none may be this entity's, misspelt. `decl` is who asks.
fn is_meant(db: &dyn Db, root: SourceFile, decl: Decl, entity: &str) -> bool {
    match decl_name(db, decl) {
        // Asked of each entity by itself: one more name that is none does not touch the
        // others.
        Some(name) if name == entity => is_own_meant(db, root, decl),
        _ => meant(db, root).contains(entity),
    }
}

#[salsa::tracked(returns(copy))]
fn is_own_meant(db: &dyn Db, root: SourceFile, decl: Decl) -> bool {
    decl_name(db, decl).as_ref().is_some_and(|name| meant(db, root).contains(name))
}

/// Whether anything of the model cannot be read.
pub(super) fn is_any_unreadable(cx: &Cx<'_>) -> bool {
    !unreadable(cx.db, cx.root).is_empty()
}

/// The declarations of a model with syntax errors.
#[salsa::tracked(returns(ref))]
fn unreadable(db: &dyn Db, root: SourceFile) -> Vec<Decl> {
    model_decls(db, root).iter().copied().filter(|decl| !is_whole(db, *decl)).collect()
}

/// The entities that are meant, as it seems, where a name stands that is none: for
/// each such name the nearest.
#[salsa::tracked(returns(ref))]
fn meant(db: &dyn Db, root: SourceFile) -> BTreeSet<String> {
    let own = model_decls(db, root).iter().flat_map(|decl| misspelt(db, root, *decl));
    let misspelt: BTreeSet<&String> = own.collect();
    let known = || names(db, root).entities.keys().map(String::as_str);
    misspelt.into_iter().filter_map(|name| nearest(name, known())).map(str::to_owned).collect()
}

/// The names in a declaration that stand where an entity's should, and are none.
#[salsa::tracked(returns(ref))]
fn misspelt(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<String> {
    let references = lowered(db, decl).facts.references.iter();
    let entities = references.filter(|reference| reference.target == Target::Entity);
    let unknown = entities.map(|reference| &reference.name.text).filter(|name| names(db, root).entity(name).is_none());
    unknown.cloned().collect()
}

/// Whether a name stands in a text, and not as a part of a longer one.
pub(super) fn has_word(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}
