//! A query whose key condition no item can satisfy.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::model::key_condition::{conjuncts, unsupported};
use crate::model::layout::{ItemLayout, Source};
use crate::model::resolve::{comparison_can_mean, is_inverted};
use crate::syntax::TextRange;
use crate::syntax::template::Format;

pub static RULE: Rule = Rule {
    name: "query-matches-nothing",
    group: Group::Correctness,
    level: Level::Error,
    summary: "no item of the table or index can satisfy the query's key condition",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// So many of the values that a key has are named in a message.
const SHOWN: usize = 4;

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        report(cx, step);
    }
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>) {
    let OpDef::Query { target, conditions: Some(conditions), .. } = &step.step.op else { return };
    let Some(source) = step.source.filter(|_| step.resolved.reached.is_empty()) else { return };
    // Items that cannot be read, or whose entity nobody declares, may be those
    // that the query means; a key of no type is a name that nothing has.
    let layout = source.layout;
    if !cx.is_whole(layout.decl)
        || layout.items.iter().any(|item| item.entity_decl.is_none())
        || !source.has_sound_partition()
        || source.key().any(|key| key.ty.is_none())
    {
        return;
    }
    let items: Vec<&ItemLayout> = source.items().collect();
    if items.is_empty() {
        return report_empty(cx, source, target);
    }
    let faulty: Vec<&str> = unsupported(source, conditions).iter().filter_map(|part| part.why.attribute()).collect();
    let sound: Vec<&Comparison> = conjuncts(conditions)
        .into_iter()
        .filter(|comparison| !faulty.contains(&comparison.attribute.text.as_str()))
        .filter(|comparison| !is_mismatch(source, &items, comparison))
        .collect();
    let holds = |item: &ItemLayout, comparison: &Comparison| comparison_can_mean(cx.db, source, item, comparison);
    let impossible: Vec<&Comparison> =
        sound.iter().copied().filter(|comparison| !items.iter().any(|item| holds(item, comparison))).collect();
    if impossible.is_empty() {
        // Each holds for some items, and none of the items satisfies all.
        if !items.iter().any(|item| sound.iter().all(|comparison| holds(item, comparison))) {
            report_together(cx, source, &items, conditions, &sound);
        }
        return;
    }
    // Of several that hold for no item the first is told.
    let Some(first) = impossible.first() else { return };
    match left_out(cx, source, &sound) {
        Some((item, missing)) => report_left_out(cx, source, first, item, &missing),
        None => report_comparison(cx, source, &items, first),
    }
}

/// An item that would satisfy the condition and is not in the index, as it has no
/// value for some of the index's keys; with those.
fn left_out<'l>(cx: &Cx<'_>, source: Source<'l>, sound: &[&Comparison]) -> Option<(&'l ItemLayout, Vec<&'l str>)> {
    source.index?;
    source.layout.items.iter().find_map(|item| {
        let missing: Vec<&str> =
            source.key().filter(|key| !item.keys.contains_key(&key.name)).map(|key| key.name.as_str()).collect();
        // What it has must say that it is meant.
        let mut told = sound.iter().filter(|c| item.keys.contains_key(&c.attribute.text)).peekable();
        let fits = told.peek().is_some() && told.all(|c| comparison_can_mean(cx.db, source, item, c));
        (!missing.is_empty() && fits).then_some((item, missing))
    })
}

fn report_left_out(cx: &mut Cx<'_>, source: Source<'_>, comparison: &Comparison, item: &ItemLayout, missing: &[&str]) {
    let range = match comparison.operands.as_slice() {
        [operand] => operand.range(),
        _ => comparison.range,
    };
    let missing = listed(missing);
    let message = format!(
        "no item of `{}` can satisfy this key condition: `{}` would, but its block gives no value to {missing}, and what \
         lacks a key of an index is not in it; give it {missing}",
        source.label(),
        item.entity,
    );
    let place = Place { decl: source.layout.decl, range: item.range };
    cx.report(range, message).relate(place, format!("`{}` has no {missing}", item.entity));
}

fn report_empty(cx: &mut Cx<'_>, source: Source<'_>, target: &TargetDef) {
    let table = &source.layout.name.text;
    let (range, message) = match (source.index, &target.index) {
        (Some(index), Some(name)) => {
            let keys: Vec<&str> = source.key().map(|key| key.name.as_str()).collect();
            let message = format!(
                "index `{}` of `{table}` is empty: no item of the table has a value for {}; set them in the item \
                 that the query is for",
                index.name.text,
                listed(&keys)
            );
            (name.range, message)
        }
        _ => (target.range, format!("table `{table}` holds no items, so this query finds none; declare its items")),
    };
    let own = source.index.map_or(source.layout.name.range, |index| index.name.range);
    let place = Place { decl: source.layout.decl, range: own };
    let what = if source.index.is_some() { "the index" } else { "the table" };
    cx.report(range, message).relate(place, what);
}

