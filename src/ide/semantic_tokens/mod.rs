//! What each word of a text is, for colours.
//!
//! Names are coloured by what they name, which only the model knows; all else by
//! its place in the tree, read leaf by leaf, so that text around a fault keeps its
//! colours. The types are the protocol's own, chosen so that the colours are those
//! of the grammar's highlighting queries and nothing jumps when they arrive:
//!
//! | in the text | type | modifiers |
//! |---|---|---|
//! | entity | class | declaration |
//! | table, index, application | namespace | declaration |
//! | attribute, key attribute, embedded list | property | declaration, modification where a pattern writes it, readonly with `@immutable` or `@id` |
//! | pattern, workflow | function | declaration |
//! | value of an enum | enumMember | declaration |
//! | parameter | parameter | declaration |
//! | role of an item, and a name that means nothing | variable | declaration |
//! | type | type | defaultLibrary |
//! | a word of a closed set (`keys_only`, `lower`), a rule | enumMember | defaultLibrary |
//! | `shard`, `exists`, `not_exists` | function | defaultLibrary |
//! | `@id` and its like | decorator | |
//! | any other keyword | keyword | |
//! | number with its unit | number | |
//! | string, literal text of a key template | string | |
//! | operator, cardinality, `?`, the braces and the colon of a hole | operator | |
//! | comment | comment | documentation for `///` |
//!
//! Punctuation has no type in the protocol, and gets none.

mod words;

use super::lookup::model;
use super::{Analysis, Answer};
use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use crate::syntax::TextRange;
use crate::syntax::lines::{LineBreaks, line_end};

/// A coloured piece of a line. No two of a file overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SemanticToken {
    pub range: TextRange,
    pub kind: TokenKind,
    pub modifiers: TokenModifiers,
}

/// What a piece of text is, in the protocol's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    Namespace,
    Class,
    Type,
    Property,
    EnumMember,
    Function,
    Parameter,
    Variable,
    Decorator,
    Keyword,
    Comment,
    String,
    Number,
    Operator,
}

/// What else is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TokenModifiers {
    pub declaration: bool,
    pub readonly: bool,
    pub modification: bool,
    pub documentation: bool,
    pub default_library: bool,
}

impl TokenModifiers {
    const NONE: Self =
        Self { declaration: false, readonly: false, modification: false, documentation: false, default_library: false };
    const DOCUMENTATION: Self = Self { documentation: true, ..Self::NONE };
    const DEFAULT_LIBRARY: Self = Self { default_library: true, ..Self::NONE };
}

impl Analysis {
    /// The coloured pieces of a file, or of a range of it, in the order of the text.
    pub fn semantic_tokens(&self, file: &FileKey, range: Option<TextRange>) -> Answer<Vec<SemanticToken>> {
        self.ask(file, |db, file| semantic_tokens(db, file, range))
    }
}

fn semantic_tokens(db: &dyn Db, file: SourceFile, range: Option<TextRange>) -> Vec<SemanticToken> {
    let Some(parse) = file.content(db).parse() else { return Vec::new() };
    let root = model(db, file);
    let wanted = |piece: TextRange| range.is_none_or(|range| range.overlaps(piece));
    let mut tokens = Vec::new();
    let mut at = 0;
    for (decl, start) in file.decls(db).iter().zip(file.starts(db)) {
        let whole = TextRange::new(0, decl.chunk(db).text.len()).shifted(*start);
        comments(&parse.text, TextRange::new(at, whole.start as usize), &mut tokens);
        at = whole.end as usize;
        if wanted(whole) {
            let own = words::tokens(db, root, *decl).into_iter();
            tokens.extend(own.map(|token| SemanticToken { range: token.range.shifted(*start), ..token }));
        }
    }
    comments(&parse.text, TextRange::new(at, parse.text.len()), &mut tokens);
    tokens.retain(|token| wanted(token.range));
    lines(&parse.text, tokens)
}

/// The comments between two declarations.
fn comments(text: &str, between: TextRange, tokens: &mut Vec<SemanticToken>) {
    let end = between.end as usize;
    let mut at = between.start as usize;
    while let Some(found) = text.get(at..end).and_then(|rest| rest.find("//")) {
        let start = at + found;
        at = line_end(text, start).min(end);
        tokens.push(comment(text, TextRange::new(start, at)));
    }
}

fn comment(text: &str, range: TextRange) -> SemanticToken {
    let written = text.get(range.indices()).unwrap_or("");
    let documents = written.starts_with("///") && !written.starts_with("////");
    let modifiers = if documents { TokenModifiers::DOCUMENTATION } else { TokenModifiers::NONE };
    SemanticToken { range, kind: TokenKind::Comment, modifiers }
}

/// A token stands on one line: what a lost parser read over the end of one is cut
/// there, as most clients take no other.
fn lines(text: &str, tokens: Vec<SemanticToken>) -> Vec<SemanticToken> {
    let breaks = LineBreaks::of(text);
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens {
        let end = token.range.end as usize;
        let mut at = token.range.start as usize;
        while at < end {
            let stop = breaks.first_in(TextRange::new(at, end)).map_or(end, |at| at as usize);
            if at < stop {
                out.push(SemanticToken { range: TextRange::new(at, stop), ..token });
            }
            at = stop;
            at += text[at..end].len() - text[at..end].trim_start_matches(['\n', '\r']).len();
        }
    }
    out
}
