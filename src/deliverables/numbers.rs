//! Numbers as the documents show them.

use crate::capacity::figure::Figure;
use crate::capacity::show;
use crate::model::defs::{Measure, Value};
use crate::syntax::{Quantity, Unit};

/// A number with thousands set apart: `2,000,000`, `0.06`. Shown are all digits
/// before the point and, behind it, two or as many as give four significant ones.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return String::from("∞");
    }
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = (3 - magnitude).clamp(2, 15) as usize;
    let digits = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut out = String::new();
    if value < 0.0 {
        out.push('-');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// Events a second: `120/s`.
pub(super) fn per_second(rate: f64) -> String {
    format!("{}/s", number(rate))
}

/// A declared value in the unit it was declared in: `5,000/day`, `1 KB`,
/// `20 ms`, `2 %`. `None` where it is not of the wanted kind.
pub(super) fn declared(value: &Value, unit: Unit) -> Option<String> {
    let amount = value.get(unit)?;
    let suffix = value.written.trim_start_matches(|c: char| !c.is_ascii_alphabetic() && c != '%' && c != '/');
    // One of the unit, by which the amount in base units is divided again.
    let one = |suffix: &str| Quantity::parse(&format!("1{suffix}")).map(|one| one.value);
    Some(match unit {
        Unit::Number => number(amount),
        Unit::Percent => format!("{} %", number(amount * 100.0)),
        Unit::Size | Unit::Duration => format!("{} {suffix}", number(amount / one(suffix)?)),
        Unit::Rate => {
            let per = &suffix[suffix.find('/')?..];
            format!("{}{per}", number(amount / one(per)?))
        }
    })
}

/// A measure in words: `1 KB on average, 4 KB at most`, or the one value that
/// is both. `None` where nothing of the wanted kind is declared.
pub(super) fn measure(measure: &Measure, unit: Unit) -> Option<String> {
    let avg = measure.avg.as_ref().and_then(|value| declared(value, unit));
    let max = measure.max.as_ref().and_then(|value| declared(value, unit));
    match (avg, max) {
        (Some(avg), Some(max)) if avg == max => Some(avg),
        (Some(avg), Some(max)) => Some(format!("{avg} on average, {max} at most")),
        (Some(avg), None) => Some(format!("{avg} on average")),
        (None, Some(max)) => Some(format!("{max} at most")),
        (None, None) => None,
    }
}

/// A number of things, which may not be known: `1 read unit`, `≤ 2.5 read units`,
/// `an unknown number of read units`.
pub(super) fn things(figure: &Figure, what: &str) -> String {
    things_as(figure, what, show::number)
}

/// The same with its number as this shows it.
pub(super) fn things_as(figure: &Figure, what: &str, number: impl Fn(f64) -> String) -> String {
    let known = |value: f64| match number(value) {
        one if one == "1" => format!("1 {what}"),
        number => format!("{number} {what}s"),
    };
    match figure.high().is_none() && figure.low() <= 0.0 {
        true => format!("an unknown number of {what}s"),
        false => show::figure(figure, known),
    }
}

/// Units of capacity a second.
pub(super) fn units_a_second(figure: &Figure, what: &str) -> String {
    format!("{} a second", things(figure, &format!("{what} unit")))
}

/// A count with its noun: `1 table`, `2 tables`.
pub(super) fn count(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(count as f64), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::TextRange;

    fn value(written: &str) -> Value {
        Value { quantity: Quantity::parse(written), written: written.to_owned(), range: TextRange::default() }
    }

    #[test]
    fn numbers_are_short_and_exact_where_they_can_be() {
        for (value, shown) in [
            (2e6, "2,000,000"),
            (0.0, "0"),
            (999.0, "999"),
            (1318.87, "1,318.87"),
            (23.148148, "23.15"),
            (0.0578703, "0.05787"),
            (0.1 + 0.2, "0.3"),
            (-1234.5, "-1,234.5"),
            (f64::INFINITY, "∞"),
        ] {
            assert_eq!(number(value), shown);
        }
    }

    #[test]
    fn one_thing_has_no_plural() {
        let unknown = || Figure::unknown(crate::capacity::figure::Input::Region);
        let shown = [Figure::known(1.0), Figure::known(2.5), unknown().min(&Figure::known(1.0)), unknown()];
        let shown = shown.map(|figure| units_a_second(&figure, "read"));
        let expected = [
            "1 read unit a second",
            "2.5 read units a second",
            "≤ 1 read unit a second",
            "an unknown number of read units a second",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn declared_values_keep_their_unit() {
        for (written, unit, shown) in [
            ("2M", Unit::Number, "2,000,000"),
            ("5k/day", Unit::Rate, "5,000/day"),
            ("1_500/s", Unit::Rate, "1,500/s"),
            ("1.5MB", Unit::Size, "1.5 MB"),
            ("400B", Unit::Size, "400 B"),
            ("50ms", Unit::Duration, "50 ms"),
            ("0.5%", Unit::Percent, "0.5 %"),
        ] {
            assert_eq!(declared(&value(written), unit).as_deref(), Some(shown), "{written}");
        }
        assert_eq!(declared(&value("5KB"), Unit::Rate), None);
        assert_eq!(declared(&value("5zz"), Unit::Size), None);
    }

    #[test]
    fn a_measure_says_which_value_is_which() {
        let both = |avg: Option<&str>, max: Option<&str>| Measure {
            avg: avg.map(value),
            max: max.map(value),
            range: TextRange::default(),
        };
        assert_eq!(
            measure(&both(Some("1KB"), Some("4KB")), Unit::Size).as_deref(),
            Some("1 KB on average, 4 KB at most")
        );
        assert_eq!(measure(&both(Some("120B"), Some("120B")), Unit::Size).as_deref(), Some("120 B"));
        assert_eq!(measure(&both(None, Some("5/s")), Unit::Size), None);
    }
}
