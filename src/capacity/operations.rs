//! The numbers of a pattern: of each step, and of one call of them all.

use super::facts::{Declared, Facts};
use super::figure::{Figure, Input};
use super::reads::{ReadNumbers, StepInput, get, query, scan};
use super::writes::{WriteNumbers, check, delete, put, update};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source, TableLayout};
use crate::model::lower::decl_name;
use crate::model::names::pattern_def;
use crate::model::resolve::{Step, steps};
use crate::syntax::Unit;
use std::collections::BTreeMap;

/// A pattern's numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternNumbers {
    pub name: String,
    /// In the order of the text.
    pub steps: Vec<StepNumbers>,
    /// Calls a second, on average.
    pub rate: Figure,
    /// Calls a second, at the peak.
    pub peak: Figure,
    /// Read units of one call, of tables and indexes.
    pub read_units: Figure,
    /// Write units of one call, of tables alone.
    pub write_units: Figure,
    /// Write units of one call for each index, by `Table.Index`.
    pub index_writes: BTreeMap<String, Figure>,
    /// It is answered outside DynamoDB.
    pub external: bool,
}

impl PatternNumbers {
    /// All write units of one call, indexes included.
    pub fn all_write_units(&self) -> Figure {
        self.write_units.plus(&self.index_writes.values().sum())
    }

    /// Units a second on average, reads and writes together.
    pub fn taken(&self) -> Figure {
        self.rate.times(&self.read_units.plus(&self.all_write_units()))
    }
}

/// A step's numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct StepNumbers {
    /// Which operation and which of its steps, counted from 0.
    pub operation: usize,
    pub step: usize,
    /// The table; `None` where its name is unknown.
    pub table: Option<Decl>,
    /// The table's name, as the step gives it.
    pub table_name: String,
    /// The index that it reads.
    pub index: Option<String>,
    /// How often one call of the pattern runs it.
    pub times: f64,
    pub work: Work,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    Read(Box<ReadNumbers>),
    Write(Box<WriteNumbers>),
    /// It names something that there is not.
    Unknown(Input),
}

impl StepNumbers {
    /// Read units that one call of the pattern spends on it.
    pub fn read_units(&self) -> Figure {
        match &self.work {
            Work::Read(read) => read.units.scaled(self.times),
            Work::Write(_) => Figure::ZERO,
            Work::Unknown(input) => Figure::unknown(input.clone()),
        }
    }

    /// The same on the hottest value of the partition key.
    pub fn hot_read_units(&self) -> Figure {
        match &self.work {
            Work::Read(read) => read.hot_units.scaled(self.times),
            _ => self.read_units(),
        }
    }

    /// Write units of the table.
    pub fn write_units(&self) -> Figure {
        match &self.work {
            Work::Write(write) => write.table_units.scaled(self.times),
            Work::Read(_) => Figure::ZERO,
            Work::Unknown(input) => Figure::unknown(input.clone()),
        }
    }

    /// Write units of each index that it writes, by the index's name.
    pub fn index_writes(&self) -> impl Iterator<Item = (&str, IndexKind, Figure)> {
        let writes = match &self.work {
            Work::Write(write) => write.indexes.as_slice(),
            _ => &[],
        };
        writes.iter().map(|write| (write.index.as_str(), write.kind, write.units.scaled(self.times)))
    }

    /// `Table` or `Table.Index`.
    pub fn label(&self) -> String {
        self.index.as_ref().map_or_else(|| self.table_name.clone(), |index| format!("{}.{index}", self.table_name))
    }
}

/// The numbers of a pattern as its model declares them; `None` where the
/// declaration is no pattern.
#[salsa::tracked(returns(ref))]
pub fn pattern_numbers(db: &dyn Db, root: SourceFile, decl: Decl) -> Option<PatternNumbers> {
    numbers_of(db, root, decl, &Declared { db, root })
}

/// The numbers of a pattern with these numbers of its entities.
pub fn numbers_of(db: &dyn Db, root: SourceFile, decl: Decl, facts: &dyn Facts) -> Option<PatternNumbers> {
    numbers(db, root, decl, facts, None)
}

/// The same where one table is laid out otherwise than the model says: what
/// another design would do. An index that is gone makes its readers unknown.
pub fn numbers_laid_out(
    db: &dyn Db,
    root: SourceFile,
    decl: Decl,
    facts: &dyn Facts,
    layout: &TableLayout,
) -> Option<PatternNumbers> {
    numbers(db, root, decl, facts, Some(layout))
}

