//! Formatting while somebody types: behind a `}` the block that it closes, behind
//! a line break the line that was left and the indentation of the new one.
//!
//! Where a declaration is half typed, what stands before the cursor is laid out
//! as if all that is open were closed there.

use super::layout::{self, INDENT};
use super::lines::{alike, clamped, within};
use super::open::Open;
use super::token::{Token, is_white, trim_comments};
use super::{begin, tokens_of};
use crate::syntax::lines::{line_end, line_start};
use crate::syntax::{ChunkKind, FileParse, PlacedChunk, TextEdit, TextRange};
use std::ops::Range;

/// The edits that format what was finished by the character that was typed before
/// `at`: a `}`, or a line break, with such indentation behind it as the editor put
/// there. Any other finishes nothing.
pub fn format_typed(parse: &FileParse, at: usize, typed: char) -> Vec<TextEdit> {
    let text = &*parse.text;
    let at = clamped(text, at);
    match typed {
        '}' if text[..at].ends_with('}') => closed_block(parse, at),
        '\n' => new_line(parse, at).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The block whose brace ends at `at`, from the line that opens it. What stands
/// behind the cursor stays.
fn closed_block(parse: &FileParse, at: usize) -> Vec<TextEdit> {
    let text = &*parse.text;
    let brace = at - 1;
    let Some(placed) = chunk_before(parse, at).filter(|placed| placed.chunk.kind != ChunkKind::Junk) else {
        return Vec::new();
    };
    let start = placed.start as usize;
    let Some(opener) = Open::at(text, start, brace).and_then(|open| open.brace()) else { return Vec::new() };
    let from = line_start(text, opener).max(begin(text));
    let closers = Open::at(text, start, at).unwrap_or_default().closers();
    if let Some(laid) = Laid::around(parse, Some(placed), from..at, at, &closers) {
        return laid.edits_in(parse, from..at);
    }
    let line = line_start(text, brace);
    let is_first = text[line..brace].chars().all(is_blank);
    let wanted = indentation(text, opener);
    if is_first { indented(text, line, brace, wanted).into_iter().collect() } else { Vec::new() }
}

/// The line before the one that begins with the cursor, and the indentation of
/// the latter. Nothing where the line was broken inside a string.
fn new_line(parse: &FileParse, at: usize) -> Option<Vec<TextEdit>> {
    let text = &*parse.text;
    let line = line_start(text, at);
    let is_new = line > begin(text) && text[line..at].chars().all(is_blank);
    if !is_new || (text[..at].ends_with('\r') && text[at..].starts_with('\n')) {
        return None;
    }
    let left_end = line - if text[..line].ends_with("\r\n") { 2 } else { 1 };
    let left = line_start(text, left_end).max(begin(text));
    let content = line + text[line..].find(|c| !is_blank(c)).unwrap_or(text.len() - line);
    let is_empty = content == line_end(text, line);
    let placed = chunk_before(parse, line);
    if placed.is_some_and(|placed| placed.chunk.kind == ChunkKind::Junk && placed.range().end as usize > left) {
        return None;
    }
    let open = match placed {
        Some(placed) => Open::at(text, placed.start as usize, left_end)?,
        None => Open::default(),
    };
    let laid = Laid::around(parse, placed, left..line_end(text, line), left_end, &open.closers());
    // Two blanks at the end of a doc comment may be meant, and what they break is
    // not typed yet.
    let is_doc = text[left..left_end].trim_start_matches(is_blank).starts_with("///");
    let end = if is_doc { left + text[left..left_end].trim_end_matches(is_blank).len() } else { left_end };
    let mut edits = laid.as_ref().map(|laid| laid.edits_in(parse, left..end)).unwrap_or_default();
    let typed = Line { text, start: line, content, is_empty, left: left..left_end };
    let begins_chunk = parse.chunks.binary_search_by_key(&content, |placed| placed.start as usize).is_ok();
    let is_whole = laid.as_ref().is_some_and(|laid| laid.is_whole);
    // A declaration that is not laid out stays where it begins.
    let stays = begins_chunk && !is_whole;
    let wanted = if stays { None } else { typed.indentation(&open, placed, laid.as_ref()) };
    edits.extend(wanted.and_then(|wanted| indented(text, line, content, &wanted)));
    Some(edits)
}

/// The line that the cursor begins.
struct Line<'t> {
    text: &'t str,
    start: usize,
    content: usize,
    /// Nothing stands on it.
    is_empty: bool,
    /// The line before, without its break.
    left: Range<usize>,
}

impl Line<'_> {
    /// The indentation that it should have; nothing where that it has is right.
    fn indentation(&self, open: &Open, placed: Option<&PlacedChunk>, laid: Option<&Laid>) -> Option<String> {
        let text = self.text;
        if !self.is_empty
            && let Some(token) = laid.filter(|laid| laid.is_whole).and_then(|laid| laid.token_at(self.content))
        {
            return (!token.frozen).then(|| INDENT.repeat(token.level));
        }
        let rest = &text[self.content..];
        let block = match open.brace() {
            Some(opener) if laid.is_none() => indentation(text, opener).to_owned() + INDENT,
            _ => INDENT.repeat(open.depth()),
        };
        if !self.is_empty && rest.starts_with('}') {
            return open.brace().map(|_| block[..block.len() - INDENT.len()].to_owned());
        }
        if !self.is_empty && rest.starts_with(')') {
            return open.parenthesis().map(|at| indentation(text, at).to_owned());
        }
        if !self.is_empty && open.brace().is_none() {
            // Between declarations a line is what it was, or no part of any.
            return None;
        }
        let continued = format!("{block}{INDENT}");
        let lists = placed.is_some_and(|placed| placed.chunk.kind == ChunkKind::Workflow) && open.brace().is_some();
        let wants_more = match open.last {
            Some(b',') => !lists,
            Some(b'=' | b':' | b'<') => true,
            _ => open.parenthesis().is_some(),
        };
        let is_continued = || {
            let left = self.left.start + self.text[self.left.clone()].find(|c| !is_blank(c))?;
            let token = laid?.token_at(left)?;
            (!token.frozen && token.level == open.depth() + 1).then_some(())
        };
        if wants_more || (text[self.start..self.content] == continued && is_continued().is_some()) {
            return Some(continued);
        }
        Some(block)
    }
}

