//! Conditions, keys and types in words of the language.

use crate::model::defs::*;
use crate::model::key::KeyValue;
use crate::model::layout::{ItemLayout, KeyAttribute};
use crate::syntax::strings::{quote_name, quote_string};

/// Conditions as they are written, without comments and line ends.
pub(super) fn conditions(conditions: &ConditionsDef) -> String {
    let mut out = String::new();
    for (index, item) in conditions.terms.iter().enumerate() {
        if index > 0 {
            let or = conditions.operators.get(index - 1).is_some_and(|(or, _)| *or);
            out.push_str(if or { " or " } else { " and " });
        }
        out.push_str(&term(item));
    }
    out
}

// Lowering leaves out groups beyond a fixed depth, which bounds this recursion.
fn term(item: &Term) -> String {
    match item {
        Term::Comparison(comparison) => self::comparison(comparison),
        Term::Existence { exists, attribute, .. } => {
            format!("{}({})", if *exists { "exists" } else { "not_exists" }, quote_name(&attribute.text))
        }
        Term::Not { term: inner, .. } => format!("not {}", term(inner)),
        Term::Group { conditions: inner, .. } => format!("({})", conditions(inner)),
    }
}

fn comparison(comparison: &Comparison) -> String {
    let operands: Vec<String> = comparison.operands.iter().map(operand).collect();
    let operands = match comparison.operator {
        Operator::Between => operands.join(" and "),
        Operator::In => format!("({})", operands.join(", ")),
        _ => operands.join(", "),
    };
    format!("{} {} {operands}", quote_name(&comparison.attribute.text), comparison.operator.written())
}

fn operand(operand: &OperandDef) -> String {
    match operand {
        // The text itself rather than the template: what could not be read as a
        // template stays visible.
        OperandDef::String { value, .. } => quote_string(value),
        OperandDef::Number(value) => value.written.clone(),
        OperandDef::Parameter(name) => format!(":{}", name.text),
        OperandDef::Boolean { value, .. } => value.to_string(),
    }
}

/// The condition of a write, as it stands behind `if`.
pub(super) fn write_condition(condition: &WriteCondition) -> Option<String> {
    match &condition.kind {
        WriteConditionKind::Exists => Some(String::from("exists")),
        WriteConditionKind::NotExists => Some(String::from("not_exists")),
        WriteConditionKind::Conditions(inner) => Some(conditions(inner)),
        WriteConditionKind::Missing => None,
    }
}

/// The value of a key: the attribute that it is, or its template.
pub(super) fn key_value(value: &KeyValue) -> String {
    value.whole_attribute().map_or_else(|| value.spelling(), quote_name)
}

/// The key of an item with its values: `user_id, sk = "PROFILE"`. What an item
/// does not give shows as `?`.
pub(super) fn key_of<'l>(item: &ItemLayout, key: impl Iterator<Item = &'l KeyAttribute>) -> String {
    let parts: Vec<String> = key
        .map(|attribute| {
            let name = quote_name(&attribute.name);
            match item.keys.get(&attribute.name).map(|source| key_value(&source.value)) {
                Some(value) if value == name => name,
                Some(value) => format!("{name} = {value}"),
                None => format!("{name} = ?"),
            }
        })
        .collect();
    parts.join(", ")
}

/// The type that DynamoDB stores a value as; `None` where it is not known.
pub(super) fn stored_as(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Boolean => Some("BOOL"),
        Type::List(_) => Some("L"),
        Type::Map => Some("M"),
        Type::Set(element) => match element.as_deref().and_then(Type::key_type) {
            Some(KeyType::String) => Some("SS"),
            Some(KeyType::Number) => Some("NS"),
            Some(KeyType::Binary) => Some("BS"),
            None => None,
        },
        other => other.key_type().map(KeyType::letter),
    }
}

/// How throughput is paid for.
pub(super) fn capacity(capacity: Option<&Capacity>) -> String {
    match capacity {
        None | Some(Capacity::OnDemand) => String::from("on-demand"),
        Some(Capacity::Provisioned { utilization }) => {
            let target =
                utilization.as_ref().and_then(|value| super::numbers::declared(value, crate::syntax::Unit::Percent));
            match target {
                Some(target) => format!("provisioned, {target} utilization"),
                None => String::from("provisioned"),
            }
        }
    }
}

/// The class of a table.
pub(super) fn class(class: Option<TableClass>) -> &'static str {
    match class {
        None | Some(TableClass::Standard) => "standard",
        Some(TableClass::InfrequentAccess) => "standard-infrequent-access",
    }
}
