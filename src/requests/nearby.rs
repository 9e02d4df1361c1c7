//! Values a little above or below others, as a caller would ask for them.

use super::conditions::{compares, supplied};
use super::origin::Operand;
use crate::capacity::values::Value;
use crate::model::defs::Operator;
use crate::population::number_of_name;
use crate::population::spell::Spelling;

/// From so much on a number counts seconds since 1970, and an hour is near.
const EPOCHS: i128 = 1_000_000_000;
const HOUR: i128 = 3_600;

/// What a caller supplies for a comparison with this value to hold, or not. For
/// readers it is near the value, and what the parameter is called says more than
/// the value where both will do.
pub fn chosen(
    spelling: Spelling,
    operator: Operator,
    place: usize,
    held: &Value,
    want: bool,
    parameter: Option<&str>,
) -> Value {
    let extreme = supplied(operator, place, held, want);
    if spelling == Spelling::Exact {
        return extreme;
    }
    let holds = |value: &Value| compares(held, operator, &[Operand::constant(value.clone())]) == want;
    let named = || match (held, parameter.and_then(number_of_name)) {
        (Value::N(_), Some(number)) if operator.is_range() => Some(Value::N(number)),
        _ => None,
    };
    let near = || match extreme == *held {
        true => None,
        false => [above(held), below(held)].into_iter().flatten().find(|value| holds(value)),
    };
    let by_name = named().filter(|value| operator != Operator::Between && holds(value));
    by_name.or_else(|| near().filter(|_| operator != Operator::Between)).unwrap_or(extreme)
}

/// A value of the same type that is a little greater.
pub fn above(held: &Value) -> Option<Value> {
    match held {
        Value::N(number) => shifted(number, 1).map(Value::N),
        Value::S(text) => hour(text, 1).or_else(|| bumped(text, true)).map(Value::S),
        _ => None,
    }
}

/// A value of the same type that is a little smaller.
pub fn below(held: &Value) -> Option<Value> {
    match held {
        Value::N(number) => shifted(number, -1).map(Value::N),
        Value::S(text) => hour(text, -1).or_else(|| bumped(text, false)).map(Value::S),
        _ => None,
    }
}

/// The sum or the difference of two numbers that are written in plain digits.
pub fn sum(one: &Value, other: &Value, sign: i128) -> Option<Value> {
    const PLACES: usize = 12;
    let parsed = |value: &Value| {
        let Value::N(number) = value else { return None };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if fraction.len() > PLACES || whole.len() > PLACES {
            return None;
        }
        format!("{whole}{fraction:0<PLACES$}").parse::<i128>().ok()
    };
    let sum = parsed(one)?.checked_add(parsed(other)?.checked_mul(sign)?)?;
    let digits = format!("{:0>width$}", sum.unsigned_abs(), width = PLACES + 1);
    let (whole, fraction) = digits.split_at(digits.len() - PLACES);
    let text = format!("{}{whole}.{fraction}", if sum < 0 { "-" } else { "" });
    Some(Value::N(text.trim_end_matches('0').trim_end_matches('.').to_owned()))
}

/// The text with the last letter or digit that has a next (or previous) one of its
/// kind in its place: an id that nobody has, but might.
fn bumped(text: &str, up: bool) -> Option<String> {
    let other = |c: char| {
        let other = char::from(if up { (c as u8).checked_add(1)? } else { (c as u8).checked_sub(1)? });
        let same = (c.is_ascii_digit() && other.is_ascii_digit())
            || (c.is_ascii_uppercase() && other.is_ascii_uppercase())
            || (c.is_ascii_lowercase() && other.is_ascii_lowercase());
        same.then_some(other)
    };
    let places = text.char_indices().rev().filter(|(_, c)| c.is_ascii());
    let (at, c) = places.into_iter().find_map(|(at, c)| Some((at, other(c)?)))?;
    Some(format!("{}{c}{}", &text[..at], &text[at + 1..]))
}

/// A whole number one greater or smaller, an epoch an hour; of a fraction the next
/// whole one. `None` for a number that is written otherwise.
fn shifted(number: &str, by: i128) -> Option<String> {
    let (negative, digits) = match number.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, number),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 30 || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let whole: i128 = whole.parse().ok()?;
    // Cut off, a fraction above zero became smaller, and one below it greater.
    let cut = if negative { -whole } else { whole };
    let is_done = !fraction.is_empty() && (negative == (by > 0));
    let step = if whole >= EPOCHS { HOUR } else { 1 };
    Some((if is_done { cut } else { cut + by * step }).to_string())
}

