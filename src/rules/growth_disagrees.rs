//! An entity whose declared growth is not what its puts make.

use super::check::{Check, Cx, StepCx};
use super::finding::Level;
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use super::users::relate_patterns;
use crate::capacity::facts::{Declared, Facts};
use crate::capacity::figure::{Figure, Input};
use crate::capacity::operations::pattern_numbers;
use crate::capacity::show;
use crate::config::Bounds;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::unique::wants_existing;
use crate::model::uses::{expires_by, items_of, uses_of};
use crate::syntax::{Quantity, Unit};
use std::collections::BTreeMap;

pub static RULE: Rule = Rule {
    name: "growth-disagrees",
    group: Group::Requirements,
    level: Level::Info,
    summary: "an entity's `growing` and the average rate of its puts differ by more than a factor of two",
    thresholds: &[FACTOR],
    check: Check::Entity(check),
};

const FACTOR: Threshold = Threshold {
    name: "factor",
    default: Quantity { value: 2.0, unit: Unit::Number },
    bounds: Bounds::above(1.0),
    summary: "how many times the one may be the other",
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    let Some(growing) = entity.growing.as_ref().and_then(|rate| rate.get(Unit::Rate)).filter(|rate| *rate > 0.0) else {
        return;
    };
    let deleted = uses_of(cx.db, cx.root, &name).is_some_and(|uses| !uses.deletes.is_empty());
    let expires = items_of(cx.db, cx.root, &name).any(|(layout, item)| expires_by(cx.db, layout, item).is_some());
    if cx.is_broken() || entity.lifetime.is_some() || deleted || expires {
        return;
    }
    let (puts, patterns) = puts(cx, &name);
    let (Some(puts), false) = (puts.value(), patterns.is_empty()) else { return };
    let factor = cx.threshold(&FACTOR).max(1.0);
    if puts <= growing * factor && growing <= puts * factor {
        return;
    }
    let day = |rate: f64| show::count(rate * 86_400.0);
    let (many, few) = (puts.max(growing), puts.min(growing));
    let times = if few > 0.0 { format!("{} times", show::number(many / few)) } else { "which is none,".to_owned() };
    let how = if puts > growing { "more than" } else { "less than" };
    let message = format!(
        "`{name}` is declared to grow by {} a day, and its puts make {} a day, {times} {how} that; nothing deletes it, so \
         one of the two is wrong, and storage or the cost of writing with it; correct `growing` or the rates, or say \
         with `if exists` which puts only replace",
        day(growing),
        day(puts),
    );
    let at = cx.findings.len();
    cx.report(cx.name_range(), message);
    relate_patterns(cx, at, &patterns, "puts it");
}

/// How many items the patterns of the model put a second, and which patterns do.
/// An item that is kept in several tables is put into each of them: that of the
/// table with the most counts.
fn puts(cx: &Cx<'_>, name: &str) -> (Figure, Vec<Decl>) {
    let Some(uses) = uses_of(cx.db, cx.root, name) else { return (Figure::ZERO, Vec::new()) };
    let mut by_table: BTreeMap<String, Figure> = BTreeMap::new();
    let mut patterns = Vec::new();
    // A pattern that writes both the parent and the child is one pattern.
    let more = uses.writes_parent.iter().filter(|pattern| !uses.writes.contains(pattern));
    for decl in uses.writes.iter().chain(more) {
        let Some(numbers) = pattern_numbers(cx.db, cx.root, *decl) else { continue };
        let steps = cx.steps_of(*decl);
        let own_put = |entity: &str| steps.iter().any(|step| puts_new(step) == Some(entity));
        for step in &steps {
            let (Some(put), Some(source)) = (puts_new(step), step.source) else { continue };
            let Some(item) = source.layout.item_of(put) else { continue };
            let each = if put == name {
                // What is put with its parent is in the parent's list already.
                if item.entity != name && own_put(&item.entity) {
                    continue;
                }
                Figure::known(1.0)
            } else if item.entity == put && item.embeds.iter().any(|embed| embed.entity == name) {
                children(cx, put, name)
            } else {
                continue;
            };
            let sum = by_table.entry(source.layout.name.text.clone()).or_insert(Figure::ZERO);
            *sum = sum.plus(&numbers.rate.times(&each).scaled(step.step.times()));
            if !patterns.contains(decl) {
                patterns.push(*decl);
            }
        }
    }
    let most = by_table.into_values().reduce(|a, b| if b.low() > a.low() { b } else { a });
    (most.unwrap_or(Figure::ZERO), patterns)
}

/// The entity that a step puts, where it may be a new item.
fn puts_new<'d>(step: &StepCx<'d>) -> Option<&'d str> {
    let OpDef::Put { subject, condition, .. } = &step.step.op else { return None };
    let replaces = condition.as_ref().is_some_and(|condition| wants_existing(&condition.kind));
    subject.as_ref().filter(|_| !replaces).map(|subject| subject.entity.text.as_str())
}

fn children(cx: &Cx<'_>, parent: &str, child: &str) -> Figure {
    let input = || Input::Children { parent: parent.to_owned(), child: child.to_owned() };
    let facts = Declared { db: cx.db, root: cx.root };
    let linked = facts.linked(cx.decl);
    Figure::declared(linked.children(parent, child, None).and_then(|children| children.avg), input)
}
