//! Findings of a file as an editor or a terminal shows them.

use super::assists::trial::fix_holds;
use super::changes::change;
use super::{Diagnostic, FileRange, OfferedFix, RelatedPlace};
use crate::model::db::{Db, SourceFile};
use crate::model::imports::models_of;
use crate::model::places::start_of;
use crate::rules::finding::{Finding, FindingPlace, Fix, Place};
use crate::rules::judge::file_findings;
use crate::syntax::TextRange;
use std::collections::HashMap;
use std::sync::Arc;

/// The findings of a file from every model that it belongs to, each once,
/// sorted by place and then by weight.
pub(super) fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    findings(db, file).iter().map(|finding| diagnostic(db, finding)).collect()
}

/// The same, each with its fixes.
pub(super) fn mended(db: &dyn Db, file: SourceFile) -> Vec<(Diagnostic, Vec<OfferedFix>)> {
    let fixes = |finding: &Finding| {
        let offered = |fix: &Fix| OfferedFix { title: fix.title.clone(), change: change(db, &fix.edits) };
        finding.fixes.iter().filter(|fix| fix_holds(db, fix)).map(offered).collect::<Vec<_>>()
    };
    let mended = |finding: &Arc<Finding>| {
        let fixes = fixes(finding);
        (Diagnostic { fixable: !fixes.is_empty(), ..diagnostic(db, finding) }, fixes)
    };
    findings(db, file).iter().map(mended).collect()
}

/// The same as findings. An `allow` is unused only where no model uses it.
pub(super) fn findings(db: &dyn Db, file: SourceFile) -> Vec<Arc<Finding>> {
    let models = models_of(db, file);
    let mut all: Vec<Arc<Finding>> = Vec::new();
    for (index, root) in models.iter().enumerate() {
        let own = file_findings(db, *root, file);
        if index == 0 {
            all.extend(own.iter().cloned());
            continue;
        }
        all.retain(|finding| finding.rule.name != "unused-allow" || own.contains(finding));
        merge(&mut all, own.iter().filter(|finding| finding.rule.name != "unused-allow"));
    }
    all.sort_by_cached_key(|finding| {
        let start = match range(db, finding.place) {
            FileRange::Bytes(range) => range,
            FileRange::Point { .. } => TextRange::default(),
        };
        (start.start, std::cmp::Reverse(finding.level), start.end, finding.rule.name)
    });
    all
}

/// Adds what another model finds. What a rule says at a place in one model it need not
/// say again in the words of another: of two such the graver is told, with the fixes of
/// both.
fn merge<'f>(all: &mut Vec<Arc<Finding>>, own: impl Iterator<Item = &'f Arc<Finding>>) {
    let mut alone: HashMap<(&str, FindingPlace), Vec<usize>> = HashMap::new();
    for (at, finding) in all.iter().enumerate() {
        alone.entry((finding.rule.name, finding.place)).or_default().push(at);
    }
    let mut take = |all: &[Arc<Finding>], finding: &Finding, in_its_words: bool| {
        let here = alone.get_mut(&(finding.rule.name, finding.place))?;
        let is_it = |at: &usize| !in_its_words || all[*at].message == finding.message;
        let position = here.iter().position(is_it)?;
        Some(here.remove(position))
    };
    let mut rest = Vec::new();
    for finding in own {
        match take(all, finding, true) {
            Some(at) => join(Arc::make_mut(&mut all[at]), finding),
            None => rest.push(finding),
        }
    }
    for finding in rest {
        match take(all, finding, false) {
            Some(at) => join(Arc::make_mut(&mut all[at]), finding),
            None => all.push(finding.clone()),
        }
    }
}

/// One finding of two at a place. Models may have settings of their own: the higher
/// level counts.
fn join(one: &mut Finding, other: &Finding) {
    if other.level > one.level {
        (one.level, one.message, one.related) = (other.level, other.message.clone(), other.related.clone());
    }
    for fix in &other.fixes {
        if !one.fixes.iter().any(|own| own.edits == fix.edits) {
            one.fixes.push(fix.clone());
        }
    }
}

/// A finding as it is shown.
pub(super) fn diagnostic(db: &dyn Db, finding: &Finding) -> Diagnostic {
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
    Some((place.decl.file(db), place.range.shifted(start_of(db, place.decl)?)))
}
