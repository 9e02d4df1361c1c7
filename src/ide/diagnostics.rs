//! Findings of a file as an editor or a terminal shows them.

use super::changes::change;
use super::{Diagnostic, FileRange, OfferedFix, RelatedPlace};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::imports::models_of;
use crate::rules::finding::{Finding, FindingPlace, Fix, Place};
use crate::rules::judge::file_findings;
use crate::syntax::TextRange;
use std::collections::HashMap;

/// The findings of a file from every model that it belongs to, each once,
/// sorted by place and then by weight.
pub(super) fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    findings(db, file).iter().map(|finding| diagnostic(db, finding)).collect()
}

/// The same, each with its fixes.
pub(super) fn mended(db: &dyn Db, file: SourceFile) -> Vec<(Diagnostic, Vec<OfferedFix>)> {
    let fixes = |finding: &Finding| {
        let offered = |fix: &Fix| OfferedFix { title: fix.title.clone(), change: change(db, &fix.edits) };
        finding.fixes.iter().map(offered).collect::<Vec<_>>()
    };
    findings(db, file).iter().map(|finding| (diagnostic(db, finding), fixes(finding))).collect()
}

/// The same as findings. An `allow` is unused only where no model uses it.
pub(super) fn findings(db: &dyn Db, file: SourceFile) -> Vec<Finding> {
    let models = models_of(db, file);
    let mut all: Vec<Finding> = Vec::new();
    for (index, root) in models.iter().enumerate() {
        let own = file_findings(db, *root, file);
        if index == 0 {
            all.extend(own.iter().cloned());
            continue;
        }
        all.retain(|finding| finding.rule.name != "unused-allow" || own.contains(finding));
        for finding in own {
            if finding.rule.name == "unused-allow" {
                continue;
            }
            // Models may have settings of their own: the highest level counts.
            match all.iter_mut().find(|other| is_same(other, finding)) {
                Some(other) => other.level = other.level.max(finding.level),
                None => all.push(finding.clone()),
            }
        }
    }
    all.sort_by_key(|finding| {
        let start = match range(db, finding.place) {
            FileRange::Bytes(range) => range,
            FileRange::Point { .. } => TextRange::default(),
        };
        (start.start, std::cmp::Reverse(finding.level), start.end, finding.rule.name)
    });
    all
}

/// Whether two findings are one, at whatever level.
fn is_same(one: &Finding, other: &Finding) -> bool {
    one.rule == other.rule
        && one.place == other.place
        && one.message == other.message
        && one.related == other.related
        && one.fixes == other.fixes
}

fn diagnostic(db: &dyn Db, finding: &Finding) -> Diagnostic {
    let related = finding
        .related
        .iter()
        .filter_map(|related| {
            let (file, range) = absolute(db, related.place)?;
            Some(RelatedPlace { file: file.key(db).clone(), range, message: related.message.clone() })
        })
        .collect();
    Diagnostic {
        rule: finding.rule.name,
        level: finding.level,
        message: finding.message.clone(),
        range: range(db, finding.place),
        related,
        tags: finding.tags.clone(),
        fixable: !finding.fixes.is_empty(),
    }
}

/// Where a finding's place is in its file.
pub(super) fn range(db: &dyn Db, place: FindingPlace) -> FileRange {
    match place {
        FindingPlace::In(place) => FileRange::Bytes(absolute(db, place).map(|(_, range)| range).unwrap_or_default()),
        FindingPlace::File { line, column, .. } => FileRange::Point { line, column },
    }
}

/// The file of a place, and its bytes there. `None` for a declaration that is
/// gone from its file.
pub(super) fn absolute(db: &dyn Db, place: Place) -> Option<(SourceFile, TextRange)> {
    let file = place.decl.file(db);
    let index = positions(db, file).get(&place.decl)?;
    Some((file, place.range.shifted(*file.starts(db).get(*index)?)))
}

/// Which declaration of its file each is: a search for every finding would cost
/// the square of a file's size.
#[salsa::tracked(returns(ref))]
fn positions(db: &dyn Db, file: SourceFile) -> HashMap<Decl, usize> {
    file.decls(db).iter().enumerate().map(|(index, decl)| (*decl, index)).collect()
}
