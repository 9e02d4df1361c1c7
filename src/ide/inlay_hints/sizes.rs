//! How large an item is that nobody has declared a size of.

use super::behind;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::sizes::{Bound, Part, Presence, item_bytes, list_size, own_bytes, parts};
use crate::ide::figures::{bytes, count, notes, shown};
use crate::ide::{HintKind, InlayHint};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{EntityDef, Name};
use crate::model::layout::{EmbedLayout, ItemLayout, layout, placements};
use crate::model::lower::lowered;
use crate::syntax::{TextRange, Unit};
use std::collections::BTreeMap;

/// Attributes that a tooltip lists; the largest come first.
const MOST_PARTS: usize = 8;

/// The computed size of an entity's items, behind its opening brace or its name.
pub(super) fn hint(db: &dyn Db, root: SourceFile, decl: Decl, entity: &EntityDef) -> Option<InlayHint> {
    let name = lowered(db, decl).name.as_ref()?;
    let is_declared = entity.size.as_ref().is_some_and(|size| size.avg(Unit::Size).is_some());
    if is_declared || entity.attributes.is_empty() {
        return None;
    }
    let sizes = sizes(db, root, decl, name);
    // What is stored in several places has a size in each, where they differ.
    let mut labels: Vec<&str> = sizes.iter().map(|size| size.label.as_str()).collect();
    labels.dedup();
    // Of a size that is declared in part nothing is computed: it is bounded.
    let word = if entity.size.is_some() { "average" } else { "computed" };
    let label = match labels.as_slice() {
        [one] => format!("{word} {one}"),
        _ => {
            let placed = sizes.iter().map(|size| format!("in {} {}", size.place, size.label));
            format!("{word} {}", placed.collect::<Vec<_>>().join("; "))
        }
    };
    let mut tooltip: Vec<String> = sizes.iter().map(|size| size.why.clone()).collect();
    tooltip.dedup();
    // That it is computed is what the label says.
    tooltip.extend(notes(sizes.iter().map(|size| &size.bytes)).into_iter().filter(|note| note.starts_with("Missing")));
    let text = &decl.chunk(db).text;
    Some(behind(text, header(text, name), HintKind::Size, label, &tooltip))
}

/// The name, with the brace behind it where nothing else but a comment follows
/// on that line.
fn header(text: &str, name: &Name) -> TextRange {
    let end = name.range.end as usize;
    let after_blanks = |at: usize| text[at..].trim_start_matches([' ', '\t']);
    let brace = text.len() - after_blanks(end).len();
    let after = after_blanks(end).strip_prefix('{').map(|_| after_blanks(brace + 1));
    match after {
        Some(after) if after.is_empty() || after.starts_with(['\n', '\r']) || after.starts_with("//") => {
            TextRange::new(name.range.start as usize, brace + 1)
        }
        _ => name.range,
    }
}

/// A size, and where the items have it.
struct Size {
    bytes: Figure,
    label: String,
    /// The table, or the list that the entity is embedded in.
    place: String,
    why: String,
}

fn sizes(db: &dyn Db, root: SourceFile, decl: Decl, name: &Name) -> Vec<Size> {
    let facts = Declared { db, root };
    let mut sizes = Vec::new();
    for table in placements(db, root).get(&name.text).map(Vec::as_slice).unwrap_or_default() {
        let Some(layout) = layout(db, root, *table) else { continue };
        for item in &layout.items {
            if item.entity_decl == Some(decl) {
                sizes.push(of_item(&facts, item, &layout.name.text));
            }
            let embedded = item.embeds.iter().filter(|embed| embed.entity_decl == Some(decl));
            sizes.extend(embedded.map(|embed| of_element(&facts, item, embed)));
        }
    }
    if sizes.is_empty() {
        let alone = ItemLayout {
            entity: name.text.clone(),
            entity_decl: Some(decl),
            range: name.range,
            embeds: Vec::new(),
            keys: BTreeMap::new(),
        };
        sizes.push(of_item(&facts, &alone, "no table"));
    }
    sizes
}

/// An item of a table: its attributes and computed keys, and what is embedded in
/// it (S2, S5).
fn of_item(facts: &Declared<'_>, item: &ItemLayout, place: &str) -> Size {
    let own = own_bytes(facts, item, Bound::Avg, Presence::Share);
    let whole = item_bytes(facts, item, Bound::Avg, Presence::Share);
    let mut label = bytes(&own);
    let mut why = sum(parts(facts, item, Bound::Avg, Presence::Share));
    for embed in &item.embeds {
        let list = list_size(facts, item, embed, Bound::Avg);
        why.push_str(&format!(
            "; `{}` {} with {} `{}` of {}",
            list.list,
            bytes(&list.bytes()),
            shown(&list.children, count),
            list.child,
            bytes(&list.element),
        ));
    }
    if !item.embeds.is_empty() {
        let lists: Vec<&str> = item.embeds.iter().filter_map(|embed| embed.list.as_deref()).collect();
        label.push_str(&format!(", {} with {}", bytes(&whole), lists.join(" and ")));
    }
    Size { bytes: whole, label, place: place.to_owned(), why: format!("Name and value of each attribute: {why}.") }
}

/// An element of a list in another item (S5).
fn of_element(facts: &Declared<'_>, parent: &ItemLayout, embed: &EmbedLayout) -> Size {
    let list = list_size(facts, parent, embed, Bound::Avg);
    Size {
        label: bytes(&list.element),
        bytes: list.element,
        place: format!("{} of {}", list.list, parent.entity),
        why: format!(
            "An element of `{}` in `{}`: 3 B, and 1 B, name and value of each attribute.",
            list.list, parent.entity
        ),
    }
}

/// The parts that weigh most.
fn sum(mut parts: Vec<Part>) -> String {
    parts.sort_by(|a, b| b.bytes().low().total_cmp(&a.bytes().low()));
    let all: Vec<String> = parts.iter().map(|part| format!("`{}` {}", part.name, bytes(&part.bytes()))).collect();
    crate::ide::figures::first_few(&all, MOST_PARTS)
}
