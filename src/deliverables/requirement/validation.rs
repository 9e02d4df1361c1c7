//! *Validation Checklist*: the boxes that a design review asks for before there is
//! a design.

use crate::capacity::facts::{Declared, linked};
use crate::capacity::sizes::Bound;
use crate::deliverables::asked::{About, Design};
use crate::deliverables::bounds::{entity_bytes, largest_items};
use crate::deliverables::checklist::{Check, Checklists, Found, Missing, summary};
use crate::deliverables::decisions::needs;
use crate::deliverables::heat::HOT;
use crate::deliverables::markdown::inline;
use crate::deliverables::outline::{Outline, said, shown};
use crate::deliverables::pairs::Analysis;
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::rules::finding::Level;
use crate::syntax::Unit;

/// The part.
pub(super) fn part(outline: &Outline<'_>, patterns: &[Pattern<'_>], analyses: &[Analysis<'_>]) -> Part {
    let design = Design { outline, patterns, analyses };
    let checks: Vec<Check> = [of_application(outline), design.asked_of_entities(), design.asked_of_patterns()]
        .into_iter()
        .flatten()
        .collect();
    let mut lists = Checklists::default();
    let boxes = lists.markdown(&checks);
    let text = format!("## Validation Checklist\n\n{}\n\n{boxes}\n{}", summary(&checks), lists.in_full());
    Part::of_text("validation", &text)
}

fn of_application(outline: &Outline<'_>) -> Vec<Check> {
    let question = "The domain and the scale of the application are declared";
    let Some(application) = &outline.application else {
        return vec![Check::open(outline, question, "the model has no `application`")];
    };
    let clauses = [("domain", &application.def.domain), ("scale", &application.def.scale)];
    let missing = clauses.into_iter().filter(|(_, text)| text.as_ref().and_then(said).is_none());
    let missing = missing.map(|(what, _)| Missing::at(outline, application.decl, None, format!("no `{what}`")));
    vec![Check::new(question, missing.collect::<Vec<_>>())]
}

impl Design<'_, '_> {
    fn asked_of_entities(&self) -> Vec<Check> {
        let entities = |question, rules: &[&str], more: Found| self.rules(About::Entities, question, rules, more);
        vec![
            entities(
                "Every entity has an identity, a size, and a number of items",
                &["missing-size", "missing-count", "unused-entity"],
                Found::from(self.without_identity()).and(self.unsized_or_uncounted()),
            ),
            entities(
                "Every relationship is declared, with how many children a parent has",
                &["missing-relationship"],
                self.unmeasured().into(),
            ),
            self.checked(
                About::Entities,
                "Every related pair is decided, one item, one item collection or apart, and the tables keep it so",
                Found::from(self.without_pairs()).and(self.undecided()),
            ),
            self.checked(
                About::Entities,
                "The children of identifying relationships are keyed by their parent",
                [self.without_pairs(), self.unkeyed()].concat(),
            ),
            entities(
                "No candidate for consolidation is left open",
                &[
                    "collection-candidate",
                    "embed-candidate",
                    "loose-collection",
                    "unrelated-entities",
                    "multiple-tables",
                ],
                Found::from([self.without_pairs(), self.unjudged()].concat()).and(self.kept_otherwise()),
            ),
        ]
    }

    fn asked_of_patterns(&self) -> Vec<Check> {
        let patterns = |question, found: Found| self.checked(About::Patterns, question, found);
        let counterpart = |question, rule| self.rules(About::Patterns, question, &[rule], Vec::new());
        vec![
            patterns("Every pattern has an average and a peak rate", self.unrated()),
            patterns("Every pattern that reads says how fast its answer is needed", self.without_latency()),
            patterns("It is known how consistent every pattern reads and writes", self.of_each(consistency).into()),
            patterns("The result of every read is bounded", self.unbounded()),
            patterns("The item size band of every pattern is known", self.of_each(sizes).into()),
            counterpart("Every entity that is read is written", "missing-write-pattern"),
            counterpart("Every entity that is written is read", "missing-read-pattern"),
            self.rules(About::Tables, "No key is hot, and the load on each is known", &HOT, self.loads()),
            patterns(
                "Every consideration is settled: no error or warning stands that is not accepted with a reason",
                // The question leaves out what is accepted.
                self.found(&|finding| finding.level >= Level::Warning).missing.into(),
            ),
        ]
    }

    fn without_identity(&self) -> Vec<Missing> {
        let without = self.outline.entities.iter().filter(|entity| entity.def.ids().next().is_none());
        let missing = without.map(|entity| {
            Missing::at(self.outline, entity.decl, None, format!("no attribute of {} is its `@id`", shown(entity.name)))
        });
        missing.collect()
    }

