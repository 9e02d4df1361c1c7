//! Characters that nobody sees: what a reader must be told by its code point.

use super::lines::line_end;
use super::range::TextRange;
use super::strings::{backticks_end, string_end};
use std::borrow::Cow;

/// Whether a character shows nothing, or a blank that is no blank of the
/// language: its blanks are those of ASCII.
pub fn is_invisible(c: char) -> bool {
    if c.is_ascii() {
        return c.is_control() && !is_language_white(c);
    }
    c.is_control()
        || c.is_whitespace()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The white space of the language.
fn is_language_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

/// A character by its code point: `U+FEFF`.
fn code_point(c: char) -> String {
    format!("U+{:04X}", c as u32)
}

/// A text for a reader: what nobody would see stands there as `<U+200B>`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if is_invisible(c) { format!("<{}>", code_point(c)) } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The invisible characters outside of strings, comments and names in backticks,
/// each run of them with what is wrong with it.
pub(super) fn faults(text: &str) -> Vec<(TextRange, String)> {
    let mut found: Vec<(TextRange, String)> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at = match c {
            '"' => string_end(text.as_bytes(), start),
            '`' => backticks_end(text.as_bytes(), start),
            '/' if text[start..].starts_with("//") => line_end(text, start),
            _ => start + c.len_utf8(),
        };
        if !is_invisible(c) {
            continue;
        }
        match found.last_mut().filter(|(range, _)| range.end as usize == start) {
            Some((range, _)) => range.end = at as u32,
            None => found.push((TextRange::new(start, at), message(c))),
        }
    }
    found
}

fn message(c: char) -> String {
    let point = code_point(c);
    match c {
        '\u{feff}' => format!("{point} is not white space: a byte order mark stands at the start of a file only"),
        c if c.is_whitespace() => {
            format!("{point} is not white space: only blanks, tabs and line ends may stand between words")
        }
        _ => format!("{point} is not expected here: nobody sees this character"),
    }
}

/// Where the blanks of a line end that begin at a place; invisible characters,
/// which are reported, are passed over with them.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + rest.find(|c: char| matches!(c, '\n' | '\r') || !is_blank(c)).unwrap_or(rest.len())
}

/// The same over the ends of lines.
pub(super) fn skip_white(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + rest.find(|c: char| !is_blank(c)).unwrap_or(rest.len())
}

/// White space, or what is passed over like it.
pub(super) fn is_blank(c: char) -> bool {
    is_language_white(c) || is_invisible(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_written_by_its_code_point() {
        assert_eq!(visible("a\u{200b}b\u{202e}"), "a<U+200B>b<U+202E>");
        assert_eq!(visible("é 🙂 \"x\"\n"), "é 🙂 \"x\"\n");
    }

    #[test]
    fn texts_and_comments_may_hold_anything() {
        assert_eq!(faults("// \u{a0}\n/// \u{feff}\n\"\u{2028}\" `\u{200b}`"), []);
        let ranges: Vec<(u32, u32)> = faults("a\u{a0}\u{a0}b \u{0} c").iter().map(|f| (f.0.start, f.0.end)).collect();
        assert_eq!(ranges, [(1, 5), (7, 8)]);
    }
}
