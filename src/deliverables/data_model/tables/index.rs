//! A secondary index, below its table.

use super::projection::{self, Alternative};
use super::sample::{Sample, Samples};
use super::{capacity, keys, served, sparse};
use crate::capacity::stock::stocks;
use crate::deliverables::markdown::{inline, prose, sentence};
use crate::deliverables::outline::{Entry, Outline, said, shown};
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, Source, TableLayout};

/// An index of the data model document.
pub(super) struct IndexView {
    pub name: String,
    pub kind: &'static str,
    pub sample: Option<Sample>,
    pub purpose: String,
    pub partition: String,
    pub sort: String,
    pub multi: String,
    pub projection: String,
    pub projected: Vec<String>,
    pub alternatives: Vec<Alternative>,
    pub alternatives_note: String,
    pub sparse: String,
    pub served: String,
    pub capacity: String,
}

/// Fills the view of an index.
pub(super) fn view(
    outline: &Outline<'_>,
    table: &Entry<'_, TableDef>,
    def: &IndexDef,
    layout: Option<&TableLayout>,
    samples: Option<&Samples<'_>>,
    patterns: &[Pattern<'_>],
) -> IndexView {
    let name = def.name.as_ref().map(|name| name.text.as_str());
    // Of two indexes of one name each is shown as it is declared.
    let own = |index: &&IndexLayout| def.name.as_ref().is_some_and(|name| name.range == index.name.range);
    let index = layout.and_then(|layout| layout.indexes.iter().find(own));
    let source: Option<Source<'_>> = layout.zip(index).map(|(layout, index)| layout.of_index(index));
    let label = source.map(Source::label);
    let stock =
        label.and_then(|label| stocks(outline.db, outline.root, table.decl).iter().find(|stock| stock.label == label));
    let said_of = |source| projection::per_pattern(outline, source, patterns);
    IndexView {
        name: shown(name),
        kind: def.kind.short(),
        sample: samples.zip(source).map(|(samples, source)| samples.of_index(outline, source, patterns)),
        purpose: purpose(def).unwrap_or_else(|| String::from("not declared")),
        partition: keys::partition(outline, def.partition.as_ref(), source),
        sort: keys::sort(def.sort.as_ref(), source),
        multi: keys::multi_attribute_decision(index, source),
        projection: projection::projection(def, source),
        projected: source.map_or_else(|| vec![String::from("No pattern reads the index.")], said_of),
        alternatives: source.map(|source| projection::alternatives(outline, source, patterns)).unwrap_or_default(),
        alternatives_note: projection::alternatives_note(outline, table.def, def.kind),
        sparse: sparse::sparse(def, source, stock),
        // An index that has no name yet is used by no pattern.
        served: if name.is_some() { served(table.decl, name, patterns) } else { String::from("none") },
        capacity: capacity::planning(outline, table.def, source),
    }
}

/// What an index is for: its doc comment, its `purpose`, or both; `None` where nobody
/// says it.
pub(in crate::deliverables::data_model) fn purpose(def: &IndexDef) -> Option<String> {
    let doc = def.doc.as_deref().filter(|doc| !doc.trim().is_empty()).map(prose);
    let purpose = def.purpose.as_ref().and_then(said).map(inline);
    doc.into_iter().chain(purpose).reduce(|a, b| format!("{} {b}", sentence(&a)))
}
