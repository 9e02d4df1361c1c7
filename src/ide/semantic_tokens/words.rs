//! The tokens of one declaration.

use super::{SemanticToken, TokenKind, TokenModifiers, comment};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::names::entity_def;
use crate::model::occurrences::{Access, Form, Occurrence, occurrences};
use crate::model::refs::{Declared, What};
use crate::syntax::TextRange;
use crate::syntax::leaves::{Leaf, Visit, leaves};
use crate::syntax::strings::{backticks_end, string_end};
use tree_sitter::Node;

/// The coloured pieces of a declaration, relative to it, in the order of the text.
pub(super) fn tokens(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<SemanticToken> {
    let chunk = decl.chunk(db);
    let names = Names { db, all: occurrences(db, root, decl) };
    let all = leaves(&chunk.tree, |node, around| match node.kind() {
        "template" if is_plain(around) && !names.has_hole(TextRange::of(node)) => Visit::Whole,
        _ => Visit::Enter,
    });
    let mut painter = Painter { text: &chunk.text, names, tokens: Vec::new() };
    let mut last: Option<Leaf<'_>> = None;
    for leaf in all {
        if let Some(last) = last.filter(|last| last.parent.is_some() && last.parent == leaf.parent) {
            painter.between(last, leaf);
        }
        painter.leaf(leaf);
        last = Some(leaf);
    }
    painter.tokens
}

/// Whether a string stands where braces are text, unless it is held against a key.
fn is_plain(around: &[Node<'_>]) -> bool {
    around.iter().any(|node| matches!(node.kind(), "filter_option" | "if_condition"))
}

/// The names of the declaration.
struct Names<'db> {
    db: &'db dyn Db,
    all: &'db [Occurrence],
}

impl<'db> Names<'db> {
    /// The names that begin in a range.
    fn within(&self, range: TextRange) -> &'db [Occurrence] {
        let from = self.all.partition_point(|name| name.range.start < range.start);
        let to = self.all.partition_point(|name| name.range.start < range.end);
        self.all.get(from..to).unwrap_or_default()
    }

    fn has_hole(&self, range: TextRange) -> bool {
        self.within(range).iter().any(|name| matches!(name.form, Form::Hole | Form::HoleParameter))
    }

    /// What a name is: a variable is all that can be said of one that means nothing.
    fn colour(&self, name: &Occurrence) -> (TokenKind, TokenModifiers) {
        if name.form == Form::Rule {
            return (TokenKind::EnumMember, TokenModifiers::DEFAULT_LIBRARY);
        }
        let what = name.declared.first().map(|declared| declared.what).or(name.undecided);
        let Some(what) = what else { return (TokenKind::Variable, TokenModifiers::NONE) };
        let kind = match what {
            What::Entity => TokenKind::Class,
            What::Table | What::Index | What::Application => TokenKind::Namespace,
            What::Attribute | What::Key | What::EmbeddedList => TokenKind::Property,
            What::Pattern | What::Workflow => TokenKind::Function,
            What::EnumValue => TokenKind::EnumMember,
            What::Role => TokenKind::Variable,
            What::Parameter => TokenKind::Parameter,
        };
        let modifiers = TokenModifiers {
            declaration: name.declares,
            // A table or an entity stays what it is when an item of it is written.
            modification: name.access == Access::Write && kind == TokenKind::Property,
            readonly: name.declared.iter().any(|declared| self.is_readonly(*declared)),
            ..TokenModifiers::NONE
        };
        (kind, modifiers)
    }

    /// Whether no update may set it.
    fn is_readonly(&self, declared: Declared) -> bool {
        let entity = (declared.what == What::Attribute).then(|| entity_def(self.db, declared.decl)).flatten();
        // They stand in the order of the text.
        let attribute = entity.and_then(|entity| {
            let found = entity.attributes.binary_search_by_key(&declared.range.start, |other| other.name.range.start);
            entity.attributes.get(found.ok()?)
        });
        attribute.is_some_and(|attribute| attribute.id || attribute.immutable.is_some())
    }
}

struct Painter<'a> {
    text: &'a str,
    names: Names<'a>,
    tokens: Vec<SemanticToken>,
}

impl<'a> Painter<'a> {
    fn leaf(&mut self, leaf: Leaf<'a>) {
        let range = TextRange::of(leaf.node);
        let parent = leaf.parent.map_or("", |parent| parent.kind());
        match leaf.node.kind() {
            "comment" | "doc_comment" => self.tokens.push(comment(self.text, range)),
            "name" | "hole_name" => self.name(range, (TokenKind::Variable, TokenModifiers::NONE)),
            "rule_name" => self.name(range, (TokenKind::EnumMember, TokenModifiers::DEFAULT_LIBRARY)),
            "parameter" | "hole_parameter" => self.name(range, (TokenKind::Parameter, TokenModifiers::NONE)),
            "template" | "string_content" | "template_content" | "escape_sequence" | "escaped_brace" => {
                self.string(range);
            }
            "\"" if matches!(parent, "string" | "template") => self.string(range),
            "unknown_clause" | "unexpected" => self.unread(range),
            _ => {
                if let Some((kind, modifiers)) = self.word(leaf, parent) {
                    self.push(range, kind, modifiers);
                }
            }
        }
    }

