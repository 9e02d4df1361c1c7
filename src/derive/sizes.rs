//! Bytes of items and index entries as sums, and the share of the items that an
//! index holds (numbers S1–S6).

use super::Cx;
use super::text::{Unit, computed, equation, number, operand};
use crate::capacity::facts::{EntityFacts, Facts};
use crate::capacity::figure::Figure;
use crate::capacity::sizes::*;
use crate::model::defs::ProjectionKind;
use crate::model::layout::{EmbedLayout, ItemLayout, Source};

/// What an item of a table weighs.
pub fn item(cx: Cx<'_>, item: &ItemLayout, bound: Bound, presence: Presence<'_>) -> Vec<String> {
    let label = match bound {
        Bound::Avg => format!("One `{}`", item.entity),
        Bound::Max => format!("The largest `{}`", item.entity),
    };
    let Some(entity) = entity(&cx.facts, item) else { return vec![format!("{label}: unknown")] };
    let mut lines: Vec<String> = item.embeds.iter().filter_map(|embed| element(cx, item, embed, bound)).collect();
    let mut terms = match declared_bytes(entity, bound) {
        Some(bytes) if item.embeds.is_empty() => vec![operand(&bytes, Unit::Bytes) + declared_as(entity, bound)],
        Some(bytes) => vec![operand(&bytes, Unit::Number) + declared_as(entity, bound)],
        None => part_terms(item, entity, &parts(&cx.facts, item, bound, presence), bound),
    };
    let sum = declared_bytes(entity, bound).is_none() || !item.embeds.is_empty();
    terms.extend(item.embeds.iter().map(|embed| list_term(cx, item, embed, bound)));
    let total = item_bytes(&cx.facts, item, bound, presence);
    lines.push(match sum {
        true => format!("{label}: {}{}", equation(&terms.join(" + "), &total, Unit::Bytes), computed(&total)),
        false => format!("{label}: {}", terms.join(" + ")),
    });
    lines
}

/// What an item's entry in an index weighs; in a table, the item.
pub(super) fn entry(
    cx: Cx<'_>,
    source: Source<'_>,
    of: &ItemLayout,
    bound: Bound,
    presence: Presence<'_>,
) -> Vec<String> {
    let Some(index) = source.index.filter(|index| index.projection != ProjectionKind::All) else {
        return item(cx, of, bound, presence);
    };
    let Some(entity) = entity(&cx.facts, of) else { return vec![format!("One `{}`: unknown", of.entity)] };
    let parts = entry_parts(&cx.facts, source, of, bound, presence);
    let lists: Vec<&EmbedLayout> = entry_lists(source, of).collect();
    let mut lines: Vec<String> = lists.iter().filter_map(|embed| element(cx, of, embed, bound)).collect();
    let mut terms = part_terms(of, entity, &parts, bound);
    terms.extend(lists.iter().map(|embed| list_term(cx, of, embed, bound)));
    let sizes = lists.iter().map(|embed| list_size(&cx.facts, of, embed, bound).bytes());
    let sum: Figure = parts.iter().map(Part::bytes).chain(sizes).sum();
    let total = entry_bytes(&cx.facts, source, of, bound, presence);
    let largest = if bound == Bound::Max { "The largest" } else { "One" };
    let what = if index.included.is_empty() { "keys" } else { "keys and what is included" };
    let label = format!("{largest} `{}` in `{}` ({what})", of.entity, index.name.text);
    lines.push(format!("{label}: {}{}", equation(&terms.join(" + "), &sum, Unit::Bytes), computed(&sum)));
    if (sum.low(), sum.high()) != (total.low(), total.high()) {
        let whole = item_bytes(&cx.facts, of, bound, presence);
        lines.extend(item(cx, of, bound, presence));
        let operands = format!("min({}, {})", operand(&sum, Unit::Number), operand(&whole, Unit::Number));
        lines.push(format!("An entry is no larger than the item: {}", equation(&operands, &total, Unit::Bytes)));
    }
    lines
}

/// Which clause of the entity says its size.
fn declared_as(entity: &EntityFacts, bound: Bound) -> &'static str {
    match bound {
        Bound::Avg if entity.size_avg.is_none() && entity.size_max.is_some() => " (`size max`: no average is declared)",
        Bound::Avg => " (`size avg`)",
        Bound::Max => " (`size max`)",
    }
}

