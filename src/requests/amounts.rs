//! How much a call is about: what is taken from one item, and what is in others of the
//! same call.

use super::conditions::Parameter;
use super::maker::Beside;
use super::nearby;
use super::write::Write;
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::resolve::Step;
use crate::population::is_called;
use crate::population::items::Stored;
use std::cmp::Ordering;

/// What an update wants to be enough for a parameter of another name, in order to take
/// it away.
pub(super) fn bounds(op: &OpDef) -> Vec<(&str, &str, Operator)> {
    let OpDef::Update { condition: Some(condition), .. } = op else { return Vec::new() };
    let WriteConditionKind::Conditions(conditions) = &condition.kind else { return Vec::new() };
    let bound =
        |comparison: &'_ Comparison| matches!(comparison.operator, Operator::Greater | Operator::GreaterOrEqual);
    let comparisons = conjuncts(conditions).into_iter().filter(|comparison| bound(comparison));
    let parameters = comparisons.filter_map(|comparison| match comparison.operands.as_slice() {
        [OperandDef::Parameter(name)] if name.text != comparison.attribute.text => {
            Some((comparison.attribute.text.as_str(), name.text.as_str(), comparison.operator))
        }
        _ => None,
    });
    parameters.collect()
}

/// To a reader, what has to be enough is less by that afterwards, and what another
/// item loses in the same call is more.
pub(super) fn count(op: &OpDef, beside: &Beside<'_>, before: &Stored<'_>, after: &mut Stored<'_>) {
    let OpDef::Update { set, .. } = op else { return };
    let mut change = |name: &str, by: &Value, sign: i128| {
        let is_number = before.def.attribute(name).is_some_and(|attribute| attribute.ty == Type::Number);
        let is_set = is_number && set.iter().any(|own| own.text == name);
        let sum = before.instance.values.get(name).filter(|_| is_set).and_then(|held| nearby::sum(held, by, sign));
        if let Some(sum) = sum {
            after.instance.values.insert(name.to_owned(), sum);
        }
    };
    for (attribute, parameter, operator) in bounds(op) {
        if let Some(held) = before.instance.values.get(attribute) {
            let parameter = Parameter { name: parameter, attribute, place: 0 };
            let value = parameter.value(before.spelling(), operator, held, true, &beside.told);
            change(attribute, &value, -1);
        }
    }
    for (name, value) in &beside.gained {
        change(name, value, 1);
    }
}

/// The numbers of new items by their names; those first that stand beside the key of
/// an item, as the line of an order does beside its product, in a list or as an item.
pub(super) fn numbers(new: &[Item], key: &Item) -> Item {
    let elements = new.iter().flat_map(Item::values).filter_map(|value| match value {
        Value::L(elements) => Some(elements),
        _ => None,
    });
    let elements = elements.flatten().filter_map(|element| match element {
        Value::M(element) => Some(element),
        _ => None,
    });
    let is_beside = |item: &&Item| key.values().any(|own| item.values().any(|value| value == own));
    let beside = elements.chain(new).filter(is_beside);
    let mut numbers = Item::new();
    for (name, value) in beside.chain(new).flatten().filter(|(_, value)| matches!(value, Value::N(_))) {
        numbers.entry(name.clone()).or_insert_with(|| value.clone());
    }
    numbers
}

/// Lessens the numbers of a new item to what there is of them.
pub(super) fn keep_to(most: &[(&str, Value)], new: &mut Stored<'_>) {
    for attribute in new.def.attributes.iter().filter(|own| own.ty == Type::Number && !own.id && own.of.is_none()) {
        let name = attribute.name.text.as_str();
        for (_, most) in most.iter().filter(|(parameter, _)| is_called(parameter, name)) {
            if let Some(value) =
                new.instance.values.get_mut(name).filter(|value| value.order(most) == Some(Ordering::Greater))
            {
                *value = most.clone();
            }
        }
    }
}

/// By how much an update lessens what it wants to be enough.
pub(super) fn counted(step: &Step<'_>, write: &Write<'_>) -> Item {
    let bounds = bounds(&step.step.op).into_iter();
    let less = bounds.filter_map(|(name, ..)| {
        let (before, after) = (write.before.as_ref()?.get(name)?, write.after.as_ref()?.get(name)?);
        Some((name.to_owned(), nearby::sum(before, after, -1)?))
    });
    less.filter(|(_, by)| !by.same(&Value::N(String::from("0")))).collect()
}
