//! Concrete values of attributes and what DynamoDB counts for them (facts 3.1):
//! where an item is really there, its size is no estimate.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Bytes of a list or map besides its entries.
const CONTAINER: u64 = 3;
/// Bytes of an entry of a list or map besides its name and value.
const ENTRY: u64 = 1;

/// The value of an attribute. Sets hold each element once, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    S(String),
    /// A decimal number as text: `-12.5`, `1E3`.
    N(String),
    B(Vec<u8>),
    Bool(bool),
    Null,
    L(Vec<Value>),
    M(Item),
    Ss(Vec<String>),
    Ns(Vec<String>),
    Bs(Vec<Vec<u8>>),
}

/// Attributes by their names: an item, or a map in one.
pub type Item = BTreeMap<String, Value>;

impl Value {
    /// Bytes of the value, without the name of its attribute (facts 3.1).
    pub fn bytes(&self) -> u64 {
        match self {
            Value::S(text) => text.len() as u64,
            Value::N(text) => Decimal::parse(text).bytes(),
            Value::B(bytes) => bytes.len() as u64,
            Value::Bool(_) | Value::Null => 1,
            Value::L(values) => CONTAINER + values.iter().map(|value| ENTRY + value.bytes()).sum::<u64>(),
            Value::M(entries) => {
                CONTAINER + entries.iter().map(|(name, value)| ENTRY + name.len() as u64 + value.bytes()).sum::<u64>()
            }
            Value::Ss(texts) => texts.iter().map(|text| text.len() as u64).sum(),
            Value::Ns(numbers) => numbers.iter().map(|number| Decimal::parse(number).bytes()).sum(),
            Value::Bs(values) => values.iter().map(|bytes| bytes.len() as u64).sum(),
        }
    }

    /// The order of two values of one key type: numbers by their value, strings
    /// and binaries by their bytes (S7). `None` for values that DynamoDB does not
    /// order, or not among each other.
    pub fn order(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::S(a), Value::S(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (Value::B(a), Value::B(b)) => Some(a.cmp(b)),
            (Value::N(a), Value::N(b)) => Some(Decimal::parse(a).cmp(&Decimal::parse(b))),
            _ => None,
        }
    }

    /// Whether DynamoDB's `=` holds: the same type and value, however a number is
    /// written.
    pub fn same(&self, other: &Value) -> bool {
        match self.order(other) {
            Some(order) => order == Ordering::Equal,
            None => self == other,
        }
    }
}

/// Bytes of an item: names and values of its attributes (facts 3.1).
pub fn item_bytes(item: &Item) -> u64 {
    item.iter().map(|(name, value)| name.len() as u64 + value.bytes()).sum()
}

/// A number without the zeros that do not count: 0.digits × 10^point.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    point: i64,
}

