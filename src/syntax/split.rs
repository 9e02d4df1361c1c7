//! Dividing a file into its top-level declarations, without a parser.
//!
//! Each declaration is parsed and analysed by itself, so that a fault in one
//! can never change what another means, and typing in one never costs the
//! others anything. The division follows the same law as the grammar's
//! scanner (`grammar/src/scanner.c`): a declaration starts where its keyword
//! can only be one, which, inside an unfinished block, is where the keyword
//! begins a line and what follows has the shape of a declaration.

use super::invisible::is_invisible;
use super::lines::line_end;
use super::shape::{has_shape, word_end};
use super::strings::{backticks_end, string_end};

/// What a chunk of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChunkKind {
    Import,
    Allow,
    Application,
    Entity,
    Relationship,
    Table,
    Aggregate,
    Pattern,
    Workflow,
    Consideration,
    Tradeoff,
    /// Text that starts no declaration.
    Junk,
}

/// The keywords that start declarations.
const KEYWORDS: [(&str, ChunkKind); 11] = [
    ("import", ChunkKind::Import),
    ("allow", ChunkKind::Allow),
    ("application", ChunkKind::Application),
    ("entity", ChunkKind::Entity),
    ("relationship", ChunkKind::Relationship),
    ("table", ChunkKind::Table),
    ("aggregate", ChunkKind::Aggregate),
    ("pattern", ChunkKind::Pattern),
    ("workflow", ChunkKind::Workflow),
    ("consideration", ChunkKind::Consideration),
    ("tradeoff", ChunkKind::Tradeoff),
];

impl ChunkKind {
    /// The kind that a keyword starts.
    fn of_keyword(word: &str) -> Option<Self> {
        KEYWORDS.iter().find(|(keyword, _)| *keyword == word).map(|(_, kind)| *kind)
    }

    /// The keyword that starts a declaration of this kind, which is also what the
    /// grammar calls its node; none for [`ChunkKind::Junk`].
    pub fn keyword(self) -> Option<&'static str> {
        KEYWORDS.iter().find(|(_, kind)| *kind == self).map(|(keyword, _)| *keyword)
    }

    /// Whether the kind's content is in braces that must be there.
    fn has_block(self) -> bool {
        matches!(
            self,
            ChunkKind::Application
                | ChunkKind::Entity
                | ChunkKind::Table
                | ChunkKind::Aggregate
                | ChunkKind::Pattern
                | ChunkKind::Workflow
        )
    }
}

/// A chunk of a file: bytes from its first doc comment or keyword to the end of
/// its last token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSpan {
    pub kind: ChunkKind,
    pub start: usize,
    pub end: usize,
}

/// Divides `text`. Comments and white space between chunks belong to none; a
/// doc comment belongs to the declaration that follows it.
pub fn split(text: &str) -> Vec<ChunkSpan> {
    split_from(text, begin(text), |_, _| false).0
}

/// Where a text begins, in bytes: behind its byte order mark.
pub fn begin(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// So many chunks before the one that an edit touches are divided again: whether a
/// keyword starts a chunk depends on two tokens behind it, and each chunk has a token.
pub const LOOKED_AHEAD: usize = 4;

/// Divides a text from `at`, where a chunk starts, up to one that `is_known`, of which
/// it is told the kind and the start. Gives the chunks before that one, and its start;
/// nothing stands in it for a text that was divided to its end.
///
/// What follows the start of a chunk does not depend on what stands before it: whoever
/// knows a chunk knows those behind it, as long as the text is the same from there on.
pub fn split_from(
    text: &str,
    at: usize,
    is_known: impl FnMut(ChunkKind, usize) -> bool,
) -> (Vec<ChunkSpan>, Option<usize>) {
    let bytes = text.as_bytes();
    let mut splitter =
        Splitter { text, bytes, at, chunks: Vec::new(), open: None, doc_start: None, is_known, known: None };
    splitter.run();
    (splitter.chunks, splitter.known)
}

/// The chunk that is being read.
struct Open {
    span: ChunkSpan,
    depth: u32,
    had_block: bool,
    stage: Stage,
    /// Nothing of the chunk can follow any more.
    complete: bool,
}

/// How much of a header without a block has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    /// `relationship`: its first name must follow.
    WantsLeft,
    /// `relationship`: `1:1`, `1:N` or `N:M` must follow.
    WantsCardinality,
    /// `relationship`: the second name must follow, or that of `through` or `by`.
    WantsName,
    /// `relationship`: both ends are named; `through`, `by` or a block may follow.
    HasRight,
    /// `tradeoff`: the text is there, `because` may follow.
    HasText,
    /// `because` is there, its string must follow.
    WantsReason,
}

