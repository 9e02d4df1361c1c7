//! What the patterns of a model read from and write to a table and its indexes
//! each second.

use super::figure::Figure;
use super::operations::{StepNumbers, pattern_numbers};
use super::prices::provisioned_units;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::IndexKind;
use crate::model::layout::{TableLayout, layout};
use crate::model::resolve::patterns_of_table;

/// The traffic of a table, with its local indexes, or of a global index: what
/// draws on one capacity (facts 3.5).
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// `Table` or `Table.Index`.
    pub label: String,
    /// The index; `None` for the table.
    pub index: Option<String>,
    pub patterns: Vec<PatternTraffic>,
}

/// What one pattern has in it.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternTraffic {
    pub pattern: String,
    pub decl: Decl,
    /// Units of one call.
    pub read_units: Figure,
    pub write_units: Figure,
    /// Calls a second.
    pub rate: Figure,
    pub peak: Figure,
}

impl Traffic {
    /// Read units a second, on average.
    pub fn reads(&self) -> Figure {
        self.patterns.iter().map(|pattern| pattern.rate.times(&pattern.read_units)).sum()
    }

    /// Write units a second, on average.
    pub fn writes(&self) -> Figure {
        self.patterns.iter().map(|pattern| pattern.rate.times(&pattern.write_units)).sum()
    }

    /// Read units a second, where all patterns peak at once.
    pub fn peak_reads(&self) -> Figure {
        self.patterns.iter().map(|pattern| pattern.peak.times(&pattern.read_units)).sum()
    }

    /// Write units a second, where all patterns peak at once.
    pub fn peak_writes(&self) -> Figure {
        self.patterns.iter().map(|pattern| pattern.peak.times(&pattern.write_units)).sum()
    }

    /// Units that are provisioned for the average, and the most that auto scaling
    /// may provide: those for the peaks. What is provisioned never takes more.
    pub fn provisioned(&self, writes: bool, utilization: f64) -> (Figure, Figure) {
        let (average, peak) =
            if writes { (self.writes(), self.peak_writes()) } else { (self.reads(), self.peak_reads()) };
        let [least, most] = [average, peak].map(|units| units.map(|units| provisioned_units(units, utilization)));
        let is_less = least.value().zip(most.value()).is_some_and(|(least, most)| most < least);
        let most = if is_less { least.clone() } else { most };
        (least, most)
    }
}

/// The traffic of a table and of its global indexes, the table first.
#[salsa::tracked(returns(ref))]
pub fn traffic(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<Traffic> {
    let Some(layout) = layout(db, root, table) else { return Vec::new() };
    let global = layout.indexes.iter().filter(|index| index.kind == IndexKind::Global);
    let indexes = std::iter::once(None).chain(global.map(|index| Some(index.name.text.clone())));
    let mut all: Vec<Traffic> = indexes
        .map(|index| {
            let label =
                index.as_ref().map_or_else(|| layout.name.text.clone(), |i| format!("{}.{i}", layout.name.text));
            Traffic { label, index, patterns: Vec::new() }
        })
        .collect();
    for decl in patterns_of_table(db, root, table) {
        let Some(numbers) = pattern_numbers(db, root, *decl) else { continue };
        for step in numbers.steps.iter().filter(|step| step.table == Some(table)) {
            for Draw { index, writes, units } in draws(layout, step) {
                let Some(own) = all.iter_mut().find(|traffic| traffic.index.as_deref() == index) else { continue };
                let (reads, writes) = if writes { (Figure::ZERO, units) } else { (units, Figure::ZERO) };
                match own.patterns.iter_mut().find(|pattern| pattern.decl == *decl) {
                    Some(pattern) => {
                        pattern.read_units = pattern.read_units.plus(&reads);
                        pattern.write_units = pattern.write_units.plus(&writes);
                    }
                    None => own.patterns.push(PatternTraffic {
                        pattern: numbers.name.clone(),
                        decl: *decl,
                        read_units: reads,
                        write_units: writes,
                        rate: numbers.rate.clone(),
                        peak: numbers.peak.clone(),
                    }),
                }
            }
        }
    }
    all
}

/// Units that one call of a pattern draws on a table or global index by one of
/// its steps.
pub(super) struct Draw<'n> {
    /// The global index; `None` for the table, with its local indexes.
    pub index: Option<&'n str>,
    pub writes: bool,
    pub units: Figure,
}

/// What a step draws on its table and the global indexes of it, without what
/// draws nothing (facts 3.5).
pub(super) fn draws<'n>(layout: &TableLayout, step: &'n StepNumbers) -> Vec<Draw<'n>> {
    let is_global = |name: &str| layout.index(name).is_some_and(|index| index.kind == IndexKind::Global);
    let read_from = step.index.as_deref().filter(|name| is_global(name));
    let mut draws = vec![
        Draw { index: read_from, writes: false, units: step.read_units() },
        Draw { index: None, writes: true, units: step.write_units() },
    ];
    draws.extend(step.index_writes().map(|(name, kind, units)| Draw {
        index: (kind == IndexKind::Global).then_some(name),
        writes: true,
        units,
    }));
    draws.retain(|draw| draw.units != Figure::ZERO);
    draws
}
