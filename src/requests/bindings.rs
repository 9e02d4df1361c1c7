//! The values that callers supply to a query: for every item that it can reach,
//! those with which it finds that item, each set of them once.

use super::conditions::{above, below, compares};
use super::nearby;
use super::origin::{Operand, Origin, TemplatePart, of_parts, part_text};
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::population::images::Entry;
use crate::population::literals::number;
use crate::population::spell::Spelling;
use crate::syntax::template::Format;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A key condition with its values.
#[derive(Clone, Debug)]
pub struct Bound {
    pub terms: Vec<BoundTerm>,
    /// The attributes of the item that it was made for.
    pub attributes: Item,
    /// Which of the reached items that is.
    pub place: usize,
}

/// A comparison of a key attribute.
#[derive(Clone, Debug)]
pub struct BoundTerm {
    pub attribute: String,
    pub operator: Operator,
    pub operands: Vec<Operand>,
}

impl Bound {
    /// Whether an item meets the condition.
    pub fn holds(&self, item: &Item) -> bool {
        self.terms.iter().all(|term| {
            let value = item.get(&term.attribute);
            value.is_some_and(|value| compares(value, term.operator, &term.operands))
        })
    }

    /// Its values as a text: bounds of the same text ask for the same.
    fn spelled(&self) -> String {
        let terms = self.terms.iter().map(|term| {
            let values: Vec<&Value> = term.operands.iter().map(|operand| &operand.value).collect();
            format!("{:?} {:?} {values:?}", term.attribute, term.operator)
        });
        terms.collect::<Vec<_>>().join(", ")
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
pub fn bindings(comparisons: &[&Comparison], reached: &[Entry<'_, '_>], spelling: Spelling) -> Vec<Bound> {
    let (mut bound, mut others) = (BTreeMap::new(), BTreeMap::new());
    for (place, entry) in reached.iter().enumerate() {
        let mates = match spelling {
            Spelling::Exact => Vec::new(),
            Spelling::Plausible => mates(comparisons, entry, reached),
        };
        let choice = Choice { entry, reached, mates };
        let terms: Vec<BoundTerm> = comparisons.iter().filter_map(|comparison| choice.term(comparison)).collect();
        if terms.len() == comparisons.len() {
            let one = Bound { terms, attributes: entry.stored.instance.values.clone(), place };
            // An attribute of the name may be another of this entity's: what does not
            // find the item that it was made for is no value of the key.
            let finds = comparisons.iter().zip(&one.terms).all(|(comparison, term)| {
                let value = entry.image.get(&term.attribute);
                !is_supplied(comparison) || value.is_some_and(|v| compares(v, term.operator, &term.operands))
            });
            let which = if finds { &mut bound } else { &mut others };
            which.entry(one.spelled()).or_insert(one);
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

/// The items in the same partition as this one, as far as comparisons for equality
/// tell, itself included.
fn mates<'e, 'p, 'db>(
    comparisons: &[&Comparison],
    entry: &'e Entry<'p, 'db>,
    reached: &'e [Entry<'p, 'db>],
) -> Vec<&'e Entry<'p, 'db>> {
    let alone = Choice { entry, reached, mates: Vec::new() };
    let equal = comparisons.iter().filter(|comparison| comparison.operator == Operator::Equal);
    let terms: Vec<BoundTerm> = equal.filter_map(|comparison| alone.term(comparison)).collect();
    let meets = |other: &&Entry<'p, 'db>| {
        terms.iter().all(|term| {
            let value = other.image.get(&term.attribute);
            value.is_some_and(|value| compares(value, term.operator, &term.operands))
        })
    };
    reached.iter().filter(meets).collect()
}

/// What operands are chosen from.
struct Choice<'e, 'p, 'db> {
    /// The item that is to be found.
    entry: &'e Entry<'p, 'db>,
    reached: &'e [Entry<'p, 'db>],
    /// For readers, who are shown real ends of a range: the items of the partition.
    mates: Vec<&'e Entry<'p, 'db>>,
}

impl Choice<'_, '_, '_> {
    fn term(&self, comparison: &Comparison) -> Option<BoundTerm> {
        let name = &comparison.attribute.text;
        self.entry.image.get(name)?;
        let operands = comparison.operands.iter().enumerate().map(|(place, operand)| {
            let role = match (comparison.operator, place) {
                (Operator::Less | Operator::LessOrEqual | Operator::Between, 1..)
                | (Operator::Less | Operator::LessOrEqual, 0) => Role::High,
                (Operator::Greater | Operator::GreaterOrEqual | Operator::Between, _) => Role::Low,
                (Operator::BeginsWith, _) => Role::Prefix,
                _ => Role::Same,
            };
            self.operand(operand, comparison.operator, role, name)
        });
        Some(BoundTerm { attribute: name.clone(), operator: comparison.operator, operands: operands.collect() })
    }

    fn operand(&self, operand: &OperandDef, operator: Operator, role: Role, name: &str) -> Operand {
        let (entry, role) = self.end(role, name);
        let absent = Value::S(String::new());
        let stored = entry.image.get(name).unwrap_or(&absent);
        match operand {
            OperandDef::Number(value) => Operand::constant(Value::N(number(value))),
            OperandDef::Boolean { value, .. } => Operand::constant(Value::Bool(*value)),
            OperandDef::Parameter(parameter) => {
                let value = match role {
                    Role::Same => self.beside(operator, stored),
                    Role::Low => below(stored),
                    Role::High => highest(stored),
                    Role::Prefix => common_prefix(stored, name, self.reached, &self.mates),
                };
                Operand::parameter(&parameter.text, value)
            }
            OperandDef::String { template, .. } => {
                let value = KeyValue::of_template(template, |_| None);
                let operand = filled(&value, role, stored, &entry.stored.instance.values);
                let operand = self.typed(&value, role, name, stored).unwrap_or(operand);
                self.template_beside(operator, stored, &operand).unwrap_or(operand)
            }
        }
    }

    /// The beginning of a key that the caller supplies alone, as people type it: where the
    /// key begins with a text in small letters, so does what it is asked by. `None` where
    /// that is not so.
    fn typed(&self, operand: &KeyValue, role: Role, name: &str, stored: &Value) -> Option<Operand> {
        let ([KeyPiece::Hole(asked)], Role::Prefix, Value::S(text)) = (operand.parts.as_slice(), role, stored) else {
            return None;
        };
        let format = match self.entry.stored.kind.keys.get(name)?.value.parts.first()? {
            KeyPiece::Hole(hole) if asked.parameter => hole.format,
            _ => return None,
        };
        let first: String = text.chars().take(1).collect();
        let typed = match format {
            Format::Lower => first.to_uppercase(),
            Format::Upper => first.to_lowercase(),
            _ => first.clone(),
        };
        let format = if matches!(format, Format::Lower | Format::Upper) { format } else { Format::Plain };
        let hole = TemplatePart::Hole { name: asked.name.clone(), format, value: Value::S(typed) };
        let spelled = part_text(&hole);
        (spelled == first).then(|| Operand { value: Value::S(spelled), origin: of_parts(vec![hole]) })
    }

    /// The item whose value an operand is made from, and as what. The ends of a
    /// range are, for readers, the first and the last item of the partition.
    fn end(&self, role: Role, name: &str) -> (&Entry<'_, '_>, Role) {
        let by_value = |a: &&&Entry<'_, '_>, b: &&&Entry<'_, '_>| {
            let values = a.image.get(name).zip(b.image.get(name));
            values.and_then(|(a, b)| a.order(b)).unwrap_or(Ordering::Equal)
        };
        let there = || self.mates.iter().filter(|mate| mate.image.contains_key(name));
        let end = match role {
            Role::Low => there().min_by(by_value),
            Role::High => there().max_by(by_value),
            Role::Same | Role::Prefix => None,
        };
        match end {
            Some(end) => (end, Role::Same),
            None => (self.entry, role),
        }
    }

    /// A value, or where the item itself is not to be met but must be found, and is
    /// alone in its partition, one beside it.
    fn beside(&self, operator: Operator, stored: &Value) -> Value {
        let near = self.near(operator).and_then(|near| near(stored));
        near.map(|near| self.in_partition(operator, stored, near)).unwrap_or_else(|| stored.clone())
    }

    /// An instant that is asked for in a partition of an hour or a minute lies in that, not
    /// before it and not behind it, where there is room.
    fn in_partition(&self, operator: Operator, stored: &Value, near: Value) -> Value {
        let (Value::S(own), Value::S(other)) = (stored, &near) else { return near };
        let values = &self.entry.stored.instance.values;
        let holes = self.entry.stored.kind.keys.values().flat_map(|key| key.value.holes());
        let parts = holes.filter_map(|hole| match hole.format {
            Format::Time(part) if values.get(&hole.name) == Some(stored) => Some(part.length()),
            _ => None,
        });
        let outside = parts.filter(|length| own.get(..*length) != other.get(..*length));
        let Some(begin) = outside.max().and_then(|length| own.get(..length)) else { return near };
        let (first, last) = ("0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z");
        let end = match operator {
            Operator::Less => last.get(begin.len()..).map(|rest| format!("{begin}{rest}")).filter(|end| end > own),
            _ => first.get(begin.len()..).map(|rest| format!("{begin}{rest}")).filter(|end| end < own),
        };
        end.map_or(near, Value::S)
    }

    /// The same of a template, of which the last hole is filled otherwise; `None` where
    /// that changes nothing.
    fn template_beside(&self, operator: Operator, stored: &Value, operand: &Operand) -> Option<Operand> {
        let near = self.near(operator)?;
        let Origin::Template(parts) = &operand.origin else { return None };
        let mut parts = parts.clone();
        let last = parts.iter_mut().rev().find_map(|part| match part {
            TemplatePart::Hole { value, .. } => Some(value),
            TemplatePart::Text(_) => None,
        })?;
        *last = near(last)?;
        let text = parts.iter().map(part_text).collect();
        let other = Operand { value: Value::S(text), origin: of_parts(parts) };
        compares(stored, operator, std::slice::from_ref(&other)).then_some(other)
    }

    /// What makes a value that finds the only item of its partition where the item's
    /// own does not.
    fn near(&self, operator: Operator) -> Option<fn(&Value) -> Option<Value>> {
        match operator {
            _ if self.mates.len() != 1 => None,
            Operator::Greater => Some(nearby::below),
            Operator::Less => Some(nearby::above),
            _ => None,
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
/// beginning of this one. Of instants in one partition, whole days or months.
fn common_prefix(stored: &Value, name: &str, reached: &[Entry<'_, '_>], mates: &[&Entry<'_, '_>]) -> Value {
    let Value::S(first) = stored else {
        let Value::B(bytes) = stored else { return stored.clone() };
        return Value::B(bytes.iter().take(1).copied().collect());
    };
    let mut length = first.len();
    let mut shorten = |entry: &Entry<'_, '_>| {
        if let Some(Value::S(other)) = entry.image.get(name) {
            let same = first.char_indices().zip(other.chars()).find(|((_, a), b)| a != b);
            length = length.min(same.map_or(first.len().min(other.len()), |((at, _), _)| at));
        }
    };
    match mates.is_empty() {
        true => reached.iter().for_each(shorten),
        false => mates.iter().for_each(|mate| shorten(mate)),
    }
    let is_instant = !mates.is_empty() && first.len() == 20 && first.is_ascii() && first.ends_with('Z');
    if is_instant {
        // A day of one item says more than its very second.
        length = [10, 7, 4].into_iter().find(|end| *end <= length).unwrap_or(length);
    }
    let shortest = first.chars().next().map_or(0, char::len_utf8);
    Value::S(first[..length.max(shortest)].to_owned())
}

/// The value of a template. A hole whose attribute the item has not, or that is a
/// parameter, takes what stands in its place in the stored value; in a range or
/// prefix, what selects everything.
fn filled(value: &KeyValue, role: Role, stored: &Value, attributes: &Item) -> Operand {
    let known: Vec<Result<TemplatePart, &KeyHole>> = value
        .parts
        .iter()
        .map(|part| match part {
            KeyPiece::Literal(text) => Ok(TemplatePart::Text(text.clone())),
            KeyPiece::Hole(hole) => {
                let value = attributes.get(&hole.name).filter(|_| !hole.parameter).ok_or(hole)?;
                Ok(TemplatePart::Hole { name: hole.name.clone(), format: hole.format, value: value.clone() })
            }
        })
        .collect();
    let stored = match stored {
        Value::S(text) => text.as_str(),
        _ => "",
    };
    let mut parts = Vec::new();
    let mut out = String::new();
    let mut rest = stored;
    for (index, part) in known.iter().enumerate() {
        let part = match part {
            Ok(part) => part.clone(),
            Err(hole) => {
                let last = index + 1 == known.len();
                let text = match role {
                    Role::Low if last => wide(hole, '0', ""),
                    Role::High if last => wide(hole, '9', &char::MAX.to_string()),
                    Role::Prefix if last => String::new(),
                    _ => {
                        // Where all that follows is known, the value is what stands before it,
                        // over however many parts of the stored one.
                        let behind: Option<String> =
                            known[index + 1..].iter().map(|part| part.as_ref().ok().map(part_text)).collect();
                        let before = behind.filter(|_| role == Role::Same).and_then(|b| rest.strip_suffix(b.as_str()));
                        let next = known.get(index + 1).and_then(|next| next.as_ref().ok()).map(part_text);
                        let end = next.and_then(|next| rest.find(next.as_str())).unwrap_or(rest.len());
                        before.unwrap_or(&rest[..end]).to_owned()
                    }
                };
                // It has been written already.
                TemplatePart::Hole { name: hole.name.clone(), format: Format::Plain, value: Value::S(text) }
            }
        };
        let text = part_text(&part);
        rest = rest.strip_prefix(text.as_str()).unwrap_or("");
        out.push_str(&text);
        // A hole that is left open asks its caller for nothing.
        if !matches!(part, TemplatePart::Hole { .. }) || !text.is_empty() {
            parts.push(part);
        }
    }
    match (out.is_empty(), role) {
        // No key is empty (L08).
        (true, Role::Prefix) => Operand::constant(Value::S(stored.chars().take(1).collect())),
        (true, _) => Operand::constant(Value::S(" ".to_owned())),
        (false, _) => Operand { value: Value::S(out), origin: of_parts(parts) },
    }
}

/// The end of a range in a padded hole, else in any other.
fn wide(hole: &KeyHole, digit: char, other: &str) -> String {
    match hole.format {
        Format::Padded(width) => digit.to_string().repeat(width as usize),
        _ => other.to_owned(),
    }
}
