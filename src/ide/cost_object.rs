//! The numbers of a cost report as one object, for machines. `null` is unknown. A number that
//! is only bounded is its bound, and `bounds` of the same object says so by its
//! name: `at_most` or, of a total, `at_least`; `unknown` says what is lacking.

use super::{CostReport, HotRow, PatternRow, TableRow};
use crate::capacity::figure::Figure;
use crate::capacity::prices::{MONTH_SECONDS, Mode, Price, PriceList};
use crate::model::defs::TableClass;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Serialize)]
struct Report<'r> {
    version: u32,
    month_seconds: u64,
    region: Option<&'r str>,
    prices: BTreeMap<&'static str, Prices<'r>>,
    patterns: Vec<Pattern<'r>>,
    tables: Vec<Table<'r>>,
    hottest: Vec<Hottest<'r>>,
    total_monthly_usd: Option<f64>,
    /// `exact`, `at_most`, `at_least` or `unknown`.
    total_is: &'static str,
    unknown: Vec<String>,
    computed: Vec<String>,
    /// Errors of the model: numbers that depend on them mean little.
    errors: usize,
}

/// The numbers of an object that are not exact, by name.
type Bounds = BTreeMap<&'static str, &'static str>;

/// Dollars of a unit, of a unit and hour, of a GB and month.
#[derive(Serialize)]
struct Prices<'r> {
    on_demand_read: Option<OnePrice<'r>>,
    on_demand_write: Option<OnePrice<'r>>,
    provisioned_read_hour: Option<OnePrice<'r>>,
    provisioned_write_hour: Option<OnePrice<'r>>,
    storage_gb_month: Option<OnePrice<'r>>,
}

#[derive(Serialize)]
struct OnePrice<'r> {
    usd: f64,
    source: &'r str,
    taken: &'r str,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'r str>,
}

#[derive(Serialize)]
struct Pattern<'r> {
    name: &'r str,
    read_units: Option<f64>,
    write_units: Option<f64>,
    index_writes: Vec<IndexWrites<'r>>,
    rate: Rate,
    monthly_usd: Option<f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bounds: Bounds,
    unknown: Vec<String>,
    /// Entities whose size was computed from their attributes.
    computed: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    external: bool,
}

#[derive(Serialize)]
struct IndexWrites<'r> {
    index: &'r str,
    write_units: Option<f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bounds: Bounds,
}

#[derive(Serialize)]
struct Rate {
    avg: Option<f64>,
    peak: Option<f64>,
}

#[derive(Serialize)]
struct Table<'r> {
    name: &'r str,
    class: &'static str,
    capacity: &'static str,
    #[serde(flatten)]
    cost: Costs,
    indexes: Vec<Index<'r>>,
}

#[derive(Serialize)]
struct Index<'r> {
    name: &'r str,
    #[serde(flatten)]
    cost: Costs,
}

#[derive(Serialize)]
struct Costs {
    storage_gb: Option<f64>,
    storage_usd: Option<f64>,
    read_usd: Option<f64>,
    write_usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provisioned_read_units: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provisioned_write_units: Option<f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bounds: Bounds,
    unknown: Vec<String>,
    computed: Vec<String>,
}

#[derive(Serialize)]
struct Hottest<'r> {
    key: &'r str,
    value: &'r str,
    reads_per_s: Option<f64>,
    writes_per_s: Option<f64>,
    read_share: Option<f64>,
    write_share: Option<f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bounds: Bounds,
    unknown: Vec<String>,
    computed: Vec<String>,
}

/// A report in the form that `keywright cost --format json` prints. `errors` is how
/// many the model has.
pub fn cost_object(report: &CostReport, errors: usize) -> impl Serialize + '_ {
    Report {
        version: 1,
        month_seconds: MONTH_SECONDS as u64,
        region: report.region.as_deref(),
        prices: report.prices.iter().map(|list| (class(list.class), prices(list))).collect(),
        patterns: report.patterns.iter().map(pattern).collect(),
        tables: report.tables.iter().map(table).collect(),
        hottest: report.hottest.iter().map(hottest).collect(),
        // Of a sum that lacks a part, the parts that are known are worth having.
        total_monthly_usd: number(&report.total).or((report.total.low() > 0.0).then_some(report.total.low())),
        total_is: bound(&report.total),
        unknown: lacking(&[&report.total]),
        computed: report.total.computed().iter().cloned().collect(),
        errors,
    }
}

/// The number, or what it is at most; `None` where nothing bounds it.
fn number(figure: &Figure) -> Option<f64> {
    figure.high()
}

