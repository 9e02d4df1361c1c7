//! What a wider projection of an index would change.

use super::cost::price;
use super::facts::Declared;
use super::figure::Figure;
use super::operations::{StepNumbers, pattern_numbers, step_numbers};
use super::prices::{MONTH_SECONDS, Mode, Priced, mode};
use super::stock::stock;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::ProjectionKind;
use crate::model::layout::{Source, TableLayout};
use crate::model::names::{pattern_def, table_def};
use crate::model::resolve::{Step, patterns_of_table, steps};

/// What changes where an index projects more than it does: each number as it is,
/// and as it would be.
#[derive(Clone, Debug, PartialEq)]
pub struct Widened {
    /// Read units that one call of the pattern spends on the step.
    pub read_units: (Figure, Figure),
    /// Dollars a month of everything that reads or writes the table, and of what
    /// the index stores; `None` where capacity is provisioned, whose units round
    /// over all patterns together.
    pub monthly: Option<(Figure, Figure)>,
}

/// What changes for a step of a pattern, and in a month of all patterns, where
/// the index that it reads projects these attributes as well.
pub fn widened(
    db: &dyn Db,
    root: SourceFile,
    (pattern, step): (Decl, &Step<'_>),
    source: Source<'_>,
    attributes: &[&str],
) -> Option<Widened> {
    let index = source.index?;
    let wide = with_included(source.layout, &index.name.text, attributes);
    let own = numbers_at(db, root, pattern, *step, &wide)?;
    let now = pattern_numbers(db, root, pattern).as_ref()?;
    let is_own =
        |numbers: &&StepNumbers| (numbers.operation, numbers.step) == (step.resolved.operation, step.resolved.step);
    let read_units = (now.steps.iter().find(is_own)?.read_units(), own.read_units());
    let table = table_def(db, source.layout.decl)?;
    let monthly = (mode(db, root, table) == Mode::OnDemand).then(|| monthly(db, root, source, &wide));
    Some(Widened { read_units, monthly })
}

/// The table with these attributes included in one of its indexes.
fn with_included(layout: &TableLayout, index: &str, attributes: &[&str]) -> TableLayout {
    let mut wide = layout.clone();
    for own in wide.indexes.iter_mut().filter(|own| own.name.text == index) {
        own.projection = ProjectionKind::Include;
        own.included.extend(attributes.iter().map(|name| (*name).to_owned()));
    }
    wide
}

/// The numbers of a step were its table laid out like this.
fn numbers_at(
    db: &dyn Db,
    root: SourceFile,
    pattern: Decl,
    step: Step<'_>,
    layout: &TableLayout,
) -> Option<StepNumbers> {
    let def = pattern_def(db, pattern)?;
    let name = &pattern_numbers(db, root, pattern).as_ref()?.name;
    let index = step.source?.index.and_then(|index| layout.index(&index.name.text));
    let moved = Step { source: Some(Source { layout, index }), ..step };
    Some(step_numbers(db, &Declared { db, root }, def, name, moved))
}

/// Dollars a month on demand of all units at the table and of what the index
/// stores, as it is and as it would be (C1).
fn monthly(db: &dyn Db, root: SourceFile, source: Source<'_>, wide: &TableLayout) -> (Figure, Figure) {
    let table = source.layout.decl;
    let prices = [Priced::OnDemandRead, Priced::OnDemandWrite].map(|what| price(db, root, table, what));
    let dollars = |step: &StepNumbers| {
        let writes = step.write_units().plus(&step.index_writes().map(|(_, _, units)| units).sum());
        step.read_units().times(&prices[0]).plus(&writes.times(&prices[1])).scaled(MONTH_SECONDS)
    };
    let (mut now, mut then) = (Figure::ZERO, Figure::ZERO);
    for pattern in patterns_of_table(db, root, table) {
        let Some(numbers) = pattern_numbers(db, root, *pattern) else { continue };
        for (step, own) in steps(db, root, *pattern).zip(&numbers.steps) {
            if own.table != Some(table) {
                continue;
            }
            let Some(moved) = numbers_at(db, root, *pattern, step, wide) else { continue };
            now = now.plus(&dollars(own).times(&numbers.rate));
            then = then.plus(&dollars(&moved).times(&numbers.rate));
        }
    }
    let facts = Declared { db, root };
    let storage = price(db, root, table, Priced::StorageGbMonth);
    let stored = |source: Source<'_>| stock(&facts, source).storage_gb.times(&storage);
    let index = source.index.and_then(|index| wide.index(&index.name.text));
    (now.plus(&stored(source)), then.plus(&stored(Source { layout: wide, index })))
}
