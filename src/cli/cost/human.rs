//! The numbers as tables for people.

use super::super::load::shown;
use crate::capacity::figure::{Figure, Input};
use crate::capacity::load::{READ_LIMIT, WRITE_LIMIT};
use crate::capacity::prices::Mode;
use crate::capacity::show;
use crate::ide::{CostReport, HotRow, PatternRow, TableRow};
use crate::model::defs::TableClass;
use comfy_table::{CellAlignment, Table, presets};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Cells of a bar that is full at the limit.
const BAR: usize = 12;

pub(super) fn render(report: &CostReport) -> String {
    let mut out = String::new();
    let region = report.region.as_deref().unwrap_or("no region");
    let _ = writeln!(out, "{} in {region}", shown(&report.root));
    section(&mut out, report.order(), &patterns(&report.patterns));
    section(&mut out, "Tables and indexes", &tables(&report.tables));
    let limits = format!(
        "Hottest keys (one value takes {} read and {} write units a second)",
        show::count(READ_LIMIT),
        show::count(WRITE_LIMIT)
    );
    section(&mut out, &limits, &hottest(&report.hottest));
    let total = show::figure(&report.total, show::dollars);
    let _ = writeln!(out, "\nTotal: {total} a month{}", mark([&report.total]));
    let mut computed: BTreeSet<String> = report.patterns.iter().flat_map(PatternRow::computed).collect();
    computed.extend(report.total.computed().iter().cloned());
    if !computed.is_empty() {
        let names: Vec<&str> = computed.iter().map(String::as_str).collect();
        let _ = writeln!(out, "* with sizes computed from the attributes, as none is declared: {}", names.join(", "));
    }
    unknown(&mut out, report);
    prices(&mut out, report);
    out
}

fn section(out: &mut String, title: &str, table: &Table) {
    if !table.is_empty() {
        let _ = writeln!(out, "\n{title}");
        for line in table.lines() {
            let _ = writeln!(out, " {}", line.trim_end());
        }
    }
}

/// Marks what depends on a size that nobody declared.
fn mark<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> &'static str {
    if figures.into_iter().all(|figure| figure.computed().is_empty()) { "" } else { " *" }
}

/// A table whose columns behind the first `left` stand at the right.
fn columns(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(if index < left { CellAlignment::Left } else { CellAlignment::Right });
    }
    table
}

fn patterns(rows: &[PatternRow]) -> Table {
    let mut table = columns(&["pattern", "read units", "write units", "index writes", "calls/s", "a month"], 1);
    for row in rows {
        let indexes: Figure = row.index_writes.iter().map(|(_, units)| units).sum();
        let mark = if row.computed().is_empty() { "" } else { " *" };
        let cells = if row.external {
            vec![row.name.clone(), "outside DynamoDB".into()]
        } else {
            vec![format!("{}{mark}", row.name), units(&row.read_units), units(&row.write_units), units(&indexes)]
        };
        let rate = show::figure(&row.rate, show::number);
        let month = if row.external { "–".to_owned() } else { show::figure(&row.monthly, show::dollars) };
        let mut cells = cells;
        cells.resize(4, String::new());
        cells.extend([rate, month]);
        table.add_row(cells);
    }
    table
}

fn units(figure: &Figure) -> String {
    if *figure == Figure::ZERO { "–".to_owned() } else { show::figure(figure, show::number) }
}

fn tables(rows: &[TableRow]) -> Table {
    let mut table = columns(&["table or index", "GB", "storage", "reads", "writes", "a month"], 1);
    for row in rows {
        let mut about = Vec::new();
        if row.class == TableClass::InfrequentAccess {
            about.push("infrequent access".to_owned());
        }
        if let (Mode::Provisioned { utilization }, Some((reads, writes))) = (row.mode, &row.cost.provisioned) {
            about.push(format!(
                "provisioned {} RCU, {} WCU at {:.0} %",
                show::figure(reads, show::number),
                show::figure(writes, show::number),
                utilization * 100.0
            ));
        }
        let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join("; ")) };
        table.add_row(costs(format!("{}{about}", row.name), &row.cost));
        for (name, cost) in &row.indexes {
            let kind = cost.index.as_ref().map_or("", |(_, kind)| kind.short());
            let provisioned = cost.provisioned.as_ref().map(|(reads, writes)| {
                let of = |figure: &Figure| show::figure(figure, show::number);
                format!(", provisioned {} RCU, {} WCU", of(reads), of(writes))
            });
            table.add_row(costs(format!("  {name} ({kind}{})", provisioned.unwrap_or_default()), cost));
        }
    }
    table
}

fn costs(name: String, cost: &crate::capacity::cost::SourceCost) -> Vec<String> {
    let dollars = |figure: &Figure| show::figure(figure, show::dollars);
    // A local index draws on its table's capacity.
    let local = cost.index.as_ref().is_some_and(|(_, kind)| *kind == crate::model::defs::IndexKind::Local);
    let traffic = |figure: &Figure| if local { "–".to_owned() } else { dollars(figure) };
    vec![
        format!("{name}{}", mark([&cost.storage_gb, &cost.storage, &cost.reads, &cost.writes])),
        show::figure(&cost.storage_gb, show::number),
        dollars(&cost.storage),
        traffic(&cost.reads),
        traffic(&cost.writes),
        dollars(&cost.total()),
    ]
}

fn hottest(rows: &[HotRow]) -> Table {
    let mut table = columns(&["key", "its hottest value", "reads/s", "", "writes/s", ""], 2);
    for column in [3, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Left);
        }
    }
    for row in rows {
        table.add_row(vec![
            format!("{}{}", row.key, mark([&row.reads, &row.writes])),
            row.value.clone(),
            show::figure(&row.reads, show::number),
            bar(&row.read_share),
            show::figure(&row.writes, show::number),
            bar(&row.write_share),
        ]);
    }
    table
}

/// The share of a limit as a bar, a full one at the limit and above.
fn bar(share: &Figure) -> String {
    let Some(known) = share.high() else { return show::part(share) };
    let filled = ((known * BAR as f64).round() as usize).min(BAR);
    format!("{}{} {}", "█".repeat(filled), "·".repeat(BAR - filled), show::part(share))
}

/// What is missing, with the patterns and tables that lack it.
fn unknown(out: &mut String, report: &CostReport) {
    let mut missing: BTreeSet<Input> = report.patterns.iter().flat_map(PatternRow::missing).collect();
    missing.extend(report.total.missing().iter().cloned());
    let hot = report.hottest.iter().flat_map(|row| [&row.reads, &row.writes]);
    missing.extend(hot.flat_map(Figure::missing).cloned());
    if missing.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nMissing for what is not known");
    for input in missing {
        let _ = writeln!(out, "  {}", input.to_string().replace('`', ""));
    }
}

fn prices(out: &mut String, report: &CostReport) {
    for list in &report.prices {
        let class = match list.class {
            TableClass::Standard => "standard class",
            TableClass::InfrequentAccess => "infrequent access class",
        };
        let _ = writeln!(out, "\nPrices of {}, {class}; a month is 30 days, no free tier deducted", list.region);
        for (what, price, of, per) in list.rows() {
            let Some(price) = price else {
                let _ = writeln!(out, "  {what}: not known");
                continue;
            };
            let sure = if price.verified { "" } else { ", not verified" };
            let note = price.note.as_ref().map(|note| format!("; {note}")).unwrap_or_default();
            let usd = price.usd * of;
            let _ = writeln!(out, "  {what}: ${usd} {per} ({}, {}{sure}{note})", price.taken, price.source);
        }
    }
}
