//! Key templates filled with values.

use super::spell::instant;
use crate::capacity::values::Value;
use crate::model::key::{KeyPiece, KeySource, KeyValue};
use crate::syntax::template::Format;

/// The first second of the year 10000, in seconds since 1970.
const END: u64 = 253_402_300_800;

/// The value of a key attribute of an item; `None` where an attribute that it
/// is made of is absent.
pub fn key_value<'v>(source: &KeySource, find: impl Fn(&str) -> Option<&'v Value>) -> Option<Value> {
    match source.value.whole_attribute().filter(|_| !source.template) {
        Some(name) => find(name).cloned(),
        None => text(&source.value, find).map(Value::S),
    }
}

/// The text of a template; `None` where an attribute in it is absent.
fn text<'v>(value: &KeyValue, find: impl Fn(&str) -> Option<&'v Value>) -> Option<String> {
    let mut out = String::new();
    for part in &value.parts {
        match part {
            KeyPiece::Literal(text) => out.push_str(text),
            KeyPiece::Hole(hole) => out.push_str(&hole_text(hole.format, find(&hole.name)?)),
        }
    }
    Some(out)
}

/// What a hole writes for a value (S3 has the lengths).
pub fn hole_text(format: Format, value: &Value) -> String {
    let plain = match value {
        Value::S(text) | Value::N(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::B(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        // No other type can stand in a key template.
        _ => String::new(),
    };
    match format {
        Format::Plain => plain,
        Format::Lower => plain.to_lowercase(),
        Format::Upper => plain.to_uppercase(),
        // The sign stands before the zeros, as in every language that pads numbers.
        Format::Padded(width) => match plain.strip_prefix('-').filter(|_| matches!(value, Value::N(_))) {
            Some(digits) => format!("-{digits:0>width$}", width = (width as usize).saturating_sub(1)),
            None => format!("{plain:0>width$}", width = width as usize),
        },
        // Of seconds since 1970 it is a part of the instant that they count to.
        Format::Time(part) => counted_instant(value).unwrap_or(plain).chars().take(part.length()).collect(),
        Format::Shard(shards) => (hash(&plain) % u64::from(shards.max(1))).to_string(),
    }
}

/// The instant to which a number counts seconds since 1970; `None` for what is no
/// such number.
pub fn counted_instant(value: &Value) -> Option<String> {
    let Value::N(seconds) = value else { return None };
    seconds.parse().ok().filter(|seconds| *seconds < END).map(instant)
}

/// A hash that is the same everywhere and for ever (FNV-1a, 64 bits).
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
