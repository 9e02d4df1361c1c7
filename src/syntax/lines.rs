//! Lines of a plain text, by byte offsets. As everywhere, `\n`, `\r\n` and `\r`
//! end one.

/// Where the line of a place begins.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

/// Where the line of a place ends, before its line break.
pub fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length)
}

/// Where something can be put behind a clause that ends at `end`: there, or
/// behind the comment on the same line, which is about the clause and stays with
/// it.
pub fn behind_comment(text: &str, end: usize) -> usize {
    let line_end = line_end(text, end);
    if text[end..line_end].trim_start().starts_with("//") { line_end } else { end }
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
    fn a_comment_stays_with_its_clause() {
        assert_eq!(behind_comment("a // why\nb", 1), 8);
        assert_eq!(behind_comment("a b // why", 1), 1);
    }
}
