//! An update of an attribute from which the primary key is made.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, KeyAttribute, TableLayout};

pub static RULE: Rule = Rule {
    name: "update-of-primary-key",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an update sets or removes an attribute from which the table's primary key is made",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        report(cx, step);
    }
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>) {
    let OpDef::Update { subject: Some(subject), set, remove, .. } = &step.step.op else { return };
    let Some(layout) = step.source.map(|source| source.layout) else { return };
    // An embedded entity's attributes make no key: its parent's item has it.
    let Some(item) = layout.items.iter().find(|item| item.entity == subject.entity.text) else { return };
    let changed = set.iter().map(|name| ("set", name)).chain(remove.iter().map(|name| ("removed", name)));
    for (how, name) in changed {
        let Some(key) = key_made_from(layout, item, &name.text) else { continue };
        let entity = &item.entity;
        let value = item.keys.get(&key.name).map(|source| source.value.spelling()).unwrap_or_default();
        let made = match key.name == name.text {
            true => format!("is the key `{}` of `{entity}`", key.name),
            false => format!("is a part of the key `{} = {value}` of `{entity}`", key.name),
        };
        let message = format!(
            "`{}` is {how} by this update and {made}: UpdateItem cannot change a primary key; in one transaction, \
             delete the item and put it under its new key, or keep the attribute out of the key",
            name.text
        );
        let place = Place { decl: layout.decl, range: key.range };
        cx.report(name.range, message).relate(place, format!("the key `{}`", key.name));
    }
}

/// The part of the primary key that an attribute is, or is used in.
pub(super) fn key_made_from<'l>(
    layout: &'l TableLayout,
    item: &ItemLayout,
    attribute: &str,
) -> Option<&'l KeyAttribute> {
    layout.primary_key().find(|key| {
        let source = item.keys.get(&key.name);
        key.name == attribute || source.is_some_and(|source| source.value.attributes().contains(&attribute))
    })
}
