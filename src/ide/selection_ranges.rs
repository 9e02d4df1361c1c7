//! What a selection grows to, step by step: from a name to its hole, its string, its
//! comparison, and so on to the file.

use super::lookup::spot;
use super::{Analysis, Answer};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::files::FileKey;
use crate::model::lower::keyword_start;
use crate::syntax::TextRange;
use crate::syntax::lines::{line_end, line_start};
use crate::syntax::strings::{backticks_end, string_end, unquote_name};
use tree_sitter::Node;

impl Analysis {
    /// For each place the ranges around it, the smallest first, each holding the one
    /// before and more; the last is the whole file.
    pub fn selection_ranges(&self, file: &FileKey, offsets: &[usize]) -> Answer<Vec<Vec<TextRange>>> {
        self.ask(file, |db, file| offsets.iter().map(|offset| selection_ranges(db, file, *offset)).collect())
    }
}

fn selection_ranges(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<TextRange> {
    let Some(parse) = file.content(db).parse() else { return Vec::new() };
    let text = &*parse.text;
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let mut growing = Growing { at, ranges: Vec::new() };
    comment(text, &mut growing);
    if let Some(spot) = spot(db, file, at) {
        declaration(db, spot.decl, spot.offset, &mut |range| growing.add(range.shifted(spot.start)));
    }
    let whole = TextRange::new(0, text.len());
    growing.add(whole);
    if growing.ranges.is_empty() {
        growing.ranges.push(whole);
    }
    // Of parentheses in parentheses the innermost and the outermost are kept.
    if let Some(spare) = growing.ranges.len().checked_sub(MOST) {
        growing.ranges.drain(MOST - OUTERMOST..MOST - OUTERMOST + spare);
    }
    growing.ranges
}

/// Ranges lie in each other in an answer, and there are clients that read no more
/// than 128 levels of anything.
const MOST: usize = 64;

/// So many of them are the last ones.
const OUTERMOST: usize = 16;

/// The ranges that were found so far.
struct Growing {
    at: usize,
    ranges: Vec<TextRange>,
}

impl Growing {
    /// Adds a range around the place, if it goes beyond the last.
    fn add(&mut self, range: TextRange) {
        let grows = self.ranges.last().is_none_or(|last| range.contains(*last) && range != *last);
        if !range.is_empty() && range.touches(self.at) && grows {
            self.ranges.push(range);
        }
    }
}

/// In a comment: the word, the text, the comment, and the comments on the lines
/// around it.
fn comment(text: &str, growing: &mut Growing) {
    let Some(own) = comment_at(text, growing.at) else { return };
    growing.add(word(text, growing.at));
    let written = &text[own.indices()];
    let inner = written.trim_start_matches('/');
    let lead = written.len() - inner.trim_start().len();
    growing.add(TextRange::new(own.start as usize + lead, own.start as usize + written.trim_end().len()));
    growing.add(own);
    if !stands_alone(text, own) {
        return;
    }
    let mut run = own;
    while let Some(above) = line_before(text, run.start as usize).and_then(|at| alone(text, at)) {
        run.start = above.start;
    }
    while let Some(below) = line_behind(text, run.end as usize).and_then(|at| alone(text, at)) {
        run.end = below.end;
    }
    growing.add(run);
}

/// The comment that holds a place, or ends there.
fn comment_at(text: &str, at: usize) -> Option<TextRange> {
    let start = line_start(text, at);
    let end = line_end(text, at);
    let slashes = start + comment_start(&text.as_bytes()[start..end])?;
    (slashes <= at).then(|| TextRange::new(slashes, end))
}

/// Where a comment begins in a line: outside of strings and of names in backticks.
fn comment_start(line: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        match byte {
            b'"' => at = string_end(line, at),
            b'`' => at = backticks_end(line, at),
            b'/' if line.get(at + 1) == Some(&b'/') => return Some(at),
            _ => at += 1,
        }
    }
    None
}

fn stands_alone(text: &str, comment: TextRange) -> bool {
    let start = comment.start as usize;
    text[line_start(text, start)..start].trim().is_empty()
}

/// The comment on the line of a place, if nothing else is on it.
fn alone(text: &str, at: usize) -> Option<TextRange> {
    comment_at(text, line_end(text, at)).filter(|comment| stands_alone(text, *comment))
}

/// The end of the line before that of a place.
fn line_before(text: &str, at: usize) -> Option<usize> {
    let start = line_start(text, at);
    let before = text[..start].strip_suffix('\n').or_else(|| text[..start].strip_suffix('\r'))?;
    Some(before.strip_suffix('\r').unwrap_or(before).len())
}

/// The start of the line behind that of a place.
fn line_behind(text: &str, at: usize) -> Option<usize> {
    let rest = &text[line_end(text, at)..];
    let next = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r']))?;
    Some(text.len() - next.len())
}

/// The letters and digits around a place; empty where there are none.
fn word(text: &str, at: usize) -> TextRange {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let start = at - text[..at].chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let end = at + text[at..].chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    TextRange::new(start, end)
}

