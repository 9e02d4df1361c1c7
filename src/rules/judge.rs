//! Running the rules, and silencing what a model allows.

use super::check::{Check, Cx};
use super::finding::{Edit, Finding, FindingPlace, Level, Place, Tag};
use super::levels::{at_set_level, is_off};
use super::lists::without_entry;
use super::registry::{BUILT, find};
use super::rule::{Group, Rule};
use super::{missing_application, syntax_error, unreadable_file, unused_allow};
use crate::model::db::{Db, Decl, Presence, SourceFile};
use crate::model::defs::*;
use crate::model::files::FileContent;
use crate::model::imports::{decl_kind, model_decls, model_files};
use crate::model::layout::layout;
use crate::model::lower::lowered;
use crate::syntax::{Chunk, ChunkKind, TextRange};
use std::collections::HashSet;
use std::sync::Arc;

/// The findings of all rules on one declaration, whether allowed or not.
#[salsa::tracked(returns(ref))]
pub fn findings(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<Arc<Finding>> {
    let lowered = lowered(db, decl);
    let mut found = Vec::new();
    for rule in BUILT {
        let mut cx = Cx { db, root, decl, rule, findings: Vec::new() };
        match (&rule.check, &lowered.def) {
            (Check::Declaration(check), _) => check(&mut cx, lowered),
            (Check::Entity(check), Def::Entity(entity)) => check(&mut cx, entity),
            (Check::Table(check), Def::Table(_)) => {
                if let Some(layout) = layout(db, root, decl) {
                    check(&mut cx, layout);
                }
            }
            (Check::Pattern(check), Def::Pattern(pattern)) => check(&mut cx, pattern),
            _ => {}
        }
        found.append(&mut cx.findings);
    }
    found.retain(|finding| !is_consequence(decl.chunk(db), finding));
    found.into_iter().map(Arc::new).collect()
}

/// Whether a fault of the text stands behind a syntax error on the same line: what
/// follows there was read as something that it is not.
fn is_consequence(chunk: &Chunk, finding: &Finding) -> bool {
    let FindingPlace::In(place) = finding.place else { return false };
    let start = place.range.start;
    finding.rule.group == Group::Language
        && *finding.rule != syntax_error::RULE
        && chunk.errors.iter().any(|error| {
            !error.alone
                && error.range.start < start
                && !chunk.text[error.range.start as usize..start as usize].contains(['\n', '\r'])
        })
}

/// An `allow` of one rule: which clause, and which of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllowedRule {
    pub decl: Decl,
    pub allow: usize,
    pub rule: usize,
}

/// What is left of a declaration's findings, and which allows took the rest.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Judged {
    /// Shared by all that tell them: after an edit nearly all are those of before.
    pub findings: Vec<Arc<Finding>>,
    pub used: Vec<AllowedRule>,
}

