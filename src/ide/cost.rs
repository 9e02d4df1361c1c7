//! What a model costs, as a report: the numbers of `keywright cost`.

use super::figures;
use crate::capacity::cost::{ModelCost, SourceCost, model_cost};
use crate::capacity::figure::{Figure, Input};
use crate::capacity::operations::pattern_numbers;
use crate::capacity::prices::{Mode, PriceList, mode, prices};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::TableClass;
use crate::model::files::FileKey;
use crate::model::imports::{model_files, models_of};
use crate::model::names::table_def;
use crate::model::settings::region;
use std::collections::BTreeSet;

/// What a model costs a month, and where it is hottest.
#[derive(Clone, Debug, PartialEq)]
pub struct CostReport {
    /// The model's root and the files that it is made of.
    pub root: FileKey,
    pub files: Vec<FileKey>,
    pub region: Option<String>,
    /// The price lists that were used, one a table class.
    pub prices: Vec<PriceList>,
    /// In the order that [`CostReport::order`] tells.
    pub patterns: Vec<PatternRow>,
    /// In the order of the text.
    pub tables: Vec<TableRow>,
    /// One entry a key, the hottest first.
    pub hottest: Vec<HotRow>,
    /// Dollars a month.
    pub total: Figure,
}

impl CostReport {
    /// The total in few words, as hints have it: `$126/mo`.
    pub fn monthly(&self) -> String {
        figures::monthly(&self.total)
    }

    /// By what the patterns are ordered, as a heading of them.
    pub fn order(&self) -> &'static str {
        match self.patterns.iter().any(|pattern| pattern.monthly.low() > 0.0) {
            true => "Patterns, the dearest first",
            false => "Patterns, those with the most units a second first",
        }
    }
}

/// A pattern's row.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternRow {
    pub name: String,
    /// Units of one call: reads of tables and indexes, writes of tables.
    pub read_units: Figure,
    pub write_units: Figure,
    /// Write units of one call, by `Table.Index`.
    pub index_writes: Vec<(String, Figure)>,
    /// Calls a second.
    pub rate: Figure,
    pub peak: Figure,
    /// Dollars.
    pub monthly: Figure,
    /// It is answered outside DynamoDB.
    pub external: bool,
}

impl PatternRow {
    /// Everything that any of its numbers lacks.
    pub fn missing(&self) -> BTreeSet<Input> {
        self.figures().flat_map(Figure::missing).cloned().collect()
    }

    /// The entities whose size was computed for any of its numbers.
    pub fn computed(&self) -> BTreeSet<String> {
        self.figures().flat_map(Figure::computed).cloned().collect()
    }

    fn figures(&self) -> impl Iterator<Item = &Figure> {
        let own = [&self.read_units, &self.write_units, &self.rate, &self.peak, &self.monthly];
        own.into_iter().chain(self.index_writes.iter().map(|(_, units)| units))
    }
}

/// A table's row.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    pub name: String,
    pub class: TableClass,
    pub mode: Mode,
    pub cost: SourceCost,
    /// Its indexes, each by its own name.
    pub indexes: Vec<(String, SourceCost)>,
}

/// The hottest value of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct HotRow {
    /// `Table` or `Table.Index`.
    pub key: String,
    /// The template of the partition key.
    pub value: String,
    /// Units a second at the peak.
    pub reads: Figure,
    pub writes: Figure,
    /// Shares of what one value of a key takes.
    pub read_share: Figure,
    pub write_share: Figure,
}

/// One report for each model that the file belongs to.
pub(super) fn costs(db: &dyn Db, file: SourceFile) -> Vec<CostReport> {
    models_of(db, file).iter().map(|root| report(db, *root)).collect()
}

fn report(db: &dyn Db, root: SourceFile) -> CostReport {
    let ModelCost { patterns, tables, hottest, total } = model_cost(db, root);
    let mut lists: Vec<PriceList> = Vec::new();
    let tables = tables.into_iter().filter_map(|(decl, mut sources)| {
        let def = table_def(db, decl)?;
        if let Ok(list) = prices(db, root, def)
            && !lists.contains(list)
        {
            lists.push(list.clone());
        }
        let indexes = sources.split_off(1.min(sources.len()));
        let cost = sources.pop()?;
        Some(TableRow {
            name: cost.label.clone(),
            class: crate::capacity::prices::class(db, root, def),
            mode: mode(db, root, def),
            cost,
            indexes: indexes.into_iter().filter_map(|cost| Some((cost.index.clone()?.0, cost))).collect(),
        })
    });
    let tables: Vec<TableRow> = tables.collect();
    let patterns = patterns.into_iter().filter_map(|(decl, cost)| {
        let numbers = pattern_numbers(db, root, decl).as_ref()?;
        Some(PatternRow {
            name: numbers.name.clone(),
            read_units: numbers.read_units.clone(),
            write_units: numbers.write_units.clone(),
            index_writes: numbers.index_writes.iter().map(|(index, units)| (index.clone(), units.clone())).collect(),
            rate: numbers.rate.clone(),
            peak: numbers.peak.clone(),
            monthly: cost.monthly,
            external: numbers.external,
        })
    });
    let hottest = hottest.into_iter().map(|(key, family)| HotRow {
        key,
        read_share: family.read_share(),
        write_share: family.write_share(),
        value: family.value,
        reads: family.reads,
        writes: family.writes,
    });
    CostReport {
        root: root.key(db).clone(),
        files: model_files(db, root).iter().map(|file| file.key(db).clone()).collect(),
        region: region(db, root).clone(),
        patterns: patterns.collect(),
        hottest: hottest.collect(),
        prices: lists,
        tables,
        total,
    }
}
