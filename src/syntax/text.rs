//! The text of a file: a rope, its edits, and the mapping between byte offsets
//! and the positions that editors speak in.

use ropey::Rope;

/// How a client counts the columns of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: what every LSP client understands.
    #[default]
    Utf16,
    /// Unicode scalar values; also what the command line prints.
    Utf32,
}

/// A place in a text: both parts count from zero, the column in the units of
/// an [`Encoding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A text that can be edited and measured. Lines end with `\n`, `\r\n` or
/// `\r`, as LSP has it, and nothing else ends a line.
#[derive(Clone, Debug, Default)]
pub struct Text {
    rope: Rope,
}

impl Text {
    /// A rope of this text.
    pub fn new(text: &str) -> Self {
        Self { rope: Rope::from_str(text) }
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.rope.len_bytes()
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position of a byte offset. An offset past the end means the end, one
    /// inside a character means the start of that character, and one inside a line
    /// break means the place before it: no position is in there.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(self.len());
        let is_in_break =
            (1..self.len()).contains(&offset) && self.rope.byte(offset) == b'\n' && self.rope.byte(offset - 1) == b'\r';
        let offset = if is_in_break { offset - 1 } else { offset };
        let line = self.rope.byte_to_line(offset);
        let line_start = self.rope.line_to_byte(line);
        let column = match encoding {
            Encoding::Utf8 => {
                let whole = self.rope.char_to_byte(self.rope.byte_to_char(offset));
                whole - line_start
            }
            Encoding::Utf16 => {
                self.rope.char_to_utf16_cu(self.rope.byte_to_char(offset))
                    - self.rope.char_to_utf16_cu(self.rope.byte_to_char(line_start))
            }
            Encoding::Utf32 => self.rope.byte_to_char(offset) - self.rope.byte_to_char(line_start),
        };
        Position { line: line as u32, column: column as u32 }
    }

    /// The byte offset of a position. A line past the end means the end of the
    /// text, a column past the line means the end of the line before its line
    /// break, and a column inside a character means that character's start:
    /// clients send all three, and ropey panics on each.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        if line >= self.rope.len_lines() {
            return self.len();
        }
        let start = self.rope.line_to_byte(line);
        let start_char = self.rope.line_to_char(line);
        let content = self.line_content_chars(line);
        let column = position.column as usize;
        match encoding {
            Encoding::Utf8 => {
                let end = self.rope.char_to_byte(start_char + content);
                let wanted = (start + column).min(end);
                self.rope.char_to_byte(self.rope.byte_to_char(wanted))
            }
            Encoding::Utf16 => {
                let base = self.rope.char_to_utf16_cu(start_char);
                let end = self.rope.char_to_utf16_cu(start_char + content);
                let wanted = (base + column).min(end);
                self.rope.char_to_byte(self.rope.utf16_cu_to_char(wanted))
            }
            Encoding::Utf32 => self.rope.char_to_byte(start_char + column.min(content)),
        }
    }

    /// Characters of a line without its line break.
    fn line_content_chars(&self, line: usize) -> usize {
        let slice = self.rope.line(line);
        let mut count = slice.len_chars();
        while count > 0 && matches!(slice.char(count - 1), '\n' | '\r') {
            count -= 1;
        }
        count
    }

    /// Replaces the bytes from `start` to `end` by `new`. Ends that are
    /// inverted, out of bounds or inside a character are put right first.
    pub fn replace(&mut self, start: usize, end: usize, new: &str) {
        let (start, end) = (start.min(end).min(self.len()), start.max(end).min(self.len()));
        let start = self.rope.byte_to_char(start);
        let end = self.rope.byte_to_char(end);
        self.rope.remove(start..end);
        self.rope.insert(start, new);
    }

    /// The text in one piece.
    pub fn to_text(&self) -> String {
        self.rope.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn columns_count_in_the_units_of_the_encoding() {
        let text = Text::new("é🙂x\nab");
        assert_eq!(text.position(6, Encoding::Utf8), at(0, 6));
        assert_eq!(text.position(6, Encoding::Utf16), at(0, 3));
        assert_eq!(text.position(6, Encoding::Utf32), at(0, 2));
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for offset in [0, 2, 6, 7, 8, 9, 10] {
                let position = text.position(offset, encoding);
                assert_eq!(text.offset(position, encoding), offset, "{encoding:?} {offset}");
            }
        }
    }

    #[test]
    fn positions_that_do_not_exist_mean_the_nearest_that_does() {
        let text = Text::new("é🙂\r\nab");
        assert_eq!(text.offset(at(0, 99), Encoding::Utf16), 6, "before the line break");
        assert_eq!(text.offset(at(9, 0), Encoding::Utf16), 10, "the end");
        assert_eq!(text.offset(at(0, 2), Encoding::Utf16), 2, "inside a surrogate pair");
        assert_eq!(text.offset(at(0, 4), Encoding::Utf8), 2, "inside a character");
        assert_eq!(text.position(99, Encoding::Utf16), at(1, 2));
        assert_eq!(text.position(4, Encoding::Utf8), at(0, 2), "inside a character");
        assert_eq!(text.position(7, Encoding::Utf16), at(0, 3), "inside a line break");
    }

    #[test]
    fn only_the_three_line_breaks_of_lsp_break_lines() {
        let text = Text::new("a\u{2028}b\u{85}c\x0bd\r\ne\rf\ng");
        assert_eq!(text.position(text.len(), Encoding::Utf8), at(3, 1));
    }

    #[test]
    fn replacements_are_clamped_and_turned_round() {
        let mut text = Text::new("abc");
        text.replace(2, 1, "é");
        assert_eq!(text.to_text(), "aéc");
        text.replace(100, 4, "!");
        assert_eq!(text.to_text(), "aéc!");
    }
}
