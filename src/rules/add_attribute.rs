//! Adding an attribute to an entity that is there.

use super::finding::{Edit, Place};
use super::fixes::{indent_of, insert_after};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

/// Edits that put an attribute behind the last one of an entity, its type in the
/// column of the others, which moves where the new name is longer than theirs.
/// `None` where the entity has none yet, and nobody knows where it would belong.
pub(super) fn add_attribute(text: &str, decl: Decl, entity: &EntityDef, name: &str, rest: &str) -> Option<Vec<Edit>> {
    let name = quote_name(name);
    let last = entity.attributes.last()?;
    let place = Place { decl, range: last.range };
    if indent_of(text, last.range).is_none() {
        return Some(vec![insert_after(text, place, &format!("{name}: {rest}"))]);
    }
    // The gap between the colon and the type, of those that begin their line.
    let gaps: Vec<(usize, TextRange)> = entity.attributes.iter().filter_map(|own| gap(text, own)).collect();
    let own = name.chars().count();
    let widest = gaps.iter().map(|(width, _)| *width).max().unwrap_or(0).max(own);
    let mut edits = Vec::new();
    for (width, range) in &gaps {
        let pad = " ".repeat(widest - width + 1);
        if text[range.indices()] != pad {
            edits.push(Edit::Replace { place: Place { decl, range: *range }, text: pad });
        }
    }
    // Those that nobody has aligned are not aligned for it.
    if gaps.iter().any(|(width, range)| text[range.indices()].len() != 1 + gap_width(&gaps) - width) {
        edits.clear();
    }
    edits.push(insert_after(text, place, &format!("{name}:{}{rest}", " ".repeat(widest - own + 1))));
    Some(edits)
}

/// How wide the widest of the names is.
fn gap_width(gaps: &[(usize, TextRange)]) -> usize {
    gaps.iter().map(|(width, _)| *width).max().unwrap_or(0)
}

/// The width of an attribute's name as it is written, and the blanks between its
/// colon and its type; `None` where it does not begin its line.
fn gap(text: &str, attribute: &AttributeDef) -> Option<(usize, TextRange)> {
    indent_of(text, attribute.range)?;
    let (name, ty) = (attribute.name.range, attribute.type_range);
    let between = text.get(name.end as usize..ty.start as usize)?;
    let blanks = between.strip_prefix(':')?;
    let only = blanks.chars().all(|c| c == ' ') && !blanks.is_empty();
    let range = TextRange::new(ty.start as usize - blanks.len(), ty.start as usize);
    only.then(|| (text[name.indices()].chars().count(), range))
}
