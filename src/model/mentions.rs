//! What each pattern says of the rest of the model, apart from where it stands in
//! the text.
//!
//! Typing in a pattern moves what stands behind the cursor, and seldom changes what
//! is said here. What is gathered from all patterns is gathered from this, so that
//! it is computed again where that changes, and not at every key.

use super::copies::{asked_in, kinds_read_in, updated_in};
use super::db::{Db, Decl, SourceFile};
use super::names::names;
use super::resolve::{indexes_in, touched_in};
use super::unique::{GuardInUse, guards_in};
use super::uses::{PatternUses, uses_in};
use std::collections::{BTreeSet, HashMap};

/// What one pattern says. Every list has an entry once.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Mentions {
    pub uses: PatternUses,
    /// The entities that it names or reaches.
    pub touched: BTreeSet<String>,
    /// The indexes that it names, as (table, index).
    pub indexes: BTreeSet<(String, String)>,
    /// The kinds of the items that its reads reach, own or embedded.
    pub kinds_read: BTreeSet<String>,
    /// The entities that it is to read, where no operation answers it yet.
    pub asked: BTreeSet<String>,
    /// What it updates, as (entity, attribute).
    pub updated: BTreeSet<(String, String)>,
    /// The guards of unique values that it puts.
    pub guards: Vec<GuardInUse>,
}

/// What the pattern of a declaration says.
#[salsa::tracked(returns(ref))]
pub fn mentions(db: &dyn Db, root: SourceFile, pattern: Decl) -> Mentions {
    Mentions {
        uses: uses_in(db, root, pattern),
        touched: touched_in(db, root, pattern),
        indexes: indexes_in(db, pattern),
        kinds_read: kinds_read_in(db, root, pattern),
        asked: asked_in(db, pattern),
        updated: updated_in(db, pattern),
        guards: guards_in(db, root, pattern),
    }
}

/// What every pattern of a model says, in the order of their names.
pub fn all_mentions(db: &dyn Db, root: SourceFile) -> impl Iterator<Item = (Decl, &Mentions)> {
    names(db, root).all_patterns().map(move |pattern| (pattern, mentions(db, root, pattern)))
}

/// The patterns of a model by one of the things that they say, each in the order of
/// their names.
pub fn by_entity(
    db: &dyn Db,
    root: SourceFile,
    said: fn(&Mentions) -> &BTreeSet<String>,
) -> HashMap<String, Vec<Decl>> {
    let mut all: HashMap<String, Vec<Decl>> = HashMap::new();
    for (pattern, mentions) in all_mentions(db, root) {
        for entity in said(mentions) {
            match all.get_mut(entity) {
                Some(patterns) => patterns.push(pattern),
                None => _ = all.insert(entity.clone(), vec![pattern]),
            }
        }
    }
    all
}
