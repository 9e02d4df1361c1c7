//! What a hole of a key can hold: a time, text of any length, a separator.

use super::defs::Type;
use super::key::{KeyHole, KeyPiece, KeyValue};
use crate::syntax::template::Format;

/// Shards up to this number have one digit each.
const ONE_DIGIT: u32 = 10;

impl KeyHole {
    /// Whether it holds a time, or a part of one.
    pub fn is_time(&self) -> bool {
        match self.format {
            Format::Time(_) => true,
            Format::Shard(_) => false,
            _ => matches!(self.ty, Some(Type::Timestamp | Type::Epoch)),
        }
    }

    /// Whether it holds text that anybody may have typed: of any length, with any
    /// character in it.
    pub fn is_free(&self) -> bool {
        matches!(self.format, Format::Plain | Format::Lower | Format::Upper) && self.ty == Some(Type::String)
    }

    /// Whether one of its values may begin another: text, a number without zeros in
    /// front, a shard of more than ten, and an enum one of whose names begins
    /// another. Seconds have had ten digits since 2001, and keep them until 2286.
    pub fn is_open(&self) -> bool {
        match self.format {
            Format::Padded(_) | Format::Time(_) => false,
            Format::Shard(n) => n > ONE_DIGIT,
            Format::Plain | Format::Lower | Format::Upper => match &self.ty {
                Some(Type::String | Type::Number) => true,
                Some(Type::Enum(names)) => names.iter().any(|name| {
                    let begins = |other: &str| other != name.text && other.starts_with(name.text.as_str());
                    names.iter().any(|other| begins(&other.text))
                }),
                _ => false,
            },
        }
    }

    /// Whether text may stand in a value of it, as far as its format and its
    /// `@without` tell.
    pub fn may_contain(&self, text: &str) -> bool {
        let cased = match self.format {
            Format::Lower => text.chars().any(char::is_uppercase),
            Format::Upper => text.chars().any(char::is_lowercase),
            _ => false,
        };
        self.is_free() && !cased && !self.without.iter().any(|without| text.contains(without.as_str()))
    }

    /// Its format, less what changes nothing in a value of this type: a number has no
    /// letters, and those of a time are capitals.
    pub fn shape(&self, ty: Option<&Type>) -> Format {
        match (self.format, ty) {
            (Format::Lower | Format::Upper, Some(Type::Number | Type::Epoch)) => Format::Plain,
            (Format::Upper, Some(Type::Timestamp)) => Format::Plain,
            (format, _) => format,
        }
    }

    /// Whether it holds all of the attribute, so that who knows the value knows the
    /// attribute, but for the case of its letters.
    pub fn is_full(&self) -> bool {
        !self.parameter && !matches!(self.format, Format::Time(_) | Format::Shard(_))
    }
}

impl KeyValue {
    /// Whether it holds all of this attribute.
    pub fn holds(&self, attribute: &str) -> bool {
        self.holes().any(|hole| hole.name == attribute && hole.is_full())
    }

    /// Its shard holes.
    pub fn shards(&self) -> impl Iterator<Item = &KeyHole> {
        self.holes().filter(|hole| matches!(hole.format, Format::Shard(_)))
    }

    /// How many of its leading parts run as those of another value do: the same
    /// text, and holes in the same places. Text at its end counts where it begins
    /// the other's.
    pub fn runs_along(&self, other: &KeyValue) -> usize {
        let last = self.parts.len().saturating_sub(1);
        let pairs = self.parts.iter().zip(&other.parts).enumerate();
        pairs
            .take_while(|(at, pair)| match pair {
                (KeyPiece::Literal(own), KeyPiece::Literal(text)) => {
                    own == text || (*at == last && text.starts_with(own.as_str()))
                }
                (KeyPiece::Hole(_), KeyPiece::Hole(_)) => true,
                _ => false,
            })
            .count()
    }
}