    /// The entities whose average size cannot be computed, and those of which nothing
    /// says how many there are: of a child, its parent says how many each has. A rule
    /// asks only for what a number needs, and before there is a table none does.
    pub(in crate::deliverables) fn unsized_or_uncounted(&self) -> Found {
        let outline = self.outline;
        let facts = Declared { db: outline.db, root: outline.root };
        let mut found = Found::default();
        let mut add = |rule: &str, decl, words: String| match self.accepted(rule, decl, None) {
            Some(reason) => {
                found.accepted.push(Missing::at(outline, decl, None, format!("{words}, because {reason}")));
            }
            None => found.missing.push(Missing::at(outline, decl, None, words)),
        };
        for entity in &outline.entities {
            let name = shown(entity.name);
            let bytes = entity_bytes(&facts, entity.decl, entity.name.unwrap_or_default(), Bound::Avg);
            if bytes.high().is_none() {
                let words = format!("the size of {name} needs {}", needs(&bytes));
                add("missing-size", entity.decl, words);
            }
            let counted = entity.def.count.as_ref().and_then(|count| count.get(Unit::Number)).is_some();
            let linked = linked(outline.db, outline.root, entity.decl);
            let of_parent = entity.name.is_some_and(|name| {
                linked.relations.iter().any(|relation| {
                    let child = relation.through.as_deref().unwrap_or(&relation.child);
                    child == name && relation.children_avg.is_some()
                })
            });
            if !counted && !of_parent {
                add("missing-count", entity.decl, format!("how many {name} there are is not declared"));
            }
        }
        found
    }

    /// The pairs that nothing decides: whether they are candidates is not known.
    pub(in crate::deliverables) fn unjudged(&self) -> Vec<Missing> {
        let open = self.analyses.iter().filter(|analysis| analysis.verdict.decision.is_none());
        let missing = open.map(|analysis| {
            let words = format!("{}: {}", analysis.pair.name(), analysis.verdict.why);
            Missing::at(self.outline, analysis.pair.decl, None, words)
        });
        missing.collect()
    }

    /// The relationships that do not say how many there are on average and at most.
    fn unmeasured(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for relationship in &self.outline.relationships {
            let at = |words: String| Missing::at(self.outline, relationship.decl, None, words);
            let name = self.outline.told(relationship);
            let lacking = |measure: &Option<Measure>, what: &str| {
                let (avg, max) = measure
                    .as_ref()
                    .map_or((None, None), |measure| (measure.avg(Unit::Number), measure.max(Unit::Number)));
                match (avg, max) {
                    (None, None) => Some(format!("{name} has no `{what}`")),
                    (None, _) => Some(format!("{name} has no average of `{what}`")),
                    (_, None) => Some(format!("{name} has no maximum of `{what}`")),
                    _ => None,
                }
            };
            match relationship.cardinality {
                Some(Cardinality::OneToOne) => {}
                Some(Cardinality::OneToMany) => missing.extend(lacking(&relationship.children, "children").map(at)),
                Some(Cardinality::ManyToMany) => {
                    missing.extend(lacking(&relationship.children, "children").map(at));
                    missing.extend(lacking(&relationship.parents, "parents").map(at));
                }
                None => missing.push(at(format!("{name} has no cardinality"))),
            }
        }
        [self.without_pairs(), missing].concat()
    }

    /// Several entities of which nothing says how they belong together: there is no
    /// pair that could be looked at.
    fn without_pairs(&self) -> Vec<Missing> {
        match self.analyses.is_empty() && self.outline.entities.len() > 1 {
            true => vec![Missing::in_model(self.outline, "no relationship between two entities is declared")],
            false => Vec::new(),
        }
    }

    /// What is missing of each pattern, in words.
    fn of_each(&self, lacks: impl Fn(&Outline<'_>, &Pattern<'_>) -> Option<String>) -> Vec<Missing> {
        let missing = self.patterns.iter().filter_map(|pattern| {
            let words = format!("{}: {}", pattern.reference(), lacks(self.outline, pattern)?);
            Some(Missing::at(self.outline, pattern.decl, None, words))
        });
        missing.collect()
    }
}

/// Whether anything but DynamoDB answers: what is asked of reads is not asked there.
fn is_external(pattern: &Pattern<'_>) -> bool {
    pattern.def.external.is_some()
}

fn consistency(_: &Outline<'_>, pattern: &Pattern<'_>) -> Option<String> {
    let unanswered = pattern.steps.is_empty() && !is_external(pattern);
    unanswered.then(|| String::from("no operation says so yet"))
}

fn sizes(outline: &Outline<'_>, pattern: &Pattern<'_>) -> Option<String> {
    if is_external(pattern) {
        return None;
    }
    let largest = largest_items(outline, pattern);
    if largest.is_empty() {
        return Some(String::from("no entity is known to be read or written"));
    }
    let unknown = largest.iter().filter(|(_, bytes)| bytes.high().is_none());
    let unknown: Vec<String> =
        unknown.map(|(entity, bytes)| format!("{} of unknown size (needs {})", inline(entity), needs(bytes))).collect();
    (!unknown.is_empty()).then(|| unknown.join("; "))
}
