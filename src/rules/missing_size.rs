//! A size that a number needs and nobody declares.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::lacking::{has_faulty_quantity, relate_needs};
use super::rule::{Group, Rule};
use crate::capacity::facts::{EntityFacts, entity_facts};
use crate::capacity::figure::Input;
use crate::capacity::lacks::{Need, entity_lacks, needs_list};
use crate::capacity::sizes::{Bound, value_bytes};
use crate::model::defs::*;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "missing-size",
    group: Group::Requirements,
    level: Level::Warning,
    summary: "a number needs the size of an entity or of an attribute, and it is neither declared nor computable",
    thresholds: &[],
    check: Check::Entity(check),
};

/// An attribute whose `@size` some numbers need.
struct Lacking<'e> {
    attribute: &'e AttributeDef,
    needs: &'e BTreeSet<Need>,
    /// Only how long it becomes is not known.
    only_maximum: bool,
}

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    let Some(facts) = entity_facts(cx.db, cx.decl).as_ref().filter(|_| !cx.is_broken()) else { return };
    let lacks = entity_lacks(cx.db, cx.root, cx.decl);
    let mut attributes: Vec<Lacking<'_>> = Vec::new();
    for (input, needs) in lacks {
        let Input::AttributeSize { attribute, .. } = input else { continue };
        let (Some(def), Some(own)) = (entity.attribute(attribute), facts.attribute(attribute)) else { continue };
        // A size of the wrong kind is a finding of its own.
        if has_faulty_quantity(cx, def.range) {
            continue;
        }
        let only_maximum = value_bytes(facts, own, Bound::Avg).value().is_some();
        attributes.push(Lacking { attribute: def, needs, only_maximum });
    }
    let size_is_faulty = entity.size.as_ref().is_some_and(|size| has_faulty_quantity(cx, size.range));
    // Where the entity's own size is the sum of them, they are one cause.
    if !facts.sized {
        let (of_entity, rest): (Vec<_>, Vec<_>) = attributes.into_iter().partition(|lacking| !lacking.only_maximum);
        if !of_entity.is_empty() {
            report_entity(cx, &of_entity);
        }
        attributes = rest;
    }
    for lacking in attributes {
        report_attribute(cx, facts, &lacking);
    }
    if size_is_faulty {
        return;
    }
    if let Some(needs) = lacks.get(&Input::Size(facts.name.clone())) {
        report_average(cx, entity, needs);
    }
    if let Some(needs) = lacks.get(&Input::MaxSize(facts.name.clone())) {
        report_maximum(cx, entity, needs);
    }
}

/// The size of the whole item cannot be told.
fn report_entity(cx: &mut Cx<'_>, attributes: &[Lacking<'_>]) {
    let names: Vec<&str> = attributes.iter().map(|lacking| lacking.attribute.name.text.as_str()).collect();
    let needs: BTreeSet<&Need> = attributes.iter().flat_map(|lacking| lacking.needs).collect();
    let have = match attributes.iter().all(|lacking| lacking.attribute.size.is_none()) {
        true => "no `@size`",
        false => "no average `@size`",
    };
    let verb = if names.len() == 1 { "has" } else { "have" };
    let own = cx.lowered().name.as_ref().map_or("?", |name| name.text.as_str());
    // The keys and entries that the entity's own size would say nothing of.
    let besides: BTreeSet<&Need> =
        needs.iter().copied().filter(|need| matches!(need, Need::KeyLength { .. })).collect();
    let besides = match besides.is_empty() {
        true => String::new(),
        false => format!(" ({} needs `@size` in any case)", needs_list(besides)),
    };
    let message = format!(
        "the size of `{own}` is neither declared nor computable: {} {verb} {have}; so {} cannot be told, and no size is ever assumed; declare \
         `size avg …, max …`, or `@size(avg …, max …)` of {}{besides}",
        listed(&names),
        needs_list(needs),
        listed(&names),
    );
    let places: Vec<Place> = attributes.iter().map(|lacking| cx.place(lacking.attribute.name.range)).collect();
    let finding = cx.report(cx.name_range(), message);
    for place in places {
        finding.relate(place, format!("{have} here"));
    }
}

/// The size of one value cannot be told, or not how long it becomes.
fn report_attribute(cx: &mut Cx<'_>, facts: &EntityFacts, lacking: &Lacking<'_>) {
    let Lacking { attribute, needs, only_maximum } = lacking;
    let name = &attribute.name.text;
    let (entity, needed) = (&facts.name, needs_list(*needs));
    let message = match (&attribute.size, only_maximum) {
        (Some(_), true) => format!(
            "the `@size` of `{entity}.{name}` has no maximum: {needed} cannot be held against the limits; give \
             `@size(avg …, max …)`"
        ),
        (Some(_), false) => format!(
            "the `@size` of `{entity}.{name}` has no average: {needed} cannot be told; give `@size(avg …, max …)`"
        ),
        (None, _) => format!(
            "`{entity}.{name}` has no `@size`, and its type says nothing of it: {needed} cannot be told, whatever the \
             size of the entity is; declare `@size(avg …, max …)`"
        ),
    };
    let (range, only_maximum) = (attribute.name.range, *only_maximum);
    let level = if only_maximum { Level::Info } else { RULE.level };
    let needs: Vec<Need> = needs.iter().cloned().collect();
    let at = cx.findings.len();
    cx.report(range, message).level(level);
    relate_needs(cx, at, &needs);
}

/// The maximum bounds what the average would tell.
fn report_average(cx: &mut Cx<'_>, entity: &EntityDef, needs: &BTreeSet<Need>) {
    let own = cx.lowered().name.as_ref().map_or("?", |name| name.text.as_str());
    let message = format!(
        "the `size` of `{own}` has no average: {} can only be bounded by the maximum; give `size avg …, max …`",
        needs_list(needs)
    );
    let size = entity.size.as_ref().map(|size| cx.place(size.range));
    let finding = cx.report(cx.name_range(), message);
    if let Some(place) = size {
        finding.relate(place, "the size as it is");
    }
}

/// How large the largest item is cannot be told.
fn report_maximum(cx: &mut Cx<'_>, entity: &EntityDef, needs: &BTreeSet<Need>) {
    let own = cx.lowered().name.as_ref().map_or("?", |name| name.text.as_str());
    let message = format!(
        "the `size` of `{own}` has no maximum: {} cannot be held against the limits, 400 KB for an item; give `size avg \
         …, max …`",
        needs_list(needs)
    );
    let size = entity.size.as_ref().map(|size| cx.place(size.range));
    let finding = cx.report(cx.name_range(), message);
    finding.level(Level::Info);
    if let Some(place) = size {
        finding.relate(place, "the size as it is");
    }
}
