//! Settings as a tree of values, whether they were written as TOML or came as
//! JSON from an editor.

use crate::syntax::TextRange;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
pub struct Node {
    pub place: TextRange,
    pub value: Value,
}

/// What a value is.
pub enum Value {
    Text(String),
    /// `None`: one that cannot be counted with.
    Number(Option<f64>),
    Truth,
    Date(String),
    List,
    Table(Vec<Entry>),
}

/// A name and its value.
pub struct Entry {
    pub name: String,
    /// Where the name stands, for a table in its header.
    pub key: TextRange,
    pub node: Node,
}

/// The entries of a TOML table.
pub fn of_toml(table: &DeTable<'_>) -> Vec<Entry> {
    let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let key: &toml::Spanned<std::borrow::Cow<'_, str>> = key;
        let key_place = range(key.span());
        // A table that only a header names has no place of its own.
        let place = Some(range(value.span())).filter(|place| !place.is_empty()).unwrap_or(key_place);
        let node = Node { place, value: value_of(value.get_ref()) };
        Entry { name: key.get_ref().to_string(), key: key_place, node }
    };
    table.iter().map(entry).collect()
}

fn value_of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Number(whole(number.as_str(), number.radix())),
        DeValue::Float(number) => Value::Number(number.as_str().parse().ok()),
        DeValue::Boolean(_) => Value::Truth,
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(_) => Value::List,
        DeValue::Table(table) => Value::Table(of_toml(table)),
    }
}

fn whole(digits: &str, radix: u32) -> Option<f64> {
    i128::from_str_radix(digits, radix).ok().map(|number| number as f64)
}

fn range(span: std::ops::Range<usize>) -> TextRange {
    TextRange::new(span.start, span.end)
}