fn numbers(
    db: &dyn Db,
    root: SourceFile,
    decl: Decl,
    facts: &dyn Facts,
    other: Option<&TableLayout>,
) -> Option<PatternNumbers> {
    let pattern = pattern_def(db, decl)?;
    let name = decl_name(db, decl).clone().unwrap_or_else(|| "?".to_owned());
    let external = pattern.external.is_some();
    // What something else answers, no operation here is called for.
    let own = steps(db, root, decl).filter(|_| !external);
    let steps: Vec<StepNumbers> =
        own.map(|step| step_numbers(db, facts, pattern, &name, laid_out(step, other))).collect();
    let mut read_units: Figure = steps.iter().map(StepNumbers::read_units).sum();
    let mut write_units: Figure = steps.iter().map(StepNumbers::write_units).sum();
    if steps.is_empty() && !external {
        let unknown = Figure::unknown(Input::Operation(name.clone()));
        (read_units, write_units) = (unknown.clone(), unknown);
    }
    let mut index_writes: BTreeMap<String, Figure> = BTreeMap::new();
    for step in &steps {
        for (index, _, units) in step.index_writes() {
            let sum = index_writes.entry(format!("{}.{index}", step.table_name)).or_insert(Figure::ZERO);
            *sum = sum.plus(&units);
        }
    }
    let rate = |of: fn(&Measure, Unit) -> Option<f64>| {
        pattern.rate.as_ref().and_then(|rate| of(rate, Unit::Rate)).filter(|rate| *rate >= 0.0)
    };
    Some(PatternNumbers {
        rate: Figure::declared(rate(Measure::avg), || Input::Rate(name.clone())),
        peak: Figure::declared(rate(Measure::max), || Input::Peak(name.clone())),
        name,
        steps,
        read_units,
        write_units,
        index_writes,
        external,
    })
}

/// A step over another layout of its table, where that is the one.
fn laid_out<'l>(step: Step<'l>, other: Option<&'l TableLayout>) -> Step<'l> {
    let Some(other) = other.filter(|other| step.resolved.table == Some(other.decl)) else { return step };
    let source = step.source.and_then(|source| match source.index {
        None => Some(other.table()),
        Some(index) => other.index(&index.name.text).map(|index| other.of_index(index)),
    });
    Step { source, ..step }
}

/// The numbers of a step, at the table or index that it says it is at: who asks
/// what another index would change puts that in its place.
pub fn step_numbers(
    db: &dyn Db,
    facts: &dyn Facts,
    pattern: &PatternDef,
    pattern_name: &str,
    step: Step<'_>,
) -> StepNumbers {
    let table_name = step.step.op.table().map_or_else(|| "?".to_owned(), |name| name.text.clone());
    let index = step.resolved.index.clone();
    let work = match step.source {
        Some(source) => {
            let group = step.operation.group.as_ref();
            work(&StepInput { db, facts, pattern, pattern_name, group, source }, &step)
        }
        None => Work::Unknown(Input::Target(target(&step.step.op, &table_name))),
    };
    StepNumbers {
        operation: step.resolved.operation,
        step: step.resolved.step,
        table: step.resolved.table,
        table_name,
        index,
        times: step.step.times().max(0.0),
        work,
    }
}

fn target(op: &OpDef, table: &str) -> String {
    op.index().map_or_else(|| table.to_owned(), |index| format!("{table}.{}", index.text))
}

fn work(input: &StepInput<'_>, step: &Step<'_>) -> Work {
    let layout = input.source.layout;
    let subject = step.step.op.subject().map_or("", |subject| subject.entity.text.as_str());
    let item = || -> Result<&ItemLayout, Work> {
        layout.item_of(subject).ok_or_else(|| Work::Unknown(Input::Entity(subject.to_owned())))
    };
    let on_item = |make: &dyn Fn(&ItemLayout) -> Work| item().map_or_else(|unknown| unknown, make);
    let read = |numbers| Work::Read(Box::new(numbers));
    let write = |numbers| Work::Write(Box::new(numbers));
    match &step.step.op {
        OpDef::Get { options, .. } => {
            // A `get` reads tables only: aimed at an index it is a fault of its own.
            let table = StepInput { source: Source { layout, index: None }, ..*input };
            on_item(&|item| read(get(&table, item, options)))
        }
        OpDef::Query { conditions, options, .. } => {
            let reached = |item: &&ItemLayout| step.resolved.reached.contains(&item.entity);
            let items: Vec<&ItemLayout> = input.source.items().filter(reached).collect();
            read(query(input, &items, conditions.as_ref(), options))
        }
        OpDef::Scan { options, .. } => read(scan(input, options)),
        OpDef::Put { with, condition, .. } => {
            on_item(&|item| write(put(input, item, subject, with.as_ref(), condition.as_ref())))
        }
        OpDef::Update { set, remove, condition, .. } => {
            on_item(&|item| write(update(input, item, subject, (set, remove), condition.as_ref())))
        }
        OpDef::Delete { condition, .. } => on_item(&|item| write(delete(input, item, subject, condition.as_ref()))),
        OpDef::Check { condition, .. } => on_item(&|item| write(check(input, item, subject, condition.as_ref()))),
    }
}
