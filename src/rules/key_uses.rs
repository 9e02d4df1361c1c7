//! Where the keys of a table stand: their parts in the table and its indexes,
//! and what the blocks of items write for them.

use super::check::Cx;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, ItemLayout, KeyAttribute, TableLayout};
use crate::model::names::table_def;

/// An attribute as a part of one key.
#[derive(Clone, Copy)]
pub struct KeyUse<'l> {
    /// The index whose key it is; `None` for the table's.
    pub index: Option<&'l IndexLayout>,
    /// Whether it is of the sort key.
    pub sort: bool,
    pub key: &'l KeyAttribute,
}

impl KeyUse<'_> {
    /// `the sort key of GSI ByCity`, as a sentence names it.
    pub fn described(&self) -> String {
        let word = if self.sort { "sort" } else { "partition" };
        match self.index {
            Some(index) => format!("the {word} key of {} `{}`", index.kind.short(), index.name.text),
            None => format!("the {word} key of the table"),
        }
    }
}

/// The parts of all keys of a table, its own first. The partition key that a
/// local index shares with its table is one part.
pub fn key_uses(layout: &TableLayout) -> impl Iterator<Item = KeyUse<'_>> {
    let own = parts(None, false, &layout.partition).chain(parts(None, true, &layout.sort));
    let of_indexes = layout.indexes.iter().flat_map(move |index| {
        let shared = |part: &KeyUse<'_>| layout.partition.iter().any(|own| own.range == part.key.range);
        let partition = parts(Some(index), false, &index.partition).filter(move |part| !shared(part));
        partition.chain(parts(Some(index), true, &index.sort))
    });
    own.chain(of_indexes)
}

fn parts<'l>(index: Option<&'l IndexLayout>, sort: bool, keys: &'l [KeyAttribute]) -> impl Iterator<Item = KeyUse<'l>> {
    keys.iter().map(move |key| KeyUse { index, sort, key })
}

/// The items of the table under judgement with their clauses.
pub fn items<'db, 'l>(
    cx: &Cx<'db>,
    layout: &'l TableLayout,
) -> impl Iterator<Item = (&'l ItemLayout, &'db ItemDef)> + use<'db, 'l> {
    let table = table_def(cx.db, cx.decl);
    // An item is laid out where its clause names an entity.
    let defs = table.into_iter().flat_map(|table| &table.items).filter(|def| def.entity.is_some());
    layout.items.iter().zip(defs)
}

/// What the block of an item computes for a key; `None` where an attribute of
/// the key's name gives the value. Of two the last counts.
pub fn written<'d>(item: &'d ItemDef, key: &str) -> Option<&'d KeyExpr> {
    item.values.iter().rev().filter(|value| value.key.text == key).find_map(|value| value.value.as_ref())
}
