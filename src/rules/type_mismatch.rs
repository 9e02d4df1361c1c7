//! An operand that cannot have the type of what it is held against.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::fixes::nearest;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::held::{Clause, Held, held};

pub static RULE: Rule = Rule {
    name: "type-mismatch",
    group: Group::Language,
    level: Level::Error,
    summary: "an operand cannot have the type of what it is held against, or names no value of the enum",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let Some(source) = step.source else { continue };
        for held in held(cx.db, cx.root, source, &step.step.op) {
            if held.clause == Clause::Where && !is_key_condition(step, held.comparison) {
                continue;
            }
            check_comparison(cx, &held);
        }
    }
}

/// Whether DynamoDB has such a comparison in a key condition at all; where it
/// has not, `key-condition-unsupported` speaks.
fn is_key_condition(step: StepCx<'_>, comparison: &Comparison) -> bool {
    let Some(source) = step.source else { return false };
    let is = |part: &crate::model::layout::KeyAttribute| part.name == comparison.attribute.text;
    match comparison.operator {
        Operator::Equal => source.key().any(is),
        Operator::NotEqual | Operator::Contains | Operator::In => false,
        _ => source.sort().iter().any(is),
    }
}

/// Why an operand does not fit.
enum Misfit {
    /// The operand's type is another.
    Kind,
    /// The enum has no such value.
    NoValue(Vec<String>),
    /// The operator does not work on the type.
    Operator,
}

fn check_comparison(cx: &mut Cx<'_>, held: &Held<'_>) {
    // A key that can have no type is a fault of the table.
    let no_key = held.key && held.against.iter().all(|against| against.ty.key_type().is_none());
    if held.against.is_empty() || (no_key && held.clause == Clause::Where) {
        return;
    }
    for operand in &held.comparison.operands {
        let mut misfits = Vec::new();
        for against in &held.against {
            match misfit(operand, held, &against.ty) {
                None => {
                    misfits.clear();
                    break;
                }
                Some(misfit) => misfits.push((misfit, against)),
            }
        }
        // Of an enum that lacks the value more can be said than of a type.
        misfits.sort_by_key(|(misfit, _)| !matches!(misfit, Misfit::NoValue(_)));
        let Some((misfit, against)) = misfits.first() else { continue };
        let written = cx.chunk().text.get(operand.range().indices()).unwrap_or("").to_owned();
        let name = &held.comparison.attribute.text;
        let message = match misfit {
            Misfit::Kind => kind_message(held, operand, &written, &against.ty),
            Misfit::NoValue(values) => {
                let near = operand_text(operand, held.key).and_then(|t| nearest(t, values.iter().map(String::as_str)));
                let advice = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "use one of them, or add it to the enum".to_owned(),
                };
                format!("{written} is no value of `{name}`, which is one of {}; {advice}", values.join(", "))
            }
            Misfit::Operator => format!(
                "`{}` does not work on `{name}`, which is {}: DynamoDB refuses it; {}",
                held.comparison.operator.written(),
                described(&against.ty),
                match held.comparison.operator {
                    Operator::BeginsWith => "it takes strings and binaries only",
                    Operator::Contains => "it looks into strings, lists and sets only",
                    _ => "use `=` or `<>`",
                }
            ),
        };
        let place = Place { decl: against.decl, range: against.range };
        let related = format!("`{name}` is {}", described(&against.ty));
        cx.report(operand.range(), message).relate(place, related);
    }
}

