//! Who reads an index, and how its key stands to that of its table and of other
//! indexes.

use super::check::{Cx, StepCx};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, ItemLayout, KeyAttribute, Source, TableLayout};
use crate::model::names::table_def;
use crate::model::resolve::{index_readers, steps, unreadable_patterns};

/// The steps that read an index, each with its pattern.
pub(super) fn readers<'db>(cx: &Cx<'db>, layout: &TableLayout, index: &IndexLayout) -> Vec<(Decl, StepCx<'db>)> {
    let places = index_readers(cx.db, cx.root, layout.decl).get(&index.name.text);
    let steps = places.into_iter().flatten().filter_map(|(pattern, operation, step)| {
        let own = |other: &StepCx<'_>| (other.resolved.operation, other.resolved.step) == (*operation, *step);
        Some((*pattern, steps(cx.db, cx.root, *pattern).find(own)?))
    });
    steps.collect()
}

/// Whether a pattern that cannot be read names the index: what it asks of it is not
/// known.
pub(super) fn is_unclear(cx: &Cx<'_>, index: &IndexLayout) -> bool {
    unreadable_patterns(cx.db, cx.root).iter().any(|decl| decl.chunk(cx.db).text.contains(&index.name.text))
}

/// An index as it is declared in its table.
pub(super) fn index_def<'db>(cx: &Cx<'db>, layout: &TableLayout, index: &IndexLayout) -> Option<&'db IndexDef> {
    let table = table_def(cx.db, layout.decl)?;
    table.indexes.iter().find(|def| def.name.as_ref().is_some_and(|name| name.range == index.name.range))
}

/// Whether an index holds only some of the items that can be in it: it says so, or an
/// optional attribute makes one of its keys.
pub(super) fn is_sparse(cx: &Cx<'_>, source: Source<'_>) -> bool {
    let Some(index) = source.index else { return false };
    let is_optional = |item: &ItemLayout, key: &KeyAttribute| item.keys.get(&key.name).is_some_and(|key| key.optional);
    index_def(cx, source.layout, index).is_some_and(|def| def.sparse.is_some())
        || source.items().any(|item| source.key().any(|key| is_optional(item, key)))
}

/// Whether two key attributes hold the same for these items: they are one
/// attribute, or have the same value on each.
pub(super) fn same_key(items: &[&ItemLayout], a: &KeyAttribute, b: &KeyAttribute) -> bool {
    let same = |item: &&ItemLayout| match (item.keys.get(&a.name), item.keys.get(&b.name)) {
        (Some(own), Some(other)) => own.value == other.value,
        _ => false,
    };
    a.name == b.name || (!items.is_empty() && items.iter().all(same))
}
