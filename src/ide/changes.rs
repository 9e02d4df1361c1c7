//! From the fixes of findings to edits of files.

use super::assists::mending;
use super::assists::solve::priced_fix;
use super::assists::tidy::tidied;
use super::assists::trial::{fix_holds, fix_would_hold};
use super::declarations::{import, with_comments};
use super::diagnostics::{absolute, findings, range};
use super::lookup::model;
use super::price::{Changed, priced};
use super::{CodeAction, CodeActionKind, FileRange, SourceChange};
use crate::format::format;
use crate::model::db::{Db, Decl, SourceFile, Workspace};
use crate::model::files::FileKey;
use crate::rules::finding::{Edit, FindingPlace, Fix, Safety};
use crate::syntax::lines::{behind_comment, line_end, line_start};
use crate::syntax::{FileParse, TextEdit, TextRange, apply, compose};
use std::collections::BTreeMap;

/// Rules whose fixes cost something, and that do not say it themselves.
const PRICED: &[&str] = &["attribute-not-projected", "unique-not-enforced"];

/// Rules whose fixes do what refactorings do that are tried on a copy of the model.
const TRIED: &[&str] = &["unique-not-enforced", "guard-not-maintained"];

/// The fixes of the findings that a range touches.
pub(super) fn code_actions(db: &dyn Db, file: SourceFile, wanted: TextRange) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    for finding in findings(db, file) {
        let place = range(db, finding.place);
        let FileRange::Bytes(bytes) = place else { continue };
        if !(wanted.overlaps(bytes) || bytes.touches(wanted.start as usize)) {
            continue;
        }
        // A trial takes its time, as a price does: none for a whole file.
        let is_tried = TRIED.contains(&finding.rule.name) && is_one_place(wanted, bytes);
        let holds = |fix: &Fix| fix_holds(db, fix) && (!is_tried || fix_would_hold(db, model(db, file), fix));
        for fix in finding.fixes.iter().filter(|fix| holds(fix)) {
            let title = match finding.place {
                // At one place its ways have their prices; for a whole file that would take
                // an analysis of the model for each of them.
                FindingPlace::In(place) if finding.rule.name == "unsolved-pattern" && is_one_place(wanted, bytes) => {
                    priced_fix(db, model(db, file), place.decl, fix)
                }
                FindingPlace::In(_) if PRICED.contains(&finding.rule.name) && is_one_place(wanted, bytes) => {
                    let changed = Changed::by(db, model(db, file), &fix.edits);
                    priced(fix.title.clone(), changed.and_then(|changed| changed.monthly_of_all()))
                }
                _ => fix.title.clone(),
            };
            actions.push(CodeAction {
                title,
                kind: CodeActionKind::QuickFix,
                preferred: fix.safety >= Safety::Preferred,
                change: change(db, &fix.edits),
                mends: Some((finding.rule.name, place)),
            });
        }
        // These are tried on a copy of the model, which takes its time for a whole file.
        if is_one_place(wanted, bytes) {
            actions.extend(mending(db, file, finding.rule.name, bytes).into_iter().map(|assist| CodeAction {
                title: assist.title,
                kind: CodeActionKind::QuickFix,
                preferred: false,
                change: tidied(db, model(db, file), finished(db, &assist.edits)),
                mends: Some((finding.rule.name, place)),
            }));
        }
    }
    actions
}

/// Whether a range is no more than the place of a finding.
fn is_one_place(wanted: TextRange, place: TextRange) -> bool {
    wanted.start == wanted.end || place.contains(wanted)
}

