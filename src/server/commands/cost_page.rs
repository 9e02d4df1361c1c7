//! What a model costs, as a page of Markdown: the tables that `keywright cost`
//! prints for people, for an editor that shows a document.

use crate::capacity::figure::{Figure, Input};
use crate::capacity::show;
use crate::ide::{CostReport, HotRow, PatternRow, TableRow};
use crate::server::trace::counted;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The page. `errors` is how many the model has.
pub fn render(report: &CostReport, errors: usize) -> String {
    let mut out = String::new();
    let region = report.region.as_deref().unwrap_or("no region");
    let total = show::figure(&report.total, show::dollars);
    let _ = writeln!(out, "# {} in {region}: {total} a month", text(report.root.file_name()));
    if errors > 0 {
        let them = if errors == 1 { "it" } else { "them" };
        let _ =
            writeln!(out, "\nThe model has {}: numbers that depend on {them} mean little.", counted(errors, "error"));
    }
    let patterns = report.patterns.iter().map(pattern).collect();
    table(
        &mut out,
        report.order(),
        &["pattern", "read units", "write units", "index writes", "calls/s", "a month"],
        1,
        patterns,
    );
    let tables = report.tables.iter().flat_map(tables).collect();
    table(
        &mut out,
        "Tables and indexes",
        &["table or index", "GB", "storage", "reads", "writes", "a month"],
        1,
        tables,
    );
    let hottest = report.hottest.iter().map(hottest).collect();
    table(
        &mut out,
        "Hottest keys, with their share of what one value of a key takes",
        &["key", "its hottest value", "reads/s", "share", "writes/s", "share"],
        2,
        hottest,
    );
    missing(&mut out, report);
    out
}

fn pattern(row: &PatternRow) -> Vec<String> {
    let rate = show::figure(&row.rate, show::number);
    if row.external {
        let outside = ["outside DynamoDB".to_owned(), String::new(), String::new(), rate, "–".to_owned()];
        return std::iter::once(text(&row.name)).chain(outside).collect();
    }
    let indexes: Figure = row.index_writes.iter().map(|(_, units)| units).sum();
    vec![
        text(&row.name),
        units(&row.read_units),
        units(&row.write_units),
        units(&indexes),
        rate,
        show::figure(&row.monthly, show::dollars),
    ]
}

fn units(figure: &Figure) -> String {
    if *figure == Figure::ZERO { "–".to_owned() } else { show::figure(figure, show::number) }
}

fn tables(row: &TableRow) -> Vec<Vec<String>> {
    let indexes = row.indexes.iter().map(|(name, cost)| costs(&format!("{}.{name}", row.name), cost));
    std::iter::once(costs(&row.name, &row.cost)).chain(indexes).collect()
}

fn costs(name: &str, cost: &crate::capacity::cost::SourceCost) -> Vec<String> {
    let dollars = |figure: &Figure| show::figure(figure, show::dollars);
    vec![
        text(name),
        show::figure(&cost.storage_gb, show::number),
        dollars(&cost.storage),
        dollars(&cost.reads),
        dollars(&cost.writes),
        dollars(&cost.total()),
    ]
}

fn hottest(row: &HotRow) -> Vec<String> {
    vec![
        text(&row.key),
        text(&row.value),
        show::figure(&row.reads, show::number),
        show::part(&row.read_share),
        show::figure(&row.writes, show::number),
        show::part(&row.write_share),
    ]
}

/// A table under its heading; nothing where it has no rows.
fn table(out: &mut String, title: &str, heads: &[&str], left: usize, rows: Vec<Vec<String>>) {
    if rows.is_empty() {
        return;
    }
    let rule: Vec<&str> = (0..heads.len()).map(|at| if at < left { "---" } else { "---:" }).collect();
    let _ = writeln!(out, "\n## {title}\n\n| {} |\n| {} |", heads.join(" | "), rule.join(" | "));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
}

fn missing(out: &mut String, report: &CostReport) {
    let mut missing: BTreeSet<Input> = report.patterns.iter().flat_map(PatternRow::missing).collect();
    missing.extend(report.total.missing().iter().cloned());
    let hot = report.hottest.iter().flat_map(|row| [&row.reads, &row.writes]);
    missing.extend(hot.flat_map(Figure::missing).cloned());
    if !missing.is_empty() {
        let lines: Vec<String> = missing.iter().map(|input| format!("- {input}")).collect();
        let _ = writeln!(out, "\n## Missing for what is not known\n\n{}", lines.join("\n"));
    }
}

/// A name as it stands in a cell: a bar would end the cell, and a template's braces
/// and stars mean nothing.
fn text(name: &str) -> String {
    let name = name.replace(['\n', '\r'], " ").replace('|', "\\|");
    if name.contains('`') { format!("`` {name} ``") } else { format!("`{name}`") }
}
