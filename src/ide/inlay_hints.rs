//! Numbers in the text where they follow from it: what an operation costs, how
//! large an item is, how hot a key.

mod keys;
mod operations;
mod sizes;

pub(super) use keys::hottest;

use super::lookup::model;
use super::{HintKind, HintKinds, InlayHint};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::Def;
use crate::model::lower::lowered;
use crate::syntax::TextRange;

/// The hints of these kinds that stand in a range of a file, in the order of the
/// text.
pub(super) fn inlay_hints(db: &dyn Db, file: SourceFile, range: TextRange, kinds: HintKinds) -> Vec<InlayHint> {
    let root = model(db, file);
    let mut hints = Vec::new();
    for (decl, start) in file.decls(db).iter().zip(file.starts(db)) {
        let whole = TextRange::new(0, decl.chunk(db).text.len()).shifted(*start);
        if whole.end < range.start || range.end < whole.start {
            continue;
        }
        let placed = of_declaration(db, root, *decl, kinds).into_iter();
        let placed = placed.map(|hint| InlayHint { offset: hint.offset + *start as usize, ..hint });
        hints.extend(placed.filter(|hint| range.touches(hint.offset)));
    }
    hints.sort_by_key(|hint| hint.offset);
    hints
}

/// The hints of one declaration, relative to it.
fn of_declaration(db: &dyn Db, root: SourceFile, decl: Decl, kinds: HintKinds) -> Vec<InlayHint> {
    match &lowered(db, decl).def {
        Def::Pattern(pattern) if kinds.operations => operations::hints(db, root, decl, pattern),
        Def::Entity(entity) if kinds.sizes => sizes::hint(db, root, decl, entity).into_iter().collect(),
        Def::Table(table) if kinds.keys => keys::hints(db, root, decl, table),
        _ => Vec::new(),
    }
}

/// A hint at the end of what it is about, on the line where that ends.
fn behind(text: &str, about: TextRange, kind: HintKind, label: String, tooltip: &[String]) -> InlayHint {
    let written = text.get(about.indices()).unwrap_or("").trim_end();
    InlayHint { offset: about.start as usize + written.len(), kind, label, tooltip: tooltip.join("\n\n") }
}
