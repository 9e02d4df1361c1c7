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
    pub text: Text,
}

impl Document {
    /// The document after these changes, each of which stands on the one before.
    pub fn changed(&self, version: i32, changes: &[TextDocumentContentChangeEvent], encoding: Encoding) -> Self {
        let mut text = self.text.clone();
        for change in changes {
            match change.range {
                Some(range) => {
                    let start = text.offset(position(range.start), encoding);
                    let end = text.offset(position(range.end), encoding);
                    text.replace(start, end, &change.text);
                }
                None => text = Text::new(&change.text),
            }
        }
        Self { key: self.key.clone(), uri: self.uri.clone(), version, text }
    }
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
        let document = Document { key: FileKey::new("untitled:a"), uri, version: 1, text: Text::new(text) };
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
    fn impossible_ranges_are_put_right() {
        assert_eq!(edited("ab\r\ncd", Encoding::Utf16, &[change(Some([1, 1, 0, 1]), "-")]), "a-d");
        assert_eq!(edited("ab\r\ncd", Encoding::Utf16, &[change(Some([0, 99, 0, 99]), "!")]), "ab!\r\ncd");
        assert_eq!(edited("ab", Encoding::Utf16, &[change(Some([7, 0, u32::MAX, u32::MAX]), "!")]), "ab!");
    }
}
