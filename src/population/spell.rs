//! Values of every type, made from a number: the same number gives the same
//! value, another one another, and each has the length that numbers.md S2 gives
//! its type.

use super::plausible;
use super::template::hash;
use crate::capacity::values::{Item, Value};
use crate::model::defs::{AttributeDef, KSUID_LENGTH, Type};
use crate::syntax::Unit;

/// Bytes of a value whose size nothing says.
pub const UNSAID: usize = 12;
/// Seconds between the instants of two items.
const STEP: u64 = 3_701;
/// 2026-01-01T00:00:00Z, in seconds since 1970.
const FIRST_INSTANT: u64 = 1_767_225_600;
/// The first epoch: in 2030, so that nothing expires while a run lasts.
const FIRST_EPOCH: u64 = 1_900_000_001;
/// Bytes of a number that nothing says the size of (S2).
const NUMBER: usize = 8;

/// What a value is made for.
#[derive(Clone, Copy)]
pub struct Wanted<'d> {
    pub entity: &'d str,
    pub attribute: &'d AttributeDef,
    /// Tells apart values of the same number in different attributes.
    pub tag: u64,
    /// Which value of the attribute.
    pub number: usize,
    /// The digits that a key template leaves a number, where it stands in one.
    pub digits: Option<usize>,
    /// Whether another number must give another value.
    pub alone: bool,
    /// Whether a table lets its items expire by it.
    pub expires: Option<Expires>,
}

/// When an item expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expires {
    /// So many seconds after it was made.
    After(u64),
    /// Some day.
    Ahead,
}

/// How values are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Of exactly the bytes that the model declares: what a run measures.
    Exact,
    /// As they would be in use, for people who read them.
    Plausible,
}

impl Spelling {
    /// The value.
    pub fn value(self, wanted: Wanted<'_>) -> Value {
        match self {
            Spelling::Exact => value(wanted),
            Spelling::Plausible => plausible::value(wanted),
        }
    }

    /// How far the number of a new value is from that of the old one.
    pub fn renewed(self) -> usize {
        match self {
            Spelling::Exact => 1_000_003,
            // Near enough for dates, and above all that are there.
            Spelling::Plausible => 101,
        }
    }
}

/// A value of more bytes than this is no more refused than one of as many: an
/// item takes 409,600 (L01).
pub const MOST: usize = 409_601;

/// Bytes of an attribute's value: what `@size` says on average, else the type's
/// own length; `None` where nothing says it.
pub fn length(attribute: &AttributeDef) -> Option<usize> {
    if let Some(size) = &attribute.size {
        return size.avg(Unit::Size).map(|bytes| (bytes.round() as usize).min(MOST));
    }
    Some(match &attribute.ty {
        Type::Uuid => 36,
        Type::Ulid => 26,
        Type::Ksuid => KSUID_LENGTH,
        Type::Timestamp => 20,
        Type::Epoch => 6,
        Type::Number => NUMBER,
        Type::Boolean => 1,
        Type::Enum(names) => names.iter().map(|name| name.text.len()).max().unwrap_or(0),
        Type::String | Type::Binary | Type::List(_) | Type::Set(_) | Type::Map | Type::Missing => return None,
    })
}

/// The value.
pub fn value(wanted: Wanted<'_>) -> Value {
    let Wanted { attribute, tag, number, digits, .. } = wanted;
    let length = length(attribute).unwrap_or(UNSAID);
    match &attribute.ty {
        Type::String | Type::Missing => Value::S(text(number, length, &alphabet(attribute))),
        Type::Uuid => Value::S(uuid(tag, number)),
        Type::Ulid => Value::S(ulid(tag, number)),
        Type::Ksuid => Value::S(format!("2{}", text(number, KSUID_LENGTH - 1, &plain_alphabet()))),
        Type::Timestamp => Value::S(instant(FIRST_INSTANT + number as u64 * STEP)),
        Type::Epoch => Value::N((FIRST_EPOCH + number as u64 * 10).to_string()),
        Type::Boolean => Value::Bool(number.is_multiple_of(2)),
        Type::Enum(names) => {
            Value::S(names.get(number % names.len().max(1)).map(|name| name.text.clone()).unwrap_or_default())
        }
        Type::Number => Value::N(match digits {
            Some(digits) => counted(number, digits),
            None => number_of(number, length),
        }),
        Type::Binary => Value::B(binary(number, length)),
        Type::List(_) => Value::L(match length.checked_sub(4) {
            Some(rest) => vec![Value::S(text(number, rest, &plain_alphabet()))],
            None => Vec::new(),
        }),
        Type::Map => Value::M(match length.checked_sub(5) {
            Some(rest) => Item::from([("k".to_owned(), Value::S(text(number, rest, &plain_alphabet())))]),
            None => Item::new(),
        }),
        Type::Set(element) => set(element.as_deref(), number, length),
    }
}

/// A set of one string or binary, or of as many numbers as its bytes hold. No
/// set is empty (L08).
fn set(element: Option<&Type>, number: usize, length: usize) -> Value {
    let length = length.max(1);
    match element {
        Some(Type::Number | Type::Epoch) => {
            // Numbers of eight bytes, and one of what is left: of one byte there is
            // only zero.
            let mut numbers: Vec<String> = (0..length / NUMBER).map(|i| number_of(number + i, NUMBER)).collect();
            if !length.is_multiple_of(NUMBER) {
                numbers.push(number_of(number, length % NUMBER));
            }
            numbers.sort();
            Value::Ns(numbers)
        }
        Some(Type::Binary) => Value::Bs(vec![binary(number, length)]),
        _ => Value::Ss(vec![text(number, length, &plain_alphabet())]),
    }
}

