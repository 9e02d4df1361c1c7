//! What a part of a design draws and costs by itself: an index as it is, or as it
//! would be in a layout that nobody has declared (numbers C1). The arithmetic is
//! that of the model's own numbers, over other facts.

use super::cost::price;
use super::facts::{Declared, Facts};
use super::figure::Figure;
use super::operations::numbers_laid_out;
use super::operations::{PatternNumbers, pattern_numbers};
use super::prices::{MONTH_SECONDS, Mode, Priced, mode, provisioned_monthly, provisioned_units};
use super::stock::stock;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::{IndexLayout, TableLayout};
use crate::model::names::table_def;
use crate::model::resolve::patterns_of_table;
use std::borrow::Borrow;

/// What something draws on a table's capacity, on average, and stores.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Read units a second.
    pub reads: Figure,
    /// Write units a second.
    pub writes: Figure,
    /// GB that are paid for.
    pub storage_gb: Figure,
}

impl Drawn {
    /// Nothing.
    pub const NOTHING: Drawn = Drawn { reads: Figure::ZERO, writes: Figure::ZERO, storage_gb: Figure::ZERO };

    /// Reads alone, units a second.
    pub fn reading(reads: Figure) -> Self {
        Self { reads, ..Self::NOTHING }
    }

    /// Writes alone, units a second.
    pub fn writing(writes: Figure) -> Self {
        Self { writes, ..Self::NOTHING }
    }

    /// The same without what is read: what keeping it costs.
    pub fn upkeep(&self) -> Self {
        Self { reads: Figure::ZERO, ..self.clone() }
    }

    /// Dollars a month (C1). Where capacity is provisioned, it is what this takes
    /// alone: what it shares of a table's reserve depends on everything else.
    pub fn monthly(&self, db: &dyn Db, root: SourceFile, table: Decl) -> Figure {
        let mode = table_def(db, table).map_or(Mode::OnDemand, |def| mode(db, root, def));
        let units = |units: &Figure, on_demand: Priced, hour: Priced| match mode {
            _ if *units == Figure::ZERO => Figure::ZERO,
            Mode::OnDemand => units.times(&price(db, root, table, on_demand)).scaled(MONTH_SECONDS),
            Mode::Provisioned { utilization } => {
                let provisioned =
                    units.map(|average| provisioned_monthly(provisioned_units(average, utilization), 1.0));
                provisioned.times(&price(db, root, table, hour))
            }
        };
        let reads = units(&self.reads, Priced::OnDemandRead, Priced::ProvisionedReadHour);
        let writes = units(&self.writes, Priced::OnDemandWrite, Priced::ProvisionedWriteHour);
        let storage = self.storage_gb.times(&price(db, root, table, Priced::StorageGbMonth));
        reads.plus(&writes).plus(&storage)
    }
}

/// What all patterns draw on an index of a table, and what it stores.
pub fn drawn_on(db: &dyn Db, root: SourceFile, layout: &TableLayout, index: &IndexLayout) -> Drawn {
    let numbers = drawing_on(db, root, layout.decl, &index.name.text);
    drawn(&Declared { db, root }, layout, index, numbers.map(|(_, numbers)| numbers))
}

/// The numbers of all patterns that draw on an index of the table as it is.
pub fn drawing_on<'db>(
    db: &'db dyn Db,
    root: SourceFile,
    table: Decl,
    index: &str,
) -> impl Iterator<Item = (Decl, &'db PatternNumbers)> {
    let patterns = patterns_of_table(db, root, table).iter();
    let numbers = patterns.filter_map(move |decl| Some((*decl, pattern_numbers(db, root, *decl).as_ref()?)));
    numbers.filter(move |(_, numbers)| {
        numbers.steps.iter().filter(|step| step.table == Some(table)).any(|step| {
            step.index.as_deref() == Some(index) || step.index_writes().any(|(written, ..)| written == index)
        })
    })
}

/// The numbers of patterns where a table is laid out so, each with its declaration.
pub fn all_laid_out(
    db: &dyn Db,
    root: SourceFile,
    facts: &dyn Facts,
    layout: &TableLayout,
    patterns: impl Iterator<Item = Decl>,
) -> Vec<(Decl, PatternNumbers)> {
    patterns.filter_map(|decl| Some((decl, numbers_laid_out(db, root, decl, facts, layout)?))).collect()
}

/// What patterns with these numbers draw on an index, and what it stores.
pub fn drawn<N: Borrow<PatternNumbers>>(
    facts: &dyn Facts,
    layout: &TableLayout,
    index: &IndexLayout,
    patterns: impl Iterator<Item = N>,
) -> Drawn {
    let name = index.name.text.as_str();
    let mut drawn = Drawn { storage_gb: stock(facts, layout.of_index(index)).storage_gb, ..Drawn::NOTHING };
    for numbers in patterns {
        let numbers = numbers.borrow();
        for step in numbers.steps.iter().filter(|step| step.table == Some(layout.decl)) {
            if step.index.as_deref() == Some(name) {
                drawn.reads = drawn.reads.plus(&numbers.rate.times(&step.read_units()));
            }
            for (_, _, units) in step.index_writes().filter(|(index, ..)| *index == name) {
                drawn.writes = drawn.writes.plus(&numbers.rate.times(&units));
            }
        }
    }
    drawn
}
