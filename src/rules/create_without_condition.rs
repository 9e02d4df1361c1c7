//! A put that would replace an item unawares.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::condition_end;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::ItemLayout;
use crate::model::names::{entity_def, pattern_def};
use crate::model::resolve::patterns_of_entity;
use crate::model::unique::unique_values;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "create-without-condition",
    group: Group::Names,
    level: Level::Hint,
    summary: "the only put of an entity has no condition, and its id is not generated",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    // What cannot be read may be the condition.
    if cx.is_broken() {
        return;
    }
    let mut told = BTreeSet::new();
    for step in cx.steps() {
        let batch = step.operation.group.as_ref().is_some_and(|group| group.kind == GroupKind::Batch);
        let OpDef::Put { subject: Some(subject), condition: None, .. } = &step.step.op else { continue };
        let Some(layout) = step.source.map(|source| source.layout) else { continue };
        // A put of an embedded entity adds to its parent's item, which is there.
        let Some(item) = layout.items.iter().find(|item| item.entity == subject.entity.text) else { continue };
        let Some(decl) = item.entity_decl.filter(|_| !batch) else { continue };
        let Some(entity) = entity_def(cx.db, decl).filter(|entity| !has_generated_id(entity)) else { continue };
        // Of an id that has to be unique more is said where the put is told.
        let is_told = unique_values(&item.entity, entity).any(|value| value.is_own_key(layout, item));
        if is_told || others_put(cx, &item.entity) {
            continue;
        }
        // A put with a condition beside it may be the one that creates.
        let own: Vec<StepCx<'_>> = cx.steps().into_iter().filter(|other| puts(&other.step.op, &item.entity)).collect();
        let is_conditional = |step: &StepCx<'_>| matches!(&step.step.op, OpDef::Put { condition: Some(_), .. });
        if told.insert(item.entity.as_str()) && !own.iter().any(is_conditional) {
            report(cx, &step, item, &own);
        }
    }
}

/// Whether the item has an id that nobody else makes.
fn has_generated_id(entity: &EntityDef) -> bool {
    entity.ids().any(|id| id.of.is_none() && matches!(id.ty, Type::Uuid | Type::Ulid | Type::Ksuid))
}

/// Whether another pattern puts the entity as well: then one may be the one that
/// creates it, and the other the one that replaces it.
fn others_put(cx: &Cx<'_>, entity: &str) -> bool {
    let patterns = patterns_of_entity(cx.db, cx.root, entity);
    let others = patterns.iter().filter(|pattern| **pattern != cx.decl);
    let mut steps = others.filter_map(|pattern| pattern_def(cx.db, *pattern)).flat_map(PatternDef::steps);
    steps.any(|(_, step)| puts(&step.op, entity))
}

fn puts(op: &OpDef, entity: &str) -> bool {
    matches!(op, OpDef::Put { subject: Some(subject), .. } if subject.entity.text == entity)
}

/// One finding of an entity, on its first put, with the others of the pattern.
fn report(cx: &mut Cx<'_>, step: &StepCx<'_>, item: &ItemLayout, own: &[StepCx<'_>]) {
    let Some(layout) = step.source.map(|source| source.layout) else { return };
    let keys: Vec<String> = layout
        .primary_key()
        .filter_map(|key| {
            let value = &item.keys.get(&key.name)?.value;
            Some(match value.whole_attribute() {
                Some(whole) if whole == key.name => format!("`{}`", key.name),
                _ => format!("`{} = {}`", quote_name(&key.name), value.spelling()),
            })
        })
        .collect();
    let message = format!(
        "{}, and no id in the key {} is generated: a second put of the same key replaces the first item unseen; add \
         `if not_exists`, which costs nothing, or `allow` it where the latest is meant to win",
        match own.len() {
            0 | 1 => format!("this is the only put of `{}`, it has no condition", item.entity),
            puts => format!("no other pattern puts `{}`, none of the {puts} puts here has a condition", item.entity),
        },
        keys.join(", ")
    );
    let place = Place { decl: layout.decl, range: item.range };
    let single = |step: &&StepCx<'_>| step.operation.group.as_ref().is_none_or(|group| group.kind != GroupKind::Batch);
    let ends = own.iter().filter(single).map(|put| condition_end(&cx.chunk().text, put.step));
    let edits: Vec<Edit> = ends
        .map(|end| Edit::Replace { place: cx.place(TextRange::empty(end)), text: " if not_exists".to_owned() })
        .collect();
    let others: Vec<Place> =
        own.iter().map(|put| cx.place(put.step.range)).filter(|place| place.range != step.step.range).collect();
    let finding = cx.report(step.step.range, message);
    finding.relate(place, "the item that is put");
    for other in others {
        finding.relate(other, "puts it as well");
    }
    finding.suggest("Put it only `if not_exists`", edits);
}