fn plain_alphabet() -> Vec<char> {
    ('a'..='z').chain('0'..='9').collect()
}

/// The characters of an attribute's texts: small letters and digits, so that no
/// value looks like a literal of a template, without what `@without` excludes.
fn alphabet(attribute: &AttributeDef) -> Vec<char> {
    let mut chars = plain_alphabet();
    for text in &attribute.without {
        if let Some(first) = text.value.chars().next()
            && chars.len() > 2
        {
            chars.retain(|c| *c != first);
        }
    }
    chars
}

/// The number in the digits of an alphabet, at the end of a text of so many
/// bytes that its first digit begins otherwise.
fn text(number: usize, length: usize, alphabet: &[char]) -> String {
    let base = alphabet.len();
    let mut digits = Vec::new();
    let mut rest = number;
    while rest > 0 || digits.is_empty() {
        digits.push(alphabet[rest % base]);
        rest /= base;
    }
    digits.resize(length.max(digits.len()), alphabet[0]);
    // Of a number with more digits than there is room for, the last ones.
    digits.truncate(length);
    digits.iter().rev().collect()
}

fn binary(number: usize, length: usize) -> Vec<u8> {
    let bytes = (number as u64).to_be_bytes();
    let mut out = vec![0; length.saturating_sub(bytes.len())];
    out.extend(&bytes[bytes.len().saturating_sub(length)..]);
    out
}

/// An integer of exactly so many digits, as long as there are enough of them.
fn counted(number: usize, digits: usize) -> String {
    let digits = digits.clamp(1, 18) as u32;
    let first = 10_u64.pow(digits - 1);
    // A single digit may be zero, so that there are ten of them.
    let first = if digits == 1 { 0 } else { first };
    (first + number as u64 % (10_u64.pow(digits) - first)).to_string()
}

/// A number of which DynamoDB counts so many bytes: 2 (n − 1) − 1 digits, the
/// last of which is no zero (facts 3.1).
fn number_of(number: usize, bytes: usize) -> String {
    let digits = (2 * bytes.clamp(1, 20).saturating_sub(1)).saturating_sub(1);
    match digits {
        0 => "0".to_owned(),
        1 => (number % 9 + 1).to_string(),
        _ => {
            let last = number % 9 + 1;
            let rest = number as u128 / 9;
            let first = 10_u128.pow(digits as u32 - 2);
            format!("{}{last}", first + rest % (9 * first))
        }
    }
}

fn mixed(tag: u64, number: usize) -> u64 {
    hash(&format!("{tag:016x}{number}"))
}

fn uuid(tag: u64, number: usize) -> String {
    let mix = mixed(tag, number);
    // The number stands in the last group, whole: no two are the same.
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        mix >> 32,
        (mix >> 16) & 0xffff,
        (mix >> 4) & 0xfff,
        tag & 0xfff,
        number as u64 & 0xffff_ffff_ffff
    )
}

const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Ten characters of time, which rises with the number, and sixteen others.
fn ulid(tag: u64, number: usize) -> String {
    let millis = (FIRST_INSTANT + number as u64 * STEP) * 1_000;
    let mut out = String::new();
    crockford(&mut out, millis, 10);
    crockford(&mut out, mixed(tag, number), 8);
    crockford(&mut out, tag, 8);
    out
}

/// The last so many digits of a value in Crockford's base 32.
pub fn crockford(out: &mut String, value: u64, digits: u32) {
    for digit in (0..digits).rev() {
        out.push(CROCKFORD[(value >> (5 * digit) & 31) as usize] as char);
    }
}

/// `2026-01-01T00:00:00Z` (ISO 8601 in UTC, to the second).
pub fn instant(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Howard Hinnant's days_from_civil, the other way round.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_those_of_the_calendar() {
        assert_eq!(instant(0), "1970-01-01T00:00:00Z");
        assert_eq!(instant(FIRST_INSTANT), "2026-01-01T00:00:00Z");
        assert_eq!(instant(1_709_208_000), "2024-02-29T12:00:00Z");
    }

    #[test]
    fn numbers_have_the_bytes_that_are_asked_for_and_differ() {
        for bytes in 2..=20 {
            let numbers: std::collections::BTreeSet<String> = (0..9).map(|i| number_of(i, bytes)).collect();
            assert_eq!(numbers.len(), 9, "{bytes}");
            for number in numbers {
                assert_eq!(Value::N(number.clone()).bytes(), bytes as u64, "{number}");
            }
        }
        assert_eq!((counted(0, 6), counted(3, 6)), ("100000".to_owned(), "100003".to_owned()));
        assert_eq!((counted(7, 1), counted(17, 1)), ("7".to_owned(), "7".to_owned()));
    }

    #[test]
    fn texts_and_ids_have_their_length_and_differ() {
        let alphabet = plain_alphabet();
        assert_eq!((text(37, 5, &alphabet), text(0, 0, &alphabet)), ("aaabb".to_owned(), String::new()));
        let ids: std::collections::BTreeSet<String> = (0..500).map(|i| uuid(7, i)).collect();
        assert!(ids.len() == 500 && ids.iter().all(|id| id.len() == 36));
        let ids: Vec<String> = (0..500).map(|i| ulid(7, i)).collect();
        assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 26));
        assert_eq!(binary(258, 3), [0, 1, 2]);
        let Value::Ns(numbers) = set(Some(&Type::Number), 4, 19) else { panic!() };
        assert_eq!(Value::Ns(numbers).bytes(), 19);
    }
}