fn misfit(operand: &OperandDef, held: &Held<'_>, ty: &Type) -> Option<Misfit> {
    let operator = held.comparison.operator;
    if matches!(operand, OperandDef::Parameter(_)) || *ty == Type::Missing {
        return None;
    }
    // An unknown unit or a unit where a plain number stands is `wrong-unit`.
    if matches!(operand, OperandDef::Number(value) if value.get(crate::syntax::Unit::Number).is_none()) {
        return None;
    }
    let fits = |fits: bool| if fits { None } else { Some(Misfit::Kind) };
    match (operator, ty) {
        (Operator::Contains, Type::List(None)) => None,
        (Operator::Contains, Type::List(Some(element)) | Type::Set(Some(element))) => {
            literal_misfit(operand, held, element)
        }
        (Operator::Contains, Type::Set(None)) => None,
        (Operator::Contains, _) if is_text(ty) => fits(matches!(operand, OperandDef::String { .. })),
        (Operator::Contains, Type::Binary) => Some(Misfit::Kind),
        (Operator::Contains, _) => Some(Misfit::Operator),
        (Operator::BeginsWith, _) if is_text(ty) => fits(matches!(operand, OperandDef::String { .. })),
        (Operator::BeginsWith, Type::Binary) => Some(Misfit::Kind),
        // On a number key it is no key condition at all.
        (Operator::BeginsWith, _) => (held.clause != Clause::Where).then_some(Misfit::Operator),
        (Operator::Equal | Operator::NotEqual | Operator::In, _) => literal_misfit(operand, held, ty),
        (_, Type::Boolean | Type::List(_) | Type::Set(_) | Type::Map) => Some(Misfit::Operator),
        // An order has a place for values that the enum does not have.
        _ if is_text(ty) => fits(matches!(operand, OperandDef::String { .. })),
        _ => literal_misfit(operand, held, ty),
    }
}

/// Whether a literal can be a value of the type.
fn literal_misfit(operand: &OperandDef, held: &Held<'_>, ty: &Type) -> Option<Misfit> {
    let fits = match (operand, ty) {
        (OperandDef::Parameter(_), _) | (_, Type::Missing) => true,
        (OperandDef::String { .. }, Type::Enum(names)) => {
            let text = operand_text(operand, held.key)?;
            let known = names.is_empty() || names.iter().any(|name| name.text == text);
            return (!known).then(|| Misfit::NoValue(names.iter().map(|name| name.text.clone()).collect()));
        }
        (OperandDef::String { .. }, ty) => is_text(ty),
        (OperandDef::Number(_), ty) => matches!(ty, Type::Number | Type::Epoch),
        (OperandDef::Boolean { .. }, ty) => *ty == Type::Boolean,
    };
    if fits { None } else { Some(Misfit::Kind) }
}

/// The text of a string operand; `None` where a template's holes leave it open.
fn operand_text(operand: &OperandDef, key: bool) -> Option<&str> {
    match operand {
        OperandDef::String { template, .. } if key => template.as_literal(),
        OperandDef::String { value, .. } => Some(value),
        _ => None,
    }
}

fn is_text(ty: &Type) -> bool {
    ty.key_type() == Some(KeyType::String)
}

fn described(ty: &Type) -> String {
    match ty {
        Type::Epoch | Type::Timestamp | Type::Enum(_) => {
            format!("an {}", ty.spelling()).replace("an timestamp", "a timestamp")
        }
        _ => format!("a {}", ty.spelling()),
    }
}

fn kind_message(held: &Held<'_>, operand: &OperandDef, written: &str, ty: &Type) -> String {
    let name = &held.comparison.attribute.text;
    let kind = match operand {
        OperandDef::String { .. } => "a string",
        OperandDef::Number(_) => "a number",
        OperandDef::Boolean { .. } => "a boolean",
        OperandDef::Parameter(_) => "a parameter",
    };
    // `contains` looks for an element of a collection.
    let (subject, ty) = match ty {
        Type::List(Some(element)) | Type::Set(Some(element)) if held.comparison.operator == Operator::Contains => {
            (format!("an element of `{name}`"), element.as_ref())
        }
        _ => (format!("`{name}`"), ty),
    };
    let consequence = match held.clause {
        Clause::Where => "DynamoDB refuses the query",
        Clause::Filter | Clause::If => {
            "DynamoDB never converts one into the other, so that the comparison is never true"
        }
    };
    let bare = written.trim_matches('"');
    let advice = match (operand, ty) {
        (OperandDef::String { .. }, Type::Number | Type::Epoch) if bare.parse::<f64>().is_ok() => {
            format!("write `{bare}` without quotes")
        }
        (OperandDef::String { .. }, Type::Boolean) if matches!(bare, "true" | "false") => {
            format!("write `{bare}` without quotes")
        }
        (OperandDef::Number(_), Type::String | Type::Enum(_)) => format!("write `\"{written}\"` in quotes"),
        _ => format!("hold {} against it, or a parameter such as `:{}`", described(ty), parameter(name)),
    };
    format!("{written} is {kind}, and {subject} is {}: {consequence}; {advice}", described(ty))
}

/// A parameter's name after an attribute's.
fn parameter(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
