//! Adding attributes to an entity whose types stand in one column.

use super::finding::{Edit, Place};
use super::fixes::{indent_of, insert_after};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::syntax::TextRange;

/// The edits that put attributes, each a name as it is written and what follows
/// its colon, behind the last attribute of an entity, and move the types of the
/// others where a longer name widens their column; `None` for an entity without an
/// attribute.
pub fn add_attributes(text: &str, decl: Decl, entity: &EntityDef, added: &[(String, String)]) -> Option<Vec<Edit>> {
    let last = entity.attributes.iter().max_by_key(|attribute| attribute.range.end)?;
    Some(attributes_after(text, decl, entity, last, added))
}

/// The same behind one of its attributes.
pub fn attributes_after(
    text: &str,
    decl: Decl,
    entity: &EntityDef,
    before_them: &AttributeDef,
    added: &[(String, String)],
) -> Vec<Edit> {
    let place = |range: TextRange| Place { decl, range };
    let columns: Vec<Column> = entity.attributes.iter().filter_map(|attribute| column(text, attribute)).collect();
    let before = columns.iter().map(|column| column.width).max().unwrap_or(0);
    // Types that stand in no column stay where they are.
    let aligned = columns.iter().all(|column| column.blanks == before - column.width + 1);
    let on_lines = indent_of(text, before_them.range).is_some();
    let widths = added.iter().map(|(name, _)| name.chars().count() + 1);
    let widest = if on_lines { widths.max().unwrap_or(0).max(before) } else { 0 };
    let lines: Vec<String> =
        added.iter().map(|(name, rest)| format!("{:widest$} {rest}", format!("{name}:"))).collect();
    let mut edits = Vec::new();
    if on_lines && aligned && widest > before {
        edits.extend(
            columns
                .iter()
                .map(|column| Edit::Replace { place: place(column.gap), text: " ".repeat(widest - column.width + 1) }),
        );
    }
    edits.push(insert_after(text, place(before_them.range), &lines.join("\n")));
    edits
}

/// An attribute that begins its line, with its type on the same one.
struct Column {
    /// Characters of the name with its colon.
    width: usize,
    /// What stands between the colon and the type.
    gap: TextRange,
    blanks: usize,
}

fn column(text: &str, attribute: &AttributeDef) -> Option<Column> {
    indent_of(text, attribute.range).filter(|_| attribute.ty != Type::Missing)?;
    let (from, to) = (attribute.name.range.end as usize, attribute.type_range.start as usize);
    let between = text.get(from..to)?;
    let blanks = between.strip_prefix(':').filter(|blanks| blanks.chars().all(|c| c == ' '))?;
    let width = text[attribute.name.range.indices()].chars().count() + 1;
    Some(Column { width, gap: TextRange::new(from + 1, to), blanks: blanks.len() })
}
