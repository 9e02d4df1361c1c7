//! What copies of attributes cost, and what they save (numbers C2).

use super::cost::{step_costs, step_parts};
use super::facts::Declared;
use super::figure::{Figure, Input};
use super::operations::{StepNumbers, Work, pattern_numbers};
use super::reads::{StepInput, get};
use crate::model::copies::{only_copies, reads_copy, updaters, wants_copy};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::lower::decl_name;
use crate::model::names::{entity_def, pattern_def};
use crate::model::uses::items_of;

/// What one copied attribute costs and saves in a month.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyCost {
    /// The attribute that holds the copy.
    pub attribute: String,
    /// The patterns that keep it in step with its source.
    pub keepers: Vec<Decl>,
    /// The patterns that read it, and those that are to and have no operation yet.
    pub readers: Vec<Decl>,
    /// Dollars a month for the updates that are made for copies alone.
    pub costs: Figure,
    /// Dollars a month for reading the source's item at each read of the copy.
    pub saves: Figure,
}

/// The copies that an entity holds and that some pattern keeps in step.
#[salsa::tracked(returns(ref))]
pub fn copy_costs(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<CopyCost> {
    let (Some(entity), Some(name)) = (entity_def(db, decl), decl_name(db, decl)) else { return Vec::new() };
    let mut all = Vec::new();
    for attribute in &entity.attributes {
        let Some(from) = &attribute.copied_from else { continue };
        let own = &attribute.name.text;
        let Some(keepers) = updaters(db, root).get(&(name.clone(), own.clone())) else { continue };
        let read = reads_copy(db, root, name, own);
        let wanted = wants_copy(db, root, name, own);
        all.push(CopyCost {
            attribute: own.clone(),
            keepers: keepers.clone(),
            costs: keepers.iter().map(|pattern| keeping(db, root, *pattern, name, own)).sum(),
            saves: saved(db, root, &read, &from.entity.text).plus(&to_be_saved(db, root, &wanted)),
            readers: [read, wanted].concat(),
        });
    }
    all
}

/// Dollars a month for the steps of a pattern that are there for the copies alone.
fn keeping(db: &dyn Db, root: SourceFile, pattern: Decl, entity: &str, attribute: &str) -> Figure {
    let Some(numbers) = pattern_numbers(db, root, pattern) else { return Figure::ZERO };
    let costs = step_costs(db, root, pattern);
    let own = only_copies(db, root, pattern, entity, attribute);
    let is_own = |step: &StepNumbers| own.contains(&(step.operation, step.step));
    numbers.steps.iter().zip(costs).filter(|(step, _)| is_own(step)).map(|(_, cost)| cost).sum()
}

/// What readers without an operation will save: nothing is known of how they will read.
fn to_be_saved(db: &dyn Db, root: SourceFile, wanted: &[Decl]) -> Figure {
    let numbers = wanted.iter().filter_map(|pattern| pattern_numbers(db, root, *pattern).as_ref());
    let called = numbers.filter(|numbers| numbers.rate != Figure::ZERO);
    called.map(|numbers| Figure::unknown(Input::Operation(numbers.name.clone()))).sum()
}

/// Dollars a month that the readers save: each call one read of the source's item.
fn saved(db: &dyn Db, root: SourceFile, readers: &[Decl], source: &str) -> Figure {
    let Some((layout, item)) = items_of(db, root, source).next() else { return Figure::ZERO };
    let facts = Declared { db, root };
    let of_reader = |decl: &Decl| -> Option<Figure> {
        let (pattern, numbers) = (pattern_def(db, *decl)?, pattern_numbers(db, root, *decl).as_ref()?);
        let input =
            StepInput { db, facts: &facts, pattern, pattern_name: &numbers.name, group: None, source: layout.table() };
        let read = StepNumbers {
            operation: 0,
            step: 0,
            table: Some(layout.decl),
            table_name: layout.name.text.clone(),
            index: None,
            times: 1.0,
            work: Work::Read(Box::new(get(&input, item, &ReadOptions::default()))),
        };
        Some(step_parts(db, root, &numbers.rate, &read).into_iter().map(|part| part.monthly).sum())
    };
    readers.iter().filter_map(of_reader).sum()
}
