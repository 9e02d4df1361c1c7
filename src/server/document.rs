//! An open document: the client's text, version by version.

use crate::model::files::FileKey;
use crate::syntax::{Encoding, Position, Text};
use tower_lsp::ls_types::{self, TextDocumentContentChangeEvent, Uri};

/// A document as the client has it. It never changes: an edit makes another.
#[derive(Debug)]
pub struct Document {
    pub key: FileKey,
    /// As the client spells it.
    pub uri: Uri,
    pub version: i32,
    /// Which of all openings of documents in the session this was, from 1.
    pub opening: u64,
    pub text: Text,
}

impl Document {
    /// The document after these changes, each of which stands on the one before.
    pub fn changed(&self, version: i32, changes: &[TextDocumentContentChangeEvent], encoding: Encoding) -> Self {
        let mut text = self.text.clone();
        for change in changes {
            match change.range {
                Some(range) => {
                    let (start, halved) = end_of(&text, position(range.start), encoding);
                    let (end, rest) = end_of(&text, position(range.end), encoding);
                    if halved || rest {
                        // The halves of a pair that stay are no text; each is
                        // one unit for the client still.
                        let half = |is: bool| if is { "\u{FFFD}" } else { "" };
                        let end = if rest { end + '\u{10000}'.len_utf8() } else { end };
                        text.replace(start, end, &format!("{}{}{}", half(halved), change.text, half(rest)));
                    } else {
                        text.replace(start, end, &change.text);
                    }
                }
                None => text = Text::new(&change.text),
            }
        }
        Self { key: self.key.clone(), uri: self.uri.clone(), version, opening: self.opening, text }
    }
}

/// The offset of an end of an edit, and whether it stands between the two units
/// of the character there.
fn end_of(text: &Text, at: Position, encoding: Encoding) -> (usize, bool) {
    let offset = text.offset(at, encoding);
    let next = Position { line: at.line, column: at.column.saturating_add(1) };
    let halves = encoding == Encoding::Utf16
        && text.position(offset, encoding) == Position { line: at.line, column: at.column.saturating_sub(1) }
        && at.column > 0
        && text.offset(next, encoding) > offset;
    (offset, halves)
}

/// A position of the protocol as the analysis has it.
pub fn position(position: ls_types::Position) -> Position {
    Position { line: position.line, column: position.character }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn change(range: Option<[u32; 4]>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range
            .map(|[a, b, c, d]| ls_types::Range::new(ls_types::Position::new(a, b), ls_types::Position::new(c, d)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    fn edited(text: &str, encoding: Encoding, changes: &[TextDocumentContentChangeEvent]) -> String {
        let uri = Uri::from_str("untitled:a").unwrap();
        let document = Document { key: FileKey::new("untitled:a"), uri, version: 1, opening: 1, text: Text::new(text) };
        document.changed(2, changes, encoding).text.to_text()
    }

    #[test]
    fn changes_stand_on_each_other() {
        let changes =
            [change(Some([0, 0, 0, 1]), "xyz"), change(Some([0, 1, 0, 2]), ""), change(Some([0, 2, 0, 2]), "\n")];
        assert_eq!(edited("abc", Encoding::Utf16, &changes), "xz\nbc");
        let changes = [change(Some([0, 0, 0, 1]), "?"), change(None, "new"), change(Some([0, 3, 0, 3]), "!")];
        assert_eq!(edited("abc", Encoding::Utf16, &changes), "new!");
    }

    #[test]
    fn columns_count_in_the_encoding_that_was_agreed() {
        for (encoding, column) in [(Encoding::Utf8, 6), (Encoding::Utf16, 3), (Encoding::Utf32, 2)] {
            assert_eq!(edited("é🙂x", encoding, &[change(Some([0, column, 0, column + 1]), "y")]), "é🙂y");
        }
    }

    #[test]
    fn an_edit_inside_a_pair_leaves_its_halves() {
        for (range, new, left) in [
            ([0, 2, 0, 3], "", "a\u{FFFD}b\n"),
            ([0, 1, 0, 2], "", "a\u{FFFD}b\n"),
            ([0, 2, 0, 2], "-", "a\u{FFFD}-\u{FFFD}b\n"),
            ([0, 0, 0, 2], "x", "x\u{FFFD}b\n"),
            ([0, 2, 0, 9], "x", "a\u{FFFD}x\n"),
            ([0, 1, 0, 3], "", "ab\n"),
            ([0, 5, 0, 5], "!", "a🙂b!\n"),
        ] {
            assert_eq!(edited("a🙂b\n", Encoding::Utf16, &[change(Some(range), new)]), left, "{range:?}");
        }
    }

    #[test]
    fn impossible_ranges_are_put_right() {
        assert_eq!(edited("ab\r\ncd", Encoding::Utf16, &[change(Some([1, 1, 0, 1]), "-")]), "a-d");
        assert_eq!(edited("ab\r\ncd", Encoding::Utf16, &[change(Some([0, 99, 0, 99]), "!")]), "ab!\r\ncd");
        assert_eq!(edited("ab", Encoding::Utf16, &[change(Some([7, 0, u32::MAX, u32::MAX]), "!")]), "ab!");
    }
}
