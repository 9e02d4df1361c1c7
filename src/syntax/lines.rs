//! Lines of a plain text, by byte offsets. As everywhere, `\n`, `\r\n` and `\r`
//! end one.

use super::TextRange;

/// Where the line of a place begins.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

/// Where the line of a place ends, before its line break.
pub fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length)
}

/// The places of a text's line breaks, to be asked for many ranges: of a line that
/// holds a whole file, too, each is answered without reading it.
pub struct LineBreaks(Vec<u32>);

impl LineBreaks {
    /// Those of a text.
    pub fn of(text: &str) -> Self {
        Self(text.match_indices(['\n', '\r']).map(|(at, _)| at as u32).collect())
    }

    /// Where a range breaks first, if it spans several lines.
    pub fn first_in(&self, range: TextRange) -> Option<u32> {
        let next = self.0.partition_point(|at| *at < range.start);
        self.0.get(next).copied().filter(|at| *at < range.end)
    }
}

/// Where something can be put behind a clause that ends at `end`: there, or
/// behind the comment on the same line, which is about the clause and stays with
/// it.
pub fn behind_comment(text: &str, end: usize) -> usize {
    // The rest of the line is read only where it is a comment: lines may be very long.
    let rest = text[end..].trim_start_matches(|c: char| c.is_whitespace() && !matches!(c, '\n' | '\r'));
    if rest.starts_with("//") { line_end(text, end) } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_any_of_the_three_breaks() {
        let text = "ab\r\ncd\ref\n";
        assert_eq!([0, 2, 4, 6, 7, 9].map(|at| line_start(text, at)), [0, 0, 4, 4, 7, 7]);
        assert_eq!([0, 2, 4, 6, 7, 10].map(|at| line_end(text, at)), [2, 2, 6, 6, 9, 10]);
    }

    #[test]
    fn a_range_breaks_where_its_first_line_ends() {
        let breaks = LineBreaks::of("ab\r\ncd\ref\n");
        let first = |start, end| breaks.first_in(TextRange::new(start, end));
        assert_eq!([first(0, 2), first(4, 6), first(7, 7), first(7, 9)], [None; 4]);
        assert_eq!([first(0, 3), first(3, 9), first(5, 10), first(0, 10)], [Some(2), Some(3), Some(6), Some(2)]);
    }

    #[test]
    fn a_comment_stays_with_its_clause() {
        assert_eq!(behind_comment("a // why\nb", 1), 8);
        assert_eq!(behind_comment("a b // why", 1), 1);
    }
}
