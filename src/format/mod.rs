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

mod collect;
mod layout;
mod shape;
mod token;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use crate::syntax::{FileParse, TextEdit};
use token::Token;

/// The edits that format a file: in the order of the text, apart from each
/// other, none where the file is formatted already, and of white space only.
pub fn format(parse: &FileParse) -> Vec<TextEdit> {
    let text = &*parse.text;
    let mut tokens = tokens(parse);
    token::trim_comments(text, &mut tokens);
    layout::edits(text, begin(text), &mut tokens)
}

/// Where a text begins, in bytes: behind its byte order mark.
fn begin(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The tokens and comments of a file in order, with their bytes in the file.
fn tokens(parse: &FileParse) -> Vec<Token> {
    let text = &*parse.text;
    let mut tokens = Vec::new();
    let mut at = begin(text);
    for placed in &parse.chunks {
        let range = placed.range().indices();
        token::comments(text, at..range.start, &mut tokens);
        tokens.extend(collect::tokens(&placed.chunk).into_iter().map(|token| token.shifted(range.start)));
        at = range.end;
    }
    token::comments(text, at..text.len(), &mut tokens);
    tokens
}
