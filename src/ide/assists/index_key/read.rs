//! What an operand of a key condition says of each attribute that a composed
//! key holds.

use crate::model::defs::{KeyType, Type};
use crate::model::key::{KeyPiece, KeyValue};
use crate::syntax::strings::quote_name;
use crate::syntax::template::{Format, Hole, Part, Template};

/// What stands in an operand in the place of a hole.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ide::assists) enum Value {
    Literal(String),
    Hole { name: String, parameter: bool, format: Format },
}

/// An operand read along the template of a key.
#[derive(Debug, PartialEq)]
pub(in crate::ide::assists) struct Reading {
    /// What it says of the holes, from the first one on.
    pub values: Vec<Value>,
    pub end: End,
}

/// Where an operand ends.
#[derive(Debug, PartialEq, Clone, Copy)]
pub(in crate::ide::assists) enum End {
    /// With the template.
    Whole,
    /// Behind a value with some of the literal that ends it, or before all values.
    AtLiteral,
    /// With the last value, which may only be the beginning of one.
    InValue,
}

enum Token {
    Char(char),
    Value(Value),
}

/// Reads an operand along the template of a key; `None` where it is made
/// otherwise.
pub(in crate::ide::assists) fn read(key: &KeyValue, operand: &Template) -> Option<Reading> {
    let tokens: Vec<Token> = operand
        .parts
        .iter()
        .flat_map(|part| match part {
            Part::Literal(text, _) => text.chars().map(Token::Char).collect::<Vec<_>>(),
            Part::Hole(Hole { name, parameter, format, .. }) => {
                vec![Token::Value(Value::Hole { name: name.clone(), parameter: *parameter, format: *format })]
            }
        })
        .collect();
    let mut at = 0;
    let mut values = Vec::new();
    let mut end = End::AtLiteral;
    for (index, piece) in key.parts.iter().enumerate() {
        if at == tokens.len() {
            return Some(Reading { values, end });
        }
        match piece {
            KeyPiece::Literal(text) => {
                for c in text.chars() {
                    match tokens.get(at) {
                        None => return Some(Reading { values, end: End::AtLiteral }),
                        Some(Token::Char(own)) if *own == c => at += 1,
                        Some(_) => return None,
                    }
                }
                end = End::AtLiteral;
            }
            KeyPiece::Hole(_) => {
                let next = match key.parts.get(index + 1) {
                    Some(KeyPiece::Literal(text)) => Some(text.as_str()),
                    _ => None,
                };
                values.push(value(&tokens, &mut at, next)?);
                end = End::InValue;
            }
        }
    }
    (at == tokens.len()).then_some(Reading { values, end: End::Whole })
}

/// The one hole, or the text up to the literal that ends the value.
fn value(tokens: &[Token], at: &mut usize, ends_with: Option<&str>) -> Option<Value> {
    if let Token::Value(value) = &tokens[*at] {
        *at += 1;
        return Some(value.clone());
    }
    let chars = tokens[*at..].iter().map_while(|token| match token {
        Token::Char(c) => Some(*c),
        Token::Value(_) => None,
    });
    let text: String = chars.collect();
    let followed = matches!(tokens.get(*at + text.chars().count()), Some(Token::Value(_)));
    let length = match ends_with.and_then(|literal| text.find(literal)) {
        Some(length) => length,
        // Text and a hole that make up one value together are not parted.
        None if followed => return None,
        None => text.len(),
    };
    let literal = &text[..length];
    *at += literal.chars().count();
    (!literal.is_empty()).then(|| Value::Literal(literal.to_owned()))
}

impl Value {
    /// The operand that an attribute of its own is compared with. `None` where
    /// the attribute's type has no such value.
    pub fn operand(&self, attribute: &str, ty: &Type) -> Option<String> {
        match self {
            Value::Hole { name, parameter: true, format: Format::Plain } => Some(format!(":{}", quote_name(name))),
            Value::Hole { name, parameter: false, format: Format::Plain } if name == attribute => {
                Some(format!(":{}", quote_name(name)))
            }
            Value::Hole { .. } if ty.key_type() != Some(KeyType::String) => None,
            Value::Hole { .. } => Some(Template { parts: vec![self.part()], faults: Vec::new() }.spelling()),
            Value::Literal(text) => match ty.key_type()? {
                KeyType::String => Some(Template { parts: vec![self.part()], faults: Vec::new() }.spelling()),
                // As it is written in a key, a number is one without a unit.
                KeyType::Number => text.parse::<f64>().ok().map(|_| text.clone()),
                KeyType::Binary => None,
            },
        }
    }

    /// Whether it stands for all of an attribute's value.
    pub fn is_plain(&self) -> bool {
        matches!(self, Value::Literal(_) | Value::Hole { format: Format::Plain, .. })
    }

    /// The part of a template that writes it.
    pub fn part(&self) -> Part {
        use crate::syntax::TextRange;
        let nowhere = TextRange::default();
        match self.clone() {
            Value::Literal(text) => Part::Literal(text, nowhere),
            Value::Hole { name, parameter, format } => {
                Part::Hole(Hole { name, parameter, format, range: nowhere, name_range: nowhere })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_read_along_the_key() {
        let key = KeyValue::of_template(&Template::parse(r##""A#{x}#{y}#{z}""##), |_| None);
        let reading = |operand: &str| {
            read(&key, &Template::parse(operand)).map(|reading| {
                let parts = reading.values.iter().map(Value::part).map(|part| {
                    let spelled = Template { parts: vec![part], faults: Vec::new() }.spelling();
                    spelled.trim_matches('"').to_owned()
                });
                (parts.collect::<Vec<_>>().join(" "), reading.end)
            })
        };
        let some = |values: &str, end| Some((values.to_owned(), end));
        assert_eq!(reading(r##""A#{x}#{:p}#1""##), some("{x} {:p} 1", End::Whole));
        assert_eq!(reading(r##""A#{x}#open#""##), some("{x} open", End::AtLiteral));
        assert_eq!(reading(r##""A#{x}#op""##), some("{x} op", End::InValue));
        assert_eq!(reading(r##""A#{x}#{y:day}""##), some("{x} {y:day}", End::InValue));
        assert_eq!(reading(r##""A""##), some("", End::AtLiteral));
        for other in [r##""B#{x}""##, r##""A#{x}#{y}#{z}#""##, r##""A#{x}#a{y}#""##, r##""A#{x}##""##] {
            assert_eq!(reading(other), None, "{other}");
        }
    }
}
