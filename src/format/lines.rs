//! Formatting of some of a file's lines: those edits of the whole that concern
//! them.

use super::format;
use super::shape::parses_alike;
use crate::syntax::lines::line_start;
use crate::syntax::{FileParse, PlacedChunk, TextEdit, TextRange, apply};
use std::ops::Range;

/// The edits that format the lines that a range touches: of all edits that would
/// format the file, those on these lines. A range that ends where a line begins
/// does not touch that line.
pub fn format_lines(parse: &FileParse, range: TextRange) -> Vec<TextEdit> {
    let text = &*parse.text;
    let start = line_start(text, clamped(text, range.start as usize));
    let end = clamped(text, range.end as usize);
    let is_behind = range.is_empty() || line_start(text, end) != end;
    let end = if is_behind { next_line(text, end) } else { end };
    // What is put in at the end of the text belongs to its last line.
    let end = if end == text.len() { end + 1 } else { end };
    alike(parse, within(text, &format(parse), start..end))
}

/// An offset that a text has: not past its end, nor inside a character.
pub(super) fn clamped(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Where the line after the one of a place begins; the end of the text behind
/// the last.
fn next_line(text: &str, at: usize) -> usize {
    match text[at..].find(['\n', '\r']) {
        Some(length) => {
            let from = at + length;
            from + if text[from..].starts_with("\r\n") { 2 } else { 1 }
        }
        None => text.len(),
    }
}

/// As much of the edits as lies in a window of the text that begins where a line
/// does. An edit that takes away several lines is cut where a line begins; what
/// it puts in belongs to the last of them.
pub(super) fn within(text: &str, edits: &[TextEdit], window: Range<usize>) -> Vec<TextEdit> {
    let mut kept: Vec<TextEdit> = Vec::new();
    for edit in edits {
        let whole = edit.range.indices();
        let mut start = whole.start;
        loop {
            let end = next_line(text, start).min(whole.end);
            // Behind a line break it is put in at the beginning of the next line.
            let is_last = end == whole.end && !text[start..end].ends_with(['\n', '\r']);
            let new = if is_last { edit.text.as_str() } else { "" };
            keep(&mut kept, start, end, new, &window);
            if is_last {
                break;
            }
            start = end;
        }
    }
    kept.retain(|edit| !joins_breaks(text, edit));
    kept
}

/// Adds as much of a replacement as lies in the window.
fn keep(kept: &mut Vec<TextEdit>, start: usize, end: usize, new: &str, window: &Range<usize>) {
    if !window.contains(&start) {
        return;
    }
    if end > window.end && !new.is_empty() {
        return;
    }
    let end = end.min(window.end);
    if start == end && new.is_empty() {
        return;
    }
    match kept.last_mut() {
        Some(last) if last.range.end as usize == start && last.range.start as usize != start => {
            last.range.end = end as u32;
            last.text.push_str(new);
        }
        _ => kept.push(TextEdit { range: TextRange::new(start, end), text: new.to_owned() }),
    }
}

/// Whether two line breaks would become one.
fn joins_breaks(text: &str, edit: &TextEdit) -> bool {
    let range = edit.range.indices();
    edit.text.is_empty() && text[..range.start].ends_with('\r') && text[range.end..].starts_with('\n')
}

/// The edits without those of a declaration with a fault that would be read in
/// another way after a part of its formatting.
pub(super) fn alike(parse: &FileParse, edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let inside = |placed: &PlacedChunk, edit: &TextEdit| placed.range().contains(edit.range);
    let mut lost: Vec<TextRange> = Vec::new();
    for placed in parse.chunks.iter().filter(|placed| !placed.chunk.errors.is_empty()) {
        let own = edits.iter().filter(|edit| inside(placed, edit)).map(|edit| TextEdit {
            range: TextRange { start: edit.range.start - placed.start, end: edit.range.end - placed.start },
            text: edit.text.clone(),
        });
        let own: Vec<TextEdit> = own.collect();
        if !own.is_empty() && !parses_alike(&placed.chunk, &apply(&placed.chunk.text, &own)) {
            lost.push(placed.range());
        }
    }
    edits.into_iter().filter(|edit| !lost.iter().any(|range| range.contains(edit.range))).collect()
}
