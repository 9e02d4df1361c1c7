//! What the rules that ask for an input have in common.

use super::check::Cx;
use super::finding::Place;
use crate::capacity::lacks::Need;
use crate::model::layout::layout;
use crate::syntax::TextRange;

/// So many of the numbers that need an input are shown as related places.
const RELATED: usize = 3;

/// Whether a quantity in this part of the declaration is wrong for its place:
/// that is a finding of its own, and hides what was meant.
pub fn has_faulty_quantity(cx: &Cx<'_>, range: TextRange) -> bool {
    let quantities = &cx.lowered().facts.quantities;
    quantities.iter().any(|quantity| quantity.fault().is_some() && range.contains(quantity.value.range))
}

/// Names the places of the numbers that need what a finding asks for: of each
/// table, index and pattern once. `finding` is its number in `cx`.
pub fn relate_needs<'n>(cx: &mut Cx<'_>, finding: usize, needs: impl IntoIterator<Item = &'n Need>) {
    let mut places: Vec<(Place, String)> = Vec::new();
    for need in needs {
        let Some(place) = place(cx, need) else { continue };
        if places.len() < RELATED && places.iter().all(|(other, _)| *other != place) {
            places.push((place, format!("needed for {}", need.one())));
        }
    }
    for (place, message) in places {
        cx.findings[finding].relate(place, message);
    }
}

/// The name of what the number is a number of.
fn place(cx: &Cx<'_>, need: &Need) -> Option<Place> {
    let (table, index) = match need {
        Need::Units { pattern } => return cx.name_place(cx.names().pattern(pattern)?),
        Need::Collection { table } => (table, None),
        Need::Load { table, index }
        | Need::Storage { table, index }
        | Need::KeyLength { table, index }
        | Need::Largest { table, index } => (table, index.as_ref()),
    };
    let decl = cx.names().table(table)?;
    match index {
        Some(index) => {
            let range = layout(cx.db, cx.root, decl).as_ref()?.index(index)?.name.range;
            Some(Place { decl, range })
        }
        None => cx.name_place(decl),
    }
}
