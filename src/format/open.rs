//! What is open at a place, read without the parser: half-typed text has braces
//! too.

use super::token::is_white;
use crate::syntax::lines::line_end;
use crate::syntax::strings::{backticks_end, string_end};

/// What is open at a place of a declaration.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Open {
    /// The braces and parentheses that are not closed yet, and where they stand.
    brackets: Vec<(u8, usize)>,
    /// The last byte before the place that belongs to no comment.
    pub last: Option<u8>,
}

impl Open {
    /// What is open at `at`, in a declaration that starts at `start`; nothing
    /// where the place is inside a string, a name in backticks or a comment.
    pub fn at(text: &str, start: usize, at: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut open = Self::default();
        let mut here = start;
        while here < at {
            let byte = bytes[here];
            let end = match byte {
                b'"' => string_end(bytes, here),
                b'`' => backticks_end(bytes, here),
                b'/' if bytes.get(here + 1) == Some(&b'/') => {
                    // Where its line ends, a comment is over.
                    here = line_end(text, here);
                    if at < here {
                        return None;
                    }
                    continue;
                }
                _ => here + 1,
            };
            if at < end || (matches!(byte, b'"' | b'`') && !is_closed(&text[here..end])) {
                return None;
            }
            open.read(byte, here);
            if !is_white(char::from(byte)) {
                open.last = Some(byte);
            }
            here = end;
        }
        Some(open)
    }

    fn read(&mut self, byte: u8, at: usize) {
        match byte {
            b'{' | b'(' => self.brackets.push((byte, at)),
            b')' if self.parenthesis().is_some() => drop(self.brackets.pop()),
            b'}' => {
                while self.parenthesis().is_some() {
                    self.brackets.pop();
                }
                self.brackets.pop();
            }
            _ => {}
        }
    }

    /// Where the innermost parenthesis stands, if the place is in one.
    pub fn parenthesis(&self) -> Option<usize> {
        self.brackets.last().filter(|(byte, _)| *byte == b'(').map(|(_, at)| *at)
    }

    /// Where the innermost brace stands.
    pub fn brace(&self) -> Option<usize> {
        self.brackets.iter().rev().find(|(byte, _)| *byte == b'{').map(|(_, at)| *at)
    }

    /// In how many blocks the place is.
    pub fn depth(&self) -> usize {
        self.brackets.iter().filter(|(byte, _)| *byte == b'{').count()
    }

    /// What closes all that is open.
    pub fn closers(&self) -> String {
        self.brackets.iter().rev().map(|(byte, _)| if *byte == b'{' { "\n}" } else { "\n)" }).collect()
    }
}

/// Whether a string or a name in backticks, which ends with its line at the
/// latest, has its second quote.
fn is_closed(written: &str) -> bool {
    let longer = format!("{written}x");
    let end = match written.as_bytes() {
        [b'"', ..] => string_end(longer.as_bytes(), 0),
        _ => backticks_end(longer.as_bytes(), 0),
    };
    end == written.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_in_strings_comments_and_backticks_open_nothing() {
        let text = "entity `a{` { // {\n  b: string @without(\"{\\\"\") (";
        let open = Open::at(text, 0, text.len()).unwrap();
        assert_eq!((open.depth(), open.brace(), open.parenthesis()), (1, Some(12), Some(text.len() - 1)));
        assert_eq!(open.closers(), "\n)\n}");
        assert_eq!(open.last, Some(b'('));
    }

    #[test]
    fn inside_of_what_is_one_piece_nothing_is_known() {
        for (text, at) in
            [("a \"b c\"", 4), ("a `b c`", 4), ("a // b", 5), ("a \"b", 4), ("a \"b\\\"", 6), ("a `b", 4), ("\"", 1)]
        {
            assert_eq!(Open::at(text, 0, at), None, "{text} {at}");
        }
        for text in ["a \"b\"", "a `b`", "a \"\"", "a // b", "\"\\\\\""] {
            assert!(Open::at(text, 0, text.len()).is_some(), "{text}");
        }
    }

    #[test]
    fn a_brace_closes_the_parentheses_in_it() {
        let text = "{ ( { ( ) ( } ) } }";
        assert_eq!(Open::at(text, 0, text.len()), Some(Open { brackets: Vec::new(), last: Some(b'}') }));
        assert_eq!(Open::at(text, 0, 12).unwrap().depth(), 2);
        assert_eq!(Open::at(text, 0, 13).unwrap().parenthesis(), Some(2));
    }
}
