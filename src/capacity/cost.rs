//! Dollars a month, of patterns and of what is stored (numbers C1).

use super::figure::{Figure, Input};
use super::load::{Family, heavier, key_loads};
use super::operations::{StepNumbers, Work, pattern_numbers};
use super::prices::{
    MONTH_SECONDS, Mode, Price, Priced, Unpriced, mode, prices, provisioned_monthly, provisioned_units,
};
use super::stock::stocks;
use super::traffic::{Traffic, draws, traffic};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{IndexKind, TableClass};
use crate::model::layout::layout;
use crate::model::names::{names, table_def};
use std::cmp::{Ordering, Reverse};

/// What a table or index costs a month.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceCost {
    /// `Table` or `Table.Index`.
    pub label: String,
    /// The index and its kind; `None` for the table.
    pub index: Option<(String, IndexKind)>,
    /// Dollars for reads; those of a local index are in its table's.
    pub reads: Figure,
    /// Dollars for writes, likewise.
    pub writes: Figure,
    /// The units to provision for reads and for writes; `None` on demand and for
    /// a local index, whose units are its table's.
    pub provisioned: Option<(Figure, Figure)>,
    pub storage_gb: Figure,
    /// Dollars for storage.
    pub storage: Figure,
}

impl SourceCost {
    /// Dollars for all of it.
    pub fn total(&self) -> Figure {
        self.reads.plus(&self.writes).plus(&self.storage)
    }
}

/// What a pattern costs a month.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternCost {
    /// By table and index, reads and writes apart.
    pub parts: Vec<CostPart>,
    /// Dollars for all of them.
    pub monthly: Figure,
}

/// What a pattern costs at one table or index.
#[derive(Clone, Debug, PartialEq)]
pub struct CostPart {
    /// `Table` or `Table.Index`.
    pub label: String,
    pub writes: bool,
    /// Units of one call.
    pub units: Figure,
    /// Dollars of one unit on demand; of a unit and hour, where provisioned.
    pub price: Figure,
    /// What is provisioned there for all patterns; `None` on demand.
    pub provisioned: Option<Figure>,
    /// Dollars a month.
    pub monthly: Figure,
}

impl CostPart {
    fn new(meter: &Meter, label: String, writes: bool, rate: &Figure, units: Figure) -> Self {
        let monthly = meter.monthly(&rate.times(&units));
        let (price, provisioned) = (meter.price.clone(), meter.provisioned.clone());
        Self { label, writes, units, price, provisioned, monthly }
    }
}

/// The price of something at a table; unknown where there is none.
pub fn price(db: &dyn Db, root: SourceFile, table: Decl, what: Priced) -> Figure {
    match priced(db, root, table, what) {
        Ok(price) => Figure::known(price.usd),
        Err(why) => Figure::unknown(missing(&why, what)),
    }
}

/// The price of something at a table; else why there is none.
pub fn priced(db: &dyn Db, root: SourceFile, table: Decl, what: Priced) -> Result<&Price, Unpriced> {
    let table = table_def(db, table).ok_or(Unpriced::NoRegion)?;
    prices(db, root, table)?.get(what)
}

fn missing(why: &Unpriced, what: Priced) -> Input {
    let of = |class: &TableClass| match class {
        TableClass::Standard => what.words().to_owned(),
        TableClass::InfrequentAccess => format!("{} (standard_infrequent_access)", what.words()),
    };
    match why {
        Unpriced::NoRegion => Input::Region,
        Unpriced::Region { region, class } | Unpriced::Price { region, class, .. } => {
            Input::Price { what: of(class), region: region.clone() }
        }
    }
}