/// The findings of a declaration that an `allow` silences, each with the first one
/// that does.
pub fn silenced(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<(Arc<Finding>, AllowedRule)> {
    let kept = findings(db, root, decl).iter().filter_map(|finding| at_set_level(db, root, finding));
    kept.filter_map(|finding| {
        let by = allows_for(db, decl, &finding).into_iter().next()?;
        Some((finding, by))
    })
    .collect()
}

/// The findings of a declaration as the rules themselves see them, each with every
/// `allow` that silences it: a rule that a team has switched off has still not
/// passed.
pub fn with_allows(db: &dyn Db, root: SourceFile, decl: Decl) -> impl Iterator<Item = (&Finding, Vec<AllowedRule>)> {
    findings(db, root, decl).iter().map(move |finding| (&**finding, allows_for(db, decl, finding)))
}

/// The findings of a declaration that nothing allows.
#[salsa::tracked(returns(ref))]
pub fn judged(db: &dyn Db, root: SourceFile, decl: Decl) -> Judged {
    let mut judged = Judged::default();
    for finding in findings(db, root, decl) {
        let Some(finding) = at_set_level(db, root, finding) else { continue };
        let allowed = allows_for(db, decl, &finding);
        if allowed.is_empty() {
            judged.findings.push(finding);
        }
        judged.used.extend(allowed);
    }
    judged
}

/// What is found about a model as a whole, at the start of its root.
#[salsa::tracked(returns(ref))]
fn model_findings(db: &dyn Db, root: SourceFile) -> Judged {
    let mut judged = Judged::default();
    if let Some(finding) = missing_application::absent(db, root) {
        let allowed = file_allowed(db, root, finding.rule);
        if let Some(finding) = at_set_level(db, root, &Arc::new(finding)).filter(|_| allowed.is_empty()) {
            judged.findings.push(finding);
        }
        judged.used.extend(allowed);
    }
    judged
}

/// The `allow` of a rule at the top of a file.
fn file_allowed(db: &dyn Db, file: SourceFile, rule: &Rule) -> Vec<AllowedRule> {
    let mut allowed = Vec::new();
    for decl in file_allows(db, file) {
        for (index, allow) in lowered(db, *decl).facts.allows.iter().enumerate() {
            let named = allow.rules.iter().enumerate().filter(|(_, name)| name.text == rule.name);
            allowed.extend(named.map(|(name, _)| AllowedRule { decl: *decl, allow: index, rule: name }));
        }
    }
    allowed
}

/// The top-level `allow` declarations of a file.
#[salsa::tracked(returns(ref))]
fn file_allows(db: &dyn Db, file: SourceFile) -> Vec<Decl> {
    file.decls(db).iter().copied().filter(|decl| decl_kind(db, *decl) == ChunkKind::Allow).collect()
}

/// Every allow that silences a finding on `decl`.
fn allows_for(db: &dyn Db, decl: Decl, finding: &Finding) -> Vec<AllowedRule> {
    if finding.rule.group == Group::Language {
        return Vec::new();
    }
    let mut places: Vec<Place> = finding.about.clone();
    if let FindingPlace::In(place) = finding.place {
        places.push(place);
    }
    let mut allowed = Vec::new();
    let mut try_decl = |candidate: Decl, place: Option<Place>| {
        for (index, allow) in lowered(db, candidate).facts.allows.iter().enumerate() {
            let covers = match (allow.block, place) {
                (None, _) => true,
                (Some(block), Some(place)) => block.contains(place.range),
                (Some(_), None) => false,
            };
            if !covers {
                continue;
            }
            for (rule, name) in allow.rules.iter().enumerate() {
                let entry = AllowedRule { decl: candidate, allow: index, rule };
                if name.text == finding.rule.name && !allowed.contains(&entry) {
                    allowed.push(entry);
                }
            }
        }
    };
    for place in places {
        try_decl(place.decl, Some(place));
        for top in file_allows(db, place.decl.file(db)) {
            try_decl(*top, None);
        }
    }
    for top in file_allows(db, decl.file(db)) {
        try_decl(*top, None);
    }
    allowed
}

/// All findings of a file as a part of the model with this root, those of the
/// machinery included, in the order of the text.
#[salsa::tracked(returns(ref))]
pub fn file_findings(db: &dyn Db, root: SourceFile, file: SourceFile) -> Vec<Arc<Finding>> {
    let mut all = Vec::new();
    if file.presence(db) == Presence::Unreadable
        && let FileContent::Unreadable(fault) = file.content(db)
    {
        all.push(Arc::new(unreadable_file::finding(file, fault)));
    }
    if file == root {
        all.extend(model_findings(db, root).findings.iter().cloned());
    }
    for decl in file.decls(db) {
        all.extend(judged(db, root, *decl).findings.iter().cloned());
        all.extend(unused_allows(db, root, *decl).into_iter().map(Arc::new));
    }
    all
}

/// The errors of a file as the rules themselves see them, whatever levels a team
/// has set: what DynamoDB refuses it refuses at every level.
pub fn errors(db: &dyn Db, root: SourceFile, file: SourceFile) -> Vec<Arc<Finding>> {
    let unreadable = match file.content(db) {
        FileContent::Unreadable(fault) => Some(Arc::new(unreadable_file::finding(file, fault))),
        _ => None,
    };
    unreadable.into_iter().chain(file.decls(db).iter().flat_map(|decl| errors_of(db, root, *decl).cloned())).collect()
}

/// The same of a declaration.
pub fn errors_of(db: &dyn Db, root: SourceFile, decl: Decl) -> impl Iterator<Item = &Arc<Finding>> {
    let own = findings(db, root, decl).iter().filter(|finding| finding.level == Level::Error);
    own.filter(move |finding| allows_for(db, decl, finding).is_empty())
}

/// The names in a declaration's allows that silence nothing.
fn unused_allows(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<Finding> {
    let mut found = Vec::new();
    let facts = &lowered(db, decl).facts;
    for (index, allow) in facts.allows.iter().enumerate() {
        let unused: Vec<(usize, &Name)> = allow
            .rules
            .iter()
            .enumerate()
            .filter(|(rule, name)| {
                let entry = AllowedRule { decl, allow: index, rule: *rule };
                match find(&name.text) {
                    // An unknown name is a fault of its own.
                    None => false,
                    Some(rule) if rule.group == Group::Language => true,
                    // Whoever switches the rule on again needs the reason.
                    Some(rule) if is_off(db, root, rule) => false,
                    // What does not parse may hide the finding that it is for. That is a
                    // question about the whole model, and asked last.
                    Some(_) => {
                        !is_used(db, root, entry, allow.block.is_none()) && !hides_findings(db, root, decl, allow)
                    }
                }
            })
            .collect();
        for (position, name) in &unused {
            let place = Place { decl, range: name.range };
            let whole = unused.len() == allow.rules.len();
            let edit = if whole && allow.block.is_none() {
                // The declaration is the allow: its chunk goes with its lines.
                Edit::RemoveLines { place: Place { decl, range: TextRange::new(0, decl.chunk(db).text.len()) } }
            } else if whole {
                Edit::RemoveLines { place: Place { decl, range: allow.range } }
            } else {
                let (range, text) = without_entry(&decl.chunk(db).text, &allow.rules, *position);
                Edit::Replace { place: Place { decl, range }, text }
            };
            let mut finding = unused_allow::finding(place, &name.text);
            finding.tag(Tag::Unnecessary).tidy(format!("Remove `allow {}`", name.text), vec![edit]);
            found.push(finding);
        }
    }
    found
}

/// Whether a fault that is reported may hide the finding that an `allow` is for:
/// one of the text, anywhere in the model, since a rule looks at several
/// declarations, or an error in the declaration itself. An `allow` with its reason
/// is not taken away for a misspelt name.
fn hides_findings(db: &dyn Db, root: SourceFile, decl: Decl, allow: &AllowUse) -> bool {
    let in_block = || judged(db, root, decl).findings.iter().any(|finding| finding.level == Level::Error);
    let in_file = || !is_whole(db, decl.file(db));
    has_faults_of_text(db, root) || if allow.block.is_some() { in_block() } else { in_file() }
}

/// Whether the text of a model has faults: what it says is not what is meant.
#[salsa::tracked(returns(copy))]
fn has_faults_of_text(db: &dyn Db, root: SourceFile) -> bool {
    let is_fault = |finding: &Arc<Finding>| finding.rule.group == Group::Language && finding.level == Level::Error;
    let unreadable = |file: &SourceFile| file.presence(db) != Presence::Text;
    model_files(db, root).iter().any(unreadable)
        || model_decls(db, root).iter().any(|decl| findings(db, root, *decl).iter().any(is_fault))
}

/// Whether every declaration of a file parses.
#[salsa::tracked(returns(copy))]
fn is_whole(db: &dyn Db, file: SourceFile) -> bool {
    file.decls(db).iter().all(|decl| decl.chunk(db).is_whole())
}

fn is_used(db: &dyn Db, root: SourceFile, entry: AllowedRule, top_level: bool) -> bool {
    if !top_level && judged(db, root, entry.decl).used.contains(&entry) {
        return true;
    }
    // A finding elsewhere may be about what stands in this block or file.
    used_allows(db, root).contains(&entry)
}

/// Every allow of a model that silences something.
#[salsa::tracked(returns(ref))]
fn used_allows(db: &dyn Db, root: SourceFile) -> HashSet<AllowedRule> {
    let of_declarations = model_decls(db, root).iter().flat_map(|decl| &judged(db, root, *decl).used);
    of_declarations.chain(&model_findings(db, root).used).copied().collect()
}
