//! The entries of a table of settings, each read as what it should be or
//! reported.

use super::ConfigFault;
use super::node::{Entry, Value};
use crate::syntax::near::nearest;
use crate::syntax::{Quantity, TextRange};

/// More faults than this help nobody.
const MOST_FAULTS: usize = 100;

/// At most so many characters of what somebody wrote are repeated to them.
const MOST_SHOWN: usize = 60;

/// At most so many names are listed; of more, the nearest is told.
const MOST_LISTED: usize = 8;

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

    /// Reports a name that means nothing here, with those that do: the one that
    /// was most likely meant, else all where they are few.
    pub fn unknown(&mut self, entry: &Entry, what: &str, known: &[&str]) {
        self.lacking(entry, &format!("there is no {what}"), known);
    }

    /// The same, said in other words in front of the name.
    pub fn lacking(&mut self, entry: &Entry, what: &str, known: &[&str]) {
        let name = shown(&entry.name);
        let near = nearest(&entry.name, known.iter().copied());
        let instead = match (near, known.len()) {
            (Some(near), _) => format!("; did you mean `{near}`?"),
            (None, 0) => String::new(),
            (None, 1..=MOST_LISTED) => format!("; there is {}", listed(known)),
            (None, _) => "; `keywright rules` lists them".to_owned(),
        };
        self.add(entry.key, format!("{what} `{name}`{instead}"));
    }

    /// The faults in the order of the text.
    pub fn in_order(mut self) -> Vec<ConfigFault> {
        self.0.sort_by_key(|fault| (fault.range.start, fault.range.end));
        self.0
    }
}

/// Names as a message lists them.
pub fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl Entry {
    /// A text of at least one character, and of none that a terminal obeys.
    pub fn text(&self, faults: &mut Faults) -> Option<&str> {
        match &self.node.value {
            Value::Text(text) if text.trim().is_empty() => {
                faults.add(self.node.place, format!("`{}` says nothing", shown(&self.name)));
                None
            }
            Value::Text(text) if text.contains(char::is_control) => {
                faults.add(self.node.place, format!("`{}` holds a control character", shown(&self.name)));
                None
            }
            Value::Text(text) => Some(text),
            _ => self.wrong("a text in quotes", faults),
        }
    }

    /// One of these words.
    pub fn word<T: Copy>(&self, words: &[(&str, T)], faults: &mut Faults) -> Option<T> {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let Value::Text(text) = &self.node.value else {
            return self.wrong(&format!("one of the words {}", listed(&names)), faults);
        };
        let found = words.iter().find(|(word, _)| word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let (name, text) = (shown(&self.name), shown(text));
            faults.add(self.node.place, format!("`{name}` is `{text}`; it must be one of {}", listed(&names)));
        }
        found
    }

    /// A day: a TOML date, or a text that is one.
    pub fn date(&self, faults: &mut Faults) -> Option<String> {
        let date = match &self.node.value {
            Value::Date(date) => date,
            Value::Text(_) => self.text(faults)?,
            _ => return self.wrong("a date", faults),
        };
        if !is_date(date) {
            let (name, date) = (shown(&self.name), shown(date));
            faults.add(self.node.place, format!("`{name}` is `{date}`; it must be a day such as 2026-11-01"));
            return None;
        }
        Some(date.to_owned())
    }

    /// A number, whole or not, of at least zero and at most `most`, which is
    /// `beyond` what there is.
    pub fn amount(&self, most: f64, beyond: &str, faults: &mut Faults) -> Option<f64> {
        let Value::Number(number) = self.node.value else { return self.wrong("a number", faults) };
        self.bounded(number, most, beyond, faults)
    }

    /// A number that was read from this entry, held against its bounds.
    pub fn bounded(&self, number: Option<f64>, most: f64, beyond: &str, faults: &mut Faults) -> Option<f64> {
        let fault = match number {
            None => "is no number that can be counted with",
            Some(number) if !number.is_finite() => "must be finite",
            Some(number) if number.is_sign_negative() && number != 0.0 => "must not be negative",
            Some(number) if number > most => beyond,
            Some(number) => return Some(number.abs()),
        };
        faults.add(self.node.place, format!("`{}` {fault}", shown(&self.name)));
        None
    }

    /// A table.
    pub fn table(&self, faults: &mut Faults) -> Option<&[Entry]> {
        match &self.node.value {
            Value::Table(entries) => Some(entries),
            _ => self.wrong("a table", faults),
        }
    }

    /// Reports that the value is not what it should be.
    pub fn wrong<T>(&self, wanted: &str, faults: &mut Faults) -> Option<T> {
        let found = match self.node.value {
            Value::Text(_) => "a text",
            Value::Number(_) => "a number",
            Value::Truth => "true or false",
            Value::Date(_) => "a date",
            Value::List => "a list",
            Value::Table(_) => "a table",
        };
        faults.add(self.node.place, format!("`{}` is {found}; it must be {wanted}", shown(&self.name)));
        None
    }
}

/// The pattern of a day, which a time may follow.
pub const DATE: &str = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ].*)?$";

/// Whether a text begins with a day of the calendar, and goes on with a time where
/// it goes on.
fn is_date(text: &str) -> bool {
    let (day, rest) = text.split_at_checked(10).unwrap_or((text, ""));
    if !(rest.is_empty() || rest.starts_with(['T', ' '])) {
        return false;
    }
    let parts: Vec<&str> = day.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let number = |part: &str, digits: usize| {
        let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// A quantity as the schema spells it: without blanks and signs, and with digits on
/// both sides of a point. A minus is read, so that it can be told what is wrong.
pub fn quantity(text: &str) -> Option<Quantity> {
    let digits = |part: &str| part.starts_with(|first: char| first.is_ascii_digit());
    let number = text.strip_prefix('-').unwrap_or(text);
    let is_spelled = digits(number) && number.split_once('.').is_none_or(|(_, behind)| digits(behind));
    if !is_spelled || text.contains(char::is_whitespace) {
        return None;
    }
    Quantity::parse(text)
}

/// A name as it can be shown: short, on one line, harmless in a terminal.
pub fn shown(name: &str) -> String {
    let mut out: String = name.chars().take(MOST_SHOWN).flat_map(char::escape_debug).collect();
    if name.chars().nth(MOST_SHOWN).is_some() {
        out.push('…');
    }
    out
}
