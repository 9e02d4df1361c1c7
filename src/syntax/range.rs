//! Byte ranges.

use std::fmt;
use std::ops::Range;

/// A half-open range of bytes. What it is relative to (a file, a declaration)
/// is said where it is stored. 32 bits suffice: files over 32 MB are refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TextRange {
    pub start: u32,
    pub end: u32,
}

impl TextRange {
    /// A range from two byte offsets; an inverted pair becomes empty at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        let start = start as u32;
        Self { start, end: (end as u32).max(start) }
    }

    /// The empty range at `offset`.
    pub fn empty(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// The bytes of a node, relative to the text that was parsed.
    pub fn of(node: tree_sitter::Node<'_>) -> Self {
        Self::new(node.start_byte(), node.end_byte())
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the range holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` lies in the range or at its end, as a cursor does that
    /// stands behind the last letter of a word.
    pub fn touches(self, offset: usize) -> bool {
        self.start as usize <= offset && offset <= self.end as usize
    }

    /// Whether the whole of `other` lies in this range.
    pub fn contains(self, other: TextRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two ranges share a byte, or one is empty and touches the other.
    pub fn overlaps(self, other: TextRange) -> bool {
        if self.is_empty() || other.is_empty() {
            self.start <= other.end && other.start <= self.end
        } else {
            self.start < other.end && other.start < self.end
        }
    }

    /// The range moved `by` bytes towards the end.
    pub fn shifted(self, by: u32) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// The smallest range that holds both.
    pub fn cover(self, other: TextRange) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As indices of a `str`.
    pub fn indices(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for TextRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
