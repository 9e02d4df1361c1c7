//! What a keyword that begins a line must be followed by to begin a declaration.

use super::invisible::{skip_blanks, skip_white};
use super::split::ChunkKind;

/// Whether what follows a keyword that begins a line makes it a declaration.
pub(super) fn has_shape(text: &str, after: usize, kind: ChunkKind, column_zero: bool) -> bool {
    let bytes = text.as_bytes();
    let blank = skip_blanks(text, after);
    if matches!(kind, ChunkKind::Import | ChunkKind::Consideration | ChunkKind::Tradeoff) {
        return bytes.get(blank) == Some(&b'"');
    }
    if blank == after {
        return false;
    }
    let name_end = match bytes.get(blank) {
        Some(b'`') => match text[blank + 1..].find(['`', '\n', '\r']) {
            Some(length) if bytes[blank + 1 + length] == b'`' => blank + length + 2,
            _ => return false,
        },
        Some(b'_' | b'a'..=b'z' | b'A'..=b'Z') => word_end(bytes, blank),
        _ => return false,
    };
    let next = skip_white(text, name_end);
    let strong = match kind {
        ChunkKind::Aggregate => bytes.get(next) == Some(&b','),
        ChunkKind::Relationship => {
            let rest = &text[next..];
            rest.starts_with("1:") || rest.starts_with("N:")
        }
        _ => bytes.get(next) == Some(&b'{'),
    };
    if strong {
        return true;
    }
    let same_line = skip_blanks(text, name_end);
    column_zero
        && !matches!(bytes.get(same_line), Some(b':' | b'=' | b','))
        && !CONTINUES.contains(&&text[blank..name_end])
}

/// Keywords that may follow a name inside a clause: behind one of them, a word
/// that could start a declaration is a name.
const CONTINUES: &[&str] = &[
    "by",
    "as",
    "from",
    "into",
    "in",
    "where",
    "set",
    "remove",
    "with",
    "if",
    "and",
    "or",
    "because",
    "embeds",
    "ordered",
    "times",
    "through",
    "descending",
    "consistent",
    "limit",
    "filter",
    "project",
    "returning",
    "keeping",
];

pub(super) fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| *b == b'_' || b.is_ascii_alphanumeric()) {
        at += 1;
    }
    at
}
