//! Refactorings: what can be done at a place where nothing is wrong. One file
//! each, a function from the place to what it offers there.

mod counterpart;
mod embed;
mod files;
mod follow;
mod guard;
mod index_key;
mod parent_key;
mod project;
mod shard;
pub(super) mod solve;
pub(super) mod tidy;
pub(super) mod trial;

use super::changes::finished;
use super::lookup::{model, spot};
use super::{CodeAction, CodeActionKind};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::Lowered;
use crate::model::lower::lowered;
use crate::rules::finding::{Edit, Place};
use crate::syntax::TextRange;

/// The refactorings, in the order in which a menu lists them.
const ASSISTS: &[fn(&AssistCx<'_>) -> Vec<Assist>] = &[
    solve::solve,
    project::project,
    shard::shard,
    guard::guard,
    counterpart::counterpart,
    index_key::split,
    index_key::compose,
    parent_key::key_by_parent,
    embed::embed,
    embed::take_out,
    files::extract,
    files::inline,
];

/// Rules that may speak of what a refactoring leaves to its author: the rate of a pattern
/// that is added, an `allow` that has done its service, the quota that many shards reach.
const TOLD: &[&str] = &["missing-rate", "unused-allow", "throughput-quota"];

/// Where a refactoring is asked for.
pub(super) struct AssistCx<'db> {
    pub db: &'db dyn Db,
    /// The model through which the file is seen.
    pub root: SourceFile,
    pub file: SourceFile,
    /// The declaration that the range begins in.
    pub decl: Decl,
    /// What is selected, relative to the declaration; empty for a cursor.
    pub range: TextRange,
    /// The same in bytes of the file.
    pub absolute: TextRange,
}

impl<'db> AssistCx<'db> {
    /// What the declaration says.
    pub fn lowered(&self) -> &'db Lowered {
        lowered(self.db, self.decl)
    }

    /// The text of the declaration.
    pub fn text(&self) -> &'db str {
        &self.decl.chunk(self.db).text
    }

    /// Whether the cursor, or a part of the selection, is in this range of the
    /// declaration.
    pub fn is_at(&self, range: TextRange) -> bool {
        range.overlaps(self.range) || range.touches(self.range.start as usize)
    }

    /// A place in the declaration.
    pub fn place(&self, range: TextRange) -> Place {
        Place { decl: self.decl, range }
    }
}

/// A refactoring that is offered.
pub(super) struct Assist {
    pub kind: CodeActionKind,
    /// What it does, and, where it has a price, what it changes in it.
    pub title: String,
    pub edits: Vec<Edit>,
}

/// What is known of a range of a file; nothing where its text does not parse, which
/// may hide what an edit would have to follow.
fn at(db: &dyn Db, file: SourceFile, wanted: TextRange) -> Option<AssistCx<'_>> {
    let spot = spot(db, file, wanted.start as usize).filter(|spot| spot.decl.chunk(db).is_whole())?;
    let length = (wanted.end - wanted.start) as usize;
    Some(AssistCx {
        db,
        root: model(db, file),
        file,
        decl: spot.decl,
        range: TextRange::new(spot.offset, spot.offset + length),
        absolute: wanted,
    })
}

/// The refactorings that do what a rule asks for at a place of its finding.
pub(super) fn mending(db: &dyn Db, file: SourceFile, rule: &str, place: TextRange) -> Vec<Assist> {
    let refactoring = match rule {
        "replaceable-gsi" => parent_key::key_by_parent,
        "embed-candidate" => embed::embed,
        _ => return Vec::new(),
    };
    at(db, file, TextRange::empty(place.start as usize)).map(|cx| refactoring(&cx)).unwrap_or_default()
}

/// What can be done at a range of a file.
pub(super) fn assists(db: &dyn Db, file: SourceFile, wanted: TextRange) -> Vec<CodeAction> {
    let Some(cx) = at(db, file, wanted) else { return Vec::new() };
    let offered = ASSISTS.iter().flat_map(|assist| assist(&cx));
    let offered = offered.filter(|assist| trial::breaks_no_model(db, &assist.edits, TOLD));
    offered
        .map(|assist| CodeAction {
            title: assist.title,
            kind: assist.kind,
            preferred: false,
            change: tidy::tidied(db, cx.root, finished(db, &assist.edits)),
            mends: None,
        })
        .collect()
}
