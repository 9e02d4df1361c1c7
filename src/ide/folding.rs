//! Parts of a file that can be folded: blocks, lists in parentheses, comments and
//! imports.
//!
//! What brackets hold is read from the text alone: what a fault does to the tree
//! keeps no block from folding that has its braces. Declarations bound it, so that
//! a brace that is missing opens nothing beyond its own.

use super::{Analysis, Answer};
use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use crate::model::lower::keyword_start;
use crate::syntax::lines::{LineBreaks, line_end, line_start};
use crate::syntax::strings::{backticks_end, string_end};
use crate::syntax::{ChunkKind, FileParse, TextRange};

/// A part of a file that can be folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// What disappears. It spans more than one line.
    pub range: TextRange,
    pub kind: FoldKind,
    /// How many folds it lies in.
    pub depth: usize,
    /// A bracket follows that closes what the one before the range opens.
    pub closed: bool,
}

/// What is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// The inside of a block, or of parentheses.
    Block,
    Comment,
    Imports,
}

impl Analysis {
    /// The parts of a file that can be folded, in the order of the text, the outer
    /// before the inner.
    pub fn folding(&self, file: &FileKey) -> Answer<Vec<Fold>> {
        self.ask(file, |db, file| folding(db, file))
    }
}

fn folding(db: &dyn Db, file: SourceFile) -> Vec<Fold> {
    let Some(parse) = file.content(db).parse() else { return Vec::new() };
    let mut scan = Scan { text: &parse.text, folds: Vec::new(), run: None };
    let mut at = 0;
    for placed in &parse.chunks {
        db.unwind_if_revision_cancelled();
        let whole = placed.range();
        scan.piece(TextRange::new(at, whole.start as usize));
        scan.piece(whole);
        at = whole.end as usize;
    }
    scan.piece(TextRange::new(at, parse.text.len()));
    scan.end_run();
    let mut folds = scan.folds;
    imports(parse, &mut folds);
    let breaks = LineBreaks::of(&parse.text);
    folds.retain(|fold| breaks.first_in(fold.range).is_some());
    folds.sort_by_key(|fold| (fold.range.start, std::cmp::Reverse(fold.range.end)));
    nest(&mut folds);
    folds
}

/// Counts the folds around each, which come in the order of the text.
fn nest(folds: &mut [Fold]) {
    let mut around: Vec<u32> = Vec::new();
    for fold in folds {
        while around.last().is_some_and(|end| *end <= fold.range.start) {
            around.pop();
        }
        fold.depth = around.len();
        around.push(fold.range.end);
    }
}

/// Lines that hold nothing but a comment, one below the other, of one kind.
struct Run {
    documents: bool,
    lines: usize,
    /// The end of the first line, which stays visible, and of the last.
    range: TextRange,
}

struct Scan<'a> {
    text: &'a str,
    folds: Vec<Fold>,
    run: Option<Run>,
}

impl Scan<'_> {
    /// Reads a declaration, or what stands between two.
    fn piece(&mut self, piece: TextRange) {
        let bytes = self.text.as_bytes();
        let end = piece.end as usize;
        let mut at = piece.start as usize;
        let mut open = Brackets::default();
        while at < end {
            match bytes[at] {
                b'"' => at = string_end(bytes, at),
                b'`' => at = backticks_end(bytes, at),
                b'/' if bytes.get(at + 1) == Some(&b'/') => {
                    let stop = line_end(self.text, at);
                    self.comment(at, stop);
                    at = stop;
                }
                bracket @ (b'{' | b'(') => {
                    at += 1;
                    open.open(bracket, at);
                }
                bracket @ (b'}' | b')') => {
                    if let Some(start) = open.close(bracket) {
                        self.folds.push(Fold::block(TextRange::new(start, at), true));
                    }
                    at += 1;
                }
                _ => at += 1,
            }
        }
        // A block that nothing closes ends with its declaration.
        let unclosed = open.all.iter().filter(|(bracket, _)| *bracket == b'{');
        for (_, start) in unclosed {
            self.folds.push(Fold::block(TextRange::new(*start, end), false));
        }
    }

    /// Notes a comment, as a part of the run that it goes on with.
    fn comment(&mut self, start: usize, stop: usize) {
        let before = line_start(self.text, start);
        if !self.text[before..start].trim().is_empty() {
            return;
        }
        let documents = self.text[start..stop].starts_with("///");
        if let Some(run) = self.run.as_mut().filter(|run| run.documents == documents) {
            let between = &self.text[run.range.end as usize..start];
            if between.trim().is_empty() && between.replace("\r\n", "\n").matches(['\n', '\r']).count() == 1 {
                run.range.end = stop as u32;
                run.lines += 1;
                return;
            }
        }
        self.end_run();
        self.run = Some(Run { documents, lines: 1, range: TextRange::empty(stop) });
    }

    fn end_run(&mut self) {
        let Some(run) = self.run.take().filter(|run| run.lines > 1) else { return };
        self.folds.push(Fold { range: run.range, kind: FoldKind::Comment, depth: 0, closed: false });
    }
}

/// The brackets that are open, with the place behind each.
#[derive(Default)]
struct Brackets {
    all: Vec<(u8, usize)>,
    /// How many of them are braces.
    braces: usize,
}

impl Brackets {
    fn open(&mut self, bracket: u8, behind: usize) {
        self.braces += usize::from(bracket == b'{');
        self.all.push((bracket, behind));
    }

    /// The place behind the bracket that this one closes. One of the other kind in
    /// between was never closed; a brace is not given up for a parenthesis.
    fn close(&mut self, bracket: u8) -> Option<usize> {
        if bracket == b'}' {
            // Each parenthesis is passed over once, as it is given up with its block.
            self.braces = self.braces.checked_sub(1)?;
            while self.all.pop_if(|(open, _)| *open != b'{').is_some() {}
        }
        let (_, behind) = self.all.pop_if(|(open, _)| (*open == b'{') == (bracket == b'}'))?;
        Some(behind)
    }
}

impl Fold {
    fn block(range: TextRange, closed: bool) -> Self {
        Self { range, kind: FoldKind::Block, depth: 0, closed }
    }
}

/// The imports that follow each other.
fn imports(parse: &FileParse, folds: &mut Vec<Fold>) {
    for run in parse.chunks.chunk_by(|a, b| a.chunk.kind == b.chunk.kind) {
        let [first, .., last] = run else { continue };
        if first.chunk.kind == ChunkKind::Import {
            let start = first.start as usize + keyword_start(&first.chunk.text);
            let range = TextRange::new(line_end(&parse.text, start), last.range().end as usize);
            folds.push(Fold { range, kind: FoldKind::Imports, depth: 0, closed: false });
        }
    }
}