/// Each attribute: name + value, times the share of the items that have it.
fn part_terms(item: &ItemLayout, entity: &EntityFacts, parts: &[Part], bound: Bound) -> Vec<String> {
    let stored = parts.iter().filter(|part| part.weight > 0.0);
    let terms: Vec<String> = stored.map(|part| part_term(item, entity, part, bound, 0.0)).collect();
    if terms.is_empty() { vec!["0".to_owned()] } else { terms }
}

fn part_term(item: &ItemLayout, entity: &EntityFacts, part: &Part, bound: Bound, besides: f64) -> String {
    let key = item.keys.get(&part.name).filter(|key| key.value.whole_attribute() != Some(&part.name));
    let value: Vec<String> = match key {
        Some(key) => key_pieces(entity, key, bound).iter().map(|f| operand(f, Unit::Number)).collect(),
        None => vec![operand(&part.value, Unit::Number)],
    };
    let attribute = entity.attribute(&part.name);
    let sized = attribute.is_some_and(|attribute| attribute.size_avg.is_some() || attribute.size_max.is_some());
    let what = match (key, sized) {
        (None, true) => "`@size`".to_owned(),
        (None, false) => format!("`{}`", part.what),
        (Some(_), _) => part.what.clone(),
    };
    let name = number(part.name.len() as f64);
    let start = if besides > 0.0 { format!("{} + ", number(besides)) } else { String::new() };
    let own = format!("`{}` {start}{name} + {} ({what})", part.name, value.join(" + "));
    if part.weight == 1.0 {
        return own;
    }
    format!("({own}) × {} (`@present`)", operand(&Figure::known(part.weight), Unit::Percent))
}

/// What a list adds: its name, itself, and each child.
fn list_term(cx: Cx<'_>, item: &ItemLayout, embed: &EmbedLayout, bound: Bound) -> String {
    let size = list_size(&cx.facts, item, embed, bound);
    let (children, element) = (operand(&size.children, Unit::Number), operand(&size.element, Unit::Number));
    let word = if bound == Bound::Avg { "avg" } else { "max" };
    format!(
        "`{}` {} + {} + {children} (`children {word}`) × ({} + {element})",
        size.list,
        size.list.len(),
        number(CONTAINER),
        number(ENTRY),
    )
}

/// What one embedded entity weighs as an element of the list.
fn element(cx: Cx<'_>, item: &ItemLayout, embed: &EmbedLayout, bound: Bound) -> Option<String> {
    let child = embed.entity_decl.and_then(|decl| cx.facts.entity(decl))?;
    let size = list_size(&cx.facts, item, embed, bound);
    let label = format!("One `{}` in `{}`", embed.entity, size.list);
    if let Some(bytes) = declared_bytes(child, bound) {
        return Some(format!("{label}: {}{}", operand(&bytes, Unit::Bytes), declared_as(child, bound)));
    }
    let mut terms = vec![number(CONTAINER)];
    for part in element_parts(&cx.facts, item, embed, child, bound).iter().filter(|part| part.weight > 0.0) {
        terms.push(part_term(&bare(item), child, part, bound, ENTRY));
    }
    Some(format!("{label}: {}, *computed*", equation(&terms.join(" + "), &size.element, Unit::Bytes)))
}

/// An embedded entity has no keys of its own.
fn bare(item: &ItemLayout) -> ItemLayout {
    ItemLayout { keys: Default::default(), embeds: Vec::new(), ..item.clone() }
}

/// What the operation itself says.
pub(super) const GIVEN: &str = "given here";

/// ` × 2% (`@present` of `open_status`)` for each attribute that decides whether
/// an item is in an index; nothing for a table. What is `known` says its reason.
pub(super) fn share_factors_text(
    cx: Cx<'_>,
    source: Source<'_>,
    item: &ItemLayout,
    known: impl Fn(&str) -> Option<(f64, &'static str)>,
) -> String {
    let factors = share_factors(&cx.facts, source, item, |name| known(name).map(|(share, _)| share));
    let texts = factors.iter().map(|(name, share)| {
        let why = known(name).map_or("`@present`", |(_, why)| why);
        format!(" × {} ({why}: `{name}`)", operand(share, Unit::Percent))
    });
    texts.collect()
}

/// The same beside an attribute that all of the items counted have.
pub(super) fn share_factors_beside(cx: Cx<'_>, source: Source<'_>, item: &ItemLayout, counted_by: &str) -> String {
    let factors = share_factors(&cx.facts, source, item, |_| None);
    let others = factors.iter().filter(|(name, _)| *name != counted_by);
    others.map(|(name, share)| format!(" × {} (`@present`: `{name}`)", operand(share, Unit::Percent))).collect()
}
