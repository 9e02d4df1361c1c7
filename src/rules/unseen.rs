//! What seems to be missing and may only be unreadable, or misspelt: that is the
//! fault then, and reported where it stands.

use super::check::Cx;
use super::fixes::nearest;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::Target;
use crate::model::imports::model_decls;
use crate::model::lower::lowered;
use crate::model::names::{is_whole, names};
use std::collections::BTreeSet;

/// Whether another declaration may speak of this entity, though it cannot be read
/// that it does.
pub(super) fn may_be_mentioned(cx: &Cx<'_>, entity: &str) -> bool {
    let lost = lost(cx.db, cx.root);
    let known = || cx.names().entities.keys().map(String::as_str);
    let unreadable = |decl: &Decl| *decl != cx.decl && has_word(&decl.chunk(cx.db).text, entity);
    lost.unreadable.iter().any(unreadable) || lost.misspelt.iter().any(|name| nearest(name, known()) == Some(entity))
}

/// Whether anything of the model cannot be read.
pub(super) fn is_any_unreadable(cx: &Cx<'_>) -> bool {
    !lost(cx.db, cx.root).unreadable.is_empty()
}

/// What of a model cannot be relied on.
#[derive(Clone, Debug, PartialEq, Default)]
struct Lost {
    /// Declarations with syntax errors.
    unreadable: Vec<Decl>,
    /// Names that stand where an entity's should, and are none.
    misspelt: BTreeSet<String>,
}

#[salsa::tracked(returns(ref))]
fn lost(db: &dyn Db, root: SourceFile) -> Lost {
    let mut lost = Lost::default();
    for decl in model_decls(db, root) {
        if !is_whole(db, *decl) {
            lost.unreadable.push(*decl);
        }
        let references = lowered(db, *decl).facts.references.iter();
        let entities = references.filter(|reference| reference.target == Target::Entity);
        let unknown =
            entities.map(|reference| &reference.name.text).filter(|name| names(db, root).entity(name).is_none());
        lost.misspelt.extend(unknown.cloned());
    }
    lost
}

/// Whether a name stands in a text, and not as a part of a longer one.
pub(super) fn has_word(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}
