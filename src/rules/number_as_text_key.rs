//! A number without zeros in front in a string sort key that is read in order.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::heat_show::{item_def, key_place};
use super::key_operands::{hole_at, item_template, key_operands, rewrite};
use super::rule::{Group, Rule};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, KeyAttribute, Source, TableLayout};
use crate::model::lower::decl_name;
use crate::model::names::{entity_def, pattern_def};
use crate::model::resolve::{operand_value, patterns_of_table};
use crate::syntax::Unit;
use crate::syntax::template::{Format, Hole};
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "number-as-text-key",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "a number without zero padding in a string sort key that some pattern puts in order",
    thresholds: &[],
    check: Check::Table(check),
};

/// Digits of an epoch: from 2001 to 2286.
const EPOCH_DIGITS: u32 = 10;
/// Digits of the longest number (facts 3.1), and of the widest hole.
const MOST_DIGITS: f64 = 38.0;

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // A hole that cannot be read may be what tells the items apart.
    if cx.is_broken() {
        return;
    }
    let mut told: BTreeSet<(&str, &str)> = BTreeSet::new();
    for source in layout.sources() {
        for key in source.sort().iter().filter(|key| key.ty == Some(KeyType::String)) {
            for item in source.items() {
                let Some(stored) = item.keys.get(&key.name).filter(|stored| stored.template) else { continue };
                for (at, hole) in numbers(&stored.value) {
                    if told.contains(&(item.entity.as_str(), key.name.as_str()))
                        || is_told_apart(cx, source, key, item, at)
                    {
                        continue;
                    }
                    let Some(order) = order(cx, source, key, item, at) else { continue };
                    told.insert((&item.entity, &key.name));
                    report(cx, source, key, item, (at, hole), &order);
                }
            }
        }
    }
}

/// The numbers in a key that are written without zeros in front, each with its
/// place among the parts.
fn numbers(value: &KeyValue) -> impl Iterator<Item = (usize, &KeyHole)> {
    value.parts.iter().enumerate().filter_map(|(at, part)| match part {
        KeyPiece::Hole(hole) => {
            let plain = matches!(hole.format, Format::Plain | Format::Lower | Format::Upper);
            (plain && matches!(hole.ty, Some(Type::Number | Type::Epoch))).then_some((at, hole))
        }
        KeyPiece::Literal(_) => None,
    })
}

/// Whether what stands before the number is all that identifies an item: then the
/// number decides no order.
fn is_told_apart(cx: &Cx<'_>, source: Source<'_>, key: &KeyAttribute, item: &ItemLayout, at: usize) -> bool {
    let Some(entity) = item.entity_decl.and_then(|decl| entity_def(cx.db, decl)) else { return true };
    let earlier = source.sort().iter().take_while(|sort| sort.name != key.name);
    let whole = source.partition().iter().chain(earlier).filter_map(|key| item.keys.get(&key.name));
    let own = item.keys.get(&key.name).map(|stored| KeyValue { parts: stored.value.parts[..at].to_vec() });
    let values: Vec<KeyValue> = whole.map(|source| source.value.clone()).chain(own).collect();
    let held = |name: &str| values.iter().any(|value| value.holds(name));
    let unique = |attribute: &AttributeDef| attribute.unique.as_ref().is_some_and(|unique| unique.scope.is_empty());
    let mut ids = entity.ids().peekable();
    (ids.peek().is_some() && ids.all(|id| held(&id.name.text)))
        || entity.attributes.iter().any(|attribute| unique(attribute) && held(&attribute.name.text))
}

/// A pattern that puts the items in the order of a key.
struct Order {
    pattern: Decl,
    /// What it does in that order.
    how: String,
}

fn order(cx: &Cx<'_>, source: Source<'_>, key: &KeyAttribute, item: &ItemLayout, at: usize) -> Option<Order> {
    for decl in patterns_of_table(cx.db, cx.root, cx.decl) {
        let Some(pattern) = pattern_def(cx.db, *decl) else { continue };
        for step in cx.steps_of(*decl) {
            let same = step.source.is_some_and(|own| own.layout.decl == cx.decl && own.label() == source.label());
            if same
                && step.resolved.reached.contains(&item.entity)
                && let Some(how) = ordered(cx, source, key, item, at, pattern, &step)
            {
                return Some(Order { pattern: *decl, how });
            }
        }
    }
    None
}

/// What a query does in the order of the `at`th part of a key; `None` where it does
/// nothing, or where it asks for one value of it.
fn ordered(
    cx: &Cx<'_>,
    source: Source<'_>,
    key: &KeyAttribute,
    item: &ItemLayout,
    at: usize,
    pattern: &PatternDef,
    step: &StepCx<'_>,
) -> Option<String> {
    let OpDef::Query { conditions, options, .. } = &step.step.op else { return None };
    let stored = &item.keys.get(&key.name)?.value;
    let all = conditions.as_ref().map(conjuncts).unwrap_or_default();
    if let Some(comparison) = all.iter().find(|comparison| comparison.attribute.text == key.name) {
        let reaches = |operand: &OperandDef| {
            let value = operand_value(cx.db, source.layout, item, operand);
            let whole = matches!(operand, OperandDef::Parameter(_));
            whole || value.runs_along(stored) > at || goes_into(&value, stored, at)
        };
        match comparison.operator {
            Operator::Equal => return None,
            Operator::BeginsWith if comparison.operands.iter().any(reaches) => return None,
            Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual
            | Operator::Between
                if comparison.operands.iter().any(reaches) =>
            {
                return Some("reads a range of it".to_owned());
            }
            _ => {}
        }
    }
    let name = match stored.parts.get(at)? {
        KeyPiece::Hole(hole) => &hole.name,
        KeyPiece::Literal(_) => return None,
    };
    let wanted = pattern.requirements.iter().filter_map(|requirement| requirement.order.as_ref());
    if let Some(limit) = options.limit.as_ref().and_then(|limit| limit.get(Unit::Number)) {
        let end = if options.descending.is_some() { "last" } else { "first" };
        return Some(format!("takes the {end} {} in that order", show::count(limit)));
    }
    if options.descending.is_some() {
        return Some("reads it descending".to_owned());
    }
    let mut wanted = wanted.filter(|order| order.text == *name || order.text == key.name);
    wanted.next().map(|order| format!("wants it ordered by `{}`", order.text))
}

