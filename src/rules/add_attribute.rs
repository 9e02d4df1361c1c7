//! An edit that gives an entity one more attribute, types kept in their column.

use super::finding::{Edit, Place};
use super::fixes::{indent_of, insert_after};
use crate::model::db::Decl;
use crate::model::defs::{AttributeDef, EntityDef};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

/// Edits that put an attribute behind the last of an entity: `ty` is its type with its
/// modifiers. `None` where the entity has none to stand behind.
pub(super) fn add_attribute(text: &str, decl: Decl, entity: &EntityDef, name: &str, ty: &str) -> Option<Vec<Edit>> {
    let last = entity.attributes.last()?;
    let name = quote_name(name);
    let new = name.chars().count();
    // Only names that begin a line, with their type on it, stand in the column.
    let in_column = |attribute: &&AttributeDef| {
        let between = text.get(attribute.name.range.end as usize..attribute.type_range.start as usize);
        indent_of(text, attribute.range).is_some() && between.is_some_and(|between| !between.contains('\n'))
    };
    let column: Vec<&AttributeDef> = entity.attributes.iter().filter(in_column).collect();
    let width = |attribute: &AttributeDef| text[attribute.name.range.indices()].chars().count();
    let widest = column.iter().map(|attribute| width(attribute)).max().unwrap_or(0);
    let stands = indent_of(text, last.range).is_some();
    let pad = if stands { widest.saturating_sub(new) } else { 0 };
    let place = |range: TextRange| Place { decl, range };
    let mut edits = Vec::new();
    if stands && new > widest {
        let more = " ".repeat(new - widest);
        edits.extend(column.iter().map(|attribute| Edit::Replace {
            place: place(TextRange::empty(attribute.type_range.start as usize)),
            text: more.clone(),
        }));
    }
    edits.push(insert_after(text, place(last.range), &format!("{name}:{} {ty}", " ".repeat(pad))));
    Some(edits)
}
