//! What a pattern says of how it reads, by what, in which order and up to how many,
//! held against the operations that answer it.

use crate::capacity::select::{is_full, pinned};
use crate::capacity::shared_reads::is_cut_off;
use crate::deliverables::markdown::{code, inline};
use crate::deliverables::outline::Outline;
use crate::deliverables::patterns::Pattern;
use crate::model::answers::sorts;
use crate::model::defs::*;
use crate::model::identity::hold_one_id;
use crate::model::key::{KeyHole, KeyPiece};
use crate::model::key_condition::conjuncts;
use crate::model::layout::ItemLayout;
use crate::model::names::find_entity;
use crate::model::resolve::{Step, operand_value};
use crate::syntax::template::{Format, TimePart};
use std::collections::BTreeSet;

/// What of a requirement to read the operations of its pattern do not keep, each as the
/// end of a sentence about the pattern.
pub(super) fn broken(outline: &Outline<'_>, pattern: &Pattern<'_>, requirement: &RequirementDef) -> Vec<String> {
    if requirement.writes {
        return Vec::new();
    }
    let mut broken = Vec::new();
    for by in &requirement.by {
        if !reading(pattern).any(|(_, step)| is_found_by(outline, requirement, step, &by.text)) {
            broken.push(format!("is to read by {}, and what answers it is not given that", code(&by.text)));
        }
    }
    for used in &requirement.uses {
        let name = used.entity.text.as_str();
        let own: Vec<(usize, &Step<'_>, &ItemLayout)> = reading(pattern)
            .flat_map(|(index, step)| step.items().into_iter().map(move |item| (index, step, item)))
            .filter(|(.., item)| item.holds(name))
            .collect();
        let is_cut =
            |index: usize, item: &ItemLayout| is_cut_off(outline.db, outline.root, pattern.decl, index, &item.entity);
        if !own.is_empty() && own.iter().all(|(index, _, item)| is_cut(*index, item)) {
            broken.push(format!("is to read {}, and the `limit` of its operation ends before it", inline(name)));
        }
        let Some(order) = &requirement.order else { continue };
        // The order of a list is the caller's; an attribute of another orders others.
        let of_kind: Vec<&(usize, &Step<'_>, &ItemLayout)> =
            own.iter().filter(|(.., item)| item.entity == name && has(outline, item, &order.text)).collect();
        if of_kind.is_empty() {
            continue;
        }
        let down = if requirement.descending { " descending" } else { "" };
        if !of_kind.iter().any(|(_, step, item)| is_in_order(outline, step, item, requirement)) {
            let order = code(&order.text);
            broken.push(format!("is to read {} ordered by {order}{down}, and what answers it does not", inline(name)));
        }
    }
    broken
}

fn reading<'p, 'db>(pattern: &'p Pattern<'db>) -> impl Iterator<Item = (usize, &'p Step<'db>)> {
    pattern.steps.iter().enumerate().filter(|(_, step)| step.step.op.reads())
}

fn has(outline: &Outline<'_>, item: &ItemLayout, attribute: &str) -> bool {
    let entity = find_entity(outline.db, outline.root, &item.entity);
    entity.is_some_and(|entity| entity.attribute(attribute).is_some())
}

/// Whether a step is given an attribute to find its items by: in its key, or in what it
/// filters by.
fn is_found_by(outline: &Outline<'_>, requirement: &RequirementDef, step: &Step<'_>, by: &str) -> bool {
    let filter = step.step.op.options().and_then(|options| options.filter.as_ref()?.conditions.as_ref());
    if filter.is_some_and(|filter| filter.leaves().iter().any(|term| term.names(by))) {
        return true;
    }
    let owners = owners(outline, requirement, by);
    step.items().into_iter().any(|item| {
        let is_it = |name: &str| {
            name == by
                || owners.iter().any(|owner| hold_one_id(outline.db, outline.root, (&item.entity, name), (owner, by)))
        };
        given(outline, step, item).into_iter().any(|name| is_it(&name))
    })
}

/// The entities that an attribute in `by` is one of: those that are read, else any.
fn owners<'o>(outline: &Outline<'o>, requirement: &'o RequirementDef, by: &str) -> Vec<&'o str> {
    let has = |name: &str| find_entity(outline.db, outline.root, name).is_some_and(|def| def.attribute(by).is_some());
    let read = requirement.uses.iter().map(|used| used.entity.text.as_str());
    let own: Vec<&str> = read.filter(|name| has(name)).collect();
    if !own.is_empty() {
        return own;
    }
    outline.entities.iter().filter_map(|entity| entity.name).filter(|name| has(name)).collect()
}

/// The attributes of an item's key that a step is given, or holds against a range.
fn given(outline: &Outline<'_>, step: &Step<'_>, item: &ItemLayout) -> BTreeSet<String> {
    let Some(source) = step.source else { return BTreeSet::new() };
    match &step.step.op {
        OpDef::Get { .. } => item.made_from(source.layout.primary_key()).into_iter().map(str::to_owned).collect(),
        OpDef::Query { conditions: Some(conditions), .. } => {
            let comparisons = conjuncts(conditions);
            let pinned = pinned(outline.db, source, item, &comparisons);
            let whole = pinned.partition.iter().chain(&pinned.sort).map(|given| given.hole.name.clone());
            let is_range =
                |comparison: &&&Comparison| !matches!(comparison.operator, Operator::Equal | Operator::BeginsWith);
            // A beginning that the caller supplies is one of what comes next.
            let begun = comparisons.iter().filter_map(|comparison| {
                let operand = comparison.operands.first().filter(|_| comparison.operator == Operator::BeginsWith)?;
                let operand = operand_value(outline.db, source.layout, item, operand);
                operand.holes().any(|hole| hole.parameter).then_some(comparison)
            });
            let begun = begun.filter_map(|comparison| item.keys.get(&comparison.attribute.text)).filter_map(|key| {
                let mut holes = key.value.holes().map(|hole| &hole.name);
                holes.find(|name| !pinned.sort.iter().any(|given| given.hole.name == **name)).cloned()
            });
            let begun: Vec<String> = begun.collect();
            let ranges = comparisons.iter().filter(is_range);
            let held = ranges.filter_map(|comparison| item.keys.get(&comparison.attribute.text));
            let held = held.flat_map(|key| key.value.attributes()).map(str::to_owned);
            whole.chain(held).chain(begun).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// Whether a step gives back items of a kind in the order that is wanted. One item is
/// in any.
fn is_in_order(outline: &Outline<'_>, step: &Step<'_>, item: &ItemLayout, requirement: &RequirementDef) -> bool {
    let (Some(source), Some(order)) = (step.source, &requirement.order) else { return false };
    let OpDef::Query { conditions: Some(conditions), options, .. } = &step.step.op else {
        return matches!(step.step.op, OpDef::Get { .. }) && step.step.times() <= 1.0;
    };
    let pinned = pinned(outline.db, source, item, &conjuncts(conditions));
    let is_given = |name: &str| pinned.sort.iter().any(|given| given.hole.name == name && is_full(given));
    let mut holes = source.sort().iter().filter_map(|key| item.keys.get(&key.name)).flat_map(|key| {
        let whole = key.value.whole_attribute().is_some();
        key.value.parts.iter().filter_map(move |part| match part {
            KeyPiece::Hole(hole) => Some((hole, whole)),
            KeyPiece::Literal(_) => None,
        })
    });
    // Behind what all of them have in common comes what tells them apart.
    let Some((next, whole)) = holes.find(|(hole, _)| !is_given(&hole.name)) else { return true };
    // To the minute, or in one spelling, is in order to people.
    let is_spelled = match next.format {
        Format::Lower | Format::Upper => next.name == order.text,
        Format::Time(part) => next.name == order.text && part == TimePart::Minute,
        _ => false,
    };
    let in_order = sorts(next, &order.text) || is_spelled || (whole && next.name == order.text);
    (in_order || is_as_old(outline, item, next, &order.text)) && options.descending.is_some() == requirement.descending
}

/// Whether what comes next tells how old an item is, and the order is that of a time
/// which never changes: ULIDs and KSUIDs sort by when they were made.
fn is_as_old(outline: &Outline<'_>, item: &ItemLayout, next: &KeyHole, order: &str) -> bool {
    let entity = find_entity(outline.db, outline.root, &item.entity);
    let time = entity.and_then(|entity| entity.attribute(order));
    next.format == Format::Plain
        && matches!(next.ty, Some(Type::Ulid | Type::Ksuid))
        && time.is_some_and(|time| time.immutable.is_some() && matches!(time.ty, Type::Timestamp | Type::Epoch))
}
