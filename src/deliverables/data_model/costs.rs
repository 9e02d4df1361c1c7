//! *Cost Estimates*: what each table, index and pattern costs a month.

use crate::capacity::cost::{ModelCost, PatternCost, SourceCost, model_cost};
use crate::capacity::figure::Figure;
use crate::capacity::operations::{PatternNumbers, pattern_numbers};
use crate::capacity::prices::{Mode, PriceList, PriceRow, Priced, class, mode, prices};
use crate::deliverables::figures::{Footnotes, dollars, mark, number, units};
use crate::deliverables::markdown::{code, codes, inline};
use crate::deliverables::numbers::count;
use crate::deliverables::outline::{Outline, said};
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::Pattern;
use crate::deliverables::spell;
use crate::model::db::Decl;
use crate::model::defs::{IndexKind, TableClass, TableDef};
use crate::model::names::table_def;
use crate::model::settings::region;
use askama::Template;

/// How many patterns are listed, the dearest first.
const DEAREST: usize = 10;

#[derive(Template)]
#[template(path = "data_model/costs.md", escape = "none")]
struct Costs {
    basis: String,
    sources: Vec<SourceRow>,
    total: String,
    /// What is paid for besides.
    besides: Vec<String>,
    patterns: Vec<PatternRow>,
    /// By what they are ordered.
    order: &'static str,
    /// What is to be said of the patterns that are not listed.
    others: Vec<String>,
    computed: Option<String>,
    missing: Vec<String>,
    prices: Vec<String>,
}

/// A table or index.
struct SourceRow {
    name: String,
    capacity: String,
    class: &'static str,
    gb: String,
    reads: String,
    writes: String,
    storage: String,
    total: String,
}

