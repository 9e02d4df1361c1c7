//! What an update makes of the state of an item: the name of its pattern says it
//! (`CancelOrder` sets `cancelled`), or what the pattern makes beside it, or what other
//! patterns want a state to be.

use super::plausible::words;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::names::{find_entity, names, pattern_def};

/// So many letters at least are the stem of a word.
const STEM: usize = 3;

/// What an update makes of an enum.
pub(super) struct Becoming<'db> {
    pub op: &'db OpDef,
    pub attribute: &'db str,
    pub value: &'db str,
}

/// A value that the condition of a pattern wants.
struct Wanted<'db> {
    entity: &'db str,
    attribute: &'db str,
    value: &'db str,
}

/// What the updates of a model make of the enums that they set, as far as it is told.
pub(super) fn becoming<'db>(db: &'db dyn Db, root: SourceFile) -> Vec<Becoming<'db>> {
    let named_patterns = names(db, root).patterns.iter();
    let patterns = named_patterns.flat_map(|(name, decls)| decls.iter().map(move |decl| (name.as_str(), *decl)));
    let patterns = patterns.filter_map(|(name, decl)| Some((name, pattern_def(db, decl)?)));
    let patterns: Vec<(&'db str, &'db PatternDef)> = patterns.collect();
    let wanted: Vec<Wanted<'db>> = patterns.iter().flat_map(|(_, pattern)| ops(pattern)).flat_map(wanted).collect();
    let mut all = Vec::new();
    for (name, pattern) in patterns {
        let called = words(name);
        for op in ops(pattern) {
            let OpDef::Update { subject: Some(subject), set, remove, .. } = op else { continue };
            let entity = subject.entity.text.as_str();
            let Some(def) = find_entity(db, root, entity) else { continue };
            let own = words(entity);
            let called: Vec<String> = called.iter().filter(|word| !own.contains(word)).cloned().collect();
            let made = ops(pattern).filter(|other| matches!(other, OpDef::Put { .. })).filter_map(OpDef::subject);
            let made = made.filter(|other| other.entity.text != entity);
            let made: Vec<String> = made.flat_map(|other| words(&other.entity.text)).collect();
            for attribute in set.iter().filter_map(|name| def.attribute(&name.text)) {
                let Type::Enum(values) = &attribute.ty else { continue };
                let name = attribute.name.text.as_str();
                let left = named(op, name);
                let place = |value: &str| values.iter().position(|known| known.text == value);
                let before = own_wanted(op, name).filter_map(place).max().unwrap_or(0);
                // What comes later, and first of that.
                let next = wanted.iter().filter(|one| one.entity == entity && one.attribute == name);
                let next = next.filter(|one| !left.contains(&one.value));
                let next = next.filter_map(|one| place(one.value)).filter(|place| *place > before).min();
                let next = next.and_then(|place| values.get(place)).map(|next| next.text.as_str());
                let last = values.last().filter(|_| !remove.is_empty()).map(|last| last.text.as_str());
                // An update leaves the state that it wants to find.
                let others: Vec<&Name> =
                    values.iter().filter(|value| own_wanted(op, name).all(|own| own != value.text)).collect();
                let value = meant(&others, &called).or_else(|| meant(&others, &made)).or(next).or(last);
                all.extend(value.map(|value| Becoming { op, attribute: name, value }));
            }
        }
    }
    all
}

fn ops(pattern: &PatternDef) -> impl Iterator<Item = &OpDef> {
    pattern.operations.iter().flat_map(|operation| &operation.steps).map(|step| &step.op)
}

fn conditions(op: &OpDef) -> Option<&ConditionsDef> {
    match &op.condition()?.kind {
        WriteConditionKind::Conditions(conditions) => Some(conditions),
        _ => None,
    }
}

/// The values that the condition of an operation wants attributes to have.
fn wanted(op: &OpDef) -> Vec<Wanted<'_>> {
    let Some((conditions, subject)) = conditions(op).zip(op.subject()) else { return Vec::new() };
    let equal = conjuncts(conditions).into_iter().filter(|comparison| comparison.operator == Operator::Equal);
    let values = equal.flat_map(|comparison| {
        let name = comparison.attribute.text.as_str();
        texts(comparison).map(move |value| Wanted { entity: &subject.entity.text, attribute: name, value })
    });
    values.collect()
}

/// Those that it wants one of them to have.
fn own_wanted<'d>(op: &'d OpDef, attribute: &'d str) -> impl Iterator<Item = &'d str> {
    wanted(op).into_iter().filter(move |own| own.attribute == attribute).map(|own| own.value)
}

/// The values of an attribute that the condition of an operation names.
fn named<'d>(op: &'d OpDef, attribute: &str) -> Vec<&'d str> {
    let leaves = conditions(op).map(ConditionsDef::leaves).unwrap_or_default().into_iter();
    let comparisons = leaves.filter_map(|leaf| match leaf {
        Term::Comparison(comparison) if comparison.attribute.text == attribute => Some(comparison),
        _ => None,
    });
    comparisons.flat_map(texts).collect()
}

fn texts(comparison: &Comparison) -> impl Iterator<Item = &str> {
    comparison.operands.iter().filter_map(|operand| match operand {
        OperandDef::String { value, .. } => Some(value.as_str()),
        _ => None,
    })
}

/// The value whose word is most like one of these words, if one is.
fn meant<'d>(values: &[&'d Name], called: &[String]) -> Option<&'d str> {
    let likeness = |value: &&Name| {
        let own = words(&value.text);
        own.iter().flat_map(|own| called.iter().map(move |word| stem(own, word))).max().unwrap_or(0)
    };
    // The first of equals.
    let best = values.iter().map(likeness).max().filter(|best| *best > 0)?;
    values.iter().find(|value| likeness(value) == best).map(|value| value.text.as_str())
}

/// The letters of the stem that two words share, none where they are of different ones:
/// `cancel` and `cancelled`, `send` and `sent`, `close` and `closing`.
fn stem(one: &str, other: &str) -> usize {
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let shorter = one.chars().count().min(other.chars().count());
    if shared >= STEM && shared + 1 >= shorter { shared } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn words_of_one_stem_are_alike_and_others_are_not() {
        for (one, other) in [("cancel", "cancelled"), ("send", "sent"), ("close", "closing"), ("failed", "failed")] {
            assert!(stem(one, other) >= 3, "{one} {other}");
        }
        for (one, other) in [("seat", "sent"), ("un", "union"), ("pay", "paid"), ("published", "unpublish")] {
            assert_eq!(stem(one, other), 0, "{one} {other}");
        }
    }
}
