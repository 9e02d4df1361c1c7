//! Renaming a key or an index of a table wherever the model names it.

use super::check::Cx;
use super::finding::{Edit, Place};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::imports::model_decls;
use crate::model::layout::TableLayout;
use crate::model::lower::lowered;
use crate::model::refs::{Resolution, What, resolve};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use std::collections::BTreeMap;

/// The title and the edits of a rename at all these places; `own` is the place
/// that the finding stands at.
pub fn rename(name: &str, better: &str, own: Place, places: Vec<Place>) -> (String, Vec<Edit>) {
    let count = show::count_of(places.len() as f64, "place");
    let text = quote_name(better);
    let edits = places.into_iter().filter(|place| *place != own).chain([own]);
    let edits = edits.map(|place| Edit::Replace { place, text: text.clone() }).collect();
    (format!("Rename `{name}` to `{better}` ({count})"), edits)
}

/// Every place that names a key or an index of the table.
pub fn named(cx: &Cx<'_>, layout: &TableLayout, name: &str, what: What) -> Vec<Place> {
    let mut places: BTreeMap<(usize, TextRange), Place> = BTreeMap::new();
    for (order, decl) in model_decls(cx.db, cx.root).iter().enumerate() {
        for range in named_in(cx, layout.decl, *decl, name, what) {
            places.insert((order, range), Place { decl: *decl, range });
        }
        if *decl == cx.decl && what == What::Index {
            let own = layout.indexes.iter().find(|index| index.name.text == name);
            places.extend(own.map(|index| ((order, index.name.range), Place { decl: *decl, range: index.name.range })));
        }
    }
    places.into_values().collect()
}

/// The references in a declaration that mean this key or index, and no other.
fn named_in(cx: &Cx<'_>, table: Decl, decl: Decl, name: &str, what: What) -> Vec<TextRange> {
    let references = lowered(cx.db, decl).facts.references.iter().filter(|reference| reference.name.text == name);
    references
        .filter(|reference| match resolve(cx.db, cx.root, reference) {
            Resolution::Found(found) => found.iter().all(|found| found.decl == table && found.what == what),
            Resolution::Unknown { .. } | Resolution::Undecided => false,
        })
        .map(|reference| reference.name.range)
        .collect()
}
