//! Declarations from one file to another: to a new one, and back from an
//! import.

mod extract;
mod inline;

pub(super) use extract::extract;
pub(super) use inline::inline;

use crate::model::db::{Db, Decl, SourceFile};
use crate::model::imports::{model_decls, models_of};
use crate::rules::finding::{Finding, FindingPlace};
use crate::rules::judge::findings;
use crate::rules::rule::Group;

/// Whether a rule speaks of what moves, and whether it speaks of what stays in
/// the file, in any model.
fn needed(db: &dyn Db, file: SourceFile, moved: &[Decl], rule: &str) -> (bool, bool) {
    let (mut new, mut old) = (false, false);
    for root in models_of(db, file) {
        let decls = model_decls(db, *root).iter();
        let all = decls.flat_map(|decl| findings(db, *root, *decl).iter().map(move |finding| (*decl, finding)));
        for (decl, finding) in all.filter(|(_, f)| f.rule.name == rule && f.rule.group != Group::Language) {
            for place in places(decl, finding) {
                new |= moved.contains(&place);
                old |= place.file(db) == file && !moved.contains(&place);
            }
        }
    }
    (new, old)
}

/// The declarations by which an allow at the top of their file silences a
/// finding.
fn places(decl: Decl, finding: &Finding) -> Vec<Decl> {
    let shown = match finding.place {
        FindingPlace::In(place) => Some(place.decl),
        FindingPlace::File { .. } => None,
    };
    finding.about.iter().map(|place| place.decl).chain(shown).chain([decl]).collect()
}
