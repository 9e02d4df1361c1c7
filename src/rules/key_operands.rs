//! The operands that conditions of a model hold against a key of a table: what a
//! fix that changes how the key is made has to change as well.

use super::check::{Cx, StepCx};
use super::finding::{Edit, Place};
use crate::capacity::select::{is_full, pinned};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::held::{Clause, held};
use crate::model::key::KeyValue;
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, KeyAttribute, Source, TableLayout};
use crate::model::resolve::{operand_value, patterns_of_table};
use crate::syntax::TextRange;
use crate::syntax::template::{Hole, Part, Template};

/// An operand of a comparison with a key attribute.
pub(super) struct KeyOperand<'db> {
    pub pattern: Decl,
    pub step: StepCx<'db>,
    pub clause: Clause,
    pub comparison: &'db Comparison,
    pub operand: &'db OperandDef,
}

/// Every operand that a condition of some pattern holds against the key attribute
/// `key` of the table under judgement.
pub(super) fn key_operands<'db>(cx: &Cx<'db>, key: &str) -> Vec<KeyOperand<'db>> {
    let mut all = Vec::new();
    for pattern in patterns_of_table(cx.db, cx.root, cx.decl) {
        for step in cx.steps_of(*pattern) {
            let Some(source) = step.source.filter(|source| source.layout.decl == cx.decl) else { continue };
            for held in held(cx.db, cx.root, source, &step.step.op) {
                if held.comparison.attribute.text == key {
                    let (comparison, clause) = (held.comparison, held.clause);
                    let operands = comparison.operands.iter();
                    all.extend(operands.map(|operand| KeyOperand {
                        pattern: *pattern,
                        step,
                        clause,
                        comparison,
                        operand,
                    }));
                }
            }
        }
    }
    all
}

impl<'db> KeyOperand<'db> {
    /// Its template with the place of the string; `None` where it is no string.
    pub fn template(&self) -> Option<(&'db Template, TextRange)> {
        match self.operand {
            OperandDef::String { template, range, .. } => Some((template, *range)),
            _ => None,
        }
    }

    /// What it means for an item.
    pub fn value(&self, cx: &Cx<'_>, layout: &TableLayout, item: &ItemLayout) -> KeyValue {
        operand_value(cx.db, layout, item, self.operand)
    }

    /// Whether the step may meet this item.
    pub fn meets(&self, item: &ItemLayout) -> bool {
        self.step.resolved.reached.contains(&item.entity)
    }

    /// A place in its pattern.
    pub fn place(&self, range: TextRange) -> Place {
        Place { decl: self.pattern, range }
    }
}

/// Whether a query gives all of an attribute in the sort key of an item.
pub(super) fn gives(cx: &Cx<'_>, step: &StepCx<'_>, item: &ItemLayout, attribute: &str) -> bool {
    let (OpDef::Query { conditions: Some(conditions), .. }, Some(source)) = (&step.step.op, step.source) else {
        return false;
    };
    let pinned = pinned(cx.db, source, item, &conjuncts(conditions));
    pinned.sort.iter().any(|given| given.hole.name == attribute && is_full(given))
}

/// The hole that is the `at`th part of a template.
pub(super) fn hole_at(template: &Template, at: usize) -> Option<&Hole> {
    match template.parts.get(at)? {
        Part::Hole(hole) => Some(hole),
        Part::Literal(..) => None,
    }
}

/// An edit that writes a hole of a template otherwise; `string` is the place of
/// the template with its quotes.
pub(super) fn rewrite(string: Place, hole: &Hole, text: String) -> Edit {
    let range = hole.range.shifted(string.range.start);
    Edit::Replace { place: Place { range, ..string }, text }
}

/// An edit that lets a step run `n` times as often, unless it does already; `None`
/// where `returning` says how much of it each run reads.
pub(super) fn run_times(step: &StepDef, pattern: Decl, n: u32) -> Option<Vec<Edit>> {
    if step.op.options().is_some_and(|options| options.returning.is_some()) {
        return None;
    }
    if step.times() >= f64::from(n) {
        return Some(Vec::new());
    }
    let edit = match &step.times {
        Some(times) => {
            let text = format!("{}", step.times() * f64::from(n));
            Edit::Replace { place: Place { decl: pattern, range: times.range }, text }
        }
        None => {
            let range = TextRange::empty(step.range.end as usize);
            Edit::Replace { place: Place { decl: pattern, range }, text: format!(" times {n}") }
        }
    };
    Some(vec![edit])
}

/// The template that an item's block gives to a key, with its place; `None` where
/// it gives none.
pub(super) fn item_template<'d>(item: &'d ItemDef, key: &str) -> Option<(&'d Template, TextRange)> {
    match &item.values.iter().rev().find(|value| value.key.text == key)?.value {
        Some(KeyExpr::Template { template, range }) => Some((template, *range)),
        _ => None,
    }
}

/// Whether another key than that of `source` uses the attribute, so that a change
/// of its value changes that key too.
pub(super) fn is_used_elsewhere(source: Source<'_>, key: &KeyAttribute) -> bool {
    let own = source.index.map(|index| index.name.text.as_str());
    let others = source.layout.sources().filter(|other| other.index.map(|index| index.name.text.as_str()) != own);
    let uses = |other: Source<'_>| {
        let shares = other.index.is_some_and(|index| index.kind == IndexKind::Local) && source.index.is_none();
        let partition = if shares { &[][..] } else { other.partition() };
        partition.iter().chain(other.sort()).any(|part| part.name == key.name)
    };
    others.into_iter().any(uses)
}
