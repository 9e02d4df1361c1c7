//! Boxes of the checklists of both documents. What both ask is judged here once: by
//! the rules, of the patterns, and of the related pairs.
//!
//! A finding that an `allow` accepts with its reason opens no box, in neither
//! document; the box then names it, so that what it says stays true.

mod of_pairs;
mod of_patterns;

use super::checklist::{Check, Found, Missing};
use super::findings::about;
use super::markdown::{code, inline, prose};
use super::outline::{Outline, said};
use super::pairs::Analysis;
use super::patterns::Pattern;
use crate::model::db::Decl;
use crate::model::imports::{model_decls, model_files};
use crate::model::lower::lowered;
use crate::model::names::{is_whole, table_def};
use crate::rules::finding::{Finding, FindingPlace, Level};
use crate::rules::judge::{AllowedRule, with_allows};
use crate::rules::rule::Group;
use crate::syntax::TextRange;

/// What the boxes look at.
pub(super) struct Design<'a, 'db> {
    pub outline: &'a Outline<'db>,
    pub patterns: &'a [Pattern<'db>],
    pub analyses: &'a [Analysis<'db>],
}

/// What a box is asked of: where there is none of it, the box stays open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Patterns,
    Tables,
    Entities,
}

impl Design<'_, '_> {
    /// A box that is ticked where none of these rules finds anything that is not
    /// accepted by an `allow` with its reason, and nothing else is missing.
    pub fn rules(&self, about: About, question: &str, rules: &[&str], more: impl Into<Found>) -> Check {
        let is_one = |finding: &Finding| rules.contains(&finding.rule.name);
        self.checked(about, question, self.found(&is_one).and(more))
    }

    /// A box with what is missing, and with what could not be looked at.
    pub fn checked(&self, about: About, question: &str, found: impl Into<Found>) -> Check {
        let none = match about {
            About::Patterns => self.patterns.is_empty().then_some("the model declares no access pattern"),
            About::Tables => self.outline.tables.is_empty().then_some("the model declares no table"),
            About::Entities => self.outline.entities.is_empty().then_some("the model declares no entity"),
        };
        if let Some(none) = none {
            return Check::open(self.outline, question, none);
        }
        Check::new(question, found.into().and(self.unread()))
    }

    /// The errors of the model, whatever rule they are of.
    pub fn errors(&self) -> Found {
        self.found(&|finding| finding.level == Level::Error)
    }

    /// What is found by one rule in the indexes of the tables, or outside of them.
    pub fn in_indexes(&self, rule: &str, wanted: bool) -> Found {
        self.found(&|finding| {
            let FindingPlace::In(place) = finding.place else { return false };
            let table = table_def(self.outline.db, place.decl);
            let mut indexes = table.iter().flat_map(|table| &table.indexes);
            finding.rule.name == rule && indexes.any(|index| index.range.contains(place.range)) == wanted
        })
    }

    /// The findings of which this holds: missing, or accepted by an `allow` with its
    /// reason.
    pub fn found(&self, is_one: &dyn Fn(&Finding) -> bool) -> Found {
        let outline = self.outline;
        let mut found = Found::default();
        for decl in model_decls(outline.db, outline.root) {
            for (finding, allows) in with_allows(outline.db, outline.root, *decl) {
                if !is_one(finding) {
                    continue;
                }
                let place = format!("{} in {}", code(finding.rule.name), about(outline, finding));
                match (self.reason(&allows), allows.is_empty()) {
                    (Some(reason), _) => {
                        found.accepted.push(Missing::found(outline, finding, format!("{place}, because {reason}")));
                    }
                    (None, unaccepted) => {
                        let why = if unaccepted { "" } else { "; an `allow` accepts it without a reason" };
                        let words = format!("{place}: {}{why}", prose(clause(finding)));
                        found.missing.push(Missing::found(outline, finding, words));
                    }
                }
            }
        }
        found
    }

    /// Why what a rule finds at a place is accepted, in a declaration or, with a
    /// range, in that part of it; `None` where nothing is, or no reason is given.
    pub fn accepted(&self, rule: &str, decl: Decl, range: Option<TextRange>) -> Option<String> {
        with_allows(self.outline.db, self.outline.root, decl).find_map(|(finding, allows)| {
            let FindingPlace::In(place) = finding.place else { return None };
            let is_here = place.decl == decl && range.is_none_or(|range| range.contains(place.range));
            (finding.rule.name == rule && is_here).then(|| self.reason(&allows)).flatten()
        })
    }

    /// The reason of the first of these that gives one, as the end of a sentence.
    fn reason(&self, allows: &[AllowedRule]) -> Option<String> {
        allows.iter().find_map(|allow| {
            let allow = lowered(self.outline.db, allow.decl).facts.allows.get(allow.allow)?;
            let because = allow.because.as_ref().and_then(said)?;
            Some(inline(because.trim().trim_end_matches('.')))
        })
    }

    /// The text that could not be read: no rule has looked at what it declares.
    fn unread(&self) -> Vec<Missing> {
        let outline = self.outline;
        let files =
            model_files(outline.db, outline.root).iter().filter(|file| file.content(outline.db).parse().is_none());
        let files = files.map(|file| Missing::in_model(outline, format!("{} cannot be read", outline.file(*file))));
        let decls = model_decls(outline.db, outline.root).iter().filter(|decl| !is_whole(outline.db, **decl));
        let decls = decls.map(|decl| {
            let words = format!("{} does not parse, and was not checked", outline.label(*decl));
            Missing::at(outline, *decl, None, words)
        });
        files.chain(decls).collect()
    }
}

/// What a box says of a finding: what is wrong, and where money is at stake how much.
fn clause(finding: &Finding) -> &str {
    match finding.rule.group {
        Group::Cost => before(&finding.message, &[';']),
        _ => first_clause(&finding.message),
    }
}

/// What a message says is wrong: all before the first colon or semicolon that
/// stands outside of code. Why it matters and what to do stand behind it.
fn first_clause(message: &str) -> &str {
    before(message, &[':', ';'])
}

/// All before the first of these marks that stands outside of code.
fn before<'m>(message: &'m str, marks: &[char]) -> &'m str {
    let (mut in_code, mut depth) = (false, 0_usize);
    for (at, c) in message.char_indices() {
        match c {
            '`' => in_code = !in_code,
            '(' if !in_code => depth += 1,
            ')' if !in_code => depth = depth.saturating_sub(1),
            _ if in_code || depth > 0 || !marks.contains(&c) => {}
            _ if message[at + 1..].starts_with(' ') => return &message[..at],
            _ => {}
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::first_clause;

    #[test]
    fn a_clause_ends_outside_of_code() {
        assert_eq!(first_clause("`a: b` is wrong: it is; do c"), "`a: b` is wrong");
        assert_eq!(first_clause("`A` (`B`; `C`) is wrong: it is"), "`A` (`B`; `C`) is wrong");
        assert_eq!(first_clause("at 12:30 all is well"), "at 12:30 all is well");
    }
}