/// How the reads and the writes of a table and of each of its global indexes are
/// paid for, in the order of their traffic: once for all patterns.
#[salsa::tracked(returns(ref))]
fn meters(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<[Meter; 2]> {
    let traffic = traffic(db, root, table).iter();
    traffic.map(|own| [false, true].map(|writes| Meter::new(db, root, table, own, writes))).collect()
}

/// How one kind of unit of a table or index is paid for.
#[derive(Clone, Debug, PartialEq)]
struct Meter {
    price: Figure,
    /// Units that are provisioned; `None` on demand.
    provisioned: Option<Figure>,
    /// Units a second that all patterns take.
    all: Figure,
}

impl Meter {
    fn new(db: &dyn Db, root: SourceFile, table: Decl, traffic: &Traffic, writes: bool) -> Self {
        let all = if writes { traffic.writes() } else { traffic.reads() };
        let mode = table_def(db, table).map_or(Mode::OnDemand, |def| mode(db, root, def));
        let (what, provisioned) = match (mode, writes) {
            (Mode::OnDemand, false) => (Priced::OnDemandRead, None),
            (Mode::OnDemand, true) => (Priced::OnDemandWrite, None),
            (Mode::Provisioned { utilization }, _) => {
                let what = if writes { Priced::ProvisionedWriteHour } else { Priced::ProvisionedReadHour };
                (what, Some(all.map(|average| provisioned_units(average, utilization))))
            }
        };
        Self { price: price(db, root, table, what), provisioned, all }
    }

    /// Dollars a month of so many units a second: on demand each has its price;
    /// what is provisioned is shared in proportion (C1).
    fn monthly(&self, units: &Figure) -> Figure {
        match &self.provisioned {
            None => units.times(&self.price).scaled(MONTH_SECONDS),
            Some(_) if *units == self.all => self.whole(),
            Some(_) => self.whole().times(&units.divided(&self.all).min(&Figure::known(1.0))),
        }
    }

    /// Dollars a month for all of it.
    fn whole(&self) -> Figure {
        match &self.provisioned {
            None => self.monthly(&self.all),
            Some(provisioned) => provisioned.map(|units| provisioned_monthly(units, 1.0)).times(&self.price),
        }
    }
}

/// What a table and each of its indexes cost a month, the table first.
#[salsa::tracked(returns(ref))]
pub fn source_costs(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<SourceCost> {
    let storage_price = price(db, root, table, Priced::StorageGbMonth);
    let traffic = traffic(db, root, table);
    let costs = stocks(db, root, table).iter().map(|stock| {
        let name = stock.index.as_ref().map(|(name, _)| name.as_str());
        let own = traffic.iter().position(|traffic| traffic.index.as_deref() == name);
        let meters = own.map(|own| &meters(db, root, table)[own]);
        let whole = |at: usize| meters.as_ref().map_or(Figure::ZERO, |meters| meters[at].whole());
        SourceCost {
            label: stock.label.clone(),
            index: stock.index.clone(),
            reads: whole(0),
            writes: whole(1),
            provisioned: meters
                .as_ref()
                .and_then(|[reads, writes]| reads.provisioned.clone().zip(writes.provisioned.clone())),
            storage_gb: stock.storage_gb.clone(),
            storage: stock.storage_gb.times(&storage_price),
        }
    });
    costs.collect()
}

/// What a pattern costs a month, index writes included, storage apart; `None`
/// where the declaration is no pattern.
#[salsa::tracked(returns(ref))]
pub fn pattern_cost(db: &dyn Db, root: SourceFile, decl: Decl) -> Option<PatternCost> {
    let numbers = pattern_numbers(db, root, decl).as_ref()?;
    let mut parts = Vec::new();
    let mut tables: Vec<Decl> = Vec::new();
    for table in numbers.steps.iter().filter_map(|step| step.table) {
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    for table in tables {
        for (source, meters) in traffic(db, root, table).iter().zip(meters(db, root, table)) {
            let Some(own) = source.patterns.iter().find(|pattern| pattern.decl == decl) else { continue };
            for (writes, units) in [(false, &own.read_units), (true, &own.write_units)] {
                if *units == Figure::ZERO {
                    continue;
                }
                let meter = &meters[usize::from(writes)];
                parts.push(CostPart::new(meter, source.label.clone(), writes, &own.rate, units.clone()));
            }
        }
    }
    let monthly = parts.iter().map(|part| &part.monthly).sum::<Figure>().plus(&unplaced(db, root, decl));
    Some(PatternCost { parts, monthly })
}

/// What a pattern costs that no table is known for: unknown, or nothing.
fn unplaced(db: &dyn Db, root: SourceFile, decl: Decl) -> Figure {
    let Some(numbers) = pattern_numbers(db, root, decl) else { return Figure::ZERO };
    if numbers.steps.is_empty() {
        return numbers.read_units.clone();
    }
    numbers.steps.iter().filter(|step| step.table.is_none()).map(unplaced_step).sum()
}

/// What each step of a pattern costs a month in dollars, index writes included,
/// in the order of its [`pattern_numbers`]; storage apart. The sum of them is the
/// pattern's [`PatternCost::monthly`] (C1).
#[salsa::tracked(returns(ref))]
pub fn step_costs(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<Figure> {
    let Some(numbers) = pattern_numbers(db, root, decl) else { return Vec::new() };
    let steps = numbers.steps.iter().map(|step| step_cost(db, root, &numbers.rate, step));
    steps.collect()
}

fn step_cost(db: &dyn Db, root: SourceFile, rate: &Figure, step: &StepNumbers) -> Figure {
    match step.table {
        Some(_) => step_parts(db, root, rate, step).into_iter().map(|part| part.monthly).sum(),
        None => unplaced_step(step),
    }
}

/// What a step costs at its table and each global index, at so many calls a
/// second; nothing where its table is not known.
pub fn step_parts(db: &dyn Db, root: SourceFile, rate: &Figure, step: &StepNumbers) -> Vec<CostPart> {
    let Some(table) = step.table else { return Vec::new() };
    let Some(layout) = layout(db, root, table) else { return Vec::new() };
    let parts = draws(layout, step).into_iter().filter_map(|draw| {
        let traffic = traffic(db, root, table);
        let at = traffic.iter().position(|source| source.index.as_deref() == draw.index)?;
        let meter = &meters(db, root, table)[at][usize::from(draw.writes)];
        Some(CostPart::new(meter, traffic[at].label.clone(), draw.writes, rate, draw.units))
    });
    parts.collect()
}

/// What a step costs that no table is known for: unknown, or nothing.
fn unplaced_step(step: &StepNumbers) -> Figure {
    match &step.work {
        Work::Unknown(input) => Figure::unknown(input.clone()),
        _ => Figure::ZERO,
    }
}

/// What a model costs a month, and where it is hottest.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCost {
    /// Every pattern with its declaration, the dearest first; of those that are
    /// known to cost alike, the one that takes most units a second.
    pub patterns: Vec<(Decl, PatternCost)>,
    /// Every table with its indexes, in the order of the text.
    pub tables: Vec<(Decl, Vec<SourceCost>)>,
    /// The heaviest family of each key that any pattern loads, by `Table` or
    /// `Table.Index`, the hottest first.
    pub hottest: Vec<(String, Family)>,
    /// Dollars: capacity and storage of all tables and indexes. With an unknown
    /// part it is at least the known ones.
    pub total: Figure,
}

/// What a pattern is ordered by: what it certainly costs, and where that is no
/// more than of another what it certainly takes and how often it is called. A
/// model of which no price is known has its heavy patterns first all the same.
#[derive(Clone, Copy)]
struct Weight([f64; 3]);

impl Weight {
    fn new(db: &dyn Db, root: SourceFile, decl: Decl, cost: &PatternCost) -> Self {
        let numbers = pattern_numbers(db, root, decl).as_ref();
        let taken = numbers.map_or(0.0, |numbers| numbers.taken().low());
        Self([cost.monthly.low(), taken, numbers.map_or(0.0, |numbers| numbers.rate.low())])
    }
}

impl Ord for Weight {
    fn cmp(&self, other: &Self) -> Ordering {
        let pairs = self.0.iter().zip(&other.0);
        pairs.fold(Ordering::Equal, |order, (a, b)| order.then(a.total_cmp(b)))
    }
}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Weight {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Weight {}

/// What the model with this root costs a month.
pub fn model_cost(db: &dyn Db, root: SourceFile) -> ModelCost {
    let all = names(db, root);
    let mut patterns: Vec<(Decl, PatternCost)> = all
        .patterns
        .values()
        .filter_map(|decls| decls.first())
        .filter_map(|decl| Some((*decl, pattern_cost(db, root, *decl).clone()?)))
        .collect();
    patterns.sort_by_cached_key(|(decl, cost)| Reverse(Weight::new(db, root, *decl, cost)));
    let tables: Vec<(Decl, Vec<SourceCost>)> =
        all.tables_in_order(db, root).into_iter().map(|table| (table, source_costs(db, root, table).clone())).collect();
    let keys = tables.iter().flat_map(|(table, _)| key_loads(db, root, *table));
    let mut hottest: Vec<(String, Family)> =
        keys.filter_map(|key| Some((key.label.clone(), key.families.first()?.clone()))).collect();
    hottest.sort_by(|(_, a), (_, b)| heavier(a, b));
    let sources: Figure = tables.iter().flat_map(|(_, sources)| sources).map(SourceCost::total).sum();
    let unplaced: Figure = patterns.iter().map(|(decl, _)| unplaced(db, root, *decl)).sum();
    ModelCost { patterns, tables, hottest, total: sources.plus(&unplaced) }
}
