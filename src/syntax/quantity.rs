//! Quantities: numbers with their units.

use std::fmt;

/// The kind of a quantity, told by its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A plain number: `42`, `2M`.
    Number,
    /// Bytes: `2KB` (1 KB = 1,024 B, as DynamoDB counts).
    Size,
    /// Seconds: `50ms`, `24h`.
    Duration,
    /// Events a second: `120/s`, `2M/day`.
    Rate,
    /// A fraction of one: `45%` is 0.45.
    Percent,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Number => "number",
            Unit::Size => "size",
            Unit::Duration => "duration",
            Unit::Rate => "rate",
            Unit::Percent => "percentage",
        })
    }
}

/// A value in the base unit of its kind: one, byte, second, event a second,
/// fraction of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    pub value: f64,
    pub unit: Unit,
}

impl Quantity {
    /// Reads a quantity as it is written. `None` where the unit is none of the
    /// language's, or there is no number.
    pub fn parse(written: &str) -> Option<Self> {
        let split = written.find(|c: char| c.is_ascii_alphabetic() || matches!(c, '%' | '/')).unwrap_or(written.len());
        let (digits, unit) = written.split_at(split);
        let number: f64 = digits.replace('_', "").parse().ok()?;
        let (factor, unit) = match unit.split_once('/') {
            Some((scale, per)) => {
                let seconds = match per {
                    "s" => 1.0,
                    "min" => 60.0,
                    "h" => 3_600.0,
                    "day" => 86_400.0,
                    _ => return None,
                };
                (scale_factor(scale)? / seconds, Unit::Rate)
            }
            None => match unit {
                "B" => (1.0, Unit::Size),
                "KB" => (1_024.0, Unit::Size),
                "MB" => (1_048_576.0, Unit::Size),
                "GB" => (1_073_741_824.0, Unit::Size),
                "ms" => (0.001, Unit::Duration),
                "s" => (1.0, Unit::Duration),
                "min" => (60.0, Unit::Duration),
                "h" => (3_600.0, Unit::Duration),
                "d" => (86_400.0, Unit::Duration),
                "%" => (0.01, Unit::Percent),
                scale => (scale_factor(scale)?, Unit::Number),
            },
        };
        Some(Self { value: number * factor, unit })
    }
}

/// As the language writes it, in the largest unit in which it is short: `80%`,
/// `300KB`, `10/s`.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units: &[(f64, &str)] = match self.unit {
            Unit::Number => &[(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")],
            Unit::Size => &[(1_073_741_824.0, "GB"), (1_048_576.0, "MB"), (1_024.0, "KB"), (1.0, "B")],
            Unit::Duration => &[(86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"), (0.001, "ms")],
            Unit::Rate => &[(1.0, "/s"), (1.0 / 60.0, "/min"), (1.0 / 3_600.0, "/h"), (1.0 / 86_400.0, "/day")],
            Unit::Percent => &[(0.01, "%")],
        };
        let last = units.len() - 1;
        for (index, (factor, unit)) in units.iter().enumerate() {
            // Noise of the arithmetic is none of the number.
            let number = (self.value / factor * 1e9).round() / 1e9;
            let short = number >= 1.0 && (number * 100.0).fract() == 0.0;
            if short || index == last || (self.value == 0.0 && *factor == 1.0) {
                return write!(f, "{number}{unit}");
            }
        }
        Ok(())
    }
}

fn scale_factor(scale: &str) -> Option<f64> {
    match scale {
        "" => Some(1.0),
        "k" => Some(1e3),
        "M" => Some(1e6),
        "G" => Some(1e9),
        _ => None,
    }
}

/// The units that may follow a number, as a message lists them.
pub const UNITS: &str = "B, KB, MB, GB, ms, s, min, h, d, %, k, M, G, or a rate such as /s, /min, /h, /day";

/// The quantity as its author most likely meant it, where only the case of its
/// unit is wrong: `5kb` is `5KB`.
pub fn with_right_case(written: &str) -> Option<String> {
    let split = written.find(|c: char| c.is_ascii_alphabetic() || matches!(c, '%' | '/'))?;
    let (digits, unit) = written.split_at(split);
    let right = ["B", "KB", "MB", "GB", "ms", "s", "min", "h", "d", "k", "G", "/s", "/min", "/h", "/day"]
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(unit))?;
    (right != unit).then(|| format!("{digits}{right}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_of_the_language_is_read() {
        let cases = [
            ("42", 42.0, Unit::Number),
            ("1_000_000", 1e6, Unit::Number),
            ("2.5", 2.5, Unit::Number),
            ("2M", 2e6, Unit::Number),
            ("400B", 400.0, Unit::Size),
            ("2KB", 2048.0, Unit::Size),
            ("50ms", 0.05, Unit::Duration),
            ("90d", 7_776_000.0, Unit::Duration),
            ("120/s", 120.0, Unit::Rate),
            ("30/min", 0.5, Unit::Rate),
            ("3.6k/h", 1.0, Unit::Rate),
            ("86_400/day", 1.0, Unit::Rate),
            ("45%", 0.45, Unit::Percent),
            ("-3", -3.0, Unit::Number),
        ];
        for (written, value, unit) in cases {
            let read = Quantity::parse(written).unwrap_or_else(|| panic!("{written}"));
            assert!((read.value - value).abs() < 1e-9 && read.unit == unit, "{written}: {read:?}");
        }
    }

    #[test]
    fn a_quantity_is_written_as_it_is_read() {
        for written in ["80%", "0.5%", "300KB", "5GB", "400B", "10/s", "30/min", "2/day", "90d", "50ms", "42", "1.5k"] {
            assert_eq!(Quantity::parse(written).unwrap().to_string(), written);
        }
        for (written, shown) in [("0/s", "0/s"), ("1500", "1.5k"), ("1024KB", "1MB"), ("24h", "1d"), ("0", "0")] {
            assert_eq!(Quantity::parse(written).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn a_unit_in_the_wrong_case_is_recognised() {
        assert_eq!(with_right_case("5kb"), Some("5KB".to_owned()));
        assert_eq!(with_right_case("5/S"), Some("5/s".to_owned()));
        assert_eq!(with_right_case("5KX"), None);
        assert_eq!(with_right_case("5KB"), None);
    }

    #[test]
    fn what_is_no_unit_is_no_quantity() {
        for written in ["5kb", "5/", "5/m", "5x", "5KB/s", "%", "5%/s"] {
            assert_eq!(Quantity::parse(written), None, "{written}");
        }
    }
}
