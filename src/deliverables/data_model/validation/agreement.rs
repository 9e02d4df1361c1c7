//! Whether the two documents agree: what each pattern says that it reads and
//! writes is what its operations touch, in the way that it says.

use super::Design;
use super::promises::broken;
use crate::deliverables::checklist::{Found, Missing};
use crate::deliverables::markdown::{codes, inline};
use crate::deliverables::patterns::{Pattern, Status};
use crate::model::defs::EntityUse;
use crate::model::resolve::Step;
use crate::rules::finding::FindingPlace;
use std::collections::BTreeSet;

impl Design<'_, '_> {
    /// What differs, pattern by pattern. What is answered outside of DynamoDB is
    /// another box.
    pub(super) fn disagreements(&self) -> Found {
        let mut missing = Vec::new();
        for pattern in self.patterns.iter().filter(|pattern| pattern.status() != Status::External) {
            if pattern.status() == Status::Open {
                let words = format!("{}: {}", pattern.reference(), pattern.open_reason());
                missing.push(Missing::at(self.outline, pattern.decl, None, words));
                continue;
            }
            for requirement in &pattern.def.requirements {
                let touched = touched(pattern, requirement.writes);
                let verb = if requirement.writes { "write" } else { "read" };
                for one in &requirement.uses {
                    let name = one.entity.text.as_str();
                    let what = if !touched.contains(name) {
                        inline(name)
                    } else {
                        let left_out = left_out(pattern, requirement.writes, one);
                        if left_out.is_empty() {
                            continue;
                        }
                        format!("{} of {}", codes(left_out), inline(name))
                    };
                    let words = format!("{} is to {verb} {what}, and what answers it does not", pattern.reference());
                    missing.push(Missing::at(self.outline, pattern.decl, Some(one.range), words));
                }
                for words in broken(self.outline, pattern, requirement) {
                    let words = format!("{} {words}", pattern.reference());
                    missing.push(Missing::at(self.outline, pattern.decl, Some(requirement.range), words));
                }
            }
        }
        Found::from(missing).and(self.unprojected())
    }

    /// The attributes that a pattern needs, and that what it reads does not hold.
    fn unprojected(&self) -> Found {
        let lacking = ["attribute-not-projected", "over-read"];
        let solved: Vec<_> = self.patterns.iter().filter(|pattern| pattern.status() == Status::Solved).collect();
        self.found(&|finding| {
            let FindingPlace::In(place) = finding.place else { return false };
            lacking.contains(&finding.rule.name) && solved.iter().any(|pattern| pattern.decl == place.decl)
        })
    }
}

/// The attributes that a pattern says it reads, and that every operation that reads
/// the entity leaves out of what it returns.
fn left_out<'p>(pattern: &Pattern<'_>, writes: bool, one: &'p EntityUse) -> Vec<&'p str> {
    if writes {
        return Vec::new();
    }
    let name = one.entity.text.as_str();
    let reading = pattern.steps.iter().filter(|step| step.step.op.reads());
    let of_entity: Vec<&Step<'_>> =
        reading.filter(|step| step.items().iter().any(|item| item.entity == name)).collect();
    let returns = |step: &&Step<'_>, attribute: &str| {
        let projected = step.step.op.options().map(|options| options.project.as_slice()).unwrap_or_default();
        projected.is_empty() || projected.iter().any(|own| own.text == attribute)
    };
    let attributes = one.attributes.iter().map(|attribute| attribute.text.as_str());
    attributes.filter(|name| !of_entity.is_empty() && !of_entity.iter().any(|step| returns(step, name))).collect()
}

/// The entities that the operations of a pattern read, or write, those that are
/// embedded in the items included.
fn touched<'p>(pattern: &'p Pattern<'_>, writes: bool) -> BTreeSet<&'p str> {
    let is_meant = |step: &&Step<'_>| if writes { step.step.op.writes() } else { step.step.op.reads() };
    let mut touched = BTreeSet::new();
    for step in pattern.steps.iter().filter(is_meant) {
        touched.extend(step.step.op.subject().map(|subject| subject.entity.text.as_str()));
        for item in step.items() {
            touched.insert(item.entity.as_str());
            touched.extend(item.embeds.iter().map(|embed| embed.entity.as_str()));
        }
    }
    touched
}
