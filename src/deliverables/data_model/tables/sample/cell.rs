//! Values as a cell of a sample shows them.

use crate::capacity::values::{Item, Value};
use crate::deliverables::markdown::code;

/// Characters of a value that a cell shows, unless it is of a key: those of a uuid.
const WIDEST: usize = 36;
/// Entries of a list, map or set that a cell shows.
const ENTRIES: usize = 3;
/// Bytes of a binary that a cell shows.
const BYTES: usize = 8;
/// Lists and maps in each other are shown so deep.
const DEEPEST: usize = 4;

/// A value of a key: whole, for keys are what a sample is read for.
pub(super) fn key(value: &Value) -> String {
    match value {
        Value::B(bytes) => code(&hex(bytes, bytes.len())),
        value => code(&plain(value, usize::MAX)),
    }
}

/// The value of any other attribute, cut where it is long.
pub(super) fn attribute(value: &Value) -> String {
    code(&plain(value, WIDEST))
}

/// A list of embedded items: how many there are, and of which entity.
pub(super) fn embedded(value: &Value, entity: &str) -> String {
    match value {
        Value::L(items) => code(&format!("[{} × {entity}]", items.len())),
        other => attribute(other),
    }
}

/// An embedded item with all its attributes.
pub(super) fn element(value: &Value) -> String {
    match value {
        Value::M(entries) => code(&map(entries, usize::MAX, 0)),
        other => attribute(other),
    }
}

/// A value that stands alone: a text without quotes.
fn plain(value: &Value, widest: usize) -> String {
    match value {
        Value::S(text) | Value::N(text) => cut(text, widest),
        other => nested(other, 0),
    }
}

/// A value inside of another.
fn nested(value: &Value, depth: usize) -> String {
    if depth > DEEPEST {
        return String::from("…");
    }
    match value {
        Value::S(text) => format!("\"{}\"", cut(text, WIDEST)),
        Value::N(text) => text.clone(),
        Value::B(bytes) => hex(bytes, BYTES),
        Value::Bool(value) => value.to_string(),
        Value::Null => String::from("null"),
        Value::L(values) => format!("[{}]", some(values, |value| nested(value, depth + 1))),
        Value::M(entries) => map(entries, ENTRIES, depth),
        Value::Ss(texts) => format!("{{{}}}", some(texts, |text| format!("\"{}\"", cut(text, WIDEST)))),
        Value::Ns(numbers) => format!("{{{}}}", some(numbers, String::clone)),
        Value::Bs(values) => format!("{{{}}}", some(values, |bytes| hex(bytes, BYTES))),
    }
}

fn map(entries: &Item, most: usize, depth: usize) -> String {
    let shown = entries.iter().take(most).map(|(name, value)| format!("{name}: {}", nested(value, depth + 1)));
    let mut parts: Vec<String> = shown.collect();
    if entries.len() > most {
        parts.push(String::from("…"));
    }
    format!("{{{}}}", parts.join(", "))
}

fn some<V>(values: &[V], shown: impl Fn(&V) -> String) -> String {
    let mut parts: Vec<String> = values.iter().take(ENTRIES).map(shown).collect();
    if values.len() > ENTRIES {
        parts.push(String::from("…"));
    }
    parts.join(", ")
}

fn cut(text: &str, widest: usize) -> String {
    if text.chars().count() <= widest {
        return text.to_owned();
    }
    let start: String = text.chars().take(widest.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

fn hex(bytes: &[u8], most: usize) -> String {
    let digits: String = bytes.iter().take(most).map(|byte| format!("{byte:02x}")).collect();
    if bytes.len() > most { format!("0x{digits}…") } else { format!("0x{digits}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_whole_and_other_values_short() {
        let long = Value::S("x".repeat(50));
        assert_eq!(key(&long), format!("`{}`", "x".repeat(50)));
        assert_eq!(attribute(&long), format!("`{}…`", "x".repeat(35)));
        assert_eq!(attribute(&Value::S(String::new())), "(empty)");
        assert_eq!(attribute(&Value::B(vec![7; 9])), "`0x0707070707070707…`");
        assert_eq!(key(&Value::B(vec![7; 9])), format!("`0x{}`", "07".repeat(9)));
    }

    #[test]
    fn what_is_in_a_value_shows_as_far_as_there_is_room() {
        let one = Value::M(Item::from([
            ("line_no".to_owned(), Value::N("1".to_owned())),
            ("sku".to_owned(), Value::S("BOOK-0042".to_owned())),
        ]));
        assert_eq!(element(&one), "`{line_no: 1, sku: \"BOOK-0042\"}`");
        let list = Value::L(vec![one.clone(), one.clone()]);
        assert_eq!(embedded(&list, "OrderLine"), "`[2 × OrderLine]`");
        assert_eq!(attribute(&Value::Ns((1..6).map(|n| n.to_string()).collect())), "`{1, 2, 3, …}`");
        let deep = (0..40).fold(Value::Null, |inner, _| Value::L(vec![inner]));
        assert_eq!(attribute(&deep), "`[[[[[…]]]]]`");
    }
}
