//! A prefix that ends in a hole, so that a longer value is caught as well.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::rule::{Group, Rule};
use super::separators::{in_template, word_end};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::model::key_condition::conjuncts;
use crate::model::key_mismatch::mismatches;
use crate::model::layout::{ItemLayout, Source};
use crate::model::resolve::operand_value;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use crate::syntax::template::{Format, Part};

pub static RULE: Rule = Rule {
    name: "open-ended-prefix",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "a `begins_with` ends in a hole of open length, and so also catches longer values",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { continue };
        let Some(source) = step.source.filter(|source| cx.is_whole(source.layout.decl)) else { continue };
        for comparison in conjuncts(conditions) {
            let key = source.sort().iter().find(|key| key.name == comparison.attribute.text);
            let is_text = key.is_some_and(|key| key.ty.is_none_or(|ty| ty == KeyType::String));
            if is_text && comparison.operator == Operator::BeginsWith {
                report(cx, step, source, conditions, comparison);
            }
        }
    }
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>, source: Source<'_>, conditions: &ConditionsDef, comparison: &Comparison) {
    let Some(operand @ OperandDef::String { template, range, .. }) = comparison.operands.first() else { return };
    let Some(Part::Hole(last)) = template.parts.last() else { return };
    if last.parameter || !template.faults.is_empty() {
        return;
    }
    let key = &comparison.attribute.text;
    let reached: Vec<(&ItemLayout, &KeyValue, KeyValue)> = source
        .items()
        .filter(|item| step.resolved.reached.contains(&item.entity))
        .filter_map(|item| Some((item, &item.keys.get(key)?.value, operand_value(cx.db, source.layout, item, operand))))
        .collect();
    let open = reached.iter().find_map(|(.., operand)| match operand.parts.last() {
        Some(KeyPiece::Hole(hole)) if hole.is_open() => Some(hole.clone()),
        _ => None,
    });
    let Some(hole) = open else { return };
    // An operand in another format is told so, and changed first.
    if mismatches(cx.db, source, conditions).iter().any(|mismatch| mismatch.range == *range) {
        return;
    }
    let follows: Vec<Follows<'_>> = reached
        .iter()
        .filter(|(_, stored, operand)| operand.runs_along(stored) == operand.parts.len())
        .map(|(_, stored, operand)| match stored.parts.get(operand.parts.len()) {
            Some(KeyPiece::Literal(text)) => Follows::Text(word_end(text)),
            Some(KeyPiece::Hole(_)) => Follows::Hole,
            None => Follows::Nothing,
        })
        .collect();
    let (shorter, longer) = example(&hole);
    let head = cx.chunk().text.get(range.indices()).unwrap_or_default();
    let head = head.strip_suffix('"').unwrap_or(head).to_owned();
    let parameter = format!("{{:{}}}", quote_name(&hole.name));
    let hole_range = last.range.shifted(range.start);
    let (advice, fixes) = match follows.as_slice() {
        [Follows::Text(ending), rest @ ..] if rest.iter().all(|other| *other == Follows::Text(ending)) => {
            let ended = in_template(ending);
            let at = TextRange::empty(hole_range.end as usize);
            let fix = (format!("End the prefix with `{ended}`"), cx.place(at), ended.clone(), true);
            (format!("end it with what follows in the key, as {head}{ended}\""), vec![fix])
        }
        [Follows::Nothing, rest @ ..] if rest.iter().all(|other| *other == Follows::Nothing) => {
            let whole = (
                "Ask for the one value with `=`".to_owned(),
                cx.place(comparison.operator_range),
                "=".to_owned(),
                false,
            );
            let own = (
                format!("Write `{parameter}`: a prefix of the caller's"),
                cx.place(hole_range),
                parameter.clone(),
                false,
            );
            let fixes = if hole.format == Format::Plain { vec![whole, own] } else { vec![whole] };
            (
                format!(
                    "the key ends there: ask for the one value with `=`, or write `{parameter}` where a prefix of the \
                     caller's is meant"
                ),
                fixes,
            )
        }
        _ => (format!("end it with the separator behind `{}`, or give the key one there", hole.spelling()), Vec::new()),
    };
    let message = format!(
        "`begins_with` knows no end of a value: with `{shorter}` for `{}` this also catches `{longer}`, and the answer \
         holds items that nobody asked for; {advice}",
        hole.spelling()
    );
    let items: Vec<(Place, String)> = reached
        .iter()
        .map(|(item, stored, _)| {
            let place = Place { decl: source.layout.decl, range: item.range };
            (place, format!("`{}` has {key} = {}", item.entity, stored.spelling()))
        })
        .collect();
    let finding = cx.report(*range, message);
    for (place, message) in items {
        finding.relate(place, message);
    }
    for (title, place, text, preferred) in fixes {
        let edits = vec![Edit::Replace { place, text }];
        if preferred {
            finding.fix(title, edits);
        } else {
            finding.suggest(title, edits);
        }
    }
}

/// What stands in a key behind the hole in which the prefix ends.
#[derive(PartialEq)]
enum Follows<'l> {
    /// Text, up to its first separator.
    Text(&'l str),
    Hole,
    Nothing,
}

/// Two values of a hole of which one begins the other.
fn example(hole: &KeyHole) -> (String, String) {
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    match (&hole.ty, hole.format) {
        (_, Format::Shard(_)) | (Some(Type::Number), _) => pair("1", "10"),
        (Some(Type::Enum(names)), _) => {
            let texts = || names.iter().map(|name| name.text.as_str());
            let longer = |short: &str| texts().find(|text| *text != short && text.starts_with(short));
            texts().find_map(|short| Some(pair(short, longer(short)?))).unwrap_or_default()
        }
        _ => pair("ann", "anna"),
    }
}
