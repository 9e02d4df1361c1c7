//! Edits of a text, in bytes.

use super::range::TextRange;

/// A piece of text to replace; an empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// Bytes of the text as it is before any edit.
    pub range: TextRange,
    /// What stands there instead.
    pub text: String,
}

/// The text with the edits made; they are sorted and do not overlap.
pub fn apply(text: &str, edits: &[TextEdit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.range.indices();
        out.push_str(&text[at..range.start]);
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_count_in_the_text_before_all_of_them() {
        let edit = |start, end, text: &str| TextEdit { range: TextRange::new(start, end), text: text.to_owned() };
        assert_eq!(apply("abcd", &[edit(0, 1, "xyz"), edit(2, 2, "-"), edit(3, 4, "")]), "xyzb-c");
        assert_eq!(apply("abcd", &[]), "abcd");
    }
}