/// The ranges around a place of a declaration, the smallest first.
fn declaration(db: &dyn Db, decl: Decl, at: usize, add: &mut dyn FnMut(TextRange)) {
    let chunk = decl.chunk(db);
    let text = &*chunk.text;
    let around = around(chunk.tree.root_node(), at);
    if let Some(leaf) = around.last() {
        token(text, *leaf, at, add);
    }
    for (index, node) in around.iter().enumerate().rev() {
        bracketed(text, *node, at, add);
        add(TextRange::of(*node));
        if let Some(parent) = index.checked_sub(1).and_then(|above| around.get(above)) {
            list(*parent, *node, add);
            described(*parent, *node, add);
        }
    }
    add(TextRange::new(keyword_start(text), text.len()));
    add(TextRange::new(0, text.len()));
}

/// The nodes that hold a place, the outermost first. Where two meet, it is the one
/// behind, unless that is a mark and the one before a word.
fn around(root: Node<'_>, at: usize) -> Vec<Node<'_>> {
    let is_mark = |node: &Node<'_>| !node.is_named() && node.byte_range().len() == 1;
    let mut around = vec![root];
    let mut node = root;
    loop {
        let mut cursor = node.walk();
        let children = node.children(&mut cursor).take_while(|child| child.start_byte() <= at);
        let touching: Vec<Node<'_>> =
            children.filter(|child| !child.byte_range().is_empty() && TextRange::of(*child).touches(at)).collect();
        node = match touching.as_slice() {
            [] => return around,
            [.., before, behind] if is_mark(behind) && !is_mark(before) => *before,
            [.., last] => *last,
        };
        around.push(node);
    }
}

/// What is smaller than a token: a name without its backticks, the text of a string,
/// and a word in it.
fn token(text: &str, leaf: Node<'_>, at: usize, add: &mut dyn FnMut(TextRange)) {
    let range = TextRange::of(leaf);
    let written = text.get(range.indices()).unwrap_or("");
    match leaf.kind() {
        "name" | "hole_name" if written.starts_with('`') => {
            let name = unquote_name(written);
            add(TextRange::new(range.start as usize + 1, range.start as usize + 1 + name.len()));
        }
        "parameter" => add(TextRange::new(range.start as usize + 1, range.end as usize)),
        "string_content" | "template_content" => {
            let found = word(text, at);
            if range.contains(found) {
                add(found);
            }
        }
        _ => {}
    }
}

/// What the brackets or quotes of a node hold around a place, without and with them.
fn bracketed(text: &str, node: Node<'_>, at: usize, add: &mut dyn FnMut(TextRange)) {
    let mut children = node.walk();
    let mut open: Option<(usize, usize)> = None;
    let is_string = matches!(node.kind(), "string" | "template");
    for child in node.children(&mut children) {
        let range = child.byte_range();
        match child.kind() {
            "(" | "{" | "<" => open = Some((range.start, range.end)),
            "\"" if is_string && open.is_none() => open = Some((range.start, range.end)),
            ")" | "}" | ">" | "\"" => {
                if let Some((outer, inner)) = open.take().filter(|(_, inner)| *inner <= at && at <= range.start) {
                    add(held(text, inner, range.start, is_string));
                    add(TextRange::new(outer, range.end));
                }
            }
            _ => {}
        }
    }
    // A bracket that nothing closes holds the rest.
    if let Some((outer, inner)) = open.filter(|(_, inner)| *inner <= at) {
        add(held(text, inner, node.end_byte(), is_string));
        add(TextRange::new(outer, node.end_byte()));
    }
}

/// What stands between two brackets, without the white space at its ends; of a string
/// all of it.
fn held(text: &str, start: usize, end: usize, is_string: bool) -> TextRange {
    let inside = text.get(start..end).unwrap_or("");
    if is_string {
        return TextRange::new(start, end);
    }
    let lead = inside.len() - inside.trim_start().len();
    TextRange::new(start + lead, start + inside.trim_end().len().max(lead))
}

/// The list that an entry stands in where no brackets hold it: `set a, b, c`.
fn list(parent: Node<'_>, entry: Node<'_>, add: &mut dyn FnMut(TextRange)) {
    let mut cursor = parent.walk();
    let mut run: Option<TextRange> = None;
    let mut holds = false;
    let mut field: Option<&str> = None;
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        let node = cursor.node();
        let own = cursor.field_name().filter(|_| node.kind() != ",");
        if own.is_some() && own == field {
            run = run.map(|run| run.cover(TextRange::of(node)));
        } else if node.kind() != "," && !node.is_extra() {
            if holds {
                break;
            }
            field = own;
            run = own.is_some().then(|| TextRange::of(node));
        }
        holds |= node.id() == entry.id();
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    if let Some(run) = run.filter(|_| holds) {
        add(run);
    }
}

/// A clause with the doc comments above it, from the clause or from one of them.
fn described(parent: Node<'_>, clause: Node<'_>, add: &mut dyn FnMut(TextRange)) {
    if !parent.kind().ends_with("_body") {
        return;
    }
    let mut children = parent.walk();
    let mut docs: Option<Node<'_>> = None;
    let mut found = false;
    for child in parent.children(&mut children) {
        found |= child.id() == clause.id();
        if child.kind() == "doc_comment" {
            docs = docs.or(Some(child));
            continue;
        }
        if found {
            if let Some(docs) = docs.filter(|_| child.is_named()) {
                add(TextRange::of(docs).cover(TextRange::of(child)));
            }
            return;
        }
        docs = None;
    }
}
