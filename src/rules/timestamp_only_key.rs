//! A primary key in which nothing but a time tells the items of an entity apart.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::{listed, set_key_values};
use super::heat_show::{item_def, key_place};
use super::key_operands::{is_used_elsewhere, key_operands};
use super::rule::{Group, Rule};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::held::Clause;
use crate::model::key::{KeyHole, KeyValue};
use crate::model::layout::{ItemLayout, KeyAttribute, TableLayout};
use crate::model::names::{entity_def, pattern_def};
use crate::model::resolve::patterns_of_table;
use crate::model::unique::refuses_existing;
use crate::syntax::strings::quote_name;
use crate::syntax::template::{Format, TimePart};
use crate::syntax::{TextRange, Unit};

pub static RULE: Rule = Rule {
    name: "timestamp-only-key",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "in a table's primary key time alone tells the items of an entity apart, and its id is not in the key",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // A key clause that cannot be read may be what tells the items apart.
    if cx.is_broken() {
        return;
    }
    for item in &layout.items {
        let Some(entity) = item.entity_decl.and_then(|decl| entity_def(cx.db, decl)) else { continue };
        let Some(key) = timed_key(layout, item) else { continue };
        let values = || layout.primary_key().filter_map(|key| item.keys.get(&key.name)).map(|source| &source.value);
        // A time that is part of the identity is meant to tell the items apart, be it
        // by the day alone: a total of the day is one.
        let is_it = |hole: &KeyHole, name: &str| hole.name == name && !matches!(hole.format, Format::Shard(_));
        let in_key = |attribute: &AttributeDef| {
            values().any(|value| value.holes().any(|hole| is_it(hole, &attribute.name.text)))
        };
        let unique =
            |attribute: &&AttributeDef| attribute.unique.as_ref().is_some_and(|unique| unique.scope.is_empty());
        let missing: Vec<&AttributeDef> = entity.ids().filter(|id| !in_key(id)).collect();
        if !missing.is_empty() && !entity.attributes.iter().filter(unique).any(in_key) {
            report(cx, layout, item, key, &missing);
        }
    }
}

/// The key attribute that lacks an id: the sort key where time is all that varies in
/// it, or where nothing does and time is all that varies in the partition key.
fn timed_key<'l>(layout: &'l TableLayout, item: &ItemLayout) -> Option<&'l KeyAttribute> {
    let holes = |keys: &[KeyAttribute]| -> Option<Vec<KeyHole>> {
        let values: Option<Vec<&KeyValue>> = keys.iter().map(|key| Some(&item.keys.get(&key.name)?.value)).collect();
        Some(values?.into_iter().flat_map(KeyValue::holes).cloned().collect())
    };
    let (partition, sort) = (holes(&layout.partition)?, holes(&layout.sort)?);
    let timed = |holes: &[KeyHole]| !holes.is_empty() && holes.iter().all(KeyHole::is_time);
    let key = layout.sort.last().or(layout.partition.last());
    key.filter(|_| timed(&sort) || (sort.is_empty() && timed(&partition)))
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, item: &ItemLayout, key: &KeyAttribute, missing: &[&AttributeDef]) {
    let Some(stored) = item.keys.get(&key.name) else { return };
    let names: Vec<&str> = missing.iter().map(|id| id.name.text.as_str()).collect();
    let holes: Vec<KeyHole> = layout
        .primary_key()
        .filter_map(|key| item.keys.get(&key.name))
        .flat_map(|key| key.value.holes())
        .cloned()
        .collect();
    let instant = holes.iter().filter(|hole| hole.is_time()).map(precision).max_by_key(|(rank, _)| *rank);
    let instant = instant.map_or("instant", |(_, word)| word);
    let puts = match puts_at_peak(cx, layout, item) {
        peak if peak > 0.0 => format!(", of which {} are put a second at the peak,", show::number(peak)),
        _ => String::new(),
    };
    let fix = fix(cx, layout, item, key, missing);
    let advice = match key.ty {
        Some(KeyType::Number) => "take a string key that holds the id as well".to_owned(),
        _ => format!("append the id, as {}", KeyValue::spelling(&appended(&stored.value, missing))),
    };
    let guarded = puts_refuse(cx, layout, item);
    let happens = match guarded {
        true => "the second is refused, which loses it unless the time is what must be free",
        false => "the later replaces the earlier without a word",
    };
    let message = format!(
        "nothing but time tells `{}`{puts} apart in `{}`, {}: {} not in the key, and of two that fall on one {instant} \
         {happens}; {advice}{}",
        item.entity,
        key.name,
        stored.value.spelling(),
        match names.as_slice() {
            [one] => format!("`{one}` is"),
            all => format!("{} are", listed(all)),
        },
        if guarded { ", or let the time be the only `@id` where one an instant is meant" } else { "" },
    );
    let related: Vec<(Place, String)> = missing
        .iter()
        .filter_map(|id| Some((Place { decl: item.entity_decl?, range: id.name.range }, "not in the key".to_owned())))
        .collect();
    let range = key_place(cx, layout, std::slice::from_ref(key), &item.entity);
    let own = cx.place(item.range);
    let finding = cx.report(range, message);
    // An `allow` in the item's block is meant as well where the key part is marked.
    finding.about(own);
    for (place, message) in related {
        finding.relate(place, message);
    }
    if let Some(edits) = fix {
        let title = format!("Append {} to `{}`", listed(&names), key.name);
        // Where the key is a guard, the id in it would be none.
        match guarded {
            true => finding.suggest(title, edits),
            false => finding.fix(title, edits),
        };
    }
}

