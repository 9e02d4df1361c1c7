//! What a refactoring leaves to tidy up: an `allow` whose finding it has mended is taken
//! away with it.

use super::trial::Trial;
use crate::ide::SourceChange;
use crate::ide::changes::text_of;
use crate::ide::diagnostics::absolute;
use crate::model::db::{Db, Decl, SourceFile, Workspace};
use crate::model::lower::lowered;
use crate::rules::finding::Place;
use crate::syntax::{TextEdit, TextRange, compose};

/// The change of a refactoring, and with it away every `allow` that then silences
/// nothing more.
pub(in crate::ide) fn tidied(db: &dyn Db, root: SourceFile, change: SourceChange) -> SourceChange {
    // What moves declarations between files judges their `allow`s itself.
    let moves = !(change.creates.is_empty() && change.deletes.is_empty());
    if moves || !touches_allows(db, &change) {
        return change;
    }
    let Some(trial) = Trial::of(db, root, &change) else { return change };
    with(db, change, trial.tidying())
}

/// Whether a change touches a declaration with an `allow`: such a one may have done its
/// service. To look at all others would take an analysis of the model for each
/// refactoring.
fn touches_allows(db: &dyn Db, change: &SourceChange) -> bool {
    let known = Workspace::get(db).files(db);
    change.edits.iter().any(|(key, edits)| {
        let decls = known.get(key).into_iter().flat_map(|file| file.decls(db));
        let has_allow = |decl: &&Decl| !lowered(db, **decl).facts.allows.is_empty();
        let own = decls.filter(has_allow).filter_map(|decl| {
            let whole = TextRange::new(0, decl.chunk(db).text.len());
            absolute(db, Place { decl: *decl, range: whole })
        });
        let mut own = own.map(|(_, range)| range);
        own.any(|decl| edits.iter().any(|edit| decl.overlaps(edit.range) || decl.contains(edit.range)))
    })
}

/// A change and another of what it leaves as one; the first alone where edits of the
/// other overlap.
fn with(db: &dyn Db, mut change: SourceChange, then: SourceChange) -> SourceChange {
    let overlap = |edits: &Vec<TextEdit>| edits.windows(2).any(|two| two[1].range.start < two[0].range.end);
    if then.edits.iter().any(|(_, edits)| overlap(edits)) {
        return change;
    }
    let known = Workspace::get(db).files(db);
    for (key, further) in then.edits {
        match change.edits.iter_mut().find(|(edited, _)| *edited == key) {
            Some((_, edits)) => {
                let text = known.get(&key).map_or("", |file| text_of(db, *file));
                *edits = compose(text, edits, &further);
            }
            None => change.edits.push((key, further)),
        }
    }
    change
}
