//! Declarations with the comments that are theirs, and where imports stand.

use super::changes::text_of;
use super::diagnostics::absolute;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::imports::decl_kind;
use crate::rules::finding::Place;
use crate::syntax::lines::{behind_comment, line_end, line_start};
use crate::syntax::strings::quote_string;
use crate::syntax::{ChunkKind, TextEdit, TextRange};

/// The bytes of a declaration with the comments right above it, no blank line
/// between, and the one behind it. What stands above the first declaration and
/// apart from it is about the file.
pub(super) fn with_comments(db: &dyn Db, decl: Decl) -> Option<(SourceFile, TextRange)> {
    let whole = TextRange::new(0, decl.chunk(db).text.len());
    let (file, range) = absolute(db, Place { decl, range: whole })?;
    let text = text_of(db, file);
    let end = behind_comment(text, range.end as usize);
    Some((file, TextRange::new(comments_start(text, range.start as usize), end)))
}

/// Where the comments begin that stand right above a place.
fn comments_start(text: &str, place: usize) -> usize {
    let mut start = place;
    let mut line = line_start(text, start);
    if !text[line..start].trim_matches(['\u{feff}', ' ', '\t']).is_empty() {
        return start;
    }
    while line > 0 {
        let break_start = if text[..line].ends_with("\r\n") { line - 2 } else { line - 1 };
        let above = line_start(text, break_start);
        let content = text[above..break_start].trim_start_matches('\u{feff}');
        if !content.trim_start().starts_with("//") {
            break;
        }
        start = break_start - content.trim_start().len();
        line = above;
    }
    start
}

/// The edit that imports a file: behind the last import, else before the first
/// declaration and its comments.
pub(super) fn import(db: &dyn Db, file: SourceFile, path: &str) -> TextEdit {
    let text = text_of(db, file);
    let import = format!("import {}", quote_string(path));
    let decls = file.decls(db);
    let last = decls.iter().rev().find(|decl| decl_kind(db, **decl) == ChunkKind::Import);
    if let Some((_, range)) = last.and_then(|decl| with_comments(db, *decl)) {
        let at = range.end as usize;
        // What follows on the same line stays behind a blank.
        let follows = !text[at..line_end(text, at)].trim().is_empty();
        let break_before = if follows { " " } else { "\n" };
        return TextEdit { range: TextRange::empty(at), text: format!("{break_before}{import}") };
    }
    let first = decls.first().and_then(|decl| with_comments(db, *decl));
    let at = first.map_or(text.len(), |(_, range)| range.start as usize);
    // An indented declaration may go with its line.
    let line = line_start(text, at);
    let at = if text[line..at].trim().is_empty() { line } else { at };
    TextEdit { range: TextRange::empty(at), text: format!("{import}\n\n") }
}
