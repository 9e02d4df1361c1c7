//! Parsing: one syntax tree a declaration, and what an edit leaves of them.

use super::errors::{self, SyntaxError};
use super::nesting;
use super::range::TextRange;
use super::split::{self, ChunkKind, ChunkSpan};
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
        let divided = match old {
            Some(old) => Divided::again(&text, old),
            None => Divided { before: &[], between: &[], spans: split::split(&text), behind: &[], moved: 0 },
        };
        let mut known: HashMap<&str, &Arc<Chunk>> = HashMap::new();
        for placed in divided.between {
            known.insert(&placed.chunk.text, &placed.chunk);
        }
        let mut chunks = Vec::with_capacity(divided.before.len() + divided.spans.len() + divided.behind.len());
        chunks.extend_from_slice(divided.before);
        for (index, span) in divided.spans.iter().enumerate() {
            let piece = &text[span.start..span.end];
            let chunk = match known.get(piece).filter(|chunk| chunk.kind == span.kind) {
                Some(chunk) => Arc::clone(chunk),
                None => {
                    // The chunk in the same place is most likely the one that was
                    // edited, as long as the edit made or removed none.
                    let in_place = divided.between.len() == divided.spans.len();
                    let before = in_place.then(|| &*divided.between[index].chunk);
                    Arc::new(parse_chunk(span.kind, piece, before))
                }
            };
            chunks.push(PlacedChunk { start: span.start as u32, chunk });
        }
        chunks.extend(divided.behind.iter().map(|placed| PlacedChunk {
            start: placed.start.wrapping_add_signed(divided.moved),
            chunk: Arc::clone(&placed.chunk),
        }));
        Self { text, rope, chunks }
    }
}

/// A text beside the parse that it was before: only what lies around the edit is
/// divided again.
struct Divided<'p> {
    /// Chunks that are as they were, where they were.
    before: &'p [PlacedChunk],
    /// Those whose places the spans take.
    between: &'p [PlacedChunk],
    spans: Vec<ChunkSpan>,
    /// Chunks that are as they were, and so many bytes further behind.
    behind: &'p [PlacedChunk],
    moved: i32,
}

impl<'p> Divided<'p> {
    fn again(text: &str, old: &'p FileParse) -> Self {
        let chunks = old.chunks.as_slice();
        let (old_bytes, bytes) = (old.text.as_bytes(), text.as_bytes());
        let same = same_before(old_bytes, bytes);
        let touched = chunks.partition_point(|placed| placed.start as usize <= same);
        let first = touched.saturating_sub(1 + split::LOOKED_AHEAD);
        let begin = if first == 0 { split::begin(text) } else { chunks[first].start as usize };
        let same_behind = same_behind(&old_bytes[same..], &bytes[same..]);
        let moved = text.len() as i64 - old.text.len() as i64;
        let is_known = |kind: ChunkKind, start: usize| {
            text.len() - start <= same_behind && {
                let place = (start as i64 - moved) as u32;
                let found = chunks.binary_search_by_key(&place, |placed| placed.start);
                found.is_ok_and(|found| chunks[found].chunk.kind == kind)
            }
        };
        let (spans, known) = split::split_from(text, begin, is_known);
        let behind = known.map_or(chunks.len(), |start| {
            chunks.partition_point(|placed| i64::from(placed.start) < start as i64 - moved)
        });
        Self {
            before: &chunks[..first],
            between: &chunks[first..behind],
            spans,
            behind: &chunks[behind..],
            moved: moved as i32,
        }
    }
}

/// Bytes are compared in blocks of this size first, each in one step.
const BLOCK: usize = 256;

/// How many bytes two texts begin with together.
fn same_before(old: &[u8], new: &[u8]) -> usize {
    let blocks = old.chunks_exact(BLOCK).zip(new.chunks_exact(BLOCK)).take_while(|(a, b)| a == b).count() * BLOCK;
    blocks + old[blocks..].iter().zip(&new[blocks..]).take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts end with together.
fn same_behind(old: &[u8], new: &[u8]) -> usize {
    let blocks = old.rchunks_exact(BLOCK).zip(new.rchunks_exact(BLOCK)).take_while(|(a, b)| a == b).count() * BLOCK;
    let (old, new) = (&old[..old.len() - blocks], &new[..new.len() - blocks]);
    blocks + old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count()
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A piece of a text, such that keywords, halves of headers and comments meet.
    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "entity A {\n",
            "entity",
            " B",
            "}\n",
            "}",
            "{",
            "table T { }\n",
            "pattern P {",
            "\n",
            "\r\n",
            "\r",
            " ",
            "// c\n",
            "/// d\n",
            "import \"a\"\n",
            "import",
            "\"",
            "\"x\"",
            "allow a because \"b\"\n",
            "tradeoff \"a\"",
            " because \"b\"\n",
            "relationship A 1:N B\n",
            "relationship",
            " N:M",
            " through",
            "aggregate A, B\n",
            "`",
            "`e`",
            "é",
            "\u{feff}",
            "\u{200b}",
            "%",
            "1",
            ",",
            "workflow W { A }\n",
            "consideration \"c\"\n",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_text_that_was_edited_is_divided_as_a_new_one(
            pieces in prop::collection::vec(piece(), 0..60),
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..8usize, piece()), 1..8),
        ) {
            let text = pieces.concat();
            let mut rope = Text::new(&text);
            let mut parse = FileParse::new(&text);
            for (place, length, new) in edits {
                let start = place.index(rope.len() + 1);
                rope.replace(start, start + length, new);
                parse = parse.edited(rope.clone());
                let whole = FileParse::new(&rope.to_text());
                prop_assert_eq!(&parse.chunks, &whole.chunks);
            }
        }
    }

    #[test]
    fn what_an_edit_does_not_touch_is_kept() {
        let text: String = (0..40).map(|number| format!("entity A{number} {{ a: string }}\n\n")).collect();
        let before = FileParse::new(&text);
        let mut rope = Text::new(&text);
        let at = text.find("entity A20").unwrap() + 3;
        rope.replace(at, at, "x");
        let after = before.edited(rope);
        let kept = |index: usize| Arc::ptr_eq(&before.chunks[index].chunk, &after.chunks[index].chunk);
        assert!((0..40).all(|index| kept(index) == (index != 20)));
        assert_eq!(after.chunks[39].start, before.chunks[39].start + 1);
    }
}
