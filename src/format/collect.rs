//! The tokens of a declaration, read from its tree.

use super::token::{Kind, Token, is_white, mark_lines};
use super::{layout, shape};
use crate::syntax::{Chunk, ChunkKind, apply};
use tree_sitter::Node;

/// The tokens of a declaration, with places relative to it. What must not be
/// touched is frozen: nothing, some clauses, or all as one token.
pub(super) fn tokens(chunk: &Chunk) -> Vec<Token> {
    let whole = || vec![Token::frozen(0..chunk.text.len())];
    if chunk.kind == ChunkKind::Junk {
        return whole();
    }
    let mut collector = Collector::new(&chunk.text);
    collector.walk(chunk);
    let Some(tokens) = collector.finish() else { return whole() };
    // How the parser gets over a fault may depend on the white space around it:
    // what is laid out around one has to parse as it did before.
    if tokens.iter().any(|token| token.frozen) {
        let edits = layout::edits(&chunk.text, 0, &mut tokens.clone());
        if !shape::parses_alike(chunk, &apply(&chunk.text, &edits)) {
            return whole();
        }
    }
    tokens
}

/// A clause of a block, or the declaration itself: the first of all.
struct Clause {
    parent: usize,
    /// The indentation of its first line.
    level: usize,
    begun: bool,
    frozen: bool,
}

/// A node that is being read.
struct Frame<'a> {
    kind: &'a str,
    /// The clause that the node belongs to; of a block, the one that it is in.
    clause: usize,
    is_block: bool,
    closed: bool,
}

struct Collector<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// The clause of each token.
    owners: Vec<usize>,
    clauses: Vec<Clause>,
    frames: Vec<Frame<'a>>,
    /// The first and the last token before each value that stands in a column.
    columns: Vec<(usize, usize)>,
    declarations: usize,
}

const DECLARATION: usize = 0;

impl<'a> Collector<'a> {
    fn new(text: &'a str) -> Self {
        let declaration = Clause { parent: DECLARATION, level: 0, begun: false, frozen: false };
        Self {
            text,
            tokens: Vec::new(),
            owners: Vec::new(),
            clauses: vec![declaration],
            frames: Vec::new(),
            columns: Vec::new(),
            declarations: 0,
        }
    }

    /// Visits every node. An explicit stack: nesting may be deep.
    fn walk(&mut self, chunk: &'a Chunk) {
        let mut cursor = chunk.tree.walk();
        loop {
            let node = cursor.node();
            let clause = self.enter(node);
            if !is_atom(node) && cursor.goto_first_child() {
                let kind = node.kind();
                self.frames.push(Frame { kind, clause, is_block: kind.ends_with("_body"), closed: false });
                continue;
            }
            self.leaf(node, clause);
            let Some(up) = shape::advance(&mut cursor) else { break };
            for _ in 0..up {
                self.leave();
            }
        }
        while !self.frames.is_empty() {
            self.leave();
        }
    }

    /// The clause that a node belongs to, which a fault in it freezes.
    fn enter(&mut self, node: Node<'_>) -> usize {
        let comment = is_comment(node);
        let Some(frame) = self.frames.last() else {
            self.clauses[DECLARATION].frozen |= node.is_error();
            return DECLARATION;
        };
        if self.frames.len() == 1 && !comment {
            self.declarations += 1;
        }
        let outer = frame.clause;
        let mut clause = outer;
        if frame.is_block && !comment && !matches!(node.kind(), "{" | "}") {
            let level = self.clauses[outer].level + 1;
            clause = self.clauses.len();
            self.clauses.push(Clause { parent: outer, level, begun: false, frozen: false });
        }
        if is_fault(node) {
            // Without its brace, nobody knows what a block was meant to hold.
            let headless =
                matches!(frame.kind, "gsi" | "lsi" | "transaction") || (frame.is_block && node.kind() == "incomplete");
            self.clauses[if headless { DECLARATION } else { clause }].frozen = true;
        }
        clause
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if frame.is_block && !frame.closed {
            self.clauses[DECLARATION].frozen = true;
        }
    }

    fn leaf(&mut self, node: Node<'_>, owner: usize) {
        let range = node.byte_range();
        if range.is_empty() {
            return;
        }
        self.opaque_until(range.start, owner);
        let index = self.tokens.len();
        let kind = self.kind_of(node);
        let clause = &mut self.clauses[owner];
        if is_atom(node) && !is_sound(node, self.text) {
            clause.frozen = true;
        }
        let mut token = Token::new(range, kind);
        if kind != Kind::Comment {
            let inside = clause.level + 1;
            let ends = matches!(kind, Kind::BlockOpen | Kind::BlockClose | Kind::Close);
            token.level = if clause.begun && !ends { inside } else { clause.level };
            token.comment_level = if matches!(kind, Kind::BlockClose | Kind::Close) { inside } else { token.level };
            if !clause.begun && self.stands_in_column() {
                self.columns.push((index, index));
            }
            self.clauses[owner].begun = true;
            if node.kind() == ":" && self.frames.last().is_some_and(|frame| frame.kind == "attribute") && index > 0 {
                self.columns.push((index - 1, index));
            }
        }
        self.tokens.push(token);
        self.owners.push(owner);
    }

