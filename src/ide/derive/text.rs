//! Figures as parts of an equation.

use crate::capacity::figure::{Figure, Input};
use crate::capacity::show::{digits, money};
use std::collections::BTreeSet;

/// What a number counts, and so how it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::ide) enum Unit {
    Number,
    Bytes,
    Gb,
    /// A share of one, shown in percent.
    Percent,
    PerSecond,
    Dollars,
    /// Things of this name, which takes an `s` where they are not one.
    Of(&'static str),
}

impl Unit {
    /// The number, and whether that is all of it.
    fn write(self, value: f64) -> (String, bool) {
        let (text, exact) = match self {
            Unit::Dollars => return money(value),
            Unit::Percent => digits(value * 100.0),
            _ => digits(value),
        };
        let text = match self {
            Unit::Number | Unit::Dollars => text,
            Unit::Bytes => format!("{text} B"),
            Unit::Gb => format!("{text} GB"),
            Unit::Percent => format!("{text}%"),
            Unit::PerSecond => format!("{text}/s"),
            Unit::Of(thing) if value == 1.0 => format!("{text} {thing}"),
            Unit::Of(thing) => format!("{text} {thing}s"),
        };
        (text, exact)
    }
}

/// A product of one factor and more: `2 × 30% = 0.6 units`; a factor alone is the
/// result.
pub(super) fn product(first: String, more: &str, total: &Figure, unit: Unit) -> String {
    if more.is_empty() { operand(total, unit) } else { format!("{first}{more} {}", result(total, unit)) }
}

/// A figure in an expression: the number, `≤ 20`, `≤ 20 (at least 5)`, `at least 5`
/// or `unknown`.
pub(in crate::ide) fn operand(figure: &Figure, unit: Unit) -> String {
    match (figure.value(), figure.high(), figure.low()) {
        (Some(value), ..) => unit.write(value).0,
        (_, Some(high), low) => format!("≤ {}{}", unit.write(high).0, from(low, unit)),
        (.., low) if low > 0.0 => format!("at least {}", unit.write(low).0),
        _ => "unknown".to_owned(),
    }
}

/// A figure behind an expression: `= 5`, `≈ 33.3333` where it is rounded, `≤ 20`,
/// `= at least 5`, `= unknown`.
pub(in crate::ide) fn result(figure: &Figure, unit: Unit) -> String {
    match (figure.value(), figure.high()) {
        (Some(value), _) => match unit.write(value) {
            (text, true) => format!("= {text}"),
            (text, false) => format!("≈ {text}"),
        },
        (_, Some(high)) => format!("≤ {}{}", unit.write(high).0, from(figure.low(), unit)),
        _ => format!("= {}", operand(figure, unit)),
    }
}

/// How many units of so many bytes are begun: `3 units of 4 KB`.
pub(super) fn blocks(units: &Figure, size: &str) -> String {
    let text = operand(units, Unit::Of("unit"));
    match text.split_once(" (") {
        Some((units, low)) => format!("{units} of {size} ({low}"),
        None => format!("{text} of {size}"),
    }
}

/// The lower bound of what has an upper one.
fn from(low: f64, unit: Unit) -> String {
    match unit {
        _ if low <= 0.0 => String::new(),
        Unit::Of(_) => format!(" (at least {})", number(low)),
        _ => format!(" (at least {})", unit.write(low).0),
    }
}

/// Lines as a list in Markdown; [`below`] makes those of a list in it.
pub(in crate::ide) fn list(lines: &[String]) -> String {
    let line = |line: &String| {
        let text = line.trim_start();
        format!("{}- {text}", &line[..line.len() - text.len()])
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Lines that stand in the list of the line above them.
pub(in crate::ide) fn below(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

/// Adds lines, but for those that are there already: a size that two parts of a
/// derivation need is derived once.
pub(in crate::ide) fn add_new(lines: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for line in more {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
}

/// A number in an expression.
pub(super) fn number(value: f64) -> String {
    digits(value).0
}

/// The label of a number that depends on a size that was computed.
pub(in crate::ide) fn computed(figure: &Figure) -> &'static str {
    if figure.computed().is_empty() { "" } else { ", *computed*" }
}

/// What is missing for figures to be known, one a line, and whose sizes had to be
/// computed.
pub(in crate::ide) fn missing<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> Vec<String> {
    let mut inputs: BTreeSet<&Input> = BTreeSet::new();
    let mut sizes: BTreeSet<&str> = BTreeSet::new();
    for figure in figures {
        inputs.extend(figure.missing());
        sizes.extend(figure.computed().iter().map(String::as_str));
    }
    let mut lines: Vec<String> = inputs.into_iter().map(|input| format!("Missing: {input}")).collect();
    if !sizes.is_empty() {
        let names: Vec<String> = sizes.into_iter().map(|name| format!("`{name}`")).collect();
        lines.push(format!("*computed*: from the attributes, for no `size` is declared of {}", names.join(", ")));
    }
    lines
}
