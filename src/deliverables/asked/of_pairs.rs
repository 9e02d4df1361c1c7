//! What both documents ask of the related pairs.

use super::Design;
use crate::deliverables::checklist::{Found, Missing};
use crate::deliverables::decisions::meaning;
use crate::deliverables::markdown::{code, inline, prose};
use crate::deliverables::outline::said;
use crate::deliverables::pairs::Analysis;
use crate::model::db::Decl;
use crate::model::layout::layout;
use crate::model::names::{find_entity, style};
use crate::syntax::TextRange;

/// The rules that find a pair kept otherwise than its reads ask for.
const CANDIDATES: [&str; 3] = ["collection-candidate", "embed-candidate", "loose-collection"];

impl Design<'_, '_> {
    /// The related pairs that are open, that no tables hold, or that the tables keep
    /// otherwise.
    pub fn undecided(&self) -> Found {
        let mut missing = Vec::new();
        for analysis in self.analyses {
            let words = match (analysis.decision(), &analysis.kept) {
                (None, _) => format!("{} is open: {}{}", names(analysis), analysis.verdict.why, left_open(analysis)),
                (Some(_), None) => format!("{}: no tables hold both", names(analysis)),
                (Some(_), Some(_)) => continue,
            };
            // Tables are wanted where the two are related, a decision at the aggregate.
            let (decl, range) = match analysis.decision() {
                Some(_) => (analysis.pair.decl, None),
                None => place(analysis),
            };
            missing.push(Missing::at(self.outline, decl, range, words));
        }
        Found::from(missing).and(self.kept_otherwise())
    }

    /// The pairs that the tables keep otherwise than it is decided.
    pub fn kept_otherwise(&self) -> Found {
        let style = style(self.outline.db, self.outline.root);
        let mut found = Found::default();
        for analysis in self.analyses {
            let (Some(decision), Some(kept)) = (analysis.decision(), &analysis.kept) else { continue };
            if analysis.is_carried_out(decision, style) != Some(false) {
                continue;
            }
            let told = prose(&kept.told());
            let declared = analysis.pair.declared().is_some();
            let names = names(analysis);
            let words = match (declared, analysis.pair.aggregates.is_empty()) {
                (true, _) => format!("{names} is kept otherwise than its `aggregate` says: {told}"),
                (false, true) => format!("{names} is kept otherwise, and no `aggregate` says why: {told}"),
                (false, false) => format!(
                    "{names} is kept otherwise than the thresholds say ({}), and its `aggregate` decides nothing{}: {told}",
                    meaning(decision, analysis.style(style)),
                    left_open(analysis)
                ),
            };
            let (decl, range) = place(analysis);
            // One rule speaks about the aggregate that decides, the others about what
            // relates the two.
            let accepted = match declared {
                true => self.accepted("decision-contradicted", decl, None),
                false => CANDIDATES.iter().find_map(|rule| self.accepted(rule, analysis.pair.decl, None)),
            };
            match accepted {
                Some(reason) => {
                    let words = format!("{words}, because {reason}");
                    found.accepted.push(Missing::at(self.outline, decl, range, words));
                }
                None => found.missing.push(Missing::at(self.outline, decl, range, words)),
            }
        }
        found
    }

    /// The pairs that an aggregate decides against the thresholds, without a word why.
    pub fn decided_without_reason(&self) -> Vec<Missing> {
        let style = style(self.outline.db, self.outline.root);
        let mut missing = Vec::new();
        for analysis in self.analyses {
            let (Some((declared, None)), Some(other)) = (analysis.pair.declared(), analysis.verdict.decision) else {
                continue;
            };
            if declared == other {
                continue;
            }
            let words = format!(
                "{} is decided against the thresholds ({} instead of {}), and no `because` says why",
                names(analysis),
                meaning(declared, analysis.style(style)),
                meaning(other, analysis.style(style))
            );
            let (decl, range) = place(analysis);
            missing.push(Missing::at(self.outline, decl, range, words));
        }
        missing
    }

    /// Children that are nothing without their parent, and whose key does not begin
    /// with it.
    pub fn unkeyed(&self) -> Vec<Missing> {
        let (db, root) = (self.outline.db, self.outline.root);
        let mut missing = Vec::new();
        for analysis in self.analyses.iter().filter(|analysis| analysis.pair.is_identifying()) {
            let pair = &analysis.pair;
            let Some(entity) = find_entity(db, root, pair.child) else { continue };
            // Of a child with several parents of one kind only that one will do.
            let holds = |name: &str| match pair.by {
                Some(by) => by == name,
                None => entity.attribute(name).is_some_and(|a| a.of.as_ref().is_some_and(|of| of.text == pair.parent)),
            };
            // The guard of a unique value is found by the value itself.
            if analysis.evidence.guard {
                continue;
            }
            let tables = self.outline.tables.iter().filter_map(|table| layout(db, root, table.decl).as_ref());
            for layout in tables {
                let own = layout.items.iter().find(|item| item.entity == pair.child);
                let Some(item) = own else { continue };
                if item.made_from(layout.primary_key()).into_iter().any(holds) {
                    continue;
                }
                let by = pair.by.filter(|_| pair.among || pair.is_of_one());
                let words = format!(
                    "the key of {} in {} does not hold the id of its {}{}",
                    inline(pair.child),
                    inline(&layout.name.text),
                    inline(pair.parent),
                    by.map(|by| format!(" ({})", code(by))).unwrap_or_default()
                );
                missing.push(Missing::at(self.outline, layout.decl, Some(item.range), words));
            }
        }
        missing
    }
}

fn names(analysis: &Analysis<'_>) -> String {
    analysis.pair.name()
}

/// Where a pair is decided: at the decision of its aggregate, else at an aggregate
/// that leaves it open, else where the two are related.
fn place(analysis: &Analysis<'_>) -> (Decl, Option<TextRange>) {
    let decided = analysis.pair.aggregates.iter().find_map(|(decl, aggregate)| {
        let (_, range) = aggregate.decision?;
        Some((*decl, Some(range)))
    });
    let open = analysis.pair.aggregates.first().map(|(decl, _)| (*decl, None));
    decided.or(open).unwrap_or((analysis.pair.decl, None))
}

/// What the aggregates say that hold a pair and decide nothing about it.
fn left_open(analysis: &Analysis<'_>) -> String {
    let undecided = analysis.pair.aggregates.iter().filter(|(_, aggregate)| aggregate.decision.is_none());
    let reasons: Vec<String> = undecided
        .filter_map(|(_, aggregate)| aggregate.because.as_ref().and_then(said))
        .map(|because| inline(because.trim().trim_end_matches('.')))
        .collect();
    if reasons.is_empty() { String::new() } else { format!(" (it says: {})", reasons.join("; ")) }
}
