//! Figures as parts of an equation.

use super::shown;
use crate::capacity::figure::{Figure, Input};
use crate::capacity::show::{digits, money};
use std::collections::BTreeSet;

/// What a number counts, and so how it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
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
    /// The unit of a number beside which what it counts is named already.
    fn bare(self) -> Self {
        if matches!(self, Unit::Of(_)) { Unit::Number } else { self }
    }

    /// The number, as an operand.
    fn write(self, value: f64) -> String {
        self.with_less(value, 0).0
    }

    /// The number with so many digits less than it has as an operand, and the unit
    /// of its last digit.
    fn with_less(self, value: f64, less: i32) -> (String, f64) {
        let (text, last) = match self {
            Unit::Dollars => return money(value, less),
            Unit::Percent => {
                let (text, last) = digits(value * 100.0, less);
                (text, last / 100.0)
            }
            _ => digits(value, less),
        };
        let text = match self {
            Unit::Number | Unit::Dollars => text,
            Unit::Bytes => format!("{text} B"),
            Unit::Gb => format!("{text} GB"),
            Unit::Percent => format!("{text} %"),
            Unit::PerSecond => format!("{text}/s"),
            Unit::Of(thing) if value == 1.0 => format!("{text} {thing}"),
            Unit::Of(thing) => format!("{text} {thing}s"),
        };
        (text, last)
    }

    /// A number behind an expression whose text gives `computed`: whether it gives
    /// exactly that number, and the number with as many digits as the text can give.
    fn given_by(self, value: f64, computed: f64) -> (bool, String) {
        for less in 0..=MOST_LESS {
            let (text, last) = self.with_less(value, less);
            let Some((shown, _)) = shown::value(&text) else { break };
            if near(shown, computed) {
                return (true, text);
            }
            if (shown - computed).abs() <= last {
                return (false, text);
            }
        }
        (false, self.write(value))
    }
}

/// Digits that a result leaves away where its operands have been rounded.
const MOST_LESS: i32 = 7;

/// Whether two numbers are one, but for what computing with binary numbers loses.
fn near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= a.abs().max(b.abs()) * 1e-12
}

/// A product of one factor and more: `2 × 30% = 0.6 units`; a factor alone is the
/// result.
pub(super) fn product(first: String, more: &str, total: &Figure, unit: Unit) -> String {
    if more.is_empty() { operand(total, unit) } else { equation(&format!("{first}{more}"), total, unit) }
}

/// A figure in an expression: the number, `≤ 20`, `≤ 20 (at least 5)`, `at least 5`
/// or `unknown`.
pub fn operand(figure: &Figure, unit: Unit) -> String {
    match (figure.value(), figure.high(), figure.low()) {
        (Some(value), ..) => unit.write(value),
        (_, Some(high), low) => format!("≤ {}{}", unit.write(high), from(low, unit)),
        (.., low) if low > 0.0 => format!("at least {}", unit.write(low)),
        _ => "unknown".to_owned(),
    }
}

/// An expression and what it comes to: `… = 5` where what is shown gives exactly
/// that, `… ≈ 33.3333` where it gives that but for the last digit, `… ≤ 20`,
/// `… = at least 5`, `… = unknown`.
pub fn equation(expression: &str, figure: &Figure, unit: Unit) -> String {
    let (low, high) = shown::value(expression).unwrap_or((f64::NAN, f64::NAN));
    let result = match (figure.value(), figure.high()) {
        (Some(value), _) => match unit.given_by(value, if high.is_finite() { high } else { low }) {
            (true, text) => format!("= {text}"),
            (false, text) => format!("≈ {text}"),
        },
        (None, Some(most)) => {
            let least = if figure.low() > 0.0 {
                format!(" (at least {})", unit.bare().given_by(figure.low(), low).1)
            } else {
                String::new()
            };
            format!("≤ {}{least}", unit.given_by(most, high).1)
        }
        (None, None) if figure.low() > 0.0 => match unit.given_by(figure.low(), low) {
            (true, text) => format!("= at least {text}"),
            (false, text) => format!("≈ at least {text}"),
        },
        (None, None) => "= unknown".to_owned(),
    };
    format!("{expression} {result}")
}

/// So many terms of a sum are shown; of more, what the others come to.
const MOST_TERMS: usize = 12;

/// A sum of terms, each with its number.
pub(super) fn sum(mut terms: Vec<(String, Figure)>) -> String {
    if terms.len() > MOST_TERMS {
        let others = terms.split_off(MOST_TERMS - 1);
        let rest: Figure = others.iter().map(|(_, figure)| figure).sum();
        terms.push((format!("{} ({} more)", operand(&rest, Unit::Number), others.len()), rest));
    }
    let terms: Vec<String> = terms.into_iter().map(|(term, _)| term).collect();
    terms.join(" + ")
}

/// A number as a term of a sum.
pub(super) fn term(figure: &Figure) -> (String, Figure) {
    (operand(figure, Unit::Number), figure.clone())
}

/// An equation about what happens each second. What is not known at all is no rate.
pub(super) fn a_second(equation: String, figure: &Figure) -> String {
    if is_unknown(figure) { equation } else { format!("{equation} a second") }
}

/// Whether nothing is known of a figure, not even a bound.
pub(super) fn is_unknown(figure: &Figure) -> bool {
    figure.high().is_none() && figure.low() <= 0.0
}

/// A name or a piece of the language as code: the backticks around a name in it would
/// end the code.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', ""))
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
    if low <= 0.0 { String::new() } else { format!(" (at least {})", unit.bare().write(low)) }
}

/// Lines as a list in Markdown; [`below`] makes those of a list in it.
pub fn list(lines: &[String]) -> String {
    let line = |line: &String| {
        let text = line.trim_start();
        format!("{}- {text}", &line[..line.len() - text.len()])
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Lines that stand in the list of the line above them.
pub fn below(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

/// Adds lines, but for those that are there already: a size that two parts of a
/// derivation need is derived once.
pub fn add_new(lines: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for line in more {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
}

/// A number in an expression.
pub(super) fn number(value: f64) -> String {
    digits(value, 0).0
}

/// The label of a number that depends on a size that was computed.
pub fn computed(figure: &Figure) -> &'static str {
    if figure.computed().is_empty() { "" } else { ", *computed*" }
}

/// What is missing for figures to be known, one a line, and whose sizes had to be
/// computed.
pub fn missing<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> Vec<String> {
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