/// An instant an hour later or earlier on the same day; `None` for any other text.
fn hour(text: &str, by: i64) -> Option<String> {
    let is_instant = text.len() == 20
        && text.is_ascii()
        && text.ends_with('Z')
        && [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")].iter().all(|(at, c)| &text[*at..=*at] == *c);
    let hour: i64 = is_instant.then(|| text[11..13].parse().ok())??;
    match hour + by {
        hour @ 0..=23 => Some(format!("{}{hour:02}{}", &text[..11], &text[13..])),
        ..0 => Some(format!("{}00:00:00Z", &text[..11])).filter(|midnight| midnight.as_str() < text),
        _ => Some(format!("{}23:59:59Z", &text[..11])).filter(|last| last.as_str() > text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shifted_by_one_and_epochs_by_an_hour() {
        let both = |number: &str| [shifted(number, 1), shifted(number, -1)].map(Option::unwrap_or_default);
        assert_eq!(both("7"), ["8", "6"]);
        assert_eq!(both("12.9"), ["13", "12"]);
        assert_eq!(both("-3.5"), ["-3", "-4"]);
        assert_eq!(both("0"), ["1", "-1"]);
        assert_eq!(both("1893456000"), ["1893459600", "1893452400"]);
        assert_eq!(both("1E5"), ["", ""]);
    }

    #[test]
    fn numbers_are_added_to_the_last_place() {
        let number = |text: &str| Value::N(text.to_owned());
        let of = |one: &str, other: &str, sign: i128| match sum(&number(one), &number(other), sign) {
            Some(Value::N(text)) => text,
            other => format!("{other:?}"),
        };
        assert_eq!((of("76535", "1290", -1), of("76535", "1290", 1)), ("75245".to_owned(), "77825".to_owned()));
        assert_eq!((of("12.9", "0.95", 1), of("0.5", "12.9", -1)), ("13.85".to_owned(), "-12.4".to_owned()));
        assert_eq!((of("-3.5", "3.5", 1), of("-0.5", "1", 1)), ("0".to_owned(), "0.5".to_owned()));
        assert_eq!((of("1E5", "1", 1), of("1", "9999999999999", 1)), ("None".to_owned(), "None".to_owned()));
    }

    #[test]
    fn texts_change_in_their_last_place_that_can() {
        let both = |text: &str| [true, false].map(|up| bumped(text, up).unwrap_or_default());
        assert_eq!(both("01KJPZ"), ["01KJQZ", "01KJPY"]);
        assert_eq!(both("000001"), ["000002", "000000"]);
        assert_eq!(both("9zé"), ["", "9yé"]);
        assert_eq!(both("#"), ["", ""]);
    }

    #[test]
    fn what_is_chosen_holds_or_fails_as_wanted() {
        let held = ["5", "12.9", "-3.5", "0", "1893456000"].map(|number| Value::N(number.to_owned()));
        let texts = ["2026-03-02T08:15:00Z", "2026-03-02T00:00:00Z", "2026-03-02T23:59:59Z", "Ana", "a", "é"];
        let operators = [
            Operator::Equal,
            Operator::NotEqual,
            Operator::Less,
            Operator::LessOrEqual,
            Operator::Greater,
            Operator::GreaterOrEqual,
        ];
        for held in held.into_iter().chain(texts.map(|text| Value::S(text.to_owned()))) {
            for operator in operators {
                for (want, parameter) in [(true, None), (false, None), (true, Some("quantity")), (true, Some("x"))] {
                    let value = chosen(Spelling::Plausible, operator, 0, &held, want, parameter);
                    let operand = Operand::constant(value);
                    assert_eq!(
                        compares(&held, operator, std::slice::from_ref(&operand)),
                        want,
                        "{held:?} {operator:?} {operand:?}"
                    );
                }
            }
        }
        let stock = Value::N("40".to_owned());
        let quantity = chosen(Spelling::Plausible, Operator::GreaterOrEqual, 0, &stock, true, Some("quantity"));
        assert_eq!(quantity, Value::N("1".to_owned()));
    }
}