/// A part of a file, laid out.
struct Laid {
    tokens: Vec<Token>,
    edits: Vec<TextEdit>,
    /// Whether all of the text around is laid out, or only what stands before the
    /// cursor, as if it were whole.
    is_whole: bool,
}

impl Laid {
    /// The declarations around some lines, and, where the one at the cursor is not
    /// whole, as much of that one as ends at `at`, closed by `closers`; nothing
    /// where this is no whole declaration either.
    fn around(
        parse: &FileParse,
        placed: Option<&PlacedChunk>,
        lines: Range<usize>,
        at: usize,
        closers: &str,
    ) -> Option<Self> {
        let text = &*parse.text;
        let first = parse.chunks.partition_point(|chunk| (chunk.range().end as usize) < lines.start);
        let last = parse.chunks.partition_point(|chunk| (chunk.start as usize) < lines.end);
        let chunks = first.saturating_sub(1)..(last + 1).max(first).min(parse.chunks.len());
        let tokens = tokens_of(parse, chunks);
        let Some(placed) = placed else { return Some(Self::of(text, tokens, true)) };
        let own = placed.range().indices();
        if tokens.iter().any(|token| own.contains(&token.start) && !token.frozen) {
            return Some(Self::of(text, tokens, true));
        }
        // The last line ends, as it does in the file: nothing is to be put in for that.
        let half = format!("{}{closers}\n", text.get(own.start..at)?);
        let parse = FileParse::new(&half);
        let [only] = parse.chunks.as_slice() else { return None };
        if only.start != 0 || only.chunk.kind != placed.chunk.kind {
            return None;
        }
        let tokens = tokens_of(&parse, 0..1);
        if tokens.iter().all(|token| token.frozen) {
            return None;
        }
        let mut laid = Self::of(&half, tokens, false);
        let by = own.start;
        laid.tokens = laid.tokens.into_iter().map(|token| token.shifted(by)).collect();
        laid.edits.iter_mut().for_each(|edit| edit.range = edit.range.shifted(by as u32));
        laid.edits.retain(|edit| edit.range.end as usize <= at);
        Some(laid)
    }

    fn of(text: &str, mut tokens: Vec<Token>, is_whole: bool) -> Self {
        trim_comments(text, &mut tokens);
        let start = tokens.first().map_or(text.len(), |token| token.start);
        let edits = layout::edits(text, start, &mut tokens);
        Self { tokens, edits, is_whole }
    }

    /// The edits in a window of the text.
    fn edits_in(&self, parse: &FileParse, window: Range<usize>) -> Vec<TextEdit> {
        let edits = within(&parse.text, &self.edits, window);
        if self.is_whole { alike(parse, edits) } else { edits }
    }

    fn token_at(&self, at: usize) -> Option<&Token> {
        let found = self.tokens.binary_search_by_key(&at, |token| token.start);
        found.ok().map(|index| &self.tokens[index])
    }
}

/// The last declaration that begins before a place.
fn chunk_before(parse: &FileParse, at: usize) -> Option<&PlacedChunk> {
    let after = parse.chunks.partition_point(|placed| (placed.start as usize) < at);
    parse.chunks[..after].last()
}

/// White space that does not end a line.
fn is_blank(c: char) -> bool {
    is_white(c) && !matches!(c, '\n' | '\r')
}

/// The blanks that begin the line of a place.
fn indentation(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at).max(begin(text))..at];
    &line[..line.len() - line.trim_start_matches(is_blank).len()]
}

/// Puts an indentation in the place of the blanks from `line` to `content`. What
/// differs is changed at the beginning of the line, so that a cursor behind the
/// blanks stays behind them.
fn indented(text: &str, line: usize, content: usize, wanted: &str) -> Option<TextEdit> {
    let old = &text[line..content];
    let same = old.bytes().rev().zip(wanted.bytes().rev()).take_while(|(a, b)| a == b).count();
    let (end, new) = (content - same, &wanted[..wanted.len() - same]);
    (line < end || !new.is_empty()).then(|| TextEdit { range: TextRange::new(line, end), text: new.to_owned() })
}
