//! Operands that format a hole otherwise than the stored key does: the same
//! words and the same attributes, and still another text.

use super::defs::{Operator, TIMESTAMP_LENGTH, Type};
use super::key::{KeyHole, KeyPiece, KeyValue};
use super::unify::{Meet, meet};
use crate::syntax::template::Format;
use std::collections::VecDeque;

/// How an operand compares with a key value that it may be meant for.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatMatch {
    /// It is not made of the same words and attributes.
    Unlike,
    /// The same in the same formats.
    Agrees,
    /// These of its holes are formatted otherwise.
    Differs(Vec<Difference>),
    /// The key has a shard and the operand none: what it should be.
    Unsharded(KeyValue),
    /// The operand has a shard and the key none: what it should be.
    Sharded(KeyValue),
}

/// A hole of an operand that is formatted otherwise than that of the key.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which part of the operand it is, counted from 0.
    pub part: usize,
    pub asked: KeyHole,
    pub held: KeyHole,
}

impl FormatMatch {
    /// Whether the format is what differs.
    pub fn is_difference(&self) -> bool {
        !matches!(self, FormatMatch::Unlike | FormatMatch::Agrees)
    }
}

/// Compares the formats of an operand, the `position`th of its comparison, with
/// those of a stored value.
pub fn format_match(operator: Operator, position: usize, operand: &KeyValue, stored: &KeyValue) -> FormatMatch {
    if stored.holes().next().is_none() {
        return FormatMatch::Unlike;
    }
    let along = Along::new(operand, stored);
    let asked_for = &along.value;
    let alike = asked_for.runs_along(stored);
    let whole = match operator {
        Operator::Equal => alike == asked_for.parts.len() && alike == stored.parts.len(),
        Operator::BeginsWith => alike == asked_for.parts.len(),
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual | Operator::Between => {
            // What ends a range need not be what stands in the key: `~` does.
            alike + 1 >= asked_for.parts.len() && alike > 0
        }
        Operator::NotEqual | Operator::Contains | Operator::In => false,
    };
    if !whole {
        return if operator == Operator::Equal { along.shards_apart(stored) } else { FormatMatch::Unlike };
    }
    let mut compared = false;
    let mut differing = Vec::new();
    for (at, pair) in asked_for.parts.iter().zip(&stored.parts).take(alike).enumerate() {
        let (KeyPiece::Hole(asked), KeyPiece::Hole(held)) = pair else { continue };
        // A value of the caller's is in the format that the caller gives it.
        if !is_comparable(asked, held) {
            continue;
        }
        let last = at + 1 == asked_for.parts.len();
        compared = true;
        let ty = held.ty.as_ref();
        if asked.shape(ty) != held.shape(ty) && !is_right_shorter(operator, position, asked, held, last) {
            differing.push(Difference { part: along.origin[at], asked: asked.clone(), held: held.clone() });
        }
    }
    // `{at:day}T` begins a timestamp as well.
    let shorter = |difference: &Difference| is_shorter_time(&difference.asked, &difference.held);
    let is_prefix = || operator == Operator::BeginsWith && meet(&operand.pieces(), &stored.pieces(), Meet::Prefix);
    match (differing.is_empty(), compared) {
        (false, _) if differing.iter().all(shorter) && is_prefix() => FormatMatch::Agrees,
        (false, _) => FormatMatch::Differs(differing),
        (true, true) => FormatMatch::Agrees,
        (true, false) => FormatMatch::Unlike,
    }
}

/// An operand in parts that run along those of a stored value: text that fills a
/// hole stands for that hole.
struct Along {
    value: KeyValue,
    /// The part of the operand that each part comes from.
    origin: Vec<usize>,
    /// The text that the operand gives for holes, by their names.
    filled: Vec<(String, String)>,
}

impl Along {
    fn new(operand: &KeyValue, stored: &KeyValue) -> Self {
        let mut along = Along { value: KeyValue::default(), origin: Vec::new(), filled: Vec::new() };
        let mut rest: VecDeque<(usize, KeyPiece)> = operand.parts.iter().cloned().enumerate().collect();
        let mut parts = stored.parts.iter().peekable();
        while let Some(part) = parts.next() {
            let Some((origin, front)) = rest.pop_front() else { break };
            let KeyPiece::Literal(asked) = front else {
                along.push(origin, front);
                continue;
            };
            match part {
                KeyPiece::Literal(held) => match asked.strip_prefix(held.as_str()).filter(|more| !more.is_empty()) {
                    Some(more) => {
                        rest.push_front((origin, KeyPiece::Literal(more.to_owned())));
                        along.push(origin, part.clone());
                    }
                    None => along.push(origin, KeyPiece::Literal(asked)),
                },
                KeyPiece::Hole(hole) => {
                    let next = parts.peek().and_then(|next| match next {
                        KeyPiece::Literal(text) => asked.find(text.as_str()),
                        KeyPiece::Hole(_) => None,
                    });
                    let (given, more) = asked.split_at(next.unwrap_or(asked.len()));
                    let own = KeyValue { parts: vec![part.clone()] };
                    if !meet(&KeyValue::literal(given).pieces(), &own.pieces(), Meet::Whole) {
                        rest.push_front((origin, KeyPiece::Literal(asked)));
                        break;
                    }
                    along.filled.push((hole.name.clone(), given.to_owned()));
                    along.push(origin, part.clone());
                    if !more.is_empty() {
                        rest.push_front((origin, KeyPiece::Literal(more.to_owned())));
                    }
                }
            }
        }
        for (origin, part) in rest {
            along.push(origin, part);
        }
        along
    }