struct Splitter<'a, F> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    chunks: Vec<ChunkSpan>,
    open: Option<Open>,
    doc_start: Option<usize>,
    is_known: F,
    /// Where a chunk starts that is known.
    known: Option<usize>,
}

impl<F: FnMut(ChunkKind, usize) -> bool> Splitter<'_, F> {
    fn run(&mut self) {
        let mut begins_line = true;
        let mut line_start = self.at;
        // Line breaks since the last token or comment.
        let mut breaks = 0;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' => {
                    let crlf = byte == b'\r' && self.bytes.get(self.at + 1) == Some(&b'\n');
                    self.at += if crlf { 2 } else { 1 };
                    breaks += 1;
                    begins_line = true;
                    line_start = self.at;
                }
                b' ' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.bytes.get(self.at + 1) == Some(&b'/') => {
                    if self.bytes.get(self.at + 2) == Some(&b'/') {
                        // Behind a blank line another doc comment begins; what
                        // stood before it describes something that is gone.
                        if breaks > 1 {
                            self.doc_start = None;
                        }
                        self.doc_start.get_or_insert(self.at);
                    }
                    breaks = 0;
                    self.at = line_end(self.text, self.at);
                }
                _ if self.invisible() => {}
                _ => {
                    let start = self.at;
                    self.token(byte, begins_line, start == line_start);
                    begins_line = false;
                    breaks = 0;
                    self.doc_start = None;
                }
            }
            if self.known.is_some() {
                return;
            }
        }
        if let Some(open) = self.open.take() {
            self.chunks.push(open.span);
        }
    }

    /// Steps over a character that nobody sees, if one is here. It is reported
    /// where it stands and changes nothing of what stands around it.
    fn invisible(&mut self) -> bool {
        let start = self.at;
        let Some(c) = self.text[start..].chars().next().filter(|c| is_invisible(*c)) else { return false };
        self.at += c.len_utf8();
        match &mut self.open {
            // Between a doc comment and its declaration: a part of that.
            _ if self.doc_start.is_some() => {}
            Some(open) if !open.complete => open.span.end = self.at,
            Some(open) if open.span.kind == ChunkKind::Junk && open.span.end == start => open.span.end = self.at,
            _ => {
                self.start(ChunkKind::Junk, start);
                if let Some(open) = &mut self.open {
                    open.complete = true;
                }
            }
        }
        true
    }

    fn token(&mut self, byte: u8, begins_line: bool, column_zero: bool) {
        let start = self.at;
        match byte {
            b'"' => {
                self.at = string_end(self.bytes, start);
                self.string(start);
            }
            b'`' => {
                self.at = backticks_end(self.bytes, start);
                self.name(start);
            }
            b'{' | b'}' => {
                self.at = start + 1;
                self.brace(start, byte == b'{');
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                self.at = word_end(self.bytes, start);
                self.word(start, begins_line, column_zero);
            }
            b'0'..=b'9' => {
                // A cardinality is read as one token, so that its letters are no names.
                self.at = start + 1;
                while self
                    .bytes
                    .get(self.at)
                    .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'_' | b'.'))
                {
                    self.at += 1;
                }
                self.other(start);
            }
            _ => {
                self.at = start + self.text[start..].chars().next().map_or(1, char::len_utf8);
                self.other(start);
            }
        }
    }

    /// Whether a new chunk must be opened for whatever comes.
    fn idle(&self) -> bool {
        self.open.as_ref().is_none_or(|open| open.complete)
    }

    fn start(&mut self, kind: ChunkKind, at: usize) {
        if let Some(open) = self.open.take() {
            self.chunks.push(open.span);
        }
        // Text that starts no declaration has no description.
        let start = if kind == ChunkKind::Junk { at } else { self.doc_start.unwrap_or(at) };
        if (self.is_known)(kind, start) {
            self.known = Some(start);
        }
        self.open = Some(Open {
            span: ChunkSpan { kind, start, end: self.at },
            depth: 0,
            had_block: false,
            stage: if kind == ChunkKind::Relationship { Stage::WantsLeft } else { Stage::Start },
            complete: false,
        });
    }

    /// Adds the token that ends at `self.at` to the open chunk.
    fn extend(&mut self, start: usize) -> &mut Open {
        if self.idle() {
            self.start(ChunkKind::Junk, start);
        }
        let open = self.open.as_mut().expect("a chunk was opened above");
        open.span.end = self.at;
        open
    }

    fn word(&mut self, start: usize, begins_line: bool, column_zero: bool) {
        let word = &self.text[start..self.at];
        if let Some(kind) = ChunkKind::of_keyword(word) {
            let unconditional = match &self.open {
                None => true,
                Some(open) => {
                    open.complete || (open.depth == 0 && matches!(open.stage, Stage::HasRight | Stage::HasText))
                }
            };
            let shaped = begins_line && kind != ChunkKind::Allow && has_shape(self.text, self.at, kind, column_zero);
            if unconditional || shaped {
                self.start(kind, start);
                return;
            }
        }
        let idle = self.idle();
        if let Some(open) = self.open.as_mut().filter(|open| !idle && open.depth == 0) {
            match (open.span.kind, open.stage, word) {
                (ChunkKind::Relationship, Stage::HasRight, "through" | "by") => {
                    open.stage = Stage::WantsName;
                    open.span.end = self.at;
                    return;
                }
                (ChunkKind::Tradeoff, Stage::HasText, "because") => {
                    open.stage = Stage::WantsReason;
                    open.span.end = self.at;
                    return;
                }
                (_, Stage::HasRight | Stage::HasText, _) => open.complete = true,
                _ => {}
            }
        }
        self.name(start);
    }

    /// A name, or a word that is none of the keywords that matter here.
    fn name(&mut self, start: usize) {
        // `N:M` is the one cardinality that begins like a name.
        let cardinality = self.text[start..].starts_with("N:");
        let open = self.extend(start);
        if open.depth > 0 {
            return;
        }
        open.stage = match open.stage {
            Stage::WantsLeft => Stage::WantsCardinality,
            Stage::WantsCardinality if cardinality => Stage::WantsName,
            Stage::WantsName => Stage::HasRight,
            stage => stage,
        };
        if cardinality && open.stage == Stage::WantsName {
            self.at = word_end(self.bytes, self.at + 1);
            self.extend(start);
        }
    }

    fn string(&mut self, start: usize) {
        let open = self.extend(start);
        if open.depth > 0 {
            return;
        }
        match (open.span.kind, open.stage) {
            (ChunkKind::Tradeoff, Stage::Start) => open.stage = Stage::HasText,
            (ChunkKind::Tradeoff, Stage::WantsReason)
            | (ChunkKind::Import | ChunkKind::Consideration | ChunkKind::Allow, _) => open.complete = true,
            _ => {}
        }
    }

    fn brace(&mut self, start: usize, opening: bool) {
        if let Some(open) = self.open.as_mut().filter(|open| open.depth == 0 && open.stage == Stage::HasText) {
            open.complete = true;
        }
        let open = self.extend(start);
        if opening {
            open.depth += 1;
            open.had_block = true;
        } else if open.depth > 0 {
            open.depth -= 1;
            let blocked = open.span.kind.has_block() || open.span.kind == ChunkKind::Relationship;
            if open.depth == 0 && (blocked || open.span.kind == ChunkKind::Junk) {
                open.complete = true;
            }
        }
    }

    fn other(&mut self, start: usize) {
        let number = self.bytes[start].is_ascii_digit();
        let open = self.extend(start);
        if number && open.stage == Stage::WantsCardinality && open.depth == 0 {
            open.stage = Stage::WantsName;
        }
    }
}

#[cfg(test)]
mod tests;