    /// Whether the next token is the keyword of an application's clause.
    fn stands_in_column(&self) -> bool {
        matches!(self.frames.as_slice(), [.., block, clause]
            if block.kind == "application_body" && clause.kind.ends_with("_clause"))
    }

    fn kind_of(&mut self, node: Node<'_>) -> Kind {
        let Some(frame) = self.frames.last_mut() else { return Kind::Word };
        match node.kind() {
            _ if is_comment(node) => Kind::Comment,
            "{" | "}" if !frame.is_block => {
                // A brace that the parser did not expect: the depth is in doubt.
                self.clauses[DECLARATION].frozen = true;
                Kind::Word
            }
            "{" => Kind::BlockOpen,
            "}" => {
                frame.closed = true;
                Kind::BlockClose
            }
            "(" if matches!(frame.kind, "comparison" | "group") => Kind::GroupOpen,
            "(" | "<" => Kind::CallOpen,
            ")" | ">" => Kind::Close,
            "," | ":" | "?" => Kind::Trailer,
            "@" => Kind::Leader,
            "." => Kind::Joiner,
            _ => Kind::Word,
        }
    }

    /// Adds what the parser skipped without making a node of it.
    fn opaque_until(&mut self, end: usize, owner: usize) {
        let start = self.tokens.last().map_or(0, |token| token.end);
        let gap = &self.text[start..end];
        let skipped = gap.trim_start_matches(is_white);
        let start = end - skipped.len();
        let skipped = skipped.trim_end_matches(is_white);
        if !skipped.is_empty() {
            self.clauses[owner].frozen = true;
            self.tokens.push(Token::frozen(start..start + skipped.len()));
            self.owners.push(owner);
        }
    }

    /// The tokens, unless the whole declaration is to be left alone.
    fn finish(mut self) -> Option<Vec<Token>> {
        self.opaque_until(self.text.len(), DECLARATION);
        if self.declarations != 1 || self.clauses[DECLARATION].frozen {
            return None;
        }
        for index in 1..self.clauses.len() {
            self.clauses[index].frozen |= self.clauses[self.clauses[index].parent].frozen;
        }
        for (token, owner) in self.tokens.iter_mut().zip(&self.owners) {
            token.frozen |= self.clauses[*owner].frozen;
        }
        mark_lines(self.text, 0, &mut self.tokens);
        for line in self.tokens.chunk_by_mut(|_, next| !next.begins_line) {
            if line.iter().any(|token| token.frozen) {
                line.iter_mut().for_each(|token| token.frozen = true);
            }
        }
        self.level_closes();
        self.align();
        Some(self.tokens)
    }

    /// What closes a parenthesis stands as deep as the line that opens it.
    fn level_closes(&mut self) {
        let mut open = Vec::new();
        let mut line = 0;
        for index in 0..self.tokens.len() {
            let token = &self.tokens[index];
            if token.begins_line {
                line = index;
            }
            match token.kind {
                Kind::GroupOpen | Kind::CallOpen => open.push(line),
                Kind::Close => {
                    if let Some(opened) = open.pop().filter(|opened| self.owners[*opened] == self.owners[index]) {
                        self.tokens[index].level = self.tokens[opened].level;
                    }
                }
                Kind::BlockOpen | Kind::BlockClose => open.clear(),
                _ => {}
            }
        }
    }

    /// Puts the types of an entity, or the values of an application, in one
    /// column: those that stand on the line that their name begins.
    fn align(&mut self) {
        let tokens = &self.tokens;
        let text = self.text;
        let on_one_line = |&&(first, last): &&(usize, usize)| {
            let begins = tokens[first].begins_line && !tokens[first].frozen;
            let together = !tokens[first + 1..=last].iter().any(|token| token.begins_line);
            let value = tokens.get(last + 1).is_some_and(|next| !next.begins_line && next.kind != Kind::Comment);
            begins && together && value
        };
        let width = |&(first, last): &(usize, usize)| {
            let name = &tokens[first];
            text[name.start..name.end].chars().count() + last - first
        };
        let columns: Vec<_> = self.columns.iter().filter(on_one_line).map(|place| (place.1, width(place))).collect();
        let widest = columns.iter().map(|(_, width)| *width).max().unwrap_or(0);
        for (last, width) in columns {
            self.tokens[last].pad = widest - width;
        }
    }
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "doc_comment")
}

/// Whether something does not belong where it stands, or is not there.
fn is_fault(node: Node<'_>) -> bool {
    node.is_error() || node.is_missing() || matches!(node.kind(), "incomplete" | "unexpected" | "unknown_clause")
}

/// Nodes whose inside is no white space, whatever it looks like.
fn is_atom(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "template")
}

/// Whether a string ends with the first quote that can end it, on its own line.
/// A parser that is lost may find the end of a string anywhere.
fn is_sound(node: Node<'_>, text: &str) -> bool {
    let literal = text[node.byte_range()].as_bytes();
    let mut at = 1;
    while let Some(byte) = literal.get(at) {
        match byte {
            b'"' => return at + 1 == literal.len() && !node.has_error(),
            b'\n' | b'\r' => return false,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    false
}
