//! A document beside a model that no longer says what the model says. It is no rule
//! of the catalogue: it says nothing of a model, and costs the making of a document,
//! so that it is asked beside everything else and never with the rules.

use super::check::Check;
use super::finding::{Finding, FindingPlace, Level, Place};
use super::levels::{at_set_level, is_off};
use super::rule::{Group, Rule};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::lower::lowered;
use crate::model::names::names;
use std::sync::Arc;

/// What settings and pages know it by.
pub static RULE: Rule = Rule {
    name: "stale-document",
    group: Group::Requirements,
    level: Level::Info,
    summary: "a generated document beside the model no longer says what the model says",
    thresholds: &[],
    check: Check::Machinery,
};

/// Whether nobody wants to know.
pub fn is_silent(db: &dyn Db, root: SourceFile) -> bool {
    is_off(db, root, &RULE)
}

/// The file in which a finding on the documents of a model shows: that of its
/// application, else its root.
pub fn file_of(db: &dyn Db, root: SourceFile) -> SourceFile {
    application(db, root).map_or(root, |decl| decl.file(db))
}

/// The finding with these words on a document of a model; `None` where it is switched
/// off.
pub fn finding(db: &dyn Db, root: SourceFile, message: String) -> Option<Arc<Finding>> {
    let name = |decl: Decl| {
        let name = lowered(db, decl).name.as_ref()?;
        Some(FindingPlace::In(Place { decl, range: name.range }))
    };
    let start = FindingPlace::File { file: file_of(db, root), line: 0, column: 0 };
    let finding = Finding {
        rule: &RULE,
        level: RULE.level,
        message,
        place: application(db, root).and_then(name).unwrap_or(start),
        related: Vec::new(),
        about: Vec::new(),
        tags: Vec::new(),
        fixes: Vec::new(),
    };
    at_set_level(db, root, &Arc::new(finding))
}

fn application(db: &dyn Db, root: SourceFile) -> Option<Decl> {
    names(db, root).applications.first().copied()
}
