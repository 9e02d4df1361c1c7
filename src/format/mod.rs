//! Formatting: the white space that a file should have, as the fewest and
//! smallest edits.
//!
//! A file is a row of tokens with gaps between them (`token.rs`). The syntax
//! trees say what each token is and how deep it stands (`collect.rs`, one
//! declaration at a time); the layout then says what each gap should be
//! (`layout.rs`). Only gaps are ever edited, so nothing but white space can
//! change. No line is joined or broken.
//!
//! What does not parse is frozen: the clause with the fault, and all that
//! stands on its lines, stays as it is. Where the fault reaches further than a
//! clause, the whole declaration does.
//!
//! Some lines of a file (`lines.rs`) get those of its edits that concern them.
//! What was just typed (`typing.rs`) is laid out also where braces are not closed
//! yet (`open.rs`).

mod collect;
mod layout;
mod lines;
mod open;
mod shape;
mod token;
mod typing;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use lines::format_lines;
pub use typing::format_typed;

use crate::syntax::split::begin;
use crate::syntax::{FileParse, TextEdit};
use std::ops::Range;
use token::Token;

/// The edits that format a file: in the order of the text, apart from each
/// other, none where the file is formatted already, and of white space only.
pub fn format(parse: &FileParse) -> Vec<TextEdit> {
    let text = &*parse.text;
    let mut tokens = tokens_of(parse, 0..parse.chunks.len());
    token::trim_comments(text, &mut tokens);
    layout::edits(text, begin(text), &mut tokens)
}

/// The tokens of some declarations in order, with the comments around them and
/// their bytes in the file: up to the declarations before and behind, or the ends
/// of the file.
fn tokens_of(parse: &FileParse, chunks: Range<usize>) -> Vec<Token> {
    let text = &*parse.text;
    let mut tokens = Vec::new();
    let before = chunks.start.checked_sub(1).map(|before| parse.chunks[before].range().indices().end);
    let mut at = before.unwrap_or(begin(text));
    for placed in &parse.chunks[chunks.clone()] {
        let range = placed.range().indices();
        token::comments(text, at..range.start, &mut tokens);
        tokens.extend(collect::tokens(&placed.chunk).into_iter().map(|token| token.shifted(range.start)));
        at = range.end;
    }
    let end = parse.chunks.get(chunks.end).map_or(text.len(), |next| next.start as usize);
    token::comments(text, at..end, &mut tokens);
    tokens
}
