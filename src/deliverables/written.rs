//! Lists that are written with the item that they are in. As items of their own each of
//! their elements would be one write more; in the item they are none of their own (C3).

use super::markdown::inline;
use super::outline::{Outline, shown};
use crate::model::db::Decl;
use crate::model::defs::OpDef;
use crate::model::layout::{EmbedLayout, ItemLayout, TableLayout};
use crate::model::resolve::steps;

/// The patterns that write the elements of a list with the item that holds them: they
/// put it into this table.
fn written_with(outline: &Outline<'_>, layout: &TableLayout, item: &ItemLayout) -> Vec<String> {
    let (db, root) = (outline.db, outline.root);
    let puts = |pattern: &Decl| {
        steps(db, root, *pattern).any(|step| {
            let is_here = step.source.is_some_and(|source| source.layout.decl == layout.decl);
            let is_put = matches!(step.step.op, OpDef::Put { .. });
            let subject = step.step.op.subject().filter(|_| is_here && is_put);
            subject.is_some_and(|subject| subject.entity.text == item.entity)
        })
    };
    // What is answered elsewhere writes nothing here.
    let own = outline.patterns.iter().filter(|pattern| pattern.def.external.is_none());
    own.filter(|pattern| puts(&pattern.decl)).map(|pattern| shown(pattern.name)).collect()
}

/// The same as the end of a sentence about the element: ``written with its Order, in the
/// same write (PlaceOrder): that costs nothing extra, and as items of their own each would
/// be a write more``. `None` where nothing puts the item.
pub(super) fn told(
    outline: &Outline<'_>,
    layout: &TableLayout,
    item: &ItemLayout,
    embed: &EmbedLayout,
) -> Option<String> {
    let by: Vec<String> = written_with(outline, layout, item);
    (!by.is_empty()).then(|| {
        format!(
            "{} is written with its {}, in the same write ({}): that costs nothing extra, and as items of their own \
             each would be a write more",
            inline(&embed.entity),
            inline(&item.entity),
            by.join(", ")
        )
    })
}
