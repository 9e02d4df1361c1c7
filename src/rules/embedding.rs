//! What the rules about embedded children have in common.

use super::check::Cx;
use super::finding::Place;
use crate::capacity::facts::Declared;
use crate::capacity::show;
use crate::capacity::sizes::{Bound, list_size};
use crate::model::defs::{Cardinality, Name};
use crate::model::layout::{EmbedLayout, ItemLayout};
use crate::model::names::relationships;

/// The relationship that says how many children an item embeds, or would, with
/// what it says.
pub fn relationship_of(
    cx: &Cx<'_>,
    facts: &Declared<'_>,
    item: &ItemLayout,
    embed: &EmbedLayout,
) -> Option<(Place, String)> {
    let named = |name: &Option<Name>, is: &str| name.as_ref().is_some_and(|name| name.text == is);
    let (decl, def) = relationships(cx.db, cx.root).find(|(_, def)| {
        def.cardinality != Some(Cardinality::ManyToMany)
            && named(&def.left, &item.entity)
            && named(&def.right, &embed.entity)
    })?;
    let range = def.left.as_ref()?.range.cover(def.right.as_ref()?.range);
    let size = list_size(facts, item, embed, Bound::Max);
    let message = match (size.children.value(), size.element.value()) {
        (Some(children), Some(each)) => format!(
            "up to {}, {} each in the list",
            show::count_of(children, "child").replace("childs", "children"),
            show::bytes(each)
        ),
        (None, _) => "it declares no `children max`".to_owned(),
        (Some(children), None) => format!("up to {}", show::count(children)),
    };
    Some((Place { decl, range }, message))
}
