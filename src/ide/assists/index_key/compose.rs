//! The attributes of a key as one string that is composed of them.

use super::read::Value;
use super::{Asked, Clause, holds_the_same};
use crate::ide::CodeActionKind;
use crate::ide::assists::follow::{Used, all_steps, comparisons, rewritten};
use crate::ide::assists::trial::{Trial, offered_where};
use crate::ide::assists::{Assist, AssistCx};
use crate::model::defs::*;
use crate::model::layout::table_attributes;
use crate::model::names::{find_entity, style};
use crate::rules::finding::{Edit, Place};
use crate::rules::fixes::{CaseStyle, free_name, listed, set_key_values};
use crate::syntax::strings::quote_name;
use crate::syntax::template::{Format, Part, Template};
use crate::syntax::{TextRange, Unit};
use std::collections::BTreeSet;

/// What stands between two values.
const SEPARATOR: &str = "#";

/// A key clause of several attributes, and the string that would be in their
/// place.
struct Composing<'db> {
    name: String,
    parts: &'db [KeyPart],
    attributes: Vec<&'db AttributeDef>,
    sort: bool,
}

/// Offers to key the index at the cursor by strings composed of the attributes
/// that it is keyed by.
pub(in crate::ide::assists) fn compose(cx: &AssistCx<'_>) -> Vec<Assist> {
    offer(cx).into_iter().collect()
}

fn offer(cx: &AssistCx<'_>) -> Option<Assist> {
    let asked = Asked::at(cx)?;
    let mut all = Vec::new();
    for clause in asked.clauses(cx).into_iter().filter(|clause| clause.attributes.len() > 1) {
        all.push(composing(cx, &asked, clause)?);
    }
    if all.is_empty() {
        return None;
    }
    let text = cx.text();
    let mut edits = Vec::new();
    for composing in &all {
        let range = composing.parts.first()?.range.cover(composing.parts.last()?.range);
        if text[range.indices()].contains("//") {
            return None;
        }
        let text = format!("{}: string", quote_name(&composing.name));
        edits.push(Edit::Replace { place: cx.place(range), text });
    }
    let values: Vec<String> =
        all.iter().map(|composing| format!("{} = {}", quote_name(&composing.name), composing.template())).collect();
    let entities = asked.entities();
    for item in &asked.table.items {
        if item.entity.as_ref().is_some_and(|entity| entities.contains(&entity.text.as_str())) {
            edits.push(set_key_values(text, cx.decl, item, &values));
        }
    }
    for used in all_steps(cx) {
        if used.table == Some(cx.decl) && used.index == Some(asked.index.name.text.as_str()) {
            edits.extend(query_edits(cx, &used, &all)?);
        }
    }
    let (table, index) = (&asked.layout.name.text, &asked.index.name.text);
    let names: Vec<&str> = all.iter().map(|composing| composing.name.as_str()).collect();
    let parts: Vec<&str> = all.iter().flat_map(|c| c.parts).map(|part| part.name.text.as_str()).collect();
    let title = format!("Key `{index}` by {} composed of {}", listed(&names), listed(&parts));
    let holds = |trial: &Trial<'_>| trial.reaches_the_same() && holds_the_same(trial, table, index, &entities);
    offered_where(cx, CodeActionKind::RefactorRewrite, title, edits, holds)
}

fn composing<'db>(cx: &AssistCx<'db>, asked: &Asked<'db>, clause: Clause<'db>) -> Option<Composing<'db>> {
    let entity = find_entity(cx.db, cx.root, asked.entities().first()?)?;
    let own = |part: &'db KeyPart| {
        let name = part.name.text.as_str();
        let is_whole = asked.shared_value(name)?.whole_attribute() == Some(name);
        entity.attribute(name).filter(|attribute| is_whole && attribute.ty.key_type() != Some(KeyType::Binary))
    };
    let attributes: Vec<&AttributeDef> = clause.def.parts.iter().map(own).collect::<Option<_>>()?;
    let wanted = match (style(cx.db, cx.root), clause.sort) {
        (Style::SingleTable, false) => format!("{}PK", asked.index.name.text),
        (Style::SingleTable, true) => format!("{}SK", asked.index.name.text),
        (Style::Aggregate, _) => {
            let mut names = attributes.iter().map(|attribute| attribute.name.text.clone());
            let first = names.next()?;
            names.fold(first, |sofar, name| CaseStyle::of(entity).join(&sofar, &name))
        }
    };
    let taken = table_attributes(cx.db, cx.root, cx.decl);
    let set: BTreeSet<&String> =
        asked.table.items.iter().flat_map(|item| &item.values).map(|value| &value.key.text).collect();
    let name = free_name(&wanted, |name| taken.contains(name) || set.iter().any(|own| *own == name));
    Some(Composing { name, parts: &clause.def.parts, attributes, sort: clause.sort })
}

