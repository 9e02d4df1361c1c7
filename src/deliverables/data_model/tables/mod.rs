//! *Table Designs*: each table with its indexes.

mod alive;
mod attributes;
mod bounds;
mod capacity;
mod index;
mod keys;
mod projection;
mod sample;
mod sparse;
mod unique;

use crate::capacity::stock::stocks;
use crate::deliverables::markdown::{code, inline, prose, sentence};
use crate::deliverables::outline::{Entry, Outline, said, shown};
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::Pattern;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout, layout};
use crate::population::Population;
use askama::Template;
use attributes::{AttributeRow, attributes};
use index::IndexView;
pub(in crate::deliverables::data_model) use index::purpose as purpose_of_index;
use sample::{Sample, Samples};
pub(in crate::deliverables::data_model) use unique::lasting;

/// The parts: a heading, then a part a table.
pub(super) fn parts(outline: &Outline<'_>, patterns: &[Pattern<'_>], population: &Population<'_>) -> Vec<Part> {
    let heading = match outline.tables.is_empty() {
        true => "## Table Designs\n\nThe model declares no table.",
        false => "## Table Designs",
    };
    let mut parts = vec![Part::of_text("table-designs", heading)];
    for table in &outline.tables {
        // Tables without a name yet are told apart by their place.
        let name = match table.name {
            Some(name) => format!("table {name}"),
            None => format!("unnamed table {}", parts.len()),
        };
        parts.push(Part::new(name, &view(outline, table, population, patterns)));
    }
    parts
}

/// A table of the data model document.
#[derive(Template)]
#[template(path = "data_model/table.md", escape = "none")]
struct TableView {
    pub name: String,
    pub sample: Option<Sample>,
    pub purpose: String,
    pub boundary: String,
    pub partition: String,
    pub sort: String,
    pub taxonomy: Vec<String>,
    pub attributes: Vec<AttributeRow>,
    pub bounds: Vec<String>,
    pub served: String,
    pub capacity: String,
    pub settings: String,
    pub indexes: Vec<IndexView>,
}

/// Fills the view of a table.
fn view(
    outline: &Outline<'_>,
    table: &Entry<'_, TableDef>,
    population: &Population<'_>,
    patterns: &[Pattern<'_>],
) -> TableView {
    let def = table.def;
    // A table without a name has no layout; its clauses are shown all the same.
    let layout = layout(outline.db, outline.root, table.decl).as_ref();
    let source = layout.map(TableLayout::table);
    let rows = layout.map(|layout| sample::rows(population, layout)).unwrap_or_default();
    let samples = layout.map(|layout| Samples::new(layout, &rows));
    let stock = stocks(outline.db, outline.root, table.decl).first();
    TableView {
        name: shown(table.name),
        sample: samples.as_ref().zip(layout).map(|(samples, layout)| samples.of_table(outline, layout, patterns)),
        purpose: table.doc.map_or_else(|| String::from("not declared"), prose),
        boundary: boundary(def, layout),
        partition: keys::partition(outline, def.partition.as_ref(), source),
        sort: keys::sort(def.sort.as_ref(), source),
        taxonomy: source.map(|source| keys::taxonomy(source, stock)).unwrap_or_default(),
        attributes: layout.map(|layout| attributes(outline, layout, patterns)).unwrap_or_default(),
        bounds: bounds::bounds(outline, table.decl, patterns),
        served: served(table.decl, None, patterns),
        capacity: capacity::planning(outline, def, source),
        settings: settings(def),
        indexes: def
            .indexes
            .iter()
            .map(|index| index::view(outline, table, index, layout, samples.as_ref(), patterns))
            .collect(),
    }
}

/// What is kept together in the table, and why.
fn boundary(def: &TableDef, layout: Option<&TableLayout>) -> String {
    let declared = def.boundary.as_ref().and_then(said).map(inline);
    let item = |item: &ItemLayout| {
        let lists: Vec<String> = item
            .embeds
            .iter()
            .map(|embed| match &embed.list {
                Some(list) => format!("{} in {}", inline(&embed.entity), code(list)),
                None => inline(&embed.entity),
            })
            .collect();
        match lists.is_empty() {
            true => inline(&item.entity),
            false => format!("{} with its {}", inline(&item.entity), lists.join(" and its ")),
        }
    };
    let items: Vec<String> = layout.iter().flat_map(|layout| &layout.items).map(item).collect();
    let holds = match items.is_empty() {
        true => String::from("The table holds no item yet."),
        false => format!("Holds {}.", items.join(", ")),
    };
    match declared {
        Some(declared) => format!("{} {holds}", sentence(&declared)),
        None => format!("not declared. {holds}"),
    }
}

/// TTL, stream and recovery.
fn settings(def: &TableDef) -> String {
    let ttl = def.ttl.as_ref().and_then(|ttl| ttl.attribute.as_ref());
    let ttl = ttl.map_or_else(|| String::from("no TTL"), |attribute| format!("TTL on {}", code(&attribute.text)));
    let stream = def.stream.as_ref();
    let stream = stream.map_or_else(|| String::from("no stream"), |view| format!("stream {}", code(&view.value)));
    let recovery = if def.point_in_time_recovery { "on" } else { "off" };
    format!("{ttl}; {stream}; point-in-time recovery {recovery}")
}

/// The patterns that use a table itself, or one of its indexes.
fn served(table: Decl, index: Option<&str>, patterns: &[Pattern<'_>]) -> String {
    let uses = |pattern: &&Pattern<'_>| pattern.steps.iter().any(|step| step.uses(table, index));
    let users: Vec<String> = patterns.iter().filter(uses).map(Pattern::reference).collect();
    if users.is_empty() { String::from("none") } else { users.join(", ") }
}