/// How finely a time tells instants apart, with its word.
fn precision(hole: &KeyHole) -> (u8, &'static str) {
    match hole.format {
        Format::Time(TimePart::Year) => (0, "year"),
        Format::Time(TimePart::Month) => (1, "month"),
        Format::Time(TimePart::Day) => (2, "day"),
        Format::Time(TimePart::Hour) => (3, "hour"),
        Format::Time(TimePart::Minute) => (4, "minute"),
        _ => (5, "second"),
    }
}

/// Whether every put of the entity into the table refuses one that is there.
fn puts_refuse(cx: &Cx<'_>, layout: &TableLayout, item: &ItemLayout) -> bool {
    let patterns = patterns_of_table(cx.db, cx.root, layout.decl).iter();
    let steps = patterns.flat_map(|decl| cx.steps_of(*decl)).filter(|step| step.resolved.table == Some(layout.decl));
    let mut puts = steps.filter_map(|step| match &step.step.op {
        OpDef::Put { subject: Some(subject), condition, .. } if subject.entity.text == item.entity => Some(condition),
        _ => None,
    });
    let refuses = |condition: &Option<WriteCondition>| {
        condition.as_ref().is_some_and(|condition| refuses_existing(&condition.kind, layout))
    };
    puts.next().is_some_and(|first| refuses(first) && puts.all(refuses))
}

/// How many items of the entity are put a second at the peaks of the patterns, as
/// far as they are declared.
fn puts_at_peak(cx: &Cx<'_>, layout: &TableLayout, item: &ItemLayout) -> f64 {
    let mut sum = 0.0;
    for decl in patterns_of_table(cx.db, cx.root, layout.decl) {
        let peak = pattern_def(cx.db, *decl).and_then(|pattern| pattern.rate.as_ref()?.max(Unit::Rate)).unwrap_or(0.0);
        for step in cx.steps_of(*decl) {
            let OpDef::Put { subject: Some(subject), .. } = &step.step.op else { continue };
            if step.resolved.table == Some(layout.decl) && subject.entity.text == item.entity {
                sum += peak * step.step.times();
            }
        }
    }
    sum
}

