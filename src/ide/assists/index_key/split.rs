//! A composed string as the attributes that it is made of.

use super::read::{End, Reading, Value, read};
use super::{Asked, Clause, holds_the_same, projected_without};
use crate::ide::CodeActionKind;
use crate::ide::assists::follow::{Used, all_steps, comparisons, rewritten};
use crate::ide::assists::trial::{Trial, offered_where};
use crate::ide::assists::{Assist, AssistCx};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::rules::finding::{Edit, Place};
use crate::rules::fixes::listed;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use crate::syntax::template::Format;

/// A composed key attribute of the index.
struct Composed<'db> {
    key: &'db str,
    range: TextRange,
    value: &'db KeyValue,
    sort: bool,
}

impl<'db> Composed<'db> {
    fn holes(&self) -> impl Iterator<Item = &'db KeyHole> + use<'db> {
        self.value.holes()
    }
}

/// Offers to key the index at the cursor by the attributes that its strings are
/// composed of.
pub(in crate::ide::assists) fn split(cx: &AssistCx<'_>) -> Vec<Assist> {
    offer(cx).into_iter().collect()
}

fn offer(cx: &AssistCx<'_>) -> Option<Assist> {
    let asked = Asked::at(cx)?;
    let composed: Vec<Composed<'_>> =
        asked.clauses(cx).into_iter().flat_map(|clause| composed(&asked, clause)).collect();
    if !composed.iter().any(|composed| composed.holes().count() > 1) {
        return None;
    }
    let names: Vec<&str> = composed.iter().flat_map(Composed::holes).map(|hole| hole.name.as_str()).collect();
    let mut edits = layout_edits(cx, &asked, &composed, &names)?;
    for used in all_steps(cx) {
        if used.table == Some(cx.decl) && used.index == Some(asked.index.name.text.as_str()) {
            edits.extend(query_edits(cx, &used, &composed)?);
        }
    }
    let (table, index) = (&asked.layout.name.text, &asked.index.name.text);
    let keys: Vec<&str> = composed.iter().map(|composed| composed.key).collect();
    let title = format!("Key `{index}` by {} instead of {}", listed(&names), listed(&keys));
    let entities = asked.entities();
    let holds = |trial: &Trial<'_>| trial.reaches_the_same() && holds_the_same(trial, table, index, &entities);
    offered_where(cx, CodeActionKind::RefactorRewrite, title, edits, holds)
}

/// The attributes of a key clause that are strings composed of others, the same
/// way in every item.
fn composed<'db>(asked: &Asked<'db>, clause: Clause<'db>) -> Vec<Composed<'db>> {
    let of = |part: &'db KeyPart| {
        let key = part.name.text.as_str();
        let value = asked.shared_value(key)?;
        (is_parted(value) && asked.is_own_key(key) && !is_attribute(asked, value, key)).then_some(Composed {
            key,
            range: part.range,
            value,
            sort: clause.sort,
        })
    };
    clause.def.parts.iter().filter_map(of).collect()
}

/// Whether the holes of a value are plain attributes that can be keys, with a
/// literal between each two.
fn is_parted(value: &KeyValue) -> bool {
    let plain = |hole: &KeyHole| {
        hole.format == Format::Plain && !hole.parameter && hole.ty.as_ref().is_some_and(|ty| ty.key_type().is_some())
    };
    let touch = |pair: &[KeyPiece]| matches!(pair, [KeyPiece::Hole(_), KeyPiece::Hole(_)]);
    value.whole_attribute().is_none()
        && value.holes().next().is_some()
        && value.holes().all(plain)
        && !value.parts.windows(2).any(touch)
}

/// Whether a name that would be a key is given another value by an item's
/// block, or the composed key bears the name of an attribute: what is stored
/// under it is not what the attribute is then.
fn is_attribute(asked: &Asked<'_>, value: &KeyValue, key: &str) -> bool {
    let set = |name: &str| {
        let values = asked.table.items.iter().flat_map(|item| &item.values);
        values.into_iter().any(|value| value.key.text == name)
    };
    value.holes().any(|hole| set(&hole.name) || hole.name == key)
}

