//! What refactorings ask of a model before they change it: that all of it can
//! be read, and that every pattern can follow.

use super::AssistCx;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::imports::{model_decls, models_of};
use crate::model::layout::{TableLayout, layout};
use crate::model::names::{is_whole, names, pattern_def};
use crate::model::resolve::steps;
use crate::syntax::TextRange;

/// Whether all of the model is in sight: it is the only one that the file
/// belongs to, and nothing in it is half-typed and may hide what would have to
/// follow.
pub(super) fn is_settled(cx: &AssistCx<'_>) -> bool {
    models_of(cx.db, cx.file) == &[cx.root] && model_decls(cx.db, cx.root).iter().all(|decl| is_whole(cx.db, *decl))
}

/// The layout of the table at the cursor, where the cursor is in one whose name
/// is its own.
pub(super) fn table_at<'db>(cx: &AssistCx<'db>) -> Option<(&'db TableDef, &'db TableLayout)> {
    let Def::Table(table) = &cx.lowered().def else { return None };
    let layout = layout(cx.db, cx.root, cx.decl).as_ref()?;
    (names(cx.db, cx.root).table(&layout.name.text) == Some(cx.decl)).then_some((table, layout))
}

/// A step of a pattern, with where it stands.
#[derive(Clone, Copy)]
pub(super) struct Used<'db> {
    pub pattern: Decl,
    pub def: &'db PatternDef,
    pub operation: &'db OperationDef,
    pub step: &'db StepDef,
    /// The entities whose items it touches.
    pub reached: &'db [String],
    pub table: Option<Decl>,
    pub index: Option<&'db str>,
}

impl<'db> Used<'db> {
    /// The query with its conditions, where it is one that has some.
    pub fn query(&self) -> Option<(&'db ConditionsDef, &'db ReadOptions)> {
        match &self.step.op {
            OpDef::Query { conditions, options, .. } => Some((conditions.as_ref()?, options)),
            _ => None,
        }
    }

    /// Whether the order of what it reads matters to it.
    pub fn is_ordered(&self) -> bool {
        let options = self.step.op.options();
        options.is_some_and(|options| options.limit_range.is_some() || options.descending.is_some())
            || self.def.requirements.iter().any(|requirement| requirement.order.is_some())
    }
}

/// Every step of every pattern of the model, in the order of the patterns'
/// names.
pub(super) fn all_steps<'db>(cx: &AssistCx<'db>) -> Vec<Used<'db>> {
    let patterns = names(cx.db, cx.root).all_patterns();
    let of = |pattern: Decl| {
        let def = pattern_def(cx.db, pattern);
        steps(cx.db, cx.root, pattern).filter_map(move |step| {
            Some(Used {
                pattern,
                def: def?,
                operation: step.operation,
                step: step.step,
                reached: &step.resolved.reached,
                table: step.resolved.table,
                index: step.resolved.index.as_deref(),
            })
        })
    };
    patterns.flat_map(of).collect()
}

/// The comparisons of a condition where `and` alone joins them: what else there
/// may be in one, no refactoring follows.
pub(super) fn comparisons(conditions: &ConditionsDef) -> Option<Vec<&Comparison>> {
    if conditions.operators.iter().any(|(or, _)| *or) {
        return None;
    }
    let of = |term| match term {
        &Term::Comparison(ref comparison) => Some(comparison),
        _ => None,
    };
    conditions.terms.iter().map(of).collect()
}

/// The edits of a condition that put other comparisons in the place of some:
/// none stands for one that always holds. `None` where a comment would be lost
/// with one, or all of them.
pub(super) fn rewritten(
    text: &str,
    comparisons: &[&Comparison],
    follow: impl Fn(&Comparison) -> Option<Option<String>>,
) -> Option<Vec<(TextRange, String)>> {
    let mut edits = Vec::new();
    let mut kept = Vec::new();
    for (index, comparison) in comparisons.iter().enumerate() {
        match follow(comparison)? {
            Some(new) => {
                kept.push(index);
                if new != text[comparison.range.indices()] {
                    edits.push((comparison.range, new));
                }
            }
            None => {
                // The word that joins it to the one before it goes with it; that of
                // the first kept one, where all before it go.
                let range = match (kept.last(), comparisons.get(index + 1)) {
                    (Some(_), _) => {
                        TextRange::new(comparisons[index - 1].range.end as usize, comparison.range.end as usize)
                    }
                    (None, Some(next)) => TextRange::new(comparison.range.start as usize, next.range.start as usize),
                    (None, None) => return None,
                };
                if text[range.indices()].contains("//") {
                    return None;
                }
                edits.push((range, String::new()));
            }
        }
    }
    (!kept.is_empty()).then_some(edits)
}
