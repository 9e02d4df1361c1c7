//! Parsing: one syntax tree a declaration, and what an edit leaves of them.

use super::errors::{self, SyntaxError};
use super::nesting;
use super::range::TextRange;
use super::split::{self, ChunkKind};
use super::text::Text;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use tree_sitter::{InputEdit, Parser, Point, Tree};

/// A declaration's text with its tree. Equal texts have equal trees, whatever
/// edits led to them, so that chunks compare by text alone.
#[derive(Clone)]
pub struct Chunk {
    pub kind: ChunkKind,
    pub text: Arc<str>,
    pub tree: Tree,
    /// What does not parse; ranges are relative to the chunk.
    pub errors: Vec<SyntaxError>,
}

impl PartialEq for Chunk {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.text == other.text
    }
}

impl Eq for Chunk {}

impl Chunk {
    /// Whether all of it was read: what seems to be missing in it is missing then.
    /// An error that stands by itself keeps nothing from being read.
    pub fn is_whole(&self) -> bool {
        self.errors.iter().all(|error| error.alone)
    }
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.kind, self.text)
    }
}

/// A chunk and where it starts in its file, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedChunk {
    pub start: u32,
    pub chunk: Arc<Chunk>,
}

impl PlacedChunk {
    /// The bytes of the file that the chunk covers.
    pub fn range(&self) -> TextRange {
        TextRange::new(self.start as usize, self.start as usize + self.chunk.text.len())
    }
}

/// A file, divided and parsed.
#[derive(Clone)]
pub struct FileParse {
    pub text: Arc<str>,
    /// The same text, for positions and edits.
    pub rope: Text,
    pub chunks: Vec<PlacedChunk>,
}

impl PartialEq for FileParse {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for FileParse {}

impl fmt::Debug for FileParse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.chunks).finish()
    }
}

impl FileParse {
    /// Parses a whole text.
    pub fn new(text: &str) -> Self {
        Self::build(text.into(), Text::new(text), None)
    }

    /// The parse of the text that `rope` holds, built on this one: chunks whose
    /// text is the same keep their trees, and a chunk that changed in place is
    /// parsed incrementally.
    pub fn edited(&self, rope: Text) -> Self {
        let text: Arc<str> = rope.to_text().into();
        if text == self.text {
            return Self { text: self.text.clone(), rope, chunks: self.chunks.clone() };
        }
        Self::build(text, rope, Some(self))
    }

    fn build(text: Arc<str>, rope: Text, old: Option<&FileParse>) -> Self {
        let spans = split::split(&text);
        let old_chunks: &[PlacedChunk] = old.map_or(&[], |old| &old.chunks);
        let mut known: HashMap<&str, &Arc<Chunk>> = HashMap::new();
        for placed in old_chunks {
            known.insert(&placed.chunk.text, &placed.chunk);
        }
        let mut chunks = Vec::with_capacity(spans.len());
        for (index, span) in spans.iter().enumerate() {
            let piece = &text[span.start..span.end];
            let chunk = match known.get(piece).filter(|chunk| chunk.kind == span.kind) {
                Some(chunk) => Arc::clone(chunk),
                None => {
                    // The chunk in the same place is most likely the one that was
                    // edited, as long as the edit made or removed none.
                    let before = (old_chunks.len() == spans.len()).then(|| old_chunks.get(index)).flatten();
                    Arc::new(parse_chunk(span.kind, piece, before.map(|placed| &*placed.chunk)))
                }
            };
            chunks.push(PlacedChunk { start: span.start as u32, chunk });
        }
        Self { text, rope, chunks }
    }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new({
        let mut parser = Parser::new();
        parser
            .set_language(&tree_sitter_dynamo::LANGUAGE.into())
            .expect("the grammar's ABI is one that this tree-sitter reads");
        parser
    });
}

fn parse_chunk(kind: ChunkKind, text: &str, before: Option<&Chunk>) -> Chunk {
    // Walks up a tree recurse, in tree-sitter itself: no tree may be so deep
    // that one ends the process.
    let parsed = nesting::shallow_prefix(text);
    // A tree with errors depends on the edits that led to it; only a clean tree
    // is built upon, and only a clean result is kept.
    let incremental = before
        .filter(|chunk| parsed.len() == text.len() && chunk.errors.is_empty() && !chunk.tree.root_node().has_error())
        .and_then(|chunk| {
            let mut tree = chunk.tree.clone();
            tree.edit(&difference(&chunk.text, text));
            parse(text, Some(&tree))
        })
        // An unfinished clause is no error to the parser, but it is to us.
        .filter(|tree| !tree.root_node().has_error() && errors::collect(kind, text, tree).is_empty());
    if let Some(tree) = incremental {
        return Chunk { kind, text: text.into(), tree, errors: Vec::new() };
    }
    let tree = parse(parsed, None).expect("a parser without a time limit always returns a tree");
    let errors = if parsed.len() == text.len() {
        errors::collect(kind, text, &tree)
    } else {
        // The cut itself makes more faults, which say nothing.
        let deepest = nesting::DEEPEST;
        let message = format!("nested deeper than {deepest} levels: the rest of this declaration is not read");
        vec![SyntaxError { message, range: TextRange::new(parsed.len(), parsed.len() + 1), alone: false }]
    };
    Chunk { kind, text: text.into(), tree, errors }
}

fn parse(text: &str, old: Option<&Tree>) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| parser.parse(text, old))
}

/// The one edit that turns `old` into `new`.
fn difference(old: &str, new: &str) -> InputEdit {
    let shorter = old.len().min(new.len());
    let mut prefix = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(prefix) || !new.is_char_boundary(prefix) {
        prefix -= 1;
    }
    let mut suffix =
        old.bytes().rev().zip(new.bytes().rev()).take(shorter - prefix).take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(old.len() - suffix) || !new.is_char_boundary(new.len() - suffix) {
        suffix -= 1;
    }
    InputEdit {
        start_byte: prefix,
        old_end_byte: old.len() - suffix,
        new_end_byte: new.len() - suffix,
        start_position: point(old, prefix),
        old_end_position: point(old, old.len() - suffix),
        new_end_position: point(new, new.len() - suffix),
    }
}

fn point(text: &str, offset: usize) -> Point {
    let before = &text.as_bytes()[..offset];
    let row = before.iter().filter(|b| **b == b'\n').count();
    let line = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    Point { row, column: offset - line }
}
