//! How the rules about hot keys show what is hot: where, how much, and by whom.

use super::check::Cx;
use super::finding::{Finding, Place};
use crate::capacity::figure::{Figure, list};
use crate::capacity::load::{Contribution, Family, HEADROOM, READ_LIMIT, WRITE_LIMIT, Why};
use crate::capacity::show;
use crate::model::db::Decl;
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

    /// What its loads are held against.
    fn bounds(self) -> &'static [f64] {
        match self {
            Units::Reads => &[HEADROOM * READ_LIMIT, READ_LIMIT],
            Units::Writes => &[0.25 * WRITE_LIMIT, 0.5 * WRITE_LIMIT, HEADROOM * WRITE_LIMIT, WRITE_LIMIT],
        }
    }

    /// What one call puts on the hottest value.
    fn each(self, load: &Contribution) -> &Figure {
        match self {
            Units::Reads => &load.read_units,
            Units::Writes => &load.write_units,
        }
    }

    /// What a load puts there in a second.
    fn load(self, load: &Contribution) -> Figure {
        match self {
            Units::Reads => load.reads(),
            Units::Writes => load.writes(),
        }
    }

    /// A load as far as it is known: `2,500 WCU/s`, `at least 2,500 WCU/s`.
    pub fn amount(self, figure: &Figure) -> String {
        let least = if figure.value().is_some() { "" } else { "at least " };
        format!("{least}{} {}", show::count_beside(figure.low(), self.bounds()), self.short())
    }

    /// The load of a family.
    pub fn sum(self, family: &Family) -> &Figure {
        match self {
            Units::Reads => &family.reads,
            Units::Writes => &family.writes,
        }
    }
}

/// What a number depends on that is not declared, in parentheses; nothing for one
/// that is known.
pub(super) fn provisos(figure: &Figure) -> String {
    let mut notes = Vec::new();
    if !figure.missing().is_empty() {
        notes.push(format!("without {}", list(figure.missing())));
    }
    let names: Vec<&String> = figure.computed_whole().collect();
    if !names.is_empty() {
        notes.push(format!("with the computed size of {}", super::fixes::listed(&names)));
    }
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) }
}

/// What one pattern puts on a value: all its steps there, be they of the table or
/// of its local indexes.
#[derive(Clone, Debug)]
pub(super) struct Weight<'f> {
    pub pattern: &'f str,
    decl: Decl,
    loads: Vec<&'f Contribution>,
}

/// What puts load on a value, pattern by pattern, the heaviest first.
pub(super) fn weights(loads: &[Contribution]) -> Vec<Weight<'_>> {
    let mut all: Vec<Weight<'_>> = Vec::new();
    for load in loads {
        match all.iter_mut().find(|weight| weight.decl == load.pattern_decl) {
            Some(weight) => weight.loads.push(load),
            None => all.push(Weight { pattern: &load.pattern, decl: load.pattern_decl, loads: vec![load] }),
        }
    }
    let share = |weight: &Weight<'_>| {
        [Units::Reads, Units::Writes].map(|units| weight.load(units).low() / units.limit()).into_iter().sum::<f64>()
    };
    all.sort_by(|a, b| share(b).total_cmp(&share(a)));
    all
}

/// The pattern that weighs most in these units.
pub(super) fn heaviest(loads: &[Contribution], units: Units) -> Option<Weight<'_>> {
    let weight = |weight: &Weight<'_>| weight.load(units).low();
    // Of those that weigh as much, the first.
    let best = weights(loads).into_iter().rev().max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
    (weight(&best) > 0.0).then_some(best)
}

impl Weight<'_> {
    /// Units a second of all its steps.
    fn load(&self, units: Units) -> Figure {
        self.loads.iter().map(|load| units.load(load)).sum()
    }

    /// How its load comes about: `400/s × 2 write units × 25 % of {a}`; of several
    /// steps, `400/s × (1 + 1) write units` where they meet on the value alike, else
    /// `400/s × (1 write unit × 25 % of {a} + 2 write units)`.
    pub fn derivation(&self, units: Units) -> String {
        let mut parts: Vec<(String, Vec<&Figure>)> = Vec::new();
        for load in self.loads.iter().filter(|load| units.load(load).low() > 0.0) {
            let shares = shares(load);
            match parts.iter_mut().find(|(other, _)| *other == shares) {
                Some((_, each)) => each.push(units.each(load)),
                None => parts.push((shares, vec![units.each(load)])),
            }
        }
        let peak = self.loads.first().map_or(Figure::ZERO, |load| load.peak.clone());
        let least = if peak.value().is_some() { "" } else { "at least " };
        let is_one = parts.len() == 1;
        let parts: Vec<String> =
            parts.iter().map(|(shares, each)| format!("{}{shares}", units_of_steps(each, units))).collect();
        let parts = if is_one { parts.concat() } else { format!("({})", parts.join(" + ")) };
        let now = match self.loads.iter().any(|load| load.holes.iter().any(|hole| hole.why == Why::Now)) {
            true => ", all of a moment on one value",
            false => "",
        };
        format!("{least}{}/s × {parts}{now}", show::digits(peak.low(), 0).0)
    }
}

/// So many steps of a pattern are added up in sight.
const ADDENDS: usize = 4;

/// `2 write units`, `(1 + 1) write units`, `at least 1 write unit`.
fn units_of_steps(each: &[&Figure], units: Units) -> String {
    let unit = if units == Units::Reads { "read unit" } else { "write unit" };
    let sum: Figure = each.iter().copied().sum();
    let least = if sum.value().is_some() { "" } else { "at least " };
    match each {
        [_, _, ..] if each.len() <= ADDENDS => {
            let addends: Vec<String> = each.iter().map(|each| show::digits(each.low(), 0).0).collect();
            format!("{least}({}) {unit}s", addends.join(" + "))
        }
        _ => {
            let several = if sum.low() == 1.0 { "" } else { "s" };
            format!("{least}{} {unit}{several}", show::digits(sum.low(), 0).0)
        }
    }
}

/// The shares of a load that are not all of it: ` × 25 % of {a}`.
fn shares(load: &Contribution) -> String {
    let spread = load.holes.iter().filter(|hole| hole.share.value() != Some(1.0));
    spread.map(|hole| format!(" × {} of {}", percent(hole.share.low()), hole.hole)).collect()
}

/// A share as a percentage to compute with.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", show::digits(share * 100.0, 0).0)
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
    for weight in family.map(|family| weights(&family.contributions)).unwrap_or_default() {
        let Some(place) = cx.name_place(weight.decl) else { continue };
        let parts: Vec<String> = [Units::Reads, Units::Writes]
            .into_iter()
            .filter(|units| weight.load(*units).low() > 0.0)
            .map(|units| format!("{}: {}", units.amount(&weight.load(units)), weight.derivation(units)))
            .collect();
        if related.len() < 3 && !parts.is_empty() {
            related.push((place, format!("`{}`: {}", weight.pattern, parts.join("; "))));
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