/// Edits by file, sorted; one whose place is gone is lost.
pub(super) fn change(db: &dyn Db, wanted: &[Edit]) -> SourceChange {
    let mut edits: BTreeMap<FileKey, Vec<TextEdit>> = BTreeMap::new();
    let (mut creates, mut deletes) = (Vec::new(), Vec::new());
    for edit in wanted {
        match edit {
            Edit::CreateFile { file, text } => creates.push((file.clone(), text.clone())),
            Edit::DeleteFile { file } => deletes.push(file.clone()),
            Edit::Append { file, text } => {
                let old = text_of(db, *file);
                let range = TextRange::new(old.trim_end().len(), old.len());
                push(&mut edits, db, *file, TextEdit { range, text: format!("\n\n{}\n", text.trim_end()) });
            }
            Edit::Replace { place, text } => {
                if let Some((file, range)) = absolute(db, *place) {
                    push(&mut edits, db, file, TextEdit { range, text: text.clone() });
                }
            }
            Edit::DeclarationAfter { decl, text } => {
                if let Some((file, edit)) = declaration_after(db, *decl, text) {
                    push(&mut edits, db, file, edit);
                }
            }
            Edit::RemoveLines { place } => {
                if let Some((file, range)) = absolute(db, *place) {
                    let range = whole_lines(text_of(db, file), range);
                    push(&mut edits, db, file, TextEdit { range, text: String::new() });
                }
            }
            Edit::RemoveDeclarations { first, last } => {
                if let (Some((file, start)), Some((_, end))) = (with_comments(db, *first), with_comments(db, *last)) {
                    let range = whole_lines(text_of(db, file), start.cover(end));
                    push(&mut edits, db, file, TextEdit { range, text: String::new() });
                }
            }
            Edit::Import { file, path } => push(&mut edits, db, *file, import(db, *file, path)),
            Edit::AppendToBlock { block, lines } => {
                if let Some((file, range)) = absolute(db, *block) {
                    let edit = append(text_of(db, file), range, lines);
                    push(&mut edits, db, file, edit);
                }
            }
        }
    }
    let known = Workspace::get(db).files(db);
    let edits = edits
        .into_iter()
        .map(|(file, mut edits)| {
            edits.sort_by_key(|edit| edit.range);
            let text = known.get(&file).map_or("", |file| text_of(db, *file));
            (file, join_touching(merge_deletions(text, edits)))
        })
        .collect();
    SourceChange { edits, creates, deletes }
}

/// The same, and files that were as the formatter leaves them are so again.
pub(super) fn finished(db: &dyn Db, wanted: &[Edit]) -> SourceChange {
    let mut change = change(db, wanted);
    let known = Workspace::get(db).files(db);
    for (key, edits) in &mut change.edits {
        let parse = known.get(key).and_then(|file| file.content(db).parse());
        let Some(parse) = parse.filter(|parse| format(parse).is_empty()) else { continue };
        let after = FileParse::new(&apply(&parse.text, edits));
        *edits = compose(&parse.text, edits, &format(&after));
    }
    change
}

fn push(edits: &mut BTreeMap<FileKey, Vec<TextEdit>>, db: &dyn Db, file: SourceFile, mut edit: TextEdit) {
    edit.text = with_line_breaks(&edit.text, line_break(text_of(db, file)));
    edits.entry(file.key(db).clone()).or_default().push(edit);
}

pub(super) fn text_of(db: &dyn Db, file: SourceFile) -> &str {
    file.content(db).parse().map_or("", |parse| &parse.text)
}

/// The line break that a text uses: that of its first line.
pub(super) fn line_break(text: &str) -> &'static str {
    match text.find(['\n', '\r']).map(|at| &text[at..]) {
        Some(rest) if rest.starts_with("\r\n") => "\r\n",
        Some(rest) if rest.starts_with('\r') => "\r",
        _ => "\n",
    }
}

pub(super) fn with_line_breaks(text: &str, new: &str) -> String {
    if new == "\n" { text.to_owned() } else { text.replace("\r\n", "\n").replace('\n', new) }
}

/// Puts a declaration behind another, a blank line between them.
fn declaration_after(db: &dyn Db, decl: Decl, text: &str) -> Option<(SourceFile, TextEdit)> {
    let whole = TextRange::new(0, decl.chunk(db).text.len());
    let (file, range) = absolute(db, crate::rules::finding::Place { decl, range: whole })?;
    let at = behind_comment(text_of(db, file), range.end as usize);
    Some((file, TextEdit { range: TextRange::empty(at), text: format!("\n\n{text}") }))
}

/// A range with its whole lines, where nothing else stands on them; with the
/// blank line behind it, where one stands before it as well.
pub(super) fn whole_lines(text: &str, range: TextRange) -> TextRange {
    let (start, end) = (range.start as usize, range.end as usize);
    // A byte order mark is none of the first line.
    let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8().min(start) } else { 0 };
    let (line_start, line_end) = (line_start(text, start).max(first), line_end(text, end));
    // A comment behind it is about it, and goes as well.
    let after = text[end..line_end].trim();
    if !text[line_start..start].trim().is_empty() || !(after.is_empty() || after.starts_with("//")) {
        // Something else stands on the line: only the blanks before go with it.
        let before = text[line_start..start].trim_end();
        // A block that is empty then has no blanks in it.
        let emptied = before.ends_with('{') && after.starts_with('}');
        let blanks = text[end..].len() - text[end..].trim_start().len();
        let behind = if emptied { blanks } else { 0 };
        return TextRange::new(line_start + before.len(), end + behind);
    }
    let break_length = |at: usize| match &text[at..] {
        t if t.starts_with("\r\n") => 2,
        t if t.starts_with(['\n', '\r']) => 1,
        _ => 0,
    };
    let mut to = line_end + break_length(line_end);
    let above = text[first..line_start].trim_end_matches([' ', '\t']);
    let blank_above = above.is_empty() || above.ends_with("\n\n") || above.ends_with("\n\r\n");
    if blank_above && break_length(to) > 0 {
        to += break_length(to);
    } else if blank_above && is_end(text[to..].trim_start_matches([' ', '\t'])) && !above.is_empty() {
        // Nothing follows in the block or in the file: the blank line above set
        // nothing apart.
        let kept = above.strip_suffix('\n').map_or(above.len(), |rest| rest.strip_suffix('\r').unwrap_or(rest).len());
        return TextRange::new(first + kept, to);
    }
    TextRange::new(line_start, to)
}

