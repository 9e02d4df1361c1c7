//! What the gaps between the tokens should be.

use super::token::{Kind, Token, mark_lines};
use crate::syntax::{TextEdit, TextRange};

pub(super) const INDENT: &str = "  ";

/// The edits that lay out the tokens of `text`, which starts at `begin`.
pub(super) fn edits(text: &str, begin: usize, tokens: &mut [Token]) -> Vec<TextEdit> {
    mark_lines(text, begin, tokens);
    settle_comments(tokens);
    let mut layout = Layout { text, edits: Vec::new() };
    let mut left: Option<&Token> = None;
    for token in &*tokens {
        layout.gap(left.map_or(begin, |left| left.end), left, token);
        left = Some(token);
    }
    match left {
        Some(last) => layout.end_of_file(last),
        None => layout.replace(begin, text.len(), ""),
    }
    layout.edits
}

/// A comment on a line of its own is indented like the line that follows, or
/// like the content of the block that it ends.
fn settle_comments(tokens: &mut [Token]) {
    let mut level = 0;
    let mut frozen = false;
    for token in tokens.iter_mut().rev() {
        if token.kind != Kind::Comment {
            level = token.comment_level;
            frozen = token.frozen;
        } else if token.begins_line {
            token.level = level;
            token.frozen |= frozen;
        }
    }
}

struct Layout<'a> {
    text: &'a str,
    edits: Vec<TextEdit>,
}

impl Layout<'_> {
    /// Lays out the gap from `start` to the token `right`.
    fn gap(&mut self, start: usize, left: Option<&Token>, right: &Token) {
        let left_frozen = left.is_some_and(|left| left.frozen);
        let breaks = Breaks::of(self.text, start, right.start);
        match (left, breaks) {
            (Some(_), _) if left_frozen && right.frozen => {}
            (Some(left), None) => {
                if !left_frozen && !right.frozen {
                    self.replace(start, right.start, &" ".repeat(left.blanks_before(right)));
                }
            }
            (Some(_), Some(breaks)) => {
                if !left_frozen {
                    self.replace(start, breaks.first.0, "");
                }
                if let Some(second) = breaks.second {
                    // Without a blank between them, these two would be one.
                    let apart = self.text[..breaks.first.1].ends_with('\r') && self.text[second.0..].starts_with('\n');
                    if !apart {
                        self.replace(breaks.first.1, second.0, "");
                    }
                    self.replace(second.1, breaks.end, "");
                }
                self.indent(breaks.end, right);
            }
            // A byte order mark in the wrong place must not get into the right one.
            (None, _) if self.text[right.start..].starts_with('\u{feff}') => {}
            (None, breaks) => {
                let line = breaks.map_or(start, |breaks| breaks.end);
                self.replace(start, line, "");
                self.indent(line, right);
            }
        }
    }

    fn indent(&mut self, start: usize, token: &Token) {
        if !token.frozen {
            self.replace(start, token.start, &INDENT.repeat(token.level));
        }
    }

    /// Lays out what follows the last token.
    fn end_of_file(&mut self, last: &Token) {
        let end = self.text.len();
        match Breaks::of(self.text, last.end, end) {
            Some(breaks) => {
                if !last.frozen {
                    self.replace(last.end, breaks.first.0, "");
                }
                self.replace(breaks.first.1, end, "");
            }
            None => {
                let from = if last.frozen { end } else { last.end };
                self.replace(from, end, prevailing_break(self.text));
            }
        }
    }

    /// Replaces a run of white space, or as much of it as differs.
    fn replace(&mut self, mut start: usize, mut end: usize, mut new: &str) {
        let old = &self.text.as_bytes()[start..end];
        let prefix = old.iter().zip(new.as_bytes()).take_while(|(a, b)| a == b).count();
        let (old, rest) = (&old[prefix..], &new.as_bytes()[prefix..]);
        let suffix = old.iter().rev().zip(rest.iter().rev()).take_while(|(a, b)| a == b).count();
        start += prefix;
        end -= suffix;
        new = &new[prefix..new.len() - suffix];
        if start == end && new.is_empty() {
            return;
        }
        match self.edits.last_mut() {
            Some(last) if last.range.end as usize == start => {
                last.range.end = end as u32;
                last.text.push_str(new);
            }
            _ => self.edits.push(TextEdit { range: TextRange::new(start, end), text: new.to_owned() }),
        }
    }
}

/// The line breaks of a gap that matter: the one that ends the line, the one
/// that ends a blank line after it, and where the last line starts.
#[derive(Clone, Copy)]
struct Breaks {
    first: (usize, usize),
    second: Option<(usize, usize)>,
    end: usize,
}

impl Breaks {
    fn of(text: &str, start: usize, end: usize) -> Option<Self> {
        let mut found: Option<Self> = None;
        let mut at = start;
        while let Some(offset) = text[at..end].find(['\n', '\r']) {
            let from = at + offset;
            at = from + if text[from..end].starts_with("\r\n") { 2 } else { 1 };
            match &mut found {
                None => found = Some(Self { first: (from, at), second: None, end: at }),
                Some(breaks) => {
                    breaks.second.get_or_insert((from, at));
                    breaks.end = at;
                }
            }
        }
        found
    }
}

/// The line break that most lines end with.
fn prevailing_break(text: &str) -> &'static str {
    let (mut unix, mut windows, mut old_mac) = (0, 0, 0);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' if bytes.next_if_eq(&b'\n').is_some() => windows += 1,
            b'\r' => old_mac += 1,
            b'\n' => unix += 1,
            _ => {}
        }
    }
    match () {
        () if unix >= windows && unix >= old_mac => "\n",
        () if windows >= old_mac => "\r\n",
        () => "\r",
    }
}
