//! The patterns that use something, as a message names them.

use super::check::Cx;
use super::finding::Place;
use crate::capacity::figure::Figure;
use crate::capacity::operations::pattern_numbers;
use crate::capacity::show;
use crate::model::db::Decl;

/// So many patterns are shown as related places.
const RELATED: usize = 3;

/// How many patterns, and how often they are called in all: "2 patterns (40/s on
/// average)"; the rate only where all of them give one.
pub(super) fn together(cx: &Cx<'_>, patterns: &[Decl]) -> String {
    let rates = patterns.iter().map(|decl| match pattern_numbers(cx.db, cx.root, *decl) {
        Some(numbers) => numbers.rate.clone(),
        None => Figure::ZERO,
    });
    let number = show::count_of(patterns.len() as f64, "pattern");
    match rates.sum::<Figure>().value() {
        Some(rate) => format!("{number} ({}/s on average)", show::number(rate)),
        None => number,
    }
}

/// Shows the first of the patterns as related places of a finding, by its number
/// in `cx`.
pub(super) fn relate_patterns(cx: &mut Cx<'_>, finding: usize, patterns: &[Decl], does: &str) {
    let places: Vec<Place> = patterns.iter().take(RELATED).filter_map(|decl| cx.name_place(*decl)).collect();
    for place in places {
        cx.findings[finding].relate(place, does);
    }
}