fn layout_edits(cx: &AssistCx<'_>, asked: &Asked<'_>, composed: &[Composed<'_>], names: &[&str]) -> Option<Vec<Edit>> {
    let text = cx.text();
    let mut edits = Vec::new();
    let replace = |range, text| Edit::Replace { place: cx.place(range), text };
    for composed in composed {
        let parts: Vec<String> = composed.holes().map(|hole| quote_name(&hole.name)).collect();
        edits.push(replace(composed.range, parts.join(", ")));
    }
    for item in &asked.table.items {
        let is_gone = |value: &&KeyValueDef| composed.iter().any(|composed| composed.key == value.key.text);
        let gone: Vec<&KeyValueDef> = item.values.iter().filter(is_gone).collect();
        if gone.is_empty() {
            continue;
        }
        match emptied(text, item, &gone) {
            Some(range) => edits.push(replace(range, String::new())),
            None => edits.extend(gone.iter().map(|value| Edit::RemoveLines { place: cx.place(value.range) })),
        }
    }
    if let Some(projection) = &asked.def.projection {
        let edit = projected_without(text, projection, names).ok()?;
        edits.extend(edit.map(|(range, text)| replace(range, text)));
    }
    Some(edits)
}

/// The block of an item with the white space before it, where nothing is left in
/// it without these values.
fn emptied(text: &str, item: &ItemDef, gone: &[&KeyValueDef]) -> Option<TextRange> {
    let body = item.body?;
    let mut left = text[body.indices()].to_owned();
    for value in gone.iter().rev() {
        let range = value.range.indices();
        left.replace_range(range.start - body.start as usize..range.end - body.start as usize, "");
    }
    let before = text[..body.start as usize].trim_end();
    let blank = left.trim_start_matches('{').trim_end_matches('}').trim().is_empty();
    let commented = before[crate::syntax::lines::line_start(before, before.len())..].contains("//");
    (blank && !commented).then(|| TextRange::new(before.len(), body.end as usize))
}

/// The edits of a step that reads the index; `None` where it cannot follow.
fn query_edits(cx: &AssistCx<'_>, used: &Used<'_>, composed: &[Composed<'_>]) -> Option<Vec<Edit>> {
    let Some((conditions, options)) = used.query() else { return Some(Vec::new()) };
    let comparisons = comparisons(conditions)?;
    // No filter takes a key.
    let filter = options.filter.iter().flat_map(|filter| &filter.conditions).flat_map(ConditionsDef::leaves);
    let of = |attribute: &Name| composed.iter().flat_map(Composed::holes).any(|hole| hole.name == attribute.text);
    if filter.filter_map(Term::attribute).any(of) {
        return None;
    }
    let text = &used.pattern.chunk(cx.db).text;
    for composed in composed.iter().filter(|composed| composed.sort && used.is_ordered()) {
        // A number sorts otherwise as a string than as a number.
        let asked = comparisons.iter().find(|comparison| comparison.attribute.text == composed.key);
        let fixed = asked.map_or(Some(0), |comparison| fixed(composed, comparison))?;
        let loose = composed.holes().skip(fixed).filter_map(|hole| hole.ty.as_ref());
        if loose.into_iter().any(|ty| ty.key_type() != Some(KeyType::String)) {
            return None;
        }
    }
    let follow = |comparison: &Comparison| {
        let Some(composed) = composed.iter().find(|composed| composed.key == comparison.attribute.text) else {
            return Some(Some(text[comparison.range.indices()].to_owned()));
        };
        let parts = followed(composed, comparison)?;
        Some((!parts.is_empty()).then(|| parts.join(" and ")))
    };
    let edits = rewritten(text, &comparisons, follow)?;
    let place = |range| Place { decl: used.pattern, range };
    Some(edits.into_iter().map(|(range, text)| Edit::Replace { place: place(range), text }).collect())
}

/// How many attributes of a composed key a comparison fixes.
fn fixed(composed: &Composed<'_>, comparison: &Comparison) -> Option<usize> {
    let readings = readings(composed, comparison)?;
    let reading = readings.first()?;
    Some(match (comparison.operator, reading.end) {
        (Operator::Equal, _) => reading.values.len(),
        (Operator::BeginsWith, End::AtLiteral) => reading.values.len(),
        _ => reading.values.len().saturating_sub(1),
    })
}

fn readings(composed: &Composed<'_>, comparison: &Comparison) -> Option<Vec<Reading>> {
    let of = |operand: &OperandDef| match operand {
        OperandDef::String { template, .. } => read(composed.value, template),
        _ => None,
    };
    comparison.operands.iter().map(of).collect()
}

/// The comparisons of the attributes that hold where that of the composed string
/// does; none where it always holds. `None` where no comparisons say the same.
fn followed(composed: &Composed<'_>, comparison: &Comparison) -> Option<Vec<String>> {
    let readings = readings(composed, comparison)?;
    let holes: Vec<&KeyHole> = composed.holes().collect();
    let operand = |index: usize, value: &Value| value.operand(&holes[index].name, holes[index].ty.as_ref()?);
    let named = |index: usize, rest: String| format!("{} {rest}", quote_name(&holes[index].name));
    let equal = |values: &[Value]| -> Option<Vec<String>> {
        let each = values.iter().enumerate().map(|(index, value)| {
            value
                .is_plain()
                .then(|| operand(index, value))
                .flatten()
                .map(|operand| named(index, format!("= {operand}")))
        });
        each.collect()
    };
    match (comparison.operator, readings.as_slice()) {
        (Operator::Equal, [reading]) if reading.end == End::Whole => equal(&reading.values),
        (Operator::BeginsWith, [reading]) => {
            let Some((last, before)) = reading.values.split_last() else { return Some(Vec::new()) };
            let index = before.len();
            if reading.end == End::AtLiteral || (last.is_plain() && is_of_one_length(holes[index], last)) {
                return equal(&reading.values);
            }
            let mut parts = equal(before)?;
            if holes[index].ty.as_ref()?.key_type() != Some(KeyType::String) {
                return None;
            }
            parts.push(named(index, format!("begins_with {}", operand(index, last)?)));
            Some(parts)
        }
        // Two bounds that agree in all but the last attribute.
        (Operator::Between, [low, high])
            if low.end == End::Whole && high.end == End::Whole && ends_in_hole(composed) =>
        {
            let ((low, before), (high, same)) = (low.values.split_last()?, high.values.split_last()?);
            let index = before.len();
            if before != same || !is_text(holes[index]) {
                return None;
            }
            let mut parts = equal(before)?;
            parts.push(named(index, format!("between {} and {}", operand(index, low)?, operand(index, high)?)));
            Some(parts)
        }
        // A bound on the only attribute of the string.
        (Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual, [reading])
            if reading.end == End::Whole && holes.len() == 1 && ends_in_hole(composed) && is_text(holes[0]) =>
        {
            let bound = operand(0, reading.values.first()?)?;
            Some(vec![named(0, format!("{} {bound}", comparison.operator.written()))])
        }
        _ => None,
    }
}

/// Whether a value that stands in an operand for this attribute is all of one.
fn is_of_one_length(hole: &KeyHole, value: &Value) -> bool {
    let own = matches!(value, Value::Hole { name, parameter: false, .. } if *name == hole.name);
    own && matches!(hole.ty, Some(Type::Uuid | Type::Ulid | Type::Ksuid | Type::Timestamp))
}

fn is_text(hole: &KeyHole) -> bool {
    hole.ty.as_ref().and_then(Type::key_type) == Some(KeyType::String)
}

fn ends_in_hole(composed: &Composed<'_>) -> bool {
    matches!(composed.value.parts.last(), Some(KeyPiece::Hole(_)))
}
