//! Edits of transactions and batches that several fixes share.

use super::batch_limit::excess;
use super::check::{Cx, StepCx};
use super::finding::{Edit, Place};
use super::fixes::{indent_of, insert_after, one_line};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::groups::{belongs, twice};
use crate::syntax::TextRange;
use crate::syntax::lines::line_start;

/// A transaction or batch with its steps.
pub struct Grouped<'db> {
    pub operation: &'db OperationDef,
    pub group: &'db crate::model::defs::Group,
    pub steps: Vec<StepCx<'db>>,
}

/// The transactions and batches of the pattern under judgement.
pub fn grouped<'db>(cx: &Cx<'db>) -> Vec<Grouped<'db>> {
    let mut all: Vec<Grouped<'db>> = Vec::new();
    for step in cx.steps() {
        let Some(group) = &step.operation.group else { continue };
        match all.last_mut().filter(|last| std::ptr::eq(last.operation, step.operation)) {
            Some(last) => last.steps.push(step),
            None => all.push(Grouped { operation: step.operation, group, steps: vec![step] }),
        }
    }
    all
}

impl Grouped<'_> {
    /// Whether DynamoDB would take these steps as a group of this kind: each
    /// belongs, they are not too many, and no two aim at one item.
    pub fn would_be(&self, cx: &Cx<'_>, kind: GroupKind, mode: GroupMode) -> bool {
        let fits = |step: &StepCx<'_>| {
            let op = &step.step.op;
            belongs(kind, mode, op) && (kind == GroupKind::Transact || op.condition().is_none())
        };
        self.steps.iter().all(fits)
            && excess(cx, kind, mode, &self.steps).is_none()
            && twice(kind, mode, &self.steps).is_empty()
    }

    /// Whether each step is something by itself: a check is not.
    pub fn would_do_apart(&self) -> bool {
        self.steps.iter().all(|step| !matches!(step.step.op, OpDef::Check { .. }))
    }

    /// An edit that makes it a group of another kind.
    pub fn switch(&self, cx: &Cx<'_>, kind: GroupKind, mode: GroupMode) -> Edit {
        Edit::Replace { place: cx.place(self.group.range), text: format!("{} {}", kind.word(), mode.word()) }
    }

    /// Edits that put a step outside, before the group or behind it; `None` where
    /// a comment in it might be lost or swallow what follows.
    pub fn take_out(&self, cx: &Cx<'_>, step: &StepDef, before: bool) -> Option<Vec<Edit>> {
        let text = &cx.chunk().text;
        let own = lines_of(text, step.range)?;
        if self.operation.steps.len() == 1 {
            return self.unwrap(cx).map(|edit| vec![edit]);
        }
        let whole = self.operation.range;
        let inserted = match before {
            true => {
                let own = match indent_of(text, whole) {
                    Some(indent) => format!("{}\n{indent}", own.replace('\n', &format!("\n{indent}"))),
                    None => format!("{} ", one_line(&own)),
                };
                Edit::Replace { place: cx.place(TextRange::empty(whole.start as usize)), text: own }
            }
            false => insert_after(text, cx.place(whole), &own),
        };
        Some(vec![inserted, Edit::RemoveLines { place: cx.place(step.range) }])
    }

    /// An edit that runs the steps one by one, without the group; `None` where a
    /// comment in it might be lost.
    pub fn unwrap(&self, cx: &Cx<'_>) -> Option<Edit> {
        let text = &cx.chunk().text;
        let whole = self.operation.range;
        if text[whole.indices()].contains("//") {
            return None;
        }
        let steps: Option<Vec<String>> = self.steps.iter().map(|step| lines_of(text, step.step.range)).collect();
        let steps = steps?.join("\n");
        let steps = match indent_of(text, whole) {
            Some(indent) => steps.replace('\n', &format!("\n{indent}")),
            None => one_line(&steps),
        };
        Some(Edit::Replace { place: cx.place(whole), text: steps })
    }
}

/// The text of a step without the indentation of its first line; `None` where a
/// comment stands in it.
fn lines_of(text: &str, step: TextRange) -> Option<String> {
    let own = text[step.indices()].replace("\r\n", "\n");
    if own.contains("//") {
        return None;
    }
    let line = &text[line_start(text, step.start as usize)..step.start as usize];
    let indent: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    Some(own.replace(&format!("\n{indent}"), "\n"))
}

/// Puts further steps behind a step in its transaction, or makes a transaction of
/// it and them.
pub fn into_transaction(text: &str, pattern: Decl, step: &StepCx<'_>, further: &[String]) -> Edit {
    let further = further.join("\n");
    let place = Place { decl: pattern, range: step.step.range };
    if step.operation.group.is_some() {
        return insert_after(text, place, &further);
    }
    let own = &text[place.range.indices()];
    let whole = match indent_of(text, place.range) {
        Some(indent) => {
            // A step of several lines moves as a whole.
            let own = own.replace('\n', "\n  ");
            let further = further.replace('\n', &format!("\n{indent}  "));
            format!("transact write {{\n{indent}  {own}\n{indent}  {further}\n{indent}}}")
        }
        None => format!("transact write {{ {own} {} }}", one_line(&further)),
    };
    Edit::Replace { place, text: whole }
}