/// Whether the text of an operand goes on into the `at`th part of a key, a number:
/// `LINE#5` does where the key is `LINE#` and a number.
fn goes_into(operand: &KeyValue, stored: &KeyValue, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return matches!(operand.parts.first(), Some(KeyPiece::Literal(_)));
    };
    match (operand.parts.get(before), stored.parts.get(before)) {
        (Some(KeyPiece::Literal(asked)), Some(KeyPiece::Literal(held))) => {
            operand.runs_along(stored) == before && asked.len() > held.len() && asked.starts_with(held.as_str())
        }
        _ => false,
    }
}

fn report(
    cx: &mut Cx<'_>,
    source: Source<'_>,
    key: &KeyAttribute,
    item: &ItemLayout,
    (at, hole): (usize, &KeyHole),
    order: &Order,
) {
    let pattern = decl_name(cx.db, order.pattern).as_deref().unwrap_or("?").to_owned();
    let width = digits(cx, item, hole);
    let fix = width.and_then(|width| fix(cx, source.layout, key, item, at, width));
    let (compared, advice) = match (&hole.ty, width) {
        (Some(Type::Epoch), _) => (
            "as text seconds are in order only while all have as many digits, and 999999999 (2001) sorts behind \
             1000000000",
            format!("pad it, as `{{{}:{EPOCH_DIGITS}}}`", hole.name),
        ),
        (_, Some(width)) => ("as text 10 sorts before 2", format!("pad it, as `{{{}:{width}}}`", hole.name)),
        (_, None) => (
            "as text 10 sorts before 2",
            format!("pad it to its digits, as `{{{}:…}}`, or say how many there are by `@size(max …)`", hole.name),
        ),
    };
    let message = format!(
        "`{}` stands without zeros in front in `{}` of `{}`, a string, and `{pattern}` {}: {compared}; {advice}",
        hole.spelling(),
        key.name,
        item.entity,
        order.how,
    );
    let range = key_place(cx, source.layout, std::slice::from_ref(key), &item.entity);
    let reader = cx.name_place(order.pattern);
    let index = source.index.map(|index| cx.place(index.name.range));
    let finding = cx.report(range, message);
    if let Some(place) = reader {
        finding.relate(place, format!("`{pattern}` {}", order.how));
    }
    if let Some(index) = index {
        finding.about(index);
    }
    if let (Some(edits), Some(width)) = (fix, width) {
        finding.fix(format!("Pad `{}` to {width} digits", hole.name), edits);
    }
}

/// The digits of the largest number that the attribute's declared maximum leaves
/// room for: two a byte, besides the one that every number has (facts 3.1).
fn digits(cx: &Cx<'_>, item: &ItemLayout, hole: &KeyHole) -> Option<u32> {
    if hole.ty == Some(Type::Epoch) {
        return Some(EPOCH_DIGITS);
    }
    let attribute = entity_def(cx.db, item.entity_decl?)?.attribute(&hole.name)?;
    let bytes = attribute.size.as_ref()?.max(Unit::Size)?;
    Some((2.0 * (bytes - 1.0)).clamp(1.0, MOST_DIGITS) as u32)
}

/// Pads the number in the item's key and in every operand that gives it; `None`
/// where one gives it as text, or would meet another item that is not padded.
fn fix(
    cx: &Cx<'_>,
    layout: &TableLayout,
    key: &KeyAttribute,
    item: &ItemLayout,
    at: usize,
    width: u32,
) -> Option<Vec<Edit>> {
    let padded = |hole: &Hole| Hole { format: Format::Padded(width), ..hole.clone() }.spelling();
    let (template, range) = item_template(item_def(cx, item)?, &key.name)?;
    let hole = hole_at(template, at)?;
    let stored = &item.keys.get(&key.name)?.value;
    let mut edits = vec![rewrite(cx.place(range), hole, padded(hole))];
    for operand in key_operands(cx, &key.name) {
        let value = operand.value(cx, layout, item);
        let Some((asked, string)) = operand.template().filter(|_| operand.meets(item)) else { continue };
        if goes_into(&value, stored, at) {
            return None;
        }
        if value.runs_along(stored) <= at {
            continue;
        }
        let given = hole_at(asked, at)?;
        if given.format != Format::Plain || !cx.is_whole(operand.pattern) {
            return None;
        }
        // Another item with the number as it is would no longer be found.
        let others = layout.items.iter().filter(|other| other.entity != item.entity && operand.meets(other));
        let unpadded = |other: &ItemLayout| {
            let stored = other.keys.get(&key.name);
            stored.is_some_and(|stored| {
                let runs = value.runs_along(&stored.value) > at;
                runs && matches!(stored.value.parts.get(at), Some(KeyPiece::Hole(hole)) if hole.format != Format::Padded(width))
            })
        };
        if others.into_iter().any(unpadded) {
            return None;
        }
        let place: Place = operand.place(string);
        edits.push(rewrite(place, given, padded(given)));
    }
    Some(edits)
}
