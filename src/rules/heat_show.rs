//! How the rules about hot keys show what is hot: where, how much, and by whom.

use super::check::Cx;
use super::finding::{Finding, Place};
use crate::capacity::figure::{Figure, list};
use crate::capacity::load::{Contribution, Family, READ_LIMIT, WRITE_LIMIT, Why};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, KeyAttribute, TableLayout};
use crate::model::names::table_def;
use crate::syntax::TextRange;

/// Where the value of a key shows: the item's value for it where its block gives
/// one, else the parts of the key.
pub(super) fn key_place(cx: &Cx<'_>, layout: &TableLayout, keys: &[KeyAttribute], entity: &str) -> TextRange {
    let computed = item_values(cx, layout, entity)
        .filter(|value| keys.iter().any(|key| key.name == value.key.text))
        .filter_map(|value| value.value.as_ref())
        .next();
    match (computed, keys) {
        (Some(value), _) => value.range(),
        (None, [first, rest @ ..]) => rest.iter().fold(first.range, |range, key| range.cover(key.range)),
        (None, []) => cx.name_range(),
    }
}

/// The values that an item's block gives to keys, the last first, which is the
/// one that holds.
pub(super) fn item_values<'db>(
    cx: &Cx<'db>,
    layout: &TableLayout,
    entity: &str,
) -> impl Iterator<Item = &'db KeyValueDef> + use<'db> {
    let item = layout.items.iter().find(|item| item.entity == entity);
    let def = item.and_then(|item| item_def(cx, item));
    def.into_iter().flat_map(|def| def.values.iter().rev())
}

/// An item as it is declared in the table under judgement.
pub(super) fn item_def<'db>(cx: &Cx<'db>, item: &ItemLayout) -> Option<&'db ItemDef> {
    let table = table_def(cx.db, cx.decl)?;
    table.items.iter().find(|def| def.entity.as_ref().is_some_and(|name| name.range == item.range))
}

/// `Table` or `Table.Index`, in code.
pub(super) fn label(layout: &TableLayout, index: Option<&str>) -> String {
    match index {
        Some(index) => format!("`{}.{index}`", layout.name.text),
        None => format!("`{}`", layout.name.text),
    }
}

/// Which units of a load are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Units {
    Reads,
    Writes,
}

impl Units {
    /// Read and write units a second.
    pub fn short(self) -> &'static str {
        match self {
            Units::Reads => "RCU/s",
            Units::Writes => "WCU/s",
        }
    }

    /// What one value takes, in units a second.
    pub fn limit(self) -> f64 {
        match self {
            Units::Reads => READ_LIMIT,
            Units::Writes => WRITE_LIMIT,
        }
    }

    fn of(self, load: &Contribution) -> (&Figure, Figure) {
        match self {
            Units::Reads => (&load.read_units, load.reads()),
            Units::Writes => (&load.write_units, load.writes()),
        }
    }

    /// The load of a family.
    pub fn sum(self, family: &Family) -> &Figure {
        match self {
            Units::Reads => &family.reads,
            Units::Writes => &family.writes,
        }
    }
}

/// A number as far as it is known: `2,500`, `at least 2,500`.
pub(super) fn amount(figure: &Figure) -> String {
    match figure.value() {
        Some(value) => show::count(value),
        None => format!("at least {}", show::count(figure.low())),
    }
}

/// What a number depends on that is not declared, in parentheses; nothing for one
/// that is known.
pub(super) fn provisos(figure: &Figure) -> String {
    let mut notes = Vec::new();
    if !figure.missing().is_empty() {
        notes.push(format!("without {}", list(figure.missing())));
    }
    if !figure.computed().is_empty() {
        let names: Vec<&String> = figure.computed().iter().collect();
        notes.push(format!("with the computed size of {}", super::fixes::listed(&names)));
    }
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) }
}

/// How a load comes about: `400/s × 2 write units × 25% on one value`.
pub(super) fn derivation(load: &Contribution, units: Units) -> String {
    let (each, _) = units.of(load);
    let unit = if units == Units::Reads { "read unit" } else { "write unit" };
    let each = match each.value() {
        Some(value) => show::count_of(value, unit),
        None => format!("{} {unit}s", amount(each)),
    };
    let mut text = format!("{}/s × {each}", amount(&load.peak));
    let spread = load.holes.iter().filter(|hole| hole.share.value() != Some(1.0));
    for hole in spread {
        text.push_str(&format!(" × {} of {}", percent(hole.share.low()), hole.hole));
    }
    if load.holes.iter().any(|hole| hole.why == Why::Now) {
        text.push_str(", all of a moment on one value");
    }
    text
}

/// A share as a percentage, with two digits that count where it is small.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 10.0 || percent.fract() == 0.0 {
        return format!("{}%", show::count(percent));
    }
    let places = (1.0 - percent.log10().floor()).clamp(1.0, 12.0) as usize;
    format!("{percent:.places$}%")
}

/// The load of a family that weighs most in these units.
pub(super) fn heaviest(family: &Family, units: Units) -> Option<&Contribution> {
    let weight = |load: &&Contribution| units.of(load).1.low();
    let best = family.contributions.iter().max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
    (weight(&best) > 0.0).then_some(best)
}

/// Names the patterns that put the load there, the heaviest first and no more
/// than three, and the index. An `allow` in the index silences the finding too.
pub(super) fn relate(
    cx: &mut Cx<'_>,
    layout: &TableLayout,
    index: Option<&str>,
    family: Option<&Family>,
) -> Vec<(Place, String)> {
    let mut related = Vec::new();
    for load in family.into_iter().flat_map(|family| &family.contributions) {
        let Some(place) = cx.name_place(load.pattern_decl) else { continue };
        let parts: Vec<String> = [Units::Reads, Units::Writes]
            .into_iter()
            .filter(|units| units.of(load).1.low() > 0.0)
            .map(|units| format!("{} {}: {}", amount(&units.of(load).1), units.short(), derivation(load, units)))
            .collect();
        if related.len() < 3 && !parts.is_empty() {
            related.push((place, format!("`{}`: {}", load.pattern, parts.join("; "))));
        }
    }
    if let Some(place) = index.and_then(|name| index_place(layout, name)) {
        related.push((place, "the index that it is a key of".to_owned()));
    }
    related
}

/// Adds what takes part to a finding, and what it is about.
pub(super) fn with_related(
    finding: &mut Finding,
    layout: &TableLayout,
    index: Option<&str>,
    all: Vec<(Place, String)>,
) {
    for (place, message) in all {
        finding.relate(place, message);
    }
    if let Some(place) = index.and_then(|name| index_place(layout, name)) {
        finding.about(place);
    }
}

fn index_place(layout: &TableLayout, name: &str) -> Option<Place> {
    let index = layout.index(name)?;
    Some(Place { decl: layout.decl, range: index.name.range })
}