/// A pattern.
struct PatternRow {
    name: String,
    reads: String,
    writes: String,
    index_writes: String,
    rate: String,
    monthly: String,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> Part {
    let ModelCost { patterns: costs, tables, total, .. } = model_cost(outline.db, outline.root);
    let mut notes = Footnotes::default();
    notes.add([&total]);
    let sources = tables.iter().flat_map(|(table, sources)| sources.iter().map(|cost| (*table, cost)));
    let sources: Vec<SourceRow> = sources.map(|(table, cost)| source_row(outline, &mut notes, table, cost)).collect();
    // The names of the model's patterns, as they are numbered everywhere.
    let known = costs.iter().filter_map(|(decl, cost)| {
        let pattern = patterns.iter().find(|pattern| pattern.decl == *decl)?;
        (pattern.def.external.is_none()).then_some((pattern, cost))
    });
    let known: Vec<(&Pattern<'_>, &PatternCost)> = known.collect();
    let (listed, unlisted) = known.split_at(known.len().min(DEAREST));
    let rows = listed.iter().filter_map(|(pattern, cost)| pattern_row(outline, &mut notes, pattern, cost));
    let rows: Vec<PatternRow> = rows.collect();
    let measure = Measure::of(&known);
    let others = others(outline, &mut notes, measure, listed, unlisted);
    Part::new(
        "cost-estimates",
        &Costs {
            basis: basis(outline),
            sources,
            total: format!("{} a month{}", dollars(&total), mark([&total])),
            besides: besides(outline, patterns),
            patterns: rows,
            order: measure.order(),
            others,
            computed: notes.computed(),
            missing: notes.missing(),
            prices: lists(outline).into_iter().flat_map(|list| price_lines(outline, list)).collect(),
        },
    )
}

/// What patterns are compared by.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    Dollars,
    /// Where no price is known.
    Units,
}

impl Measure {
    fn of(known: &[(&Pattern<'_>, &PatternCost)]) -> Self {
        if known.iter().any(|(_, cost)| cost.monthly.low() > 0.0) { Self::Dollars } else { Self::Units }
    }

    /// By what the listed ones are ordered.
    fn order(self) -> &'static str {
        match self {
            Self::Dollars => "units of one call; a month without storage",
            Self::Units => "units of one call; those with the most units a second first, as no dollars are known",
        }
    }

    fn figure(self, outline: &Outline<'_>, pattern: &Pattern<'_>, cost: &PatternCost) -> Figure {
        let numbers = pattern_numbers(outline.db, outline.root, pattern.decl).as_ref();
        match self {
            Self::Dollars => cost.monthly.clone(),
            Self::Units => numbers.map_or(Figure::ZERO, PatternNumbers::taken),
        }
    }
}

/// What is said of the patterns that are not listed: how many certainly cost no
/// more than the listed ones, and of which that is not known.
fn others(
    outline: &Outline<'_>,
    notes: &mut Footnotes,
    measure: Measure,
    listed: &[(&Pattern<'_>, &PatternCost)],
    unlisted: &[(&Pattern<'_>, &PatternCost)],
) -> Vec<String> {
    let figure = |(pattern, cost): &(&Pattern<'_>, &PatternCost)| measure.figure(outline, pattern, cost);
    let least = listed.iter().map(|one| figure(one).low()).fold(f64::INFINITY, f64::min);
    let (mut less, mut unknown) = (0, Vec::new());
    for one in unlisted {
        let own = figure(one);
        if own.high().is_some_and(|most| most <= least) {
            less += 1;
        } else {
            notes.add([&own]);
            unknown.push(format!("{}{}", one.0.reference(), mark([&own])));
        }
    }
    let mut lines = Vec::new();
    if less > 0 {
        let (cost, than) = match (measure, less) {
            (Measure::Dollars, 1) => ("costs", "no more than these"),
            (Measure::Dollars, _) => ("cost", "no more than these"),
            (Measure::Units, 1) => ("takes", "no more units a second than these"),
            (Measure::Units, _) => ("take", "no more units a second than these"),
        };
        lines.push(format!("{} {cost} {than}.", count(less, "more pattern", "more patterns")));
    }
    if !unknown.is_empty() {
        let what = if measure == Measure::Dollars { "cost" } else { "take" };
        lines.push(format!("These may {what} more, as their numbers are not known: {}.", unknown.join(", ")));
    }
    lines
}

/// What the numbers rest on: rates, Region, classes and the dates of the prices.
fn basis(outline: &Outline<'_>) -> String {
    let region = region(outline.db, outline.root).as_deref();
    let mut text = match region {
        Some(region) => format!("Region: {}.", inline(region)),
        None => String::from("Region: not declared, so that no price is known."),
    };
    let mut classes: Vec<&str> = Vec::new();
    let mut dates: Vec<String> = Vec::new();
    for list in lists(outline) {
        classes.push(spell::class(Some(list.class)));
        for (_, price, ..) in used(outline, list) {
            if let Some(date) = price.as_ref().map(|price| inline(&price.taken)).filter(|date| !dates.contains(date)) {
                dates.push(date);
            }
        }
    }
    if !classes.is_empty() {
        text.push_str(&format!(" Table class: {}. Prices of {}.", classes.join(", "), dates.join(", ")));
    }
    text.push_str(" Dollars a month of 30 days, from the average rates; no free tier is deducted.");
    text
}

/// What is paid for and not in the total, as far as the model says that it is used.
fn besides(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> Vec<String> {
    let tables = |is_meant: fn(&TableDef) -> bool| {
        let meant = outline.tables.iter().filter(|table| is_meant(table.def));
        codes(meant.filter_map(|table| table.name))
    };
    let mut lines = Vec::new();
    let mut add = |what: &str, of: String| {
        if !of.is_empty() {
            lines.push(format!("{what}: {of}"));
        }
    };
    add("point-in-time recovery, by the GB that is kept", tables(|table| table.point_in_time_recovery));
    add("reading the streams, and what works on them", tables(|table| table.stream.is_some()));
    let external = patterns.iter().filter_map(|pattern| {
        let service = pattern.def.external.as_ref()?.service.as_ref().and_then(said);
        let service = service.map(|service| format!(" ({})", inline(service))).unwrap_or_default();
        Some(format!("{}{service}", pattern.reference()))
    });
    let external: Vec<String> = external.collect();
    add("what answers outside DynamoDB", external.join(", "));
    lines.push(String::from(
        "backups on demand, exports, copies in other Regions, data transfer, keys of your own in KMS, alarms",
    ));
    lines
}

/// The price lists that the tables are priced by, each once.
fn lists<'db>(outline: &Outline<'db>) -> Vec<&'db PriceList> {
    let mut lists: Vec<&PriceList> = Vec::new();
    for table in &outline.tables {
        if let Ok(list) = prices(outline.db, outline.root, table.def)
            && !lists.contains(&list)
        {
            lists.push(list);
        }
    }
    lists
}

/// The prices of a list that some table of its class is charged by.
fn used<'db>(outline: &Outline<'db>, list: &'db PriceList) -> Vec<PriceRow<'db>> {
    let own = outline.tables.iter().filter(|table| class(outline.db, outline.root, table.def) == list.class);
    let modes: Vec<Mode> = own.map(|table| mode(outline.db, outline.root, table.def)).collect();
    let on_demand = modes.contains(&Mode::OnDemand);
    let provisioned = modes.iter().any(|mode| *mode != Mode::OnDemand);
    let is_used = |what: &Priced| match what {
        Priced::OnDemandRead | Priced::OnDemandWrite => on_demand,
        Priced::ProvisionedReadHour | Priced::ProvisionedWriteHour => provisioned,
        Priced::StorageGbMonth => true,
    };
    Priced::ALL.into_iter().filter(is_used).map(|what| list.row(what)).collect()
}

fn price_lines(outline: &Outline<'_>, list: &PriceList) -> Vec<String> {
    let lines = used(outline, list).into_iter().map(|(what, price, of, per)| {
        let class = spell::class(Some(list.class));
        let Some(price) = price else { return format!("{} ({class}), {what}: not known", inline(&list.region)) };
        let sure = if price.verified { "" } else { ", not verified" };
        let note = price.note.as_deref().map(|note| format!("; {}", inline(note))).unwrap_or_default();
        format!(
            "{} ({class}), {what}: ${} {per} ({}, {}{sure}{note})",
            inline(&list.region),
            price.usd * of,
            inline(&price.taken),
            inline(&price.source)
        )
    });
    lines.collect()
}

fn source_row(outline: &Outline<'_>, notes: &mut Footnotes, table: Decl, cost: &SourceCost) -> SourceRow {
    let figures = [&cost.storage_gb, &cost.storage, &cost.reads, &cost.writes];
    notes.add(figures);
    let local = cost.index.as_ref().is_some_and(|(_, kind)| *kind == IndexKind::Local);
    // A local index draws on the capacity of its table.
    let traffic = |figure: &Figure| if local { String::from("with its table") } else { dollars(figure) };
    let kind = cost.index.as_ref().map(|(_, kind)| format!(" {}", kind.short())).unwrap_or_default();
    let (mode, class) = match table_def(outline.db, table) {
        Some(def) => (mode(outline.db, outline.root, def), class(outline.db, outline.root, def)),
        None => (Mode::OnDemand, TableClass::Standard),
    };
    SourceRow {
        name: format!("{}{kind}{}", code(&cost.label), mark(figures)),
        capacity: match (mode, &cost.provisioned) {
            (Mode::Provisioned { utilization }, Some((reads, writes))) => {
                format!("provisioned {} RCU, {} WCU at {:.0} %", number(reads), number(writes), utilization * 100.0)
            }
            (Mode::Provisioned { .. }, None) => String::from("with its table"),
            (Mode::OnDemand, _) => String::from("on-demand"),
        },
        class: spell::class(Some(class)),
        gb: number(&cost.storage_gb),
        reads: traffic(&cost.reads),
        writes: traffic(&cost.writes),
        storage: dollars(&cost.storage),
        total: dollars(&cost.total()),
    }
}

fn pattern_row(
    outline: &Outline<'_>,
    notes: &mut Footnotes,
    pattern: &Pattern<'_>,
    cost: &PatternCost,
) -> Option<PatternRow> {
    let numbers = pattern_numbers(outline.db, outline.root, pattern.decl).as_ref()?;
    let index_writes: Figure = numbers.index_writes.values().sum();
    let figures = [&numbers.read_units, &numbers.write_units, &index_writes, &numbers.rate, &cost.monthly];
    notes.add(figures);
    Some(PatternRow {
        name: format!("{}{}", pattern.reference(), mark(figures)),
        reads: units(&numbers.read_units),
        writes: units(&numbers.write_units),
        index_writes: units(&index_writes),
        rate: number(&numbers.rate),
        monthly: dollars(&cost.monthly),
    })
}