impl Composing<'_> {
    fn template(&self) -> String {
        let holes = self.attributes.iter().map(|attribute| {
            vec![Value::Hole { name: attribute.name.text.clone(), parameter: false, format: Format::Plain }.part()]
        });
        spelled(&holes.collect::<Vec<_>>(), "")
    }

    fn has(&self, attribute: &str) -> bool {
        self.parts.iter().any(|part| part.name.text == attribute)
    }
}

/// Values with separators between them, and what stands behind the last one.
fn spelled(values: &[Vec<Part>], behind: &str) -> String {
    let literal = |text: &str| Part::Literal(text.to_owned(), TextRange::default());
    let mut parts = Vec::new();
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            parts.push(literal(SEPARATOR));
        }
        parts.extend(value.iter().cloned());
    }
    if !behind.is_empty() {
        parts.push(literal(behind));
    }
    Template { parts, faults: Vec::new() }.spelling()
}

/// The parts of a template that write an operand.
fn parts_of(attribute: &str, operand: &OperandDef) -> Option<Vec<Part>> {
    let hole = |name: &str, parameter| Value::Hole { name: name.to_owned(), parameter, format: Format::Plain }.part();
    match operand {
        OperandDef::Parameter(name) => Some(vec![hole(&name.text, name.text != attribute)]),
        OperandDef::String { template, .. } => Some(template.parts.clone()),
        OperandDef::Number(value) => {
            let number = value.get(Unit::Number)?;
            Some(vec![Value::Literal(number.to_string()).part()])
        }
        OperandDef::Boolean { .. } => None,
    }
}

/// The edits of a step that reads the index; `None` where it cannot follow.
fn query_edits(cx: &AssistCx<'_>, used: &Used<'_>, all: &[Composing<'_>]) -> Option<Vec<Edit>> {
    let Some((conditions, _)) = used.query() else { return Some(Vec::new()) };
    let comparisons = comparisons(conditions)?;
    let text = &used.pattern.chunk(cx.db).text;
    let composed: Vec<Option<String>> =
        all.iter().map(|composing| condition(composing, &comparisons, used.is_ordered())).collect::<Option<_>>()?;
    let follow = |comparison: &Comparison| {
        let name = &comparison.attribute.text;
        let Some(index) = all.iter().position(|composing| composing.has(name)) else {
            return Some(Some(text[comparison.range.indices()].to_owned()));
        };
        // The first one in the text stands for all of them.
        let first = comparisons.iter().find(|other| all[index].has(&other.attribute.text))?;
        Some(composed[index].clone().filter(|_| first.range == comparison.range))
    };
    let edits = rewritten(text, &comparisons, follow)?;
    let place = |range| Place { decl: used.pattern, range };
    Some(edits.into_iter().map(|(range, text)| Edit::Replace { place: place(range), text }).collect())
}

/// The condition on a composed string that says what those on its attributes
/// say; `Some(None)` where there are none on them. `None` where none says it.
fn condition(composing: &Composing<'_>, comparisons: &[&Comparison], ordered: bool) -> Option<Option<String>> {
    let name = quote_name(&composing.name);
    let mut equal: Vec<Vec<Part>> = Vec::new();
    let mut last = None;
    let mut asked = 0;
    for part in composing.parts {
        let mut own = comparisons.iter().filter(|comparison| comparison.attribute.text == part.name.text);
        let Some(comparison) = own.next() else { break };
        asked += 1;
        if comparison.operator != Operator::Equal {
            last = Some(*comparison);
            break;
        }
        equal.push(parts_of(&part.name.text, comparison.operands.first()?)?);
    }
    // A gap, or two on one attribute, is a fault of its own.
    if asked != comparisons.iter().filter(|comparison| composing.has(&comparison.attribute.text)).count() {
        return None;
    }
    // A number sorts otherwise as a string than as a number.
    let loose = &composing.attributes[equal.len()..];
    let is_text = |attribute: &&AttributeDef| attribute.ty.key_type() == Some(KeyType::String);
    if (ordered || last.is_some()) && composing.sort && !loose.iter().all(is_text) {
        return None;
    }
    let total = composing.parts.len();
    let with = |operand: &OperandDef, part: usize| {
        let own = parts_of(&composing.parts[part].name.text, operand)?;
        Some(spelled(&equal.iter().cloned().chain([own]).collect::<Vec<_>>(), ""))
    };
    let at = equal.len();
    match last {
        None if at == 0 => Some(None),
        None if at == total => Some(Some(format!("{name} = {}", spelled(&equal, "")))),
        None if composing.sort => Some(Some(format!("{name} begins_with {}", spelled(&equal, SEPARATOR)))),
        None => None,
        Some(comparison) => match (comparison.operator, comparison.operands.as_slice()) {
            (Operator::BeginsWith, [operand]) => Some(Some(format!("{name} begins_with {}", with(operand, at)?))),
            (Operator::Between, [low, high]) if at + 1 == total => {
                Some(Some(format!("{name} between {} and {}", with(low, at)?, with(high, at)?)))
            }
            _ => None,
        },
    }
}