    fn push(&mut self, origin: usize, part: KeyPiece) {
        self.value.parts.push(part);
        self.origin.push(origin);
    }

    /// Whether the operand differs from the stored value by a shard alone.
    fn shards_apart(&self, stored: &KeyValue) -> FormatMatch {
        let sharded = |value: &KeyValue| value.shards().next().is_some();
        match (sharded(&self.value), sharded(stored)) {
            (false, true) if is_without_shards(&self.value, stored) => FormatMatch::Unsharded(self.filling(stored)),
            (true, false) if is_without_shards(stored, &self.value) => FormatMatch::Sharded(self.filling(stored)),
            _ => FormatMatch::Unlike,
        }
    }

    /// The stored value with the text that the operand gives in its holes.
    fn filling(&self, stored: &KeyValue) -> KeyValue {
        let parts = stored.parts.iter().map(|part| match part {
            KeyPiece::Hole(hole) if !matches!(hole.format, Format::Shard(_)) => {
                let given = self.filled.iter().find(|(name, _)| *name == hole.name);
                given.map_or_else(|| part.clone(), |(_, text)| KeyPiece::Literal(text.clone()))
            }
            _ => part.clone(),
        });
        KeyValue { parts: parts.collect() }
    }
}

/// Whether two holes in one place are meant to hold the same.
fn is_comparable(asked: &KeyHole, held: &KeyHole) -> bool {
    let shards = matches!((asked.format, held.format), (Format::Shard(_), Format::Shard(_)));
    match asked.parameter {
        true => asked.format != Format::Plain,
        false => shards || asked.name == held.name,
    }
}

/// Whether a shorter part of a time stands where it is right: at the end of a
/// prefix, and at the end of a bound that keeps whole days together. Of bounds
/// only an upper one that is to be included leaves its own day out.
fn is_right_shorter(operator: Operator, position: usize, asked: &KeyHole, held: &KeyHole, last: bool) -> bool {
    let bounds = match operator {
        Operator::BeginsWith => last,
        Operator::Less | Operator::Greater | Operator::GreaterOrEqual => true,
        Operator::LessOrEqual => !last,
        Operator::Between => !last || position == 0,
        _ => false,
    };
    bounds && is_shorter_time(asked, held)
}

fn is_shorter_time(asked: &KeyHole, held: &KeyHole) -> bool {
    let whole = match held.format {
        Format::Time(part) => part.length(),
        Format::Plain if held.ty == Some(Type::Timestamp) => TIMESTAMP_LENGTH,
        _ => return false,
    };
    matches!(asked.format, Format::Time(part) if part.length() < whole)
}

/// Whether `plain` is what is left of `sharded` without its shards and what sets
/// them apart.
fn is_without_shards(plain: &KeyValue, sharded: &KeyValue) -> bool {
    let same = |kept: &[Token<'_>]| {
        let plain = tokens(plain);
        plain.len() == kept.len()
            && plain.iter().zip(kept).all(|pair| match pair {
                (Token::Words(a), Token::Words(b)) => a == b,
                (Token::Hole(a), Token::Hole(b)) => !a.parameter && !b.parameter && a.name == b.name,
                _ => false,
            })
    };
    let is_shard = |token: &Token<'_>| matches!(token, Token::Hole(hole) if matches!(hole.format, Format::Shard(_)));
    let all = tokens(sharded);
    let kept: Vec<Token<'_>> = all.iter().filter(|token| !is_shard(token)).copied().collect();
    // `#SHARD#{shard(id, 10)}`: the words before a shard may be its own.
    let announces = |at: usize| {
        let behind_a_hole = at > 0 && matches!(all[at - 1], Token::Hole(_));
        matches!(all[at], Token::Words(_)) && behind_a_hole && all.get(at + 1).is_some_and(is_shard)
    };
    let bare: Vec<Token<'_>> =
        (0..all.len()).filter(|at| !is_shard(&all[*at]) && !announces(*at)).map(|at| all[at]).collect();
    same(&kept) || same(&bare)
}

/// A part of a key value without the separators around it.
#[derive(Clone, Copy)]
enum Token<'k> {
    Words(&'k str),
    Hole(&'k KeyHole),
}

fn tokens(value: &KeyValue) -> Vec<Token<'_>> {
    value.parts.iter().filter_map(token).collect()
}

fn token(part: &KeyPiece) -> Option<Token<'_>> {
    match part {
        KeyPiece::Literal(text) => {
            let words = text.trim_matches(|c: char| !c.is_alphanumeric());
            (!words.is_empty()).then_some(Token::Words(words))
        }
        KeyPiece::Hole(hole) => Some(Token::Hole(hole)),
    }
}