/// A key value with ids at its end.
fn appended(value: &KeyValue, ids: &[&AttributeDef]) -> KeyValue {
    let mut more = value.clone();
    for id in ids {
        let own = KeyValue::of_attribute(&id.name.text, Some(id));
        more.parts.extend(KeyValue::literal("#").parts);
        more.parts.extend(own.parts);
    }
    more
}

/// The edits that append the ids: to the item's value, and in what asks for one
/// instant by `=`, which then asks for all that begins with it.
fn fix(
    cx: &Cx<'_>,
    layout: &TableLayout,
    item: &ItemLayout,
    key: &KeyAttribute,
    missing: &[&AttributeDef],
) -> Option<Vec<Edit>> {
    let stored = item.keys.get(&key.name)?;
    let is_sort = layout.sort.iter().any(|sort| sort.name == key.name);
    if key.ty != Some(KeyType::String) || is_used_elsewhere(layout.table(), key) || !fits(missing) {
        return None;
    }
    let ids: String = missing.iter().map(|id| format!("#{{{}}}", quote_name(&id.name.text))).collect();
    let def = item_def(cx, item)?;
    let at_end = |place: Place, text: String| {
        let range = TextRange::empty(place.range.end as usize - 1);
        Edit::Replace { place: Place { range, ..place }, text }
    };
    let mut edits = match def.values.iter().rev().find(|value| value.key.text == key.name) {
        Some(value) => vec![match value.value.as_ref()? {
            KeyExpr::Template { range, .. } => at_end(cx.place(*range), ids.clone()),
            KeyExpr::Attribute(name) => {
                let text = format!("\"{{{}}}{ids}\"", quote_name(&name.text));
                Edit::Replace { place: cx.place(name.range), text }
            }
        }],
        None => {
            let name = quote_name(&key.name);
            vec![set_key_values(&cx.chunk().text, cx.decl, def, &[format!("{name} = \"{{{name}}}{ids}\"")])]
        }
    };
    for operand in key_operands(cx, &key.name) {
        let value = operand.value(cx, layout, item);
        let given = value.runs_along(&stored.value) == stored.value.parts.len()
            && value.parts.len() == stored.value.parts.len();
        // The caller's whole key is what the caller makes of it.
        let own = matches!(operand.operand, OperandDef::Parameter(_)) && stored.template;
        if !operand.meets(item) || own || !given {
            continue;
        }
        // A partition key takes no prefix.
        if !is_sort || operand.clause != Clause::Where || !cx.is_whole(operand.pattern) {
            return None;
        }
        if operand.comparison.operator != Operator::Equal {
            continue;
        }
        // What else the query finds has nothing behind the time.
        if operand.step.resolved.reached.len() > 1 {
            return None;
        }
        edits.push(Edit::Replace {
            place: operand.place(operand.comparison.operator_range),
            text: "begins_with".to_owned(),
        });
        edits.push(match operand.operand {
            OperandDef::String { range, .. } => at_end(operand.place(*range), "#".to_owned()),
            OperandDef::Parameter(name) => {
                let text = format!("\"{{:{}}}#\"", quote_name(&name.text));
                Edit::Replace { place: operand.place(name.range), text }
            }
            OperandDef::Number(_) | OperandDef::Boolean { .. } => return None,
        });
    }
    Some(edits)
}

/// Whether the ids can stand behind each other as text: one of open length at the
/// end at most, and no number, which would have to be padded.
fn fits(ids: &[&AttributeDef]) -> bool {
    let text = |id: &&AttributeDef| matches!(id.ty, Type::String | Type::Enum(_));
    let fixed = |id: &&AttributeDef| matches!(id.ty, Type::Uuid | Type::Ulid | Type::Ksuid);
    let (Some(last), before) = (ids.last(), &ids[..ids.len().saturating_sub(1)]) else { return false };
    !ids.iter().any(|id| id.optional) && (text(last) || fixed(last)) && before.iter().all(fixed)
}
