//! Numbers, by what the words of their names say.

use super::example;
use super::words::{ends, has, words};
use crate::population::spell::Wanted;

/// Modulo this, the number of a renewed value is the next after the old one's.
const RENEWED_BY: usize = 100;

/// The number of an attribute; a whole one of so many digits where it stands in
/// a key template.
pub(super) fn number(wanted: Wanted<'_>) -> String {
    let n = wanted.number;
    let name = words(&wanted.attribute.name.text);
    // What is renewed is the next one.
    let counted = example::given(wanted.attribute).and_then(|given| like(&given, n % RENEWED_BY));
    if let Some(counted) = counted.filter(|counted| wanted.digits.is_none_or(|digits| counted.len() <= digits)) {
        return counted;
    }
    let known = of_words(&name, n).filter(|(_, rises)| *rises || !wanted.alone);
    let (text, _) = known.unwrap_or_else(|| ((n + 1).to_string(), true));
    let Some(digits) = wanted.digits else { return text };
    let whole: u128 = text.split('.').next().and_then(|whole| whole.parse().ok()).unwrap_or(n as u128);
    (whole % 10_u128.pow(digits.clamp(1, 18) as u32)).to_string()
}

/// The number that a name alone asks for: what a parameter is called.
pub fn of_name(name: &str) -> Option<String> {
    of_words(&words(name), 0).map(|(text, _)| text)
}

/// A number as far above an example as its place in the row says.
pub(super) fn like(example: &str, n: usize) -> Option<String> {
    let (whole, rest) = match example.split_once('.') {
        Some((whole, rest)) => (whole, format!(".{rest}")),
        None => (example, String::new()),
    };
    let whole: i128 = whole.replace('_', "").parse().ok()?;
    // DynamoDB keeps no zeros at the end.
    let rest = rest.trim_end_matches('0').trim_end_matches('.');
    let counted = whole.checked_add(n as i128).filter(|whole| whole.unsigned_abs() < 10_u128.pow(18))?;
    rest.bytes().skip(1).all(|byte| byte.is_ascii_digit()).then(|| format!("{counted}{rest}"))
}

/// What the words ask for, and whether no two numbers of the row are the same.
fn of_words(name: &[String], n: usize) -> Option<(String, bool)> {
    let turn = |first: usize, of: usize| Some(((first + n % of).to_string(), false));
    let row = |first: usize, step: usize| Some(((first + n * step).to_string(), true));
    let decimal = |first: usize, step: usize| {
        let tenths = first + n * step;
        let text = if tenths.is_multiple_of(10) {
            (tenths / 10).to_string()
        } else {
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        Some((text, true))
    };
    const MONEY: &[&str] = &[
        "price", "amount", "total", "subtotal", "cost", "fee", "fare", "balance", "salary", "budget", "revenue", "tax",
        "payment", "paid", "deposit", "bid", "tip", "net", "gross", "charge", "spent",
    ];
    if has(name, &["cents", "pence", "minor"]) {
        row(1_290, 745)
    } else if has(name, &["version", "revision", "rev", "attempt", "attempts", "generation"]) {
        // What is renewed is the next one.
        turn(1, 4)
    } else if has(name, MONEY) {
        let cents = 1_290 + n * 745;
        let text = if cents.is_multiple_of(10) {
            format!("{}.{}", cents / 100, cents / 10 % 10)
        } else {
            format!("{}.{:02}", cents / 100, cents % 100)
        };
        Some((text.strip_suffix(".0").map(str::to_owned).unwrap_or(text), true))
    } else if has(name, &["discount", "percent", "percentage", "share", "progress"]) {
        turn(10, 60)
    } else if has(name, &["quantity", "qty", "copies", "pieces", "nights", "people", "persons", "n"]) {
        turn(1, 4)
    } else if has(name, &["stock", "inventory", "available", "remaining", "free", "units"]) {
        row(40, 7)
    } else if has(name, &["rating", "stars", "grade", "priority", "severity"]) {
        turn(1, 5)
    } else if has(name, &["beds", "rooms", "floor", "floors"]) {
        turn(1, 3)
    } else if has(name, &["seats", "capacity", "places", "credits"]) {
        row(20, 5)
    } else if has(name, &["age"]) {
        turn(21, 60)
    } else if has(name, &["year"]) {
        turn(2020, 7)
    } else if has(name, &["month"]) {
        turn(1, 12)
    } else if has(name, &["hour"]) {
        turn(0, 24)
    } else if has(name, &["lat", "latitude"]) {
        decimal(387, 1)
    } else if has(name, &["lng", "lon", "longitude"]) {
        decimal(91, 3)
    } else if has(name, &["temperature", "celsius", "mean", "value", "reading"]) {
        decimal(205, 5)
    } else if has(name, &["low", "min", "minimum"]) {
        decimal(172, 5)
    } else if has(name, &["high", "max", "maximum"]) {
        decimal(246, 5)
    } else if has(name, &["weight", "distance", "height", "width", "length", "kg", "km"]) {
        decimal(24, 7)
    } else if has(name, &["duration", "minutes", "seconds", "ms", "millis"]) {
        row(90, 30)
    } else if has(name, &["bytes", "size"]) {
        row(2_048, 512)
    } else if has(name, &["views", "likes", "points", "score", "count", "followers", "hits", "plays", "visits", "xp"]) {
        row(120, 37)
    } else if ends(
        name,
        &["no", "number", "index", "seq", "sequence", "position", "order", "rank", "line", "serial", "id"],
    ) {
        row(1, 1)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_numbers_look_like() {
        let of = |name: &str| [0, 1].map(|n| of_words(&words(name), n).map(|(text, _)| text).unwrap_or_default());
        assert_eq!(of("price"), ["12.9", "20.35"]);
        assert_eq!(of("amountCents"), ["1290", "2035"]);
        assert_eq!(of("line_no"), ["1", "2"]);
        assert_eq!(of("celsius"), ["20.5", "21"]);
        assert_eq!(of("quantity"), ["1", "2"]);
        assert_eq!(of("flavour"), ["", ""]);
        assert_eq!(like("1_000.50", 3).as_deref(), Some("1003.5"));
        assert_eq!(like("LIS1", 3), None);
    }
}
