//! The values that callers supply to a query: for every item that it can reach,
//! those with which it finds that item, each set of them once.

use super::conditions::{above, below, compares, number};
use super::images::Entry;
use super::template::hole_text;
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::syntax::template::Format;
use std::collections::BTreeMap;

/// A key condition with its values.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub terms: Vec<BoundTerm>,
    /// The attributes of the item that it was made for.
    pub attributes: Item,
}

/// A comparison of a key attribute.
#[derive(Clone, Debug)]
pub(super) struct BoundTerm {
    pub attribute: String,
    pub operator: Operator,
    pub operands: Vec<Value>,
}

impl Bound {
    /// Whether an item meets the condition.
    pub fn holds(&self, item: &Item) -> bool {
        self.terms.iter().all(|term| {
            let value = item.get(&term.attribute);
            value.is_some_and(|value| compares(value, term.operator, &term.operands))
        })
    }
}

/// What an operand is held against the stored value for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Same,
    /// The lower end of a range: a parameter there selects everything above.
    Low,
    High,
    Prefix,
}

/// The distinct key conditions for the items that can be reached.
pub(super) fn bindings(comparisons: &[&Comparison], reached: &[Entry<'_, '_>]) -> Vec<Bound> {
    let (mut bound, mut others) = (BTreeMap::new(), BTreeMap::new());
    for entry in reached {
        let terms: Vec<BoundTerm> =
            comparisons.iter().filter_map(|comparison| term(comparison, entry, reached)).collect();
        if terms.len() == comparisons.len() {
            let one = Bound { terms, attributes: entry.stored.instance.values.clone() };
            // An attribute of the name may be another of this entity's: what does not
            // find the item that it was made for is no value of the key.
            let finds = comparisons.iter().zip(&one.terms).all(|(comparison, term)| {
                let value = entry.image.get(&term.attribute);
                !is_supplied(comparison) || value.is_some_and(|v| compares(v, term.operator, &term.operands))
            });
            let which = if finds { &mut bound } else { &mut others };
            which.entry(format!("{:?}", one.terms)).or_insert(one);
        }
    }
    // What finds nothing by any of them is asked all the same.
    (if bound.is_empty() { others } else { bound }).into_values().collect()
}

/// Whether the caller has a part in what an attribute is compared with.
fn is_supplied(comparison: &Comparison) -> bool {
    comparison.operands.iter().any(|operand| match operand {
        OperandDef::Parameter(_) => true,
        OperandDef::String { template, .. } => template.holes().next().is_some(),
        OperandDef::Number(_) | OperandDef::Boolean { .. } => false,
    })
}

fn term(comparison: &Comparison, entry: &Entry<'_, '_>, reached: &[Entry<'_, '_>]) -> Option<BoundTerm> {
    let name = &comparison.attribute.text;
    let stored = entry.image.get(name)?;
    let operands = comparison.operands.iter().enumerate().map(|(place, operand)| {
        let role = match (comparison.operator, place) {
            (Operator::Less | Operator::LessOrEqual | Operator::Between, 1..)
            | (Operator::Less | Operator::LessOrEqual, 0) => Role::High,
            (Operator::Greater | Operator::GreaterOrEqual | Operator::Between, _) => Role::Low,
            (Operator::BeginsWith, _) => Role::Prefix,
            _ => Role::Same,
        };
        self::operand(operand, role, stored, entry, name, reached)
    });
    Some(BoundTerm { attribute: name.clone(), operator: comparison.operator, operands: operands.collect() })
}

fn operand(
    operand: &OperandDef,
    role: Role,
    stored: &Value,
    entry: &Entry<'_, '_>,
    name: &str,
    reached: &[Entry<'_, '_>],
) -> Value {
    match operand {
        OperandDef::Number(value) => Value::N(number(value)),
        OperandDef::Boolean { value, .. } => Value::Bool(*value),
        OperandDef::Parameter(_) => match role {
            Role::Same => stored.clone(),
            Role::Low => below(stored),
            Role::High => highest(stored),
            Role::Prefix => common_prefix(stored, name, reached),
        },
        OperandDef::String { template, .. } => {
            let value = KeyValue::of_template(template, |_| None);
            Value::S(filled(&value, role, stored, &entry.stored.instance.values))
        }
    }
}

fn highest(stored: &Value) -> Value {
    match stored {
        Value::S(_) => Value::S(char::MAX.to_string()),
        Value::B(_) => Value::B(vec![255; 16]),
        other => above(other),
    }
}

/// What all values of a key attribute begin with; where that is nothing, the
/// beginning of this one.
fn common_prefix(stored: &Value, name: &str, reached: &[Entry<'_, '_>]) -> Value {
    let Value::S(first) = stored else {
        let Value::B(bytes) = stored else { return stored.clone() };
        return Value::B(bytes.iter().take(1).copied().collect());
    };
    let mut length = first.len();
    for entry in reached {
        if let Some(Value::S(other)) = entry.image.get(name) {
            let same = first.char_indices().zip(other.chars()).find(|((_, a), b)| a != b);
            length = length.min(same.map_or(first.len().min(other.len()), |((at, _), _)| at));
        }
    }
    let shortest = first.chars().next().map_or(0, char::len_utf8);
    Value::S(first[..length.max(shortest)].to_owned())
}

/// The text of a template. A hole whose attribute the item has not, or that is a
/// parameter, takes what stands in its place in the stored value; in a range or
/// prefix, what selects everything.
fn filled(value: &KeyValue, role: Role, stored: &Value, attributes: &Item) -> String {
    let known: Vec<Result<String, &KeyHole>> = value
        .parts
        .iter()
        .map(|part| match part {
            KeyPiece::Literal(text) => Ok(text.clone()),
            KeyPiece::Hole(hole) => {
                let value = attributes.get(&hole.name).filter(|_| !hole.parameter);
                value.map(|value| hole_text(hole, value)).ok_or(hole)
            }
        })
        .collect();
    let stored = match stored {
        Value::S(text) => text.as_str(),
        _ => "",
    };
    let mut out = String::new();
    let mut rest = stored;
    for (index, part) in known.iter().enumerate() {
        let text = match part {
            Ok(text) => text.clone(),
            Err(hole) => {
                let last = index + 1 == known.len();
                match role {
                    Role::Low if last => wide(hole, '0', ""),
                    Role::High if last => wide(hole, '9', &char::MAX.to_string()),
                    Role::Prefix if last => String::new(),
                    _ => {
                        // Where all that follows is known, the value is what stands before it,
                        // over however many parts of the stored one.
                        let behind: Option<String> =
                            known[index + 1..].iter().map(|part| part.as_ref().ok().cloned()).collect();
                        let before = behind.filter(|_| role == Role::Same).and_then(|b| rest.strip_suffix(b.as_str()));
                        let next = known.get(index + 1).and_then(|next| next.as_ref().ok());
                        let end = next.and_then(|next| rest.find(next.as_str())).unwrap_or(rest.len());
                        before.unwrap_or(&rest[..end]).to_owned()
                    }
                }
            }
        };
        rest = rest.strip_prefix(text.as_str()).unwrap_or("");
        out.push_str(&text);
    }
    match (out.is_empty(), role) {
        // No key is empty (L08).
        (true, Role::Prefix) => stored.chars().take(1).collect(),
        (true, _) => " ".to_owned(),
        (false, _) => out,
    }
}

/// The end of a range in a padded hole, else in any other.
fn wide(hole: &KeyHole, digit: char, other: &str) -> String {
    match hole.format {
        Format::Padded(width) => digit.to_string().repeat(width as usize),
        _ => other.to_owned(),
    }
}
