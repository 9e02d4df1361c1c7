//! What an operation may be on.

use super::context::Context;
use super::position::Slot;
use crate::model::layout::{Source, TableLayout, layout, placements};
use crate::model::names::{find_entity, names};

/// So many tables and indexes are proposed while one is being named: as many as one
/// table may have, itself among them.
const MOST_PROPOSED: usize = 26;

/// What the operation names; while that is being written, all that begins so and
/// that it could name.
pub(super) fn proposals<'db>(
    cx: &Context<'db>,
    operation: usize,
    source: Option<Source<'db>>,
    slot: &Slot,
) -> Vec<Source<'db>> {
    let named = source.map(|source| if reads_index(cx, operation) { source } else { source.layout.table() });
    let mut proposed = match (slot, named) {
        (Slot::Target, _) => being_named(cx, operation),
        (_, Some(source)) => vec![source],
        (_, None) => tables_of_subject(cx, operation),
    };
    proposed.truncate(MOST_PROPOSED);
    proposed
}

/// Only what reads several items may read an index.
fn reads_index(cx: &Context<'_>, operation: usize) -> bool {
    matches!(cx.kind(operation), "query" | "scan")
}

/// What the place that is being named may become; what is written there already goes
/// first.
fn being_named<'db>(cx: &Context<'db>, operation: usize) -> Vec<Source<'db>> {
    let typed = cx.typed_target(operation, reads_index(cx, operation));
    let prefix = typed.before.to_lowercase();
    let begins = |source: &Source<'_>| source.label().to_lowercase().starts_with(&prefix);
    let mut found: Vec<Source<'db>> = if reads_index(cx, operation) {
        tables(cx).flat_map(TableLayout::sources).filter(begins).collect()
    } else {
        let entity = cx.subject(operation).and_then(|name| find_entity(cx.db, cx.root, name));
        let possible = match entity {
            Some(_) => tables_of_subject(cx, operation),
            None => tables(cx).map(TableLayout::table).collect(),
        };
        let found: Vec<Source<'db>> = possible.iter().copied().filter(begins).collect();
        // A name that none has: where the item is says more than that nothing fits.
        if found.is_empty() && entity.is_some() { possible } else { found }
    };
    found.sort_by_key(|source| source.label() != typed.whole);
    found
}

/// The tables that hold the entity that the operation names.
fn tables_of_subject<'db>(cx: &Context<'db>, operation: usize) -> Vec<Source<'db>> {
    let tables = cx.subject(operation).and_then(|entity| placements(cx.db, cx.root).get(entity));
    let layouts = tables.into_iter().flatten().filter_map(|decl| layout(cx.db, cx.root, *decl).as_ref());
    layouts.map(TableLayout::table).collect()
}

fn tables<'db>(cx: &Context<'db>) -> impl Iterator<Item = &'db TableLayout> {
    let decls = &names(cx.db, cx.root).tables;
    decls.keys().filter_map(|name| cx.table(name))
}
