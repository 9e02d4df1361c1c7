//! The example of the model, and others like it.

use super::time::later;
use crate::model::defs::AttributeDef;
use crate::syntax::strings::unquote_string;

/// The example that the model gives, without its quotes.
pub(super) fn given(attribute: &AttributeDef) -> Option<String> {
    let written = &attribute.example.as_ref()?.value;
    Some(if written.starts_with('"') { unquote_string(written) } else { written.clone() })
}

/// The example for the first item; for the others what their name asks for, or
/// the example with another number in it.
pub(super) fn varied(example: &str, number: usize, named: impl Fn() -> Option<String>) -> String {
    if number == 0 {
        return example.to_owned();
    }
    if let Some(later) = later(example, number) {
        return later;
    }
    if let Some(counted) = counted(example, number) {
        return counted;
    }
    match named() {
        Some(text) if text != example => text,
        _ if example.contains(' ') => format!("{example} {}", number + 1),
        _ => format!("{example}-{}", number + 1),
    }
}

/// The text with its last number so much higher, as wide as it was; `None` where
/// there is none.
fn counted(example: &str, more: usize) -> Option<String> {
    let end = example.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = example[..end]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + example[at..].chars().next().map_or(1, char::len_utf8));
    let number: u128 = example[start..end].parse().ok()?;
    let width = end - start;
    Some(format!("{}{:0width$}{}", &example[..start], number.checked_add(more as u128)?, &example[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_the_first_value_and_the_others_are_like_it() {
        let of = |example: &str, number: usize| varied(example, number, || None);
        assert_eq!([0, 1, 12].map(|n| of("BOOK-0042", n)), ["BOOK-0042", "BOOK-0043", "BOOK-0054"]);
        assert_eq!(of("2026-11-30", 3), "2026-12-03");
        assert_eq!(of("v9 é7ü", 4), "v9 é11ü");
        assert_eq!((of("LIS", 1), of("Ana Silva", 1)), ("LIS-2".to_owned(), "Ana Silva 2".to_owned()));
        assert_eq!(varied("Ana Silva", 1, || Some("Ben Okafor".to_owned())), "Ben Okafor");
        assert_eq!(of("", 2), "-3");
    }
}
