//! The ways out of a conflict.

use super::super::parts::Part;
use super::lines::{beginning, behind_line_end, is_apart_from_above, line_end};
use super::marks::{begin, of_reader};
use super::merge::{Conflict, edit, merge, removal};
use crate::syntax::{TextEdit, apply};

/// What becomes of a text that the reader wrote where the model has another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The reader's text stays. Of a part that is written down in its end mark, and
    /// asked again when the model says something else; a part that the model has no
    /// longer loses its marks and is the reader's from then on; a document without
    /// marks is left alone.
    Mine,
    /// The text of the model takes its place.
    New,
    /// The reader's text stays, outside the part and before it, with a line that says
    /// so, and the text of the model comes behind.
    Both,
}

/// The edits that settle a conflict of a text, sorted and without overlaps. They
/// count in the text that was merged, before any edit of that; where it held versions
/// to be made one, those edits come first, and the conflict is the next merge's.
pub fn settle(text: &str, conflict: &Conflict, way: Way) -> Vec<TextEdit> {
    settled(text, conflict, way, line_end(text))
}

fn settled(text: &str, conflict: &Conflict, way: Way, line_end: &str) -> Vec<TextEdit> {
    let new = conflict.new.as_ref().map(|new| new.replace('\n', line_end));
    let Some(standing) = &conflict.standing else {
        return match (way, new) {
            (Way::New, Some(new)) => vec![edit(beginning(text)..text.len(), new)],
            (Way::Both, Some(new)) => vec![edit(text.len()..text.len(), format!("{}{new}", gap(text, line_end)))],
            (Way::Mine, _) | (_, None) => Vec::new(),
        };
    };
    let end_mark = standing.end_mark(text);
    match (way, new, &conflict.mark_to_keep) {
        (Way::Mine, _, Some(kept)) => vec![edit(end_mark, kept.clone())],
        (Way::New, Some(new), _) => {
            vec![edit(standing.inner.clone(), new), edit(end_mark, conflict.mark_of_new.clone())]
        }
        (Way::Both, Some(new), _) => {
            let own = &text[..standing.inner.end];
            let begin_mark = text[standing.range.start..standing.inner.start].trim_end_matches(['\r', '\n']);
            let above = if is_apart_from_above(own, own.len()) { "" } else { line_end };
            let block = format!("{above}{}{line_end}{new}{}", begin(&standing.name), conflict.mark_of_new);
            vec![
                edit(standing.range.start..standing.range.start + begin_mark.len(), of_reader(&standing.name)),
                edit(standing.inner.end..standing.range.end, block),
            ]
        }
        (Way::New, None, _) => vec![removal(text, standing.range.clone(), line_end)],
        // The marks go, and the text is the reader's.
        (Way::Mine | Way::Both, _, _) => vec![
            edit(standing.range.start..standing.inner.start, String::new()),
            edit(standing.inner.end..behind_line_end(text, standing.range.end), String::new()),
        ],
    }
}

/// What puts a new block apart from the end of a text.
fn gap(text: &str, line_end: &str) -> String {
    if is_apart_from_above(text, text.len()) {
        String::new()
    } else if text.ends_with('\n') {
        line_end.to_owned()
    } else {
        line_end.repeat(2)
    }
}

/// The document with the text of the model in the place of every text that it is
/// in conflict with. What stands between the parts stays.
pub fn forced(text: &str, parts: &[Part]) -> String {
    let merged = merge(text, parts);
    let mut text = apply(text, &merged.edits);
    loop {
        let merged = merge(&text, parts);
        if merged.conflicts.is_empty() {
            return apply(&text, &merged.edits);
        }
        // All at once, but for what would take out the same empty line.
        let line_end = line_end(&text);
        let mut edits: Vec<TextEdit> = Vec::new();
        for conflict in &merged.conflicts {
            let new = settled(&text, conflict, Way::New, line_end);
            let end = edits.last().map_or(0, |edit| edit.range.end);
            if new.first().is_some_and(|first| first.range.start >= end) {
                edits.extend(new);
            }
        }
        text = apply(&text, &edits);
    }
}