fn bound(figure: &Figure) -> &'static str {
    match (figure.value(), figure.high()) {
        (Some(_), _) => "exact",
        (None, Some(_)) => "at_most",
        (None, None) if figure.low() > 0.0 && figure.low().is_finite() => "at_least",
        (None, None) => "unknown",
    }
}

/// Those of the numbers that are bounds.
fn bounds(numbers: &[(&'static str, &Figure)]) -> Bounds {
    numbers.iter().map(|(name, figure)| (*name, bound(figure))).filter(|(_, bound)| *bound != "exact").collect()
}

/// What any of the numbers lacks.
fn lacking(numbers: &[&Figure]) -> Vec<String> {
    let missing: BTreeSet<_> = numbers.iter().flat_map(|figure| figure.missing()).collect();
    missing.into_iter().map(ToString::to_string).collect()
}

/// The entities whose size was computed for any of the numbers.
fn computed(numbers: &[&Figure]) -> Vec<String> {
    let entities: BTreeSet<&String> = numbers.iter().flat_map(|figure| figure.computed()).collect();
    entities.into_iter().cloned().collect()
}

fn class(class: TableClass) -> &'static str {
    match class {
        TableClass::Standard => "standard",
        TableClass::InfrequentAccess => "standard_infrequent_access",
    }
}

fn one(price: &Option<Price>) -> Option<OnePrice<'_>> {
    price.as_ref().map(|price| OnePrice {
        usd: price.usd,
        source: &price.source,
        taken: &price.taken,
        verified: price.verified,
        note: price.note.as_deref(),
    })
}

fn prices(list: &PriceList) -> Prices<'_> {
    Prices {
        on_demand_read: one(&list.on_demand_read),
        on_demand_write: one(&list.on_demand_write),
        provisioned_read_hour: one(&list.provisioned_read_hour),
        provisioned_write_hour: one(&list.provisioned_write_hour),
        storage_gb_month: one(&list.storage_gb_month),
    }
}

fn pattern(row: &PatternRow) -> Pattern<'_> {
    let index_writes = row.index_writes.iter().map(|(index, units)| IndexWrites {
        index,
        write_units: number(units),
        bounds: bounds(&[("write_units", units)]),
    });
    Pattern {
        name: &row.name,
        read_units: number(&row.read_units),
        write_units: number(&row.write_units),
        index_writes: index_writes.collect(),
        rate: Rate { avg: number(&row.rate), peak: number(&row.peak) },
        monthly_usd: number(&row.monthly),
        bounds: bounds(&[
            ("read_units", &row.read_units),
            ("write_units", &row.write_units),
            ("monthly_usd", &row.monthly),
        ]),
        unknown: row.missing().iter().map(ToString::to_string).collect(),
        computed: row.computed().into_iter().collect(),
        external: row.external,
    }
}

fn table(row: &TableRow) -> Table<'_> {
    Table {
        name: &row.name,
        class: class(row.class),
        capacity: match row.mode {
            Mode::OnDemand => "on_demand",
            Mode::Provisioned { .. } => "provisioned",
        },
        cost: costs(&row.cost),
        indexes: row.indexes.iter().map(|(name, cost)| Index { name, cost: costs(cost) }).collect(),
    }
}

fn costs(cost: &crate::capacity::cost::SourceCost) -> Costs {
    let provisioned = cost.provisioned.as_ref();
    let own = [&cost.storage_gb, &cost.storage, &cost.reads, &cost.writes];
    let names = ["storage_gb", "storage_usd", "read_usd", "write_usd"];
    let mut numbers: Vec<(&'static str, &Figure)> = names.into_iter().zip(own).collect();
    if let Some((reads, writes)) = provisioned {
        numbers.extend([("provisioned_read_units", reads), ("provisioned_write_units", writes)]);
    }
    Costs {
        bounds: bounds(&numbers),
        unknown: lacking(&own),
        computed: computed(&own),
        storage_gb: number(&cost.storage_gb),
        storage_usd: number(&cost.storage),
        read_usd: number(&cost.reads),
        write_usd: number(&cost.writes),
        provisioned_read_units: provisioned.and_then(|(reads, _)| number(reads)),
        provisioned_write_units: provisioned.and_then(|(_, writes)| number(writes)),
    }
}

fn hottest(row: &HotRow) -> Hottest<'_> {
    let own = [&row.reads, &row.writes];
    Hottest {
        bounds: bounds(&[
            ("reads_per_s", &row.reads),
            ("writes_per_s", &row.writes),
            ("read_share", &row.read_share),
            ("write_share", &row.write_share),
        ]),
        unknown: lacking(&own),
        computed: computed(&own),
        key: &row.key,
        value: &row.value,
        reads_per_s: number(&row.reads),
        writes_per_s: number(&row.writes),
        read_share: number(&row.read_share),
        write_share: number(&row.write_share),
    }
}
