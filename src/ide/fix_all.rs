//! All fixes of files that can be made at once.

use super::SourceChange;
use super::assists::trial::fix_holds;
use super::changes::change;
use super::diagnostics::findings;
use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use crate::rules::finding::{Edit, Finding, Fix, Safety};
use crate::syntax::{TextEdit, TextRange};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Fixes of several findings that do not meet, and the one change that they are.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FixAll {
    pub change: SourceChange,
    /// What is fixed, in the order of the files and their texts.
    pub fixed: Vec<Fixed>,
}

/// A finding that is fixed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fixed {
    pub file: FileKey,
    pub rule: &'static str,
    /// What the finding says.
    pub message: String,
    /// What the fix does.
    pub title: String,
}

/// The first fix of each finding of these files that is as safe as wanted. Of two
/// that meet at a place, the first is made: the other may be for what stands
/// there no longer. What is fixed `already` and still found is left: its fix would
/// be made again and again. A fix that would change another file is left out, as is one
/// that makes a file where `may_create` does not want it.
pub(super) fn fix_all(
    db: &dyn Db,
    files: &[SourceFile],
    least: Safety,
    already: &HashSet<Fixed>,
    may_create: &dyn Fn(&FileKey) -> bool,
) -> FixAll {
    let keys: BTreeSet<&FileKey> = files.iter().map(|file| file.key(db)).collect();
    let mut taken = Taken::default();
    let mut edits: Vec<Edit> = Vec::new();
    let mut fixed = Vec::new();
    for file in files {
        for finding in findings(db, *file) {
            let Some(fix) = chosen(db, &finding, least) else { continue };
            let wanted = change(db, &fix.edits);
            let is_ours = wanted.edits.iter().all(|(key, _)| keys.contains(key))
                && wanted.creates.iter().all(|(key, _)| may_create(key));
            let (rule, message, title) = (finding.rule.name, finding.message.clone(), fix.title.clone());
            let own = Fixed { file: file.key(db).clone(), rule, message, title };
            if is_ours && !already.contains(&own) && taken.take(&wanted) {
                edits.extend(fix.edits.iter().cloned());
                fixed.push(own);
            }
        }
    }
    FixAll { change: change(db, &edits), fixed }
}

/// The best fix of a finding that is safe enough and breaks no other model; one without
/// an edit is none.
fn chosen<'f>(db: &dyn Db, finding: &'f Finding, least: Safety) -> Option<&'f Fix> {
    let safe = finding.fixes.iter().filter(|fix| fix.safety >= least && !fix.edits.is_empty());
    safe.into_iter().find(|fix| fix_holds(db, fix))
}

/// The places that fixes have been chosen for.
#[derive(Default)]
struct Taken {
    /// The ends of ranges by their starts, file by file; no two overlap.
    ranges: BTreeMap<FileKey, BTreeMap<u32, u32>>,
    created: BTreeSet<FileKey>,
}

impl Taken {
    /// Takes the places of a change; `false` where one of them is taken.
    fn take(&mut self, change: &SourceChange) -> bool {
        let edits = || change.edits.iter().flat_map(|(key, edits)| edits.iter().map(move |edit| (key, edit)));
        let is_nothing = edits().next().is_none() && change.creates.is_empty();
        if is_nothing
            || edits().any(|(key, edit)| self.meets(key, edit))
            || change.creates.iter().any(|(key, _)| self.created.contains(key))
        {
            return false;
        }
        for (key, TextEdit { range, .. }) in edits() {
            self.ranges.entry(key.clone()).or_default().insert(range.start, range.end);
        }
        self.created.extend(change.creates.iter().map(|(key, _)| key.clone()));
        true
    }

    /// Whether an edit shares a character with one that is chosen, or both are at
    /// one place where their order would count.
    fn meets(&self, key: &FileKey, edit: &TextEdit) -> bool {
        let TextRange { start, end } = edit.range;
        let Some(ranges) = self.ranges.get(key) else { return false };
        // Ranges do not overlap, so that only the last two before its end count.
        ranges.range(..=end).rev().take(2).any(|(other_start, other_end)| {
            let shares = *other_start < end && start < *other_end;
            let is_at = |empty: u32, from: u32, to: u32| from <= empty && empty <= to;
            shares
                || (start == end && is_at(start, *other_start, *other_end))
                || (other_start == other_end && is_at(*other_start, start, end))
        })
    }
}
