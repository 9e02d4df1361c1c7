//! What both documents ask of each pattern.

use super::Design;
use crate::deliverables::bounds::bounded;
use crate::deliverables::checklist::{Found, Missing};
use crate::deliverables::markdown::code;
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::syntax::Unit;

impl Design<'_, '_> {
    /// The patterns without an average or a peak rate.
    pub fn unrated(&self) -> Found {
        self.lacking("missing-rate", |pattern| match (pattern.average(), pattern.peak()) {
            (None, None) => Some("no `rate`"),
            (None, _) => Some("no average `rate`"),
            (_, None) => Some("no peak `rate`"),
            _ => None,
        })
    }

    /// The patterns that read, and do not say how fast their answer is needed.
    pub fn without_latency(&self) -> Found {
        self.lacking("missing-latency", |pattern| {
            let latency = pattern.def.latency.as_ref().and_then(|latency| latency.get(Unit::Duration));
            // Of a pattern that does nothing yet nobody knows whether it reads.
            (latency.is_none() && (pattern.reads() || !pattern.writes())).then_some("no `latency`")
        })
    }

    /// What each pattern lacks, and which of it is accepted as a finding of the rule
    /// that asks for it.
    fn lacking(&self, rule: &str, lacks: impl Fn(&Pattern<'_>) -> Option<&'static str>) -> Found {
        let mut found = Found::default();
        for pattern in self.patterns {
            let Some(words) = lacks(pattern) else { continue };
            let words = format!("{}: {words}", pattern.reference());
            let accepted = self.accepted(rule, pattern.decl, None);
            self.add(&mut found, pattern, accepted, words);
        }
        found
    }

    fn add(&self, found: &mut Found, pattern: &Pattern<'_>, accepted: Option<String>, words: String) {
        let at = |words: String| Missing::at(self.outline, pattern.decl, None, words);
        match accepted {
            Some(reason) => found.accepted.push(at(format!("{words}, because {reason}"))),
            None => found.missing.push(at(words)),
        }
    }

    /// The reads of which nobody knows how they are answered. Of a pattern that says
    /// nothing nobody knows whether it reads.
    fn unanswered_reads(&self) -> Found {
        let mut found = Found::default();
        for pattern in self.patterns {
            let may_read = pattern.reads() || !pattern.writes();
            if pattern.steps.is_empty() && pattern.def.external.is_none() && may_read {
                self.add(&mut found, pattern, None, format!("{}: no operation yet", pattern.reference()));
            }
        }
        found
    }

    /// The scans.
    pub fn scans(&self) -> Found {
        let mut found = self.unanswered_reads();
        for pattern in self.patterns {
            for step in &pattern.steps {
                let OpDef::Scan { .. } = &step.step.op else { continue };
                let target = step.target().map_or_else(|| String::from("nothing yet"), |target| code(&target));
                let accepted = self.accepted("scan-pattern", pattern.decl, Some(step.step.range));
                self.add(&mut found, pattern, accepted, format!("{} scans {target}", pattern.reference()));
            }
        }
        found
    }

    /// The reads that nothing bounds, as the tables' *Bounded Read Strategy* has them.
    pub fn unbounded(&self) -> Found {
        let mut found = self.unanswered_reads();
        for pattern in self.patterns.iter().filter(|pattern| pattern.def.external.is_none()) {
            for step in pattern.steps.iter().filter(|step| step.step.op.reads()) {
                let Err(why) = bounded(self.outline, pattern, step) else { continue };
                let rules = ["scan-pattern", "unbounded-read"];
                let accepted = rules.iter().find_map(|rule| self.accepted(rule, pattern.decl, Some(step.step.range)));
                self.add(&mut found, pattern, accepted, format!("{}: {why}", pattern.reference()));
            }
        }
        found
    }
}
