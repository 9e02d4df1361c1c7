//! A put that would replace an item unawares.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::condition_end;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::ItemLayout;
use crate::model::names::{entity_def, pattern_def};
use crate::model::resolve::patterns_of_entities;
use crate::model::unique::unique_values;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

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
        report(cx, &step, item);
    }
}

/// Whether the item has an id that nobody else makes.
fn has_generated_id(entity: &EntityDef) -> bool {
    entity.ids().any(|id| id.of.is_none() && matches!(id.ty, Type::Uuid | Type::Ulid | Type::Ksuid))
}

/// Whether another pattern puts the entity as well: then one may be the one that
/// creates it, and the other the one that replaces it.
fn others_put(cx: &Cx<'_>, entity: &str) -> bool {
    let patterns = patterns_of_entities(cx.db, cx.root).get(entity).map(Vec::as_slice).unwrap_or_default();
    let others = patterns.iter().filter(|pattern| **pattern != cx.decl);
    let mut steps = others.filter_map(|pattern| pattern_def(cx.db, *pattern)).flat_map(PatternDef::steps);
    steps.any(|(_, step)| match &step.op {
        OpDef::Put { subject: Some(subject), .. } => subject.entity.text == entity,
        _ => false,
    })
}

fn report(cx: &mut Cx<'_>, step: &StepCx<'_>, item: &ItemLayout) {
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
        "this is the only put of `{}`, it has no condition, and no id in the key {} is generated: a second put of the \
         same key replaces the first item unseen; add `if not_exists`, which costs nothing, or `allow` it where the \
         latest is meant to win",
        item.entity,
        keys.join(", ")
    );
    let place = Place { decl: layout.decl, range: item.range };
    let end = cx.place(TextRange::empty(condition_end(&cx.chunk().text, step.step)));
    let edit = Edit::Replace { place: end, text: " if not_exists".to_owned() };
    let finding = cx.report(step.step.range, message);
    finding.relate(place, "the item that is put");
    finding.suggest("Put it only `if not_exists`", vec![edit]);
}
