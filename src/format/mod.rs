//! Formatting: the white space that a file should have, as the fewest and
//! smallest edits.
//!
//! A file is a row of tokens with gaps between them ([`token`]). The syntax
//! trees say what each token is and how deep it stands ([`collect`], one
//! declaration at a time); the layout then says what each gap should be
//! ([`layout`]). Only gaps are ever edited, so nothing but white space can
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

use crate::syntax::{FileParse, TextRange};

/// A piece of white space to replace, in bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: TextRange,
    pub text: String,
}

/// The edits that format a file: in the order of the text, apart from each
/// other, and none where the file is formatted already.
pub fn format(parse: &FileParse) -> Vec<Edit> {
    let text = &*parse.text;
    let begin = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut tokens = Vec::new();
    let mut at = begin;
    for placed in &parse.chunks {
        let range = placed.range().indices();
        token::comments(text, at..range.start, &mut tokens);
        tokens.extend(collect::tokens(&placed.chunk).into_iter().map(|token| token.shifted(range.start)));
        at = range.end;
    }
    token::comments(text, at..text.len(), &mut tokens);
    token::trim_comments(text, &mut tokens);
    layout::edits(text, begin, &mut tokens)
}

/// The text with the edits made.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.range.indices();
        out.push_str(&text[at..range.start]);
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}
