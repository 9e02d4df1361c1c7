//! The bracket that the cursor stands in. It may go on over several lines, and then
//! what begins on the next one belongs in it.

use std::iter::Peekable;
use std::str::CharIndices;
use tree_sitter::Node;

/// Where the innermost bracket stands that is open at the end of a text. One that was
/// forgotten is none: nothing closes it, and what stands in it is whole.
pub(super) fn open(before: &str, behind: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, sign) in Signs::new(before) {
        match sign {
            '(' => open.push(at),
            ')' => {
                open.pop();
            }
            _ => open.clear(),
        }
    }
    let at = open.pop()?;
    let same_line = !before[at..].contains(['\n', '\r']);
    let goes_on = before.trim_end().ends_with(['(', ',']);
    (same_line || goes_on || is_closed(behind)).then_some(at)
}

/// Where the brace of the innermost block stands that is open at the end of a text.
pub(super) fn open_block(before: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, sign) in Signs::new(before) {
        match sign {
            '{' => open.push(at),
            '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// Whether a text closes a bracket that it does not open, before a block begins or
/// ends.
fn is_closed(behind: &str) -> bool {
    let mut depth = 0_usize;
    for (_, sign) in Signs::new(behind) {
        match sign {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => return false,
        }
    }
    false
}

/// Whether a node stands in the bracket that opens at a place.
pub(super) fn holds(root: Node<'_>, open: usize, leaf: Node<'_>) -> bool {
    let bracket = root.descendant_for_byte_range(open, open + 1).filter(|node| node.kind() == "(");
    let Some(around) = bracket.and_then(|bracket| bracket.parent()).filter(|around| !around.is_error()) else {
        return false;
    };
    let mut cursor = around.walk();
    let ends = around.children(&mut cursor).any(|child| {
        child.kind() == "incomplete" && child.start_byte() > open && child.end_byte() <= leaf.start_byte()
    });
    !ends && around.byte_range().contains(&leaf.start_byte())
}

/// The brackets and braces of a text, without those in strings, comments and names.
struct Signs<'t> {
    chars: Peekable<CharIndices<'t>>,
    inside: Option<char>,
}

impl<'t> Signs<'t> {
    fn new(text: &'t str) -> Self {
        Self { chars: text.char_indices().peekable(), inside: None }
    }
}

impl Iterator for Signs<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        while let Some((at, c)) = self.chars.next() {
            match (self.inside, c) {
                (_, '\n' | '\r') => self.inside = None,
                (Some('"'), '\\') => {
                    self.chars.next_if(|(_, next)| !matches!(next, '\n' | '\r'));
                }
                (Some(end), c) if c == end => self.inside = None,
                (Some(_), _) => {}
                (None, '"' | '`') => self.inside = Some(c),
                (None, '/') if self.chars.peek().is_some_and(|(_, next)| *next == '/') => self.inside = Some('\n'),
                (None, '(' | ')' | '{' | '}') => return Some((at, c)),
                (None, _) => {}
            }
        }
        None
    }
}
