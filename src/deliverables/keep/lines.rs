//! Lines, their ends, and blank ones.

use std::ops::Range;

pub(super) const LF: &str = "\n";
const CRLF: &str = "\r\n";

/// What some editors put before a text.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The line end that most lines of a text have.
pub(super) fn line_end(text: &str) -> &'static str {
    let crlf = text.matches(CRLF).count();
    let all = text.matches(LF).count();
    if crlf * 2 > all { CRLF } else { LF }
}

/// The text with LF line ends.
pub(super) fn with_lf(text: &str) -> String {
    text.replace(CRLF, LF)
}

/// Where a text begins, behind a byte order mark.
pub(super) fn beginning(text: &str) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 }
}

/// Behind the line end that stands at an offset; the offset where none does.
pub(super) fn behind_line_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    [CRLF, LF].iter().find(|end| rest.starts_with(**end)).map_or(at, |end| at + end.len())
}

/// Before the line end that stands in front of an offset; the offset where none
/// does.
pub(super) fn before_line_end(text: &str, at: usize) -> usize {
    let rest = &text[..at];
    [CRLF, LF].iter().find(|end| rest.ends_with(**end)).map_or(at, |end| at - end.len())
}

/// The lines of a piece of a text: where each stands with its end, and what it is
/// without it.
pub(super) fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = range.start;
    text[range].split_inclusive(LF).map(move |line| {
        at += line.len();
        let content = line.strip_suffix(LF).map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        (at - line.len()..at, content)
    })
}

/// Whether a line can begin at the offset, and the one above is empty or there is
/// none.
pub(super) fn is_apart_from_above(text: &str, at: usize) -> bool {
    let above = before_line_end(text, at);
    at <= beginning(text) || above < at && (above <= beginning(text) || before_line_end(text, above) < above)
}

/// Whether nothing but line ends stands in a piece of text.
pub(super) fn is_empty_lines(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'\r' | b'\n'))
}

/// The numbers of the lines of a text, from one: found once for all places in it.
pub struct LineNumbers(Vec<usize>);

impl LineNumbers {
    /// Looks for the ends of all lines.
    pub fn of(text: &str) -> Self {
        Self(text.match_indices(LF).map(|(at, _)| at).collect())
    }

    /// The line of an offset.
    pub fn line(&self, at: usize) -> usize {
        self.0.partition_point(|end| *end < at) + 1
    }
}