impl Decimal {
    /// Reads a number; what is none counts as zero.
    fn parse(text: &str) -> Self {
        let zero = Self { negative: false, digits: String::new(), point: 0 };
        let text = text.trim();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().unwrap_or(0)),
            None => (text, 0),
        };
        let negative = mantissa.starts_with('-');
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = whole.trim_start_matches(['-', '+']);
        let all = format!("{whole}{fraction}");
        if !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return zero;
        }
        let leading = all.len() - all.trim_start_matches('0').len();
        let digits = all.trim_matches('0').to_owned();
        if digits.is_empty() {
            return zero;
        }
        Self { negative, digits, point: whole.len() as i64 - leading as i64 + i64::from(exponent) }
    }

    /// One byte, half a byte a digit on each side of the point, each side rounded
    /// up, and one for a minus sign (facts 3.1).
    fn bytes(&self) -> u64 {
        let digits = self.digits.len() as i64;
        let whole = self.point.clamp(0, digits);
        let fraction = digits - whole;
        1 + whole.unsigned_abs().div_ceil(2) + fraction.unsigned_abs().div_ceil(2) + u64::from(self.negative)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.negative) {
            (true, _) => 0,
            (false, negative) => 1 - 2 * i32::from(negative),
        };
        let (own, theirs) = (sign(self), sign(other));
        if own != theirs || own == 0 {
            return own.cmp(&theirs);
        }
        let magnitude = self.point.cmp(&other.point).then_with(|| self.digits.cmp(&other.digits));
        if own > 0 { magnitude } else { magnitude.reverse() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> u64 {
        Value::N(text.to_owned()).bytes()
    }

    #[test]
    fn names_and_texts_count_their_bytes() {
        // The example of AWS's documentation.
        let text = |text: &str| Value::S(text.to_owned());
        let shirt = Item::from([("shirt-color".to_owned(), text("R")), ("shirt-size".to_owned(), text("M"))]);
        assert_eq!(item_bytes(&shirt), 23);
        assert_eq!(text("2026-11-29T12:44:00Z").bytes(), 20);
        assert_eq!(text("2026-11-29T12:44:00.000Z").bytes(), 24);
        assert_eq!(text("0b5e2f3a-77c1-4e9d-8a54-1f2e3d4c5b6a").bytes(), 36);
        assert_eq!(text("01JDVQ6Z3M8K5T7R9X2Y4W6B8C").bytes(), 26);
        assert_eq!(text("é").bytes(), 2);
    }

    #[test]
    fn numbers_count_their_significant_digits_on_each_side_of_the_point() {
        let cases: &[(u64, &[&str])] = &[
            (1, &["0", "-0", "0.00"]),
            (2, &["7", "42", "100", "1000000", "1700000000", "0.5", "1E3"]),
            (3, &["-42", "123", "3.14", "0.00123"]),
            (4, &["12.345", "-3.14", "100.05"]),
            (5, &["1764417600"]),
            (6, &["1700000001"]),
            (8, &["1764417600123"]),
            (20, &["99999999999999999999999999999999999999"]),
        ];
        for (bytes, texts) in cases {
            for text in *texts {
                assert_eq!(number(text), *bytes, "{text}");
            }
        }
    }

    #[test]
    fn lists_and_maps_add_their_entries_and_sets_only_their_elements() {
        let text = || Value::S("abc".to_owned());
        assert_eq!(Value::L(vec![]).bytes(), 3);
        assert_eq!(Value::L(vec![text(), Value::Bool(true)]).bytes(), 3 + 4 + 2);
        assert_eq!(Value::M(Item::from([("key".to_owned(), text())])).bytes(), 3 + 1 + 3 + 3);
        assert_eq!(Value::Ss(vec!["abc".into(), "de".into()]).bytes(), 5);
        assert_eq!(Value::Ns(vec!["7".into(), "123".into()]).bytes(), 5);
        assert_eq!(Value::Bs(vec![vec![1, 2], vec![3]]).bytes(), 3);
        assert_eq!((Value::Null.bytes(), Value::B(vec![0; 9]).bytes()), (1, 9));
    }

    #[test]
    fn numbers_are_ordered_by_their_value_and_texts_by_their_bytes() {
        let numbers = ["-12", "-3.5", "-0.01", "0", "0.009", "0.01", "2", "10", "10.5", "1E2"];
        for pair in numbers.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|text| Value::N(text.to_owned()));
            assert_eq!((a.order(&b), b.order(&a)), (Some(Ordering::Less), Some(Ordering::Greater)), "{pair:?}");
        }
        assert!(Value::N("100".into()).same(&Value::N("1e2".into())));
        let texts = ["#", "-", "10", "2", "A", "_", "a", "|", "¿"];
        for pair in texts.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|text| Value::S(text.to_owned()));
            assert_eq!(a.order(&b), Some(Ordering::Less), "{pair:?}");
        }
        assert_eq!(Value::Bool(true).order(&Value::Bool(false)), None);
        assert!(!Value::S("1".into()).same(&Value::N("1".into())));
    }
}
