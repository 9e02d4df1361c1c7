//! Key templates filled with values.

use crate::capacity::values::Value;
use crate::model::key::{KeyHole, KeyPiece, KeySource, KeyValue};
use crate::syntax::template::Format;

/// The value of a key attribute of an item; `None` where an attribute that it
/// is made of is absent.
pub(super) fn key_value<'v>(source: &KeySource, find: impl Fn(&str) -> Option<&'v Value>) -> Option<Value> {
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
            KeyPiece::Hole(hole) => out.push_str(&hole_text(hole, find(&hole.name)?)),
        }
    }
    Some(out)
}

/// What a hole writes for a value (S3 has the lengths).
pub(super) fn hole_text(hole: &KeyHole, value: &Value) -> String {
    let plain = match value {
        Value::S(text) | Value::N(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::B(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        // No other type can stand in a key template.
        _ => String::new(),
    };
    match hole.format {
        Format::Plain => plain,
        Format::Lower => plain.to_lowercase(),
        Format::Upper => plain.to_uppercase(),
        Format::Padded(width) => format!("{plain:0>width$}", width = width as usize),
        Format::Time(part) => plain.chars().take(part.length()).collect(),
        Format::Shard(shards) => (hash(&plain) % u64::from(shards.max(1))).to_string(),
    }
}

/// A hash that is the same everywhere and for ever (FNV-1a, 64 bits).
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
