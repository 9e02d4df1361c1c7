//! The tokens of a file, as far as white space is concerned.

use std::ops::Range;

/// A piece of text that is never changed: a word, a string, a comment, a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
    /// How far a line is indented that begins with this token.
    pub level: usize,
    /// How far the comments on the lines before it are indented.
    pub comment_level: usize,
    /// Blanks that follow the token on its line beyond the usual one, so that
    /// what comes next stands in its column.
    pub pad: usize,
    /// The white space around the token is left alone.
    pub frozen: bool,
    /// The token is the first of its line.
    pub begins_line: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, a keyword, a number, a string, an operator.
    Word,
    Comment,
    BlockOpen,
    BlockClose,
    /// A parenthesis that groups: a blank stands before it.
    GroupOpen,
    /// A parenthesis or angle bracket that belongs to the word before it.
    CallOpen,
    /// The end of either.
    Close,
    /// `,`, `:` and `?`, which hang on what comes before them.
    Trailer,
    /// `@`, which hangs on what follows.
    Leader,
    /// `.`, which hangs on both.
    Joiner,
}

impl Token {
    /// A token of these bytes, with nothing known of its surroundings yet.
    pub fn new(range: Range<usize>, kind: Kind) -> Self {
        Self {
            start: range.start,
            end: range.end,
            kind,
            level: 0,
            comment_level: 0,
            pad: 0,
            frozen: false,
            begins_line: false,
        }
    }

    /// Text that is left alone with all that is in it.
    pub fn frozen(range: Range<usize>) -> Self {
        Self { frozen: true, ..Self::new(range, Kind::Word) }
    }

    /// The same token, `by` bytes further on.
    pub fn shifted(mut self, by: usize) -> Self {
        self.start += by;
        self.end += by;
        self
    }

    /// The number of blanks between this token and the next one on its line.
    pub fn blanks_before(&self, next: &Token) -> usize {
        let glued = match (self.kind, next.kind) {
            (_, Kind::Comment) => false,
            (Kind::BlockOpen, Kind::BlockClose) => true,
            (Kind::GroupOpen | Kind::CallOpen | Kind::Leader | Kind::Joiner, _) => true,
            (_, Kind::CallOpen | Kind::Close | Kind::Trailer | Kind::Joiner) => true,
            _ => false,
        };
        if glued { 0 } else { 1 + self.pad }
    }
}

/// Adds the comments of a stretch of text that holds nothing else.
pub(super) fn comments(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let mut at = range.start;
    while at < range.end {
        let rest = &text[at..range.end];
        let start = at + (rest.len() - rest.trim_start_matches(is_white).len());
        if start == range.end {
            return;
        }
        let rest = &text[start..range.end];
        at = start + rest.find(['\n', '\r']).unwrap_or(rest.len());
        tokens.push(Token::new(start..at, Kind::Comment));
    }
}

/// Leaves the blanks at the ends of comments to the gaps behind them. Two
/// blanks between two lines of a doc comment break the line in Markdown, and
/// stay.
pub(super) fn trim_comments(text: &str, tokens: &mut [Token]) {
    for index in 0..tokens.len() {
        let token = &tokens[index];
        if token.kind != Kind::Comment {
            continue;
        }
        let comment = &text[token.start..token.end];
        let trimmed = comment.trim_end_matches([' ', '\t']);
        let goes_on = tokens.get(index + 1).is_some_and(|next| {
            let lines = text[token.end..next.start].matches('\n').count();
            lines == 1 && text[next.start..].starts_with("///")
        });
        if !(comment.starts_with("///") && comment.ends_with("  ") && goes_on) {
            tokens[index].end = token.start + trimmed.len();
        }
    }
}

/// Notes which tokens begin a line.
pub(super) fn mark_lines(text: &str, begin: usize, tokens: &mut [Token]) {
    let mut at = begin;
    for token in tokens {
        token.begins_line = at == begin || text[at..token.start].contains(['\n', '\r']);
        at = token.end;
    }
}

/// White space. The grammar passes over a no-break space and a byte order mark
/// as well; they are faults, and stay where they are.
pub(super) fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{b}' | '\u{c}')
}
