//! The two lines around a part.

use super::lines::{BYTE_ORDER_MARK, with_lf};
use super::names::{decoded, encoded};
use sha2::{Digest, Sha256};
use std::ops::Range;

const BEGIN: &str = "keywright:begin";
const END: &str = "keywright:end";
/// What an end mark says of a text that its reader wants to keep.
const KEPT: &str = "kept";

/// A line that is a mark, or was one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Begin {
        name: String,
    },
    End {
        name: String,
        hash: Option<String>,
        is_kept: bool,
    },
    /// It begins like a mark and says something else.
    Unreadable,
}

/// What may stand around a mark on its line, and is not a part of it.
fn is_around_marks(c: char) -> bool {
    c.is_whitespace() || c == BYTE_ORDER_MARK
}

/// Where the mark stands in a line, or in any piece of text that holds nothing else.
pub(super) fn within(line: &str) -> Range<usize> {
    let start = line.len() - line.trim_start_matches(is_around_marks).len();
    start..start + line.trim_matches(is_around_marks).len()
}

/// The mark that a line is; without its line end.
pub(super) fn mark(line: &str) -> Option<Mark> {
    let words = line.trim_matches(is_around_marks).strip_prefix("<!--")?;
    if !words.trim_start().starts_with(BEGIN) && !words.trim_start().starts_with(END) {
        return None;
    }
    let Some(words) = words.strip_suffix("-->") else { return Some(Mark::Unreadable) };
    let words: Vec<&str> = words.split_whitespace().collect();
    let is_hash = |word: &str| word.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(match words[..] {
        [BEGIN, name] => Mark::Begin { name: decoded(name) },
        [END, name] => Mark::End { name: decoded(name), hash: None, is_kept: false },
        [END, name, KEPT] => Mark::End { name: decoded(name), hash: None, is_kept: true },
        [END, name, hash] if is_hash(hash) => {
            Mark::End { name: decoded(name), hash: Some(hash.to_owned()), is_kept: false }
        }
        [END, name, hash, KEPT] if is_hash(hash) => {
            Mark::End { name: decoded(name), hash: Some(hash.to_owned()), is_kept: true }
        }
        _ => Mark::Unreadable,
    })
}

/// The line above a part.
pub(super) fn begin(name: &str) -> String {
    format!("<!-- {BEGIN} {} -->", encoded(name))
}

/// The line below a part that is as it was made.
pub(super) fn end(name: &str, hash: &str) -> String {
    format!("<!-- {END} {} {hash} -->", encoded(name))
}

/// The line below a part of which nobody knows any more how it was made.
pub(super) fn end_unknown(name: &str) -> String {
    format!("<!-- {END} {} -->", encoded(name))
}

/// The line below a part whose reader turned the text with this hash down.
pub(super) fn end_kept(name: &str, hash: &str) -> String {
    format!("<!-- {END} {} {hash} {KEPT} -->", encoded(name))
}

/// The line above the text of a reader that is no part any more: two texts of one
/// heading follow each other, and this tells which is whose.
pub(super) fn of_reader(name: &str) -> String {
    format!("<!-- {} as it was edited; as the model says it, it stands below -->", encoded(name))
}

/// The hash of a text that its reader turns down: the numbers of the lines that its
/// links lead to do not count, for a line more in the model is no news.
pub(super) fn hash_of_words(inner: &str) -> String {
    let mut words = String::with_capacity(inner.len());
    let mut told = 0;
    // `[shop.dynamo:12](shop.dynamo#L12)`
    for (at, sign) in inner.match_indices([':', '#']) {
        let (number, ends) = match sign {
            ":" => (at + 1, "]("),
            _ if inner[at..].starts_with("#L") => (at + 2, ")"),
            _ => continue,
        };
        let behind = inner[number..].trim_start_matches(|c: char| c.is_ascii_digit());
        if behind.starts_with(ends) {
            words.push_str(&inner[told..number]);
            told = inner.len() - behind.len();
        }
    }
    words.push_str(&inner[told..]);
    hash(&words)
}

/// The hash of what stands between two marks.
pub(super) fn hash(inner: &str) -> String {
    let digest = Sha256::digest(with_lf(inner).as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