    /// What a token is that is no name and no part of a string.
    fn word(&self, leaf: Leaf<'_>, parent: &str) -> Option<(TokenKind, TokenModifiers)> {
        let written = self.text.get(leaf.node.byte_range()).unwrap_or("");
        let plain = |kind| Some((kind, TokenModifiers::NONE));
        let built_in = |kind| Some((kind, TokenModifiers::DEFAULT_LIBRARY));
        match (leaf.node.kind(), parent) {
            ("unknown_type" | "incomplete", _) => None,
            ("quantity", _) => plain(TokenKind::Number),
            ("cardinality" | "operator", _) => plain(TokenKind::Operator),
            ("primitive_type", _) | ("enum" | "list" | "set", "enum_type" | "list_type" | "set_type") => {
                built_in(TokenKind::Type)
            }
            ("keyword_value", _) => match (parent, leaf.field) {
                ("labelled_quantity" | "transaction" | "conditions", _) => plain(TokenKind::Keyword),
                ("key_part", _) => built_in(TokenKind::Type),
                ("existence", _) | ("if_condition", _) => built_in(TokenKind::Function),
                _ => built_in(TokenKind::EnumMember),
            },
            ("shard", _) => built_in(TokenKind::Function),
            ("hole_format", _) if written.bytes().all(|byte| byte.is_ascii_digit()) => plain(TokenKind::Number),
            ("hole_format", _) => built_in(TokenKind::EnumMember),
            ("{" | "}" | ":", "hole") => plain(TokenKind::Operator),
            ("=", _) | ("?", "type") => plain(TokenKind::Operator),
            (word, parent) if parent.ends_with("_modifier") && (word == "@" || is_word(written)) => {
                plain(TokenKind::Decorator)
            }
            _ if is_word(written) => plain(TokenKind::Keyword),
            _ => None,
        }
    }

    /// A name, whatever stands before it and belongs to it included.
    fn name(&mut self, range: TextRange, unknown: (TokenKind, TokenModifiers)) {
        let (kind, modifiers) = match self.names.within(range).first() {
            Some(name) => self.names.colour(name),
            None => unknown,
        };
        self.push(range, kind, modifiers);
    }

    /// A piece of a string, and the value of an enum that it may name.
    fn string(&mut self, range: TextRange) {
        let mut at = range.start as usize;
        let named = self.names.within(range).iter().filter(|name| name.form == Form::Text);
        for name in named.filter(|name| range.contains(name.range)) {
            self.push(TextRange::new(at, name.range.start as usize), TokenKind::String, TokenModifiers::NONE);
            let (kind, modifiers) = self.names.colour(name);
            self.push(name.range, kind, modifiers);
            at = name.range.end as usize;
        }
        self.push(TextRange::new(at, range.end as usize), TokenKind::String, TokenModifiers::NONE);
    }

    /// The number of shards, which stands between two tokens of its hole.
    fn between(&mut self, last: Leaf<'_>, next: Leaf<'_>) {
        let (from, to) = (last.node.end_byte(), next.node.start_byte());
        if last.parent.is_none_or(|parent| parent.kind() != "hole") {
            return;
        }
        let Some(gap) = self.text.get(from..to) else { return };
        let Some(start) = gap.find(|c: char| c.is_ascii_digit()) else { return };
        let digits = gap[start..].find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(gap.len() - start);
        let range = TextRange::new(from + start, from + start + digits);
        self.push(range, TokenKind::Number, TokenModifiers::NONE);
    }

    /// Text that the parser took as one piece: what needs no parser to be seen in it.
    fn unread(&mut self, range: TextRange) {
        let bytes = self.text.as_bytes();
        let end = range.end as usize;
        let mut at = range.start as usize;
        while at < end {
            let start = at;
            let kind = match bytes[start] {
                b'"' => Some(TokenKind::String),
                b':' if bytes.get(start + 1).is_some_and(u8::is_ascii_alphabetic) => Some(TokenKind::Parameter),
                b'0'..=b'9' => Some(TokenKind::Number),
                _ => None,
            };
            let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
            at = match bytes[start] {
                b'"' => string_end(bytes, start),
                b'`' => backticks_end(bytes, start),
                // The unit of a number is a part of it: `2.5KB`, `120/s`, `40%`.
                b'0'..=b'9' => run_end(bytes, start, |byte| is_word(byte) || matches!(byte, b'.' | b'/' | b'%')),
                byte if is_word(byte) || kind.is_some() => run_end(bytes, start + 1, is_word),
                _ => start + 1,
            };
            at = at.min(end);
            if let Some(kind) = kind {
                self.push(TextRange::new(start, at), kind, TokenModifiers::NONE);
            }
        }
    }

    /// Adds a token. The pieces of a string are one, as are `@` and its word.
    fn push(&mut self, range: TextRange, kind: TokenKind, modifiers: TokenModifiers) {
        if range.is_empty() {
            return;
        }
        let joins = matches!(kind, TokenKind::String | TokenKind::Decorator);
        if let Some(last) = self.tokens.last_mut().filter(|last| joins && last.kind == kind)
            && last.range.end == range.start
        {
            last.range.end = range.end;
            return;
        }
        self.tokens.push(SemanticToken { range, kind, modifiers });
    }
}

fn is_word(written: &str) -> bool {
    written.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
}

/// The end of a run of bytes.
fn run_end(bytes: &[u8], from: usize, is_part: impl Fn(u8) -> bool) -> usize {
    from + bytes.iter().skip(from).take_while(|byte| is_part(**byte)).count()
}
