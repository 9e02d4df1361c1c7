//! What copies of attributes cost, and what they save (numbers C2).

use super::cost::step_costs;
use super::figure::{Figure, Input};
use super::operations::{StepNumbers, pattern_numbers};
use super::saving::{Attribute, Saving, Sources, saving};
use crate::model::copies::{only_copies, reads_copy, updaters, wants_copy};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::lower::decl_name;
use crate::model::names::entity_def;

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
    /// Dollars a month for reading the items of the source at each read of the copy: at
    /// most, where they may have fewer sources than there are items.
    pub saves: Figure,
    /// How this comes about, for each pattern that reads it.
    pub savings: Vec<Saving>,
}

impl CopyCost {
    /// Whether all who read it read what it is copied from anyway.
    pub fn saves_nothing(&self) -> bool {
        let anyway = |saving: &Saving| saving.sources == Sources::ReadAnyway;
        self.savings.len() == self.readers.len() && self.savings.iter().all(anyway)
    }

    /// Whether more may be told as saved than is: items may share a source.
    pub fn is_most(&self) -> bool {
        self.savings.iter().any(|saving| saving.sources == Sources::Each)
    }
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
        let copy = Attribute { entity: name, name: own };
        let source =
            from.attribute.as_ref().map(|attribute| Attribute { entity: &from.entity.text, name: &attribute.text });
        let savings = source.into_iter().flat_map(|source| read.iter().map(move |decl| (source, decl)));
        let savings: Vec<Saving> = savings.filter_map(|(source, decl)| saving(db, root, *decl, copy, source)).collect();
        all.push(CopyCost {
            attribute: own.clone(),
            keepers: keepers.clone(),
            costs: keepers.iter().map(|pattern| keeping(db, root, *pattern, name, own)).sum(),
            saves: savings.iter().map(|saving| &saving.monthly).sum::<Figure>().plus(&to_be_saved(db, root, &wanted)),
            savings,
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
