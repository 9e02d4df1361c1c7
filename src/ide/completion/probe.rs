//! What a word would be if it stood at the cursor: its declaration, parsed up to
//! there with the word behind it.

use super::brackets;
use crate::model::defs::Lowered;
use crate::model::lower::{keyword_start, lower};
use crate::syntax::{Chunk, ChunkKind, FileParse, PlacedChunk};
use tree_sitter::Node;

/// A word that stands in for a name; nobody has it.
pub(super) const NAME: &str = "completion_at_cursor_";
/// The same for the name of a rule, which has dashes.
pub(super) const RULE: &str = "completion-at-cursor";
/// The same for a parameter.
pub(super) const PARAMETER: &str = ":completion_at_cursor_";

/// A trial.
pub(super) struct Probe {
    parse: FileParse,
    /// Where the word begins.
    pub at: usize,
}

/// Where a word has landed.
pub(super) struct Landing<'p> {
    pub leaf: Node<'p>,
    /// The node around it.
    pub parent: Node<'p>,
    /// The field of that node which it is in.
    pub field: Option<&'p str>,
    /// Where it begins in its declaration.
    pub at: usize,
    /// What stands before it is not complete: it goes on with something else.
    pub after_cut: bool,
}

/// The text of a declaration up to the cursor.
pub(super) struct Before {
    /// What the parser cannot read of it.
    faults: Vec<usize>,
    /// Where the brace of the innermost block stands that is open at its end.
    open: Option<usize>,
    /// Where the bracket stands that the cursor is in.
    bracket: Option<usize>,
    /// Where its last word ends.
    end: usize,
}

impl Before {
    fn new(text: &str, behind: &str) -> Self {
        let parse = FileParse::new(text);
        let faults = parse.chunks.first().map(|placed| faults(placed.chunk.tree.root_node(), text.len()));
        let (open, bracket) = (brackets::open_block(text), brackets::open(text, behind));
        Self { faults: faults.unwrap_or_default(), open, bracket, end: text.trim_end().len() }
    }
}

impl Probe {
    /// Reads what stands before the cursor, from a declaration's start, and a word.
    pub fn new(before: &str, word: &str) -> Self {
        Self { parse: FileParse::new(&format!("{before}{word}")), at: before.len() }
    }

    fn placed(&self) -> Option<&PlacedChunk> {
        let next = self.parse.chunks.partition_point(|placed| placed.start as usize <= self.at);
        self.parse.chunks.get(next.checked_sub(1)?).filter(|placed| placed.range().touches(self.at))
    }

    /// The declaration that the word is in.
    pub fn chunk(&self) -> Option<&Chunk> {
        self.placed().map(|placed| &*placed.chunk)
    }

    /// Whether the word stands outside all declarations.
    pub fn is_outside(&self) -> bool {
        self.placed().is_none() || self.begins(ChunkKind::Junk)
    }

    /// Whether the word begins a declaration of this kind, behind its comments.
    pub fn begins(&self, kind: ChunkKind) -> bool {
        let begins = |placed: &PlacedChunk| placed.start as usize + keyword_start(&placed.chunk.text) == self.at;
        self.placed().is_some_and(|placed| placed.chunk.kind == kind && begins(placed))
    }

    /// What stands before the word, which this stands behind.
    pub fn before(&self, behind: &str) -> Before {
        Before::new(&self.parse.text[..self.at], behind)
    }

    /// Where the first `length` bytes of the word have landed; `None` where the
    /// grammar does not read them as one token of the block that the cursor is in, or
    /// has to leave out or make up something to do so.
    pub fn landing(&self, before: &Before, length: usize) -> Option<Landing<'_>> {
        let placed = self.placed()?;
        let at = self.at.checked_sub(placed.start as usize)?;
        let root = placed.chunk.tree.root_node();
        let mut leaf = root.descendant_for_byte_range(at, at + length)?;
        if leaf.byte_range() != (at..at + length) || leaf.is_error() {
            return None;
        }
        // A node that holds but this one has the same range.
        while let Some(only) = leaf.child(0).filter(|child| child.byte_range() == leaf.byte_range()) {
            leaf = only;
        }
        let parent = leaf.parent().filter(|parent| !parent.is_error())?;
        if placed.start != 0 || before.open != open_block(leaf) {
            return None;
        }
        if before.bracket.is_some_and(|open| !brackets::holds(root, open, leaf)) {
            return None;
        }
        if follows_stray_sign(root, &self.parse.text[..at], before.end) {
            return None;
        }
        let gap = gap(root, before.end, at);
        // A clause that has a word after it has lost one before.
        if gap.is_some_and(|clause| clause.byte_range().contains(&at)) {
            return None;
        }
        if root.has_error() && faults(root, at).iter().any(|fault| !before.faults.contains(fault)) {
            return None;
        }
        Some(Landing { leaf, parent, field: field(parent, leaf), at, after_cut: gap.is_some() })
    }

    /// What the declaration says, the word with it.
    pub fn lowered(&self) -> Option<Lowered> {
        self.chunk().map(lower)
    }
}

/// Whether what stands before a word, on its line, is a sign that means nothing there:
/// whatever followed it would not be read as if it were not there.
fn follows_stray_sign(root: Node<'_>, before: &str, end: usize) -> bool {
    let is_sign = before[..end].ends_with(['.', ':', '(', '<', '/', '#', '@', ',']);
    if !is_sign || before[end..].contains(['\n', '\r']) {
        return false;
    }
    let sign = root.descendant_for_byte_range(end - 1, end);
    sign.is_none_or(|sign| {
        sign.kind() == "unexpected" || sign.is_error() || sign.parent().is_some_and(|parent| parent.is_error())
    })
}

/// Where the parser has left out or made up something before a place.
fn faults(root: Node<'_>, before: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let inside = node.has_error() && node.start_byte() <= before;
        if inside && (node.is_error() || node.is_missing()) {
            found.push(node.start_byte());
        }
        if inside && !node.is_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The clause that stops short between two places, where one does: an empty node
/// stands in for what it lacks.
fn gap(root: Node<'_>, from: usize, to: usize) -> Option<Node<'_>> {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let near = node.start_byte() <= to && node.end_byte() >= from;
        if near && node.kind() == "incomplete" && node.start_byte() >= from {
            return node.parent();
        }
        if near && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}

/// Where the block around a node begins.
fn open_block(node: Node<'_>) -> Option<usize> {
    let mut at = node.parent();
    while let Some(block) = at.filter(|block| !block.kind().ends_with("_body")) {
        at = block.parent();
    }
    at.map(|block| block.start_byte())
}

/// The field of a node that one of its children is in.
pub(super) fn field<'t>(parent: Node<'t>, child: Node<'t>) -> Option<&'t str> {
    let index = (0..parent.child_count()).find(|index| parent.child(*index) == Some(child))?;
    parent.field_name_for_child(index)
}

/// The nearest node around one that has this kind.
pub(super) fn ancestor<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut at = node.parent();
    while let Some(node) = at.filter(|node| node.kind() != kind) {
        at = node.parent();
    }
    at
}
