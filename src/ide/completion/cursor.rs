//! The text around the cursor, before anything is parsed.

use crate::syntax::TextRange;

/// A place in a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    pub text: &'t str,
    pub offset: usize,
    /// Where its line begins.
    line: usize,
}

/// What the cursor stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    Code,
    Comment,
    /// A string, whose quote opens there.
    Text {
        open: usize,
    },
}

/// A word at the cursor, which may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub start: usize,
    pub end: usize,
    /// It begins with a backtick.
    pub quoted: bool,
}

impl<'t> Cursor<'t> {
    /// The place nearest to an offset: none is past the end or inside a character.
    pub fn new(text: &'t str, offset: usize) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        Self { text, offset, line }
    }

    /// Strings, comments and names in backticks end with their line: what stands
    /// before the cursor on it says what it is in.
    pub fn around(&self) -> Around {
        let mut open = None;
        let mut ticks = false;
        let mut chars = self.before().char_indices();
        while let Some((at, c)) = chars.next() {
            match (open, c) {
                (Some(_), '\\') => {
                    chars.next();
                }
                (Some(_), '"') => open = None,
                (Some(_), _) => {}
                (None, '`') => ticks = !ticks,
                (None, _) if ticks => {}
                (None, '"') => open = Some(self.line + at),
                // Between its two slashes the cursor is in the comment as well.
                (None, '/') if self.text[self.line + at..].starts_with("//") => return Around::Comment,
                (None, _) => {}
            }
        }
        open.map_or(Around::Code, |open| Around::Text { open })
    }

    /// The cursor's line up to it.
    fn before(&self) -> &'t str {
        &self.text[self.line..self.offset]
    }

    /// The rest of the cursor's line.
    pub fn after(&self) -> &'t str {
        let rest = &self.text[self.offset..];
        &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())]
    }

    /// Whether nothing but space stands before `start` on the line.
    pub fn begins_line(&self, start: usize) -> bool {
        self.text[self.line..start].trim_start_matches('\u{feff}').trim().is_empty()
    }

    /// Whether `start` is at the margin.
    pub fn at_margin(&self, start: usize) -> bool {
        start == self.line
    }

    /// The name at the cursor: what is typed of it, and what follows.
    pub fn word(&self) -> Word {
        let ticks = self.before().matches('`').count();
        if ticks % 2 == 1 {
            let start = self.line + self.before().rfind('`').unwrap_or(0);
            let end = self.after().find('`').map_or_else(|| self.run_end(is_name), |at| self.offset + at + 1);
            return Word { start, end, quoted: true };
        }
        self.run(is_name)
    }

    /// The longest run of such characters that the cursor stands in.
    pub fn run(&self, belongs: fn(char) -> bool) -> Word {
        let start = self.line + self.before().trim_end_matches(belongs).len();
        Word { start, end: self.run_end(belongs), quoted: false }
    }

    fn run_end(&self, belongs: fn(char) -> bool) -> usize {
        let after = self.after();
        self.offset + after.find(|c| !belongs(c)).unwrap_or(after.len())
    }

    /// The number at the cursor, with its unit.
    pub fn number(&self) -> Option<Word> {
        let run = self.run(|c| is_name(c) || matches!(c, '.' | '/' | '%'));
        self.text[run.start..self.offset].starts_with(|c: char| c.is_ascii_digit()).then_some(run)
    }

    /// The parameter at the cursor, from its colon on.
    pub fn parameter(&self) -> Option<Word> {
        let word = self.word();
        let start = word.start.checked_sub(1).filter(|at| self.text.as_bytes()[*at] == b':')?;
        (!word.quoted).then_some(Word { start, ..word })
    }

    /// The modifier at the cursor, from its sign on.
    pub fn modifier(&self) -> Option<Word> {
        let word = self.word();
        let start = word.start.checked_sub(1).filter(|at| self.text.as_bytes()[*at] == b'@')?;
        (!word.quoted).then_some(Word { start, ..word })
    }
}

/// Whether a character can be one of a name without backticks. Letters of other
/// alphabets cannot, but are typed as part of one word all the same.
pub(super) fn is_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

impl Word {
    /// From the start of the word to the cursor.
    pub fn insert(self, offset: usize) -> TextRange {
        TextRange::new(self.start, offset)
    }

    /// The whole word.
    pub fn replace(self) -> TextRange {
        TextRange::new(self.start, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> (Around, &'static str) {
        let offset = text.find('|').expect("a cursor");
        let text: &'static str = Box::leak(text.replacen('|', "", 1).into_boxed_str());
        let cursor = Cursor::new(text, offset);
        let word = cursor.word();
        (cursor.around(), &text[word.start..word.end])
    }

    #[test]
    fn a_line_says_what_the_cursor_is_in() {
        assert_eq!(at("a // b|"), (Around::Comment, "b"));
        assert_eq!(at("because \"a // b|\""), (Around::Text { open: 8 }, "b"));
        assert_eq!(at("\"a\\\"b|").0, Around::Text { open: 0 });
        assert_eq!(at("\"a\\\\\" b|").0, Around::Code);
        assert_eq!(at("\"open\nb|"), (Around::Code, "b"));
        assert_eq!(at("item `a//b|c` {"), (Around::Code, "`a//bc`"));
        assert_eq!(at("`a` // |").0, Around::Comment);
        assert_eq!(at("a /|/ b").0, Around::Comment);
        assert_eq!(at("a |// b").0, Around::Code);
    }

    #[test]
    fn a_word_is_whole_wherever_the_cursor_stands_in_it() {
        for text in ["get |User from", "get Us|er from", "get User| from"] {
            assert_eq!(at(text).1, "User", "{text}");
        }
        assert_eq!(at("get | from").1, "");
        assert_eq!(Cursor::new("é", 1).offset, 0);
        assert_eq!(Cursor::new("é", 9).offset, 2);
    }
}
