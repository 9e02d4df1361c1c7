//! The boxes about patterns, entities and what the requirement document asks.

use super::Design;
use crate::deliverables::asked::About;
use crate::deliverables::checklist::{Check, Found, Missing};
use crate::deliverables::first_page::FirstPage;
use crate::deliverables::lost;
use crate::deliverables::markdown::code;
use crate::deliverables::most_actions::overfull;
use crate::deliverables::outline::said;
use crate::deliverables::patterns::Status;
use crate::model::defs::EntityUse;
use crate::model::layout::{ItemLayout, placements};
use crate::population::Population;
use crate::requests::overwrites;
use crate::syntax::Unit;

impl Design<'_, '_> {
    /// The boxes about access patterns.
    pub(super) fn of_patterns(&self, population: &Population<'_>) -> Vec<Check> {
        vec![
            self.checked(
                About::Patterns,
                "Every pattern is solved, or has an alternative with a reason",
                self.unanswered(),
            ),
            self.checked(About::Patterns, "No pattern scans", self.scans()),
            self.rules(
                About::Patterns,
                "Every read is bounded, and reads what is asked for",
                &[
                    "over-read",
                    "limit-with-filter",
                    "prefix-collision",
                    "get-instead-of-query",
                    "chatty-workflow",
                    "query-matches-nothing",
                ],
                self.unbounded().and(self.cut_off()),
            ),
            self.rules(
                About::Patterns,
                "Every transaction and batch fits into one call, however many items it is of",
                &["batch-limit", "batch-invalid", "transaction-invalid"],
                self.overfull(),
            ),
            self.rules(
                About::Patterns,
                "Consistency is as it is needed",
                &["consistent-read-on-gsi", "read-your-write-on-gsi", "stale-copy", "ttl-as-deadline"],
                self.lost_updates(population),
            ),
            self.checked(
                About::Patterns,
                "The data model answers what the requirement document lists",
                self.disagreements(),
            ),
        ]
    }

    /// Transactions that are too large where their items have as many children as they can.
    fn overfull(&self) -> Vec<Missing> {
        let all = self.patterns.iter().flat_map(|pattern| {
            let all = overfull(self.outline, &pattern.def.operations, &pattern.steps);
            all.into_iter().map(move |one| (pattern, one))
        });
        let missing = all.map(|(pattern, one)| {
            let words = format!("{}: {}", pattern.reference(), one.words());
            Missing::at(self.outline, pattern.decl, None, words)
        });
        missing.collect()
    }

    /// What a pattern wants to read, and a first page of its operation can end before.
    fn cut_off(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for pattern in self.patterns {
            let follows = pattern.def.pages.as_ref().and_then(|pages| pages.max(Unit::Number));
            if follows.is_some_and(|pages| pages > 1.0) {
                continue;
            }
            let requirements = pattern.def.requirements.iter().filter(|requirement| !requirement.writes);
            let asked: Vec<&EntityUse> = requirements.flat_map(|requirement| &requirement.uses).collect();
            for step in &pattern.steps {
                let Some(page) = FirstPage::of(self.outline, step) else { continue };
                let is_asked =
                    |item: &ItemLayout| asked.is_empty() || asked.iter().any(|used| item.holds(&used.entity.text));
                if page.hidden.iter().any(|item| is_asked(item)) {
                    let words = format!("{}: {}", pattern.reference(), page.words());
                    missing.push(Missing::at(self.outline, pattern.decl, Some(step.step.range), words));
                }
            }
        }
        missing
    }

    /// The updates of which two at once can undo each other.
    fn lost_updates(&self, population: &Population<'_>) -> Vec<Missing> {
        let mut missing = Vec::new();
        for pattern in self.patterns {
            for step in &pattern.steps {
                let overwritten = overwrites(&step.step.op, population);
                missing.extend(overwritten.iter().map(|overwrite| {
                    let words = format!("{}: {}", pattern.reference(), lost::told(overwrite, code));
                    Missing::at(self.outline, pattern.decl, Some(step.step.range), words)
                }));
            }
        }
        missing
    }

    fn unanswered(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for pattern in self.patterns {
            let words = match (pattern.status(), &pattern.def.external) {
                (Status::Open, _) => pattern.open_reason(),
                (_, Some(external)) if external.because.as_ref().and_then(said).is_none() => {
                    String::from("no reason why DynamoDB does not answer it")
                }
                _ => continue,
            };
            missing.push(Missing::at(self.outline, pattern.decl, None, format!("{}: {words}", pattern.reference())));
        }
        missing
    }

    /// The boxes about entities and aggregates.
    pub(super) fn of_entities(&self) -> Vec<Check> {
        vec![
            self.rules(
                About::Entities,
                "Entities are stored, and their relationships declared",
                &["unused-entity", "missing-relationship", "one-way-many-to-many"],
                self.unplaced(),
            ),
            self.checked(About::Entities, "Every related pair is decided, and the tables keep it so", self.undecided()),
            self.checked(About::Entities, "Identifying relationships are in the keys", self.unkeyed()),
            self.rules(
                About::Entities,
                "Consolidation is considered",
                &[
                    "collection-candidate",
                    "embed-candidate",
                    "loose-collection",
                    "unrelated-entities",
                    "multiple-tables",
                ],
                Found::from(self.unjudged()).and(self.kept_otherwise()),
            ),
        ]
    }

    fn unplaced(&self) -> Vec<Missing> {
        let placed = placements(self.outline.db, self.outline.root);
        let nowhere =
            self.outline.entities.iter().filter(|entity| entity.name.is_none_or(|name| !placed.contains_key(name)));
        nowhere
            .map(|entity| {
                let words = format!("no table holds {}", crate::deliverables::outline::shown(entity.name));
                Missing::at(self.outline, entity.decl, None, words)
            })
            .collect()
    }

    /// The boxes of the requirement document that a final design must have.
    pub(super) fn of_requirements(&self) -> Vec<Check> {
        let outline = self.outline;
        let application = outline.application.as_ref();
        let scope = "Domain and scale are said";
        let said_of = |text: Option<&crate::model::defs::Text>| text.and_then(said).is_some();
        let scope = match application {
            None => Check::open(outline, scope, "the model has no `application`"),
            Some(application) => {
                let mut missing = Vec::new();
                for (what, text) in [("domain", &application.def.domain), ("scale", &application.def.scale)] {
                    if !said_of(text.as_ref()) {
                        missing.push(Missing::at(outline, application.decl, None, format!("no `{what}`")));
                    }
                }
                Check::new(scope, missing)
            }
        };
        let patterns = |question, rules: &[&str]| self.rules(About::Patterns, question, rules, Vec::new());
        vec![
            scope,
            self.checked(About::Patterns, "Every pattern has its rates", self.unrated()),
            self.checked(About::Patterns, "Every read has its latency", self.without_latency()),
            self.rules(
                About::Entities,
                "Sizes and numbers of items are known",
                &["missing-size", "missing-count"],
                self.unsized_or_uncounted(),
            ),
            patterns(
                "There is a write for each read and a read for each write",
                &["missing-write-pattern", "missing-read-pattern"],
            ),
        ]
    }
}
