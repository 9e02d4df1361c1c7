//! The entries of a TOML table, each read as what it should be or reported.

use super::ConfigFault;
use crate::syntax::TextRange;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// More faults than this help nobody.
const MOST_FAULTS: usize = 100;

/// At most so many characters of what somebody wrote are repeated to them.
const MOST_SHOWN: usize = 60;

/// The faults of a file.
#[derive(Debug, Default)]
pub struct Faults(Vec<ConfigFault>);

impl Faults {
    /// Reports what stands at a place.
    pub fn add(&mut self, range: TextRange, message: String) {
        if self.0.len() < MOST_FAULTS {
            self.0.push(ConfigFault { range, message });
        }
    }

    /// Reports a name that means nothing here, with those that do.
    pub fn unknown(&mut self, entry: &Entry<'_, '_>, what: &str, known: &[&str]) {
        let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        self.add(entry.key, format!("there is no {what} `{}`; there is {}", shown(entry.name), known.join(", ")));
    }

    /// The faults in the order of the text.
    pub fn in_order(mut self) -> Vec<ConfigFault> {
        self.0.sort_by_key(|fault| (fault.range.start, fault.range.end));
        self.0
    }
}

/// A name and its value.
pub struct Entry<'d, 't> {
    pub name: &'d str,
    /// Where the name stands, for a table in its header.
    pub key: TextRange,
    value: &'d Spanned<DeValue<'t>>,
}

/// The entries of a table, by name.
pub fn entries<'d, 't>(table: &'d DeTable<'t>) -> impl Iterator<Item = Entry<'d, 't>> {
    table.iter().map(|(key, value)| Entry { name: key.get_ref(), key: range(key.span()), value })
}

impl<'d, 't> Entry<'d, 't> {
    /// Where the value stands.
    pub fn place(&self) -> TextRange {
        range(self.value.span())
    }

    /// A text of at least one character, and of none that a terminal obeys.
    pub fn text(&self, faults: &mut Faults) -> Option<String> {
        match self.value.get_ref() {
            DeValue::String(text) if text.trim().is_empty() => {
                faults.add(self.place(), format!("`{}` says nothing", shown(self.name)));
                None
            }
            DeValue::String(text) if text.contains(char::is_control) => {
                faults.add(self.place(), format!("`{}` holds a control character", shown(self.name)));
                None
            }
            DeValue::String(text) => Some(text.to_string()),
            _ => self.wrong("a text in quotes", faults),
        }
    }

    /// A day: a TOML date, or a text that says it in any way.
    pub fn date(&self, faults: &mut Faults) -> Option<String> {
        match self.value.get_ref() {
            DeValue::Datetime(date) => Some(date.to_string()),
            DeValue::String(_) => self.text(faults),
            _ => self.wrong("a date", faults),
        }
    }

    /// A number, whole or not, of at least zero and at most `most`.
    pub fn amount(&self, most: f64, faults: &mut Faults) -> Option<f64> {
        let number = match self.value.get_ref() {
            DeValue::Integer(number) => whole(number.as_str(), number.radix()),
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => return self.wrong("a number", faults),
        };
        let fault = match number {
            None => "is no number that can be counted with",
            Some(number) if !number.is_finite() => "must be finite",
            Some(number) if number.is_sign_negative() && number != 0.0 => "must not be negative",
            Some(number) if number > most => "is beyond every price",
            Some(number) => return Some(number.abs()),
        };
        faults.add(self.place(), format!("`{}` {fault}", shown(self.name)));
        None
    }

    /// A table.
    pub fn table(&self, faults: &mut Faults) -> Option<&'d DeTable<'t>> {
        match self.value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => self.wrong("a table", faults),
        }
    }

    fn wrong<T>(&self, wanted: &str, faults: &mut Faults) -> Option<T> {
        let found = match self.value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        faults.add(self.place(), format!("`{}` is {found}; it must be {wanted}", shown(self.name)));
        None
    }
}

fn whole(digits: &str, radix: u32) -> Option<f64> {
    i128::from_str_radix(digits, radix).ok().map(|number| number as f64)
}

fn range(span: std::ops::Range<usize>) -> TextRange {
    TextRange::new(span.start, span.end)
}

/// A name as it can be shown: short, on one line, harmless in a terminal.
pub fn shown(name: &str) -> String {
    let mut out: String = name.chars().take(MOST_SHOWN).flat_map(char::escape_debug).collect();
    if name.chars().nth(MOST_SHOWN).is_some() {
        out.push('…');
    }
    out
}