fn report_comparison(cx: &mut Cx<'_>, source: Source<'_>, items: &[&ItemLayout], comparison: &Comparison) {
    let key = &comparison.attribute.text;
    let mut values: Vec<String> = items.iter().filter_map(|item| Some(describe(&item.keys.get(key)?.value))).collect();
    values.sort();
    values.dedup();
    let more = values.len().saturating_sub(SHOWN);
    values.truncate(SHOWN);
    let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    let range = match comparison.operands.as_slice() {
        [operand] => operand.range(),
        _ => comparison.range,
    };
    let written = cx.chunk().text.get(comparison.range.indices()).unwrap_or_default().to_owned();
    if is_inverted(cx.db, source, comparison) {
        let message = format!(
            "`{written}` begins where it should end: `between` runs from its lower bound to its higher one, DynamoDB \
             refuses it the other way round, and no item lies between; swap the two"
        );
        return report_at(cx, source, items, comparison.range, message, &[key]);
    }
    let message = format!(
        "no item of `{}` can satisfy `{written}`: its `{key}` is always {}{more}; write the condition as the items \
         write their key",
        source.label(),
        values.join(" or ")
    );
    report_at(cx, source, items, range, message, &[key]);
}

fn report_together(
    cx: &mut Cx<'_>,
    source: Source<'_>,
    items: &[&ItemLayout],
    conditions: &ConditionsDef,
    comparisons: &[&Comparison],
) {
    let text = &cx.chunk().text;
    let clauses: Vec<String> = comparisons
        .iter()
        .filter_map(|comparison| {
            let fitting = items.iter().filter(|item| comparison_can_mean(cx.db, source, item, comparison));
            let entities: Vec<&str> = fitting.map(|item| item.entity.as_str()).collect();
            let written = text.get(comparison.range.indices())?;
            (entities.len() < items.len()).then(|| format!("`{written}` fits {}", listed(&entities)))
        })
        .collect();
    let message = format!(
        "no item of `{}` can satisfy these conditions together: {}; ask for the keys of one entity",
        source.label(),
        clauses.join(", ")
    );
    let keys: Vec<&str> = comparisons.iter().map(|comparison| comparison.attribute.text.as_str()).collect();
    report_at(cx, source, items, conditions.range, message, &keys);
}

fn report_at(
    cx: &mut Cx<'_>,
    source: Source<'_>,
    items: &[&ItemLayout],
    range: TextRange,
    message: String,
    keys: &[&str],
) {
    let finding = cx.report(range, message);
    for item in items.iter().take(SHOWN) {
        let values: Vec<String> =
            keys.iter().filter_map(|key| Some(format!("{key} = {}", item.keys.get(*key)?.value.spelling()))).collect();
        let place = Place { decl: source.layout.decl, range: item.range };
        finding.relate(place, format!("`{}` has {}", item.entity, listed(&values)));
    }
}

/// A key value in words: of an attribute as it is, the type tells more than its
/// name.
fn describe(value: &KeyValue) -> String {
    match value.parts.as_slice() {
        [KeyPiece::Hole(KeyHole { name, ty: Some(ty), format: Format::Plain, .. })] => {
            format!("the {} `{name}`", ty.spelling())
        }
        _ => value.spelling(),
    }
}

/// Whether an operand is of another type than the key, or names no value of its
/// enum: a fault of another kind.
fn is_mismatch(source: Source<'_>, items: &[&ItemLayout], comparison: &Comparison) -> bool {
    let key = &comparison.attribute.text;
    let ty = source.key().find(|attribute| attribute.name == *key).and_then(|attribute| attribute.ty);
    let is_enum = |item: &&ItemLayout| {
        let value = item.keys.get(key).map(|source| &source.value).filter(|value| value.whole_attribute().is_some());
        let hole = value.and_then(|value| value.holes().next());
        hole.is_some_and(|hole| matches!(hole.ty, Some(Type::Enum(_))))
    };
    // Only `=` asks for a value of the enum: a prefix or a range need be none.
    let names_value = comparison.operator == Operator::Equal && items.iter().all(is_enum);
    comparison.operands.iter().any(|operand| match operand {
        OperandDef::Boolean { .. } => true,
        OperandDef::Number(_) => ty != Some(KeyType::Number),
        OperandDef::String { template, .. } => {
            ty == Some(KeyType::Number) || (names_value && template.as_literal().is_some())
        }
        OperandDef::Parameter(_) => false,
    })
}
