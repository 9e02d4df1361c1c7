//! Items that are given the values that a condition names.

use super::conditions::{above, below};
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::population::items::Stored;
use crate::population::literals::number;
use crate::population::spell::Wanted;

/// Gives attributes the values that a condition compares them with, of a parameter
/// that which it is already.
pub(super) fn force(stored: &mut Stored<'_>, conditions: &ConditionsDef, given: &Item) {
    for comparison in conjuncts(conditions) {
        let name = &comparison.attribute.text;
        let (Some(attribute), Some(operand)) = (stored.def.attribute(name), comparison.operands.first()) else {
            continue;
        };
        let literal = match operand {
            OperandDef::String { value, .. } => Value::S(value.clone()),
            OperandDef::Number(value) => Value::N(number(value)),
            OperandDef::Boolean { value, .. } => Value::Bool(*value),
            // What the caller supplies follows the item, which must have a value.
            OperandDef::Parameter(parameter) => match (given.get(&parameter.text), stored.instance.values.get(name)) {
                (Some(given), _) if can_hold(attribute, given) && !comparison.operator.is_range() => given.clone(),
                (_, Some(_)) => continue,
                (_, None) => stored.spelling().value(Wanted {
                    entity: &stored.kind.entity,
                    attribute,
                    tag: 0,
                    number: 1,
                    digits: None,
                    alone: false,
                    expires: None,
                }),
            },
        };
        let value = match comparison.operator {
            Operator::Greater | Operator::NotEqual => above(&literal),
            Operator::Less => below(&literal),
            _ => literal,
        };
        if !stored.kind.made_from(stored.layout.primary_key()).contains(name.as_str()) {
            stored.instance.values.insert(name.clone(), value);
        }
    }
}

/// Whether an attribute that is not an id may have a value, as far as its type tells.
fn can_hold(attribute: &AttributeDef, value: &Value) -> bool {
    let fits = match (&attribute.ty, value) {
        (Type::Enum(names), Value::S(text)) => names.iter().any(|name| name.text == *text),
        (Type::Number | Type::Epoch, Value::N(_)) | (Type::Boolean, Value::Bool(_)) => true,
        (Type::String | Type::Uuid | Type::Ulid | Type::Ksuid | Type::Timestamp, Value::S(_)) => true,
        _ => false,
    };
    fits && !attribute.id && attribute.unique.is_none()
}