/// Whether a block or the file ends here.
fn is_end(text: &str) -> bool {
    text.is_empty() || text.starts_with('}')
}

/// Deletions that meet become one, so that no two edits overlap.
fn merge_deletions(text: &str, edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let mut merged: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match merged.last_mut() {
            Some(last) if last.text.is_empty() && edit.text.is_empty() && edit.range.start < last.range.end => {
                let both = last.range.cover(edit.range);
                // What is blank around the two together is asked again.
                let inner = &text[both.indices()];
                let (start, end) = (inner.len() - inner.trim_start().len(), inner.trim_end().len());
                let start = both.start as usize + start;
                last.range = whole_lines(text, TextRange::new(start, both.start as usize + end)).cover(both);
            }
            _ => merged.push(edit),
        }
    }
    merged
}

/// Edits that touch become one: in which order a program makes those that begin at
/// one place is its own affair.
fn join_touching(edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let mut joined: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match joined.last_mut() {
            Some(last) if last.range.end == edit.range.start => {
                last.range = last.range.cover(edit.range);
                last.text.push_str(&edit.text);
            }
            _ => joined.push(edit),
        }
    }
    joined
}

/// Puts lines at the end of a block, indented as its content is.
fn append(text: &str, block: TextRange, lines: &str) -> TextEdit {
    let (start, end) = (block.start as usize, block.end as usize);
    let closed = text[start..end].ends_with('}');
    let inner_end = if closed { end - 1 } else { end };
    let content_end = start + text[start..inner_end].trim_end().len();
    let indent: String = text[line_start(text, start)..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let one_line = closed && !text[start..end].contains(['\n', '\r']);
    let empty = text[start + 1..content_end.max(start + 1)].trim().is_empty();
    if one_line && !empty && !lines.contains('\n') {
        return TextEdit { range: TextRange::new(content_end, inner_end), text: format!(" {lines} ") };
    }
    let inner: String = lines
        .lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("\n{indent}  {line}") })
        .collect();
    // A line comment at the end of the content would swallow what follows it,
    // but what follows begins a new line.
    if one_line {
        return TextEdit { range: TextRange::new(content_end, inner_end), text: format!("{inner}\n{indent}") };
    }
    TextEdit { range: TextRange::empty(content_end), text: inner }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::apply;

    fn removed(text: &str, clauses: &[&str]) -> String {
        let ranges = clauses.iter().map(|clause| {
            let at = text.find(clause).unwrap();
            whole_lines(text, TextRange::new(at, at + clause.len()))
        });
        let mut edits: Vec<TextEdit> = ranges.map(|range| TextEdit { range, text: String::new() }).collect();
        edits.sort_by_key(|edit| edit.range);
        apply(text, &merge_deletions(text, edits))
    }

    #[test]
    fn removed_lines_leave_no_blank_line_for_nothing() {
        let text = "t {\n  a\n\n  b\n\n  c\n}\n";
        assert_eq!(removed(text, &["b"]), "t {\n  a\n\n  c\n}\n");
        assert_eq!(removed(text, &["c"]), "t {\n  a\n\n  b\n}\n");
        assert_eq!(removed("t {\n  a // why\n  b\n}\n", &["a"]), "t {\n  b\n}\n");
        assert_eq!(removed("t { a b }\n", &["a"]), "t { b }\n");
        assert_eq!(removed("t { a }\n", &["a"]), "t {}\n");
        assert_eq!(removed(text, &["b", "c"]), "t {\n  a\n}\n");
        assert_eq!(removed(&text.replace('\n', "\r\n"), &["c"]), "t {\r\n  a\r\n\r\n  b\r\n}\r\n");
    }
}
