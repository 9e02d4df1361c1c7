//! Versions that version control could not merge. Two branches that both made a
//! document differ in generated lines, of which neither has to be kept: they are made
//! again. What a person wrote is in no version taken for granted, and stays between
//! the lines of version control until they merge it.

use super::lines::{is_empty_lines, line_end, lines};
use super::marks::{Mark, end_unknown, mark};
use super::merge::edit;
use super::read::{Existing, State, read_as_it_stands};
use crate::syntax::{TextEdit, apply, compose};
use std::ops::Range;

/// What version control puts before the first version, between it and what both came
/// from, before the second version, and behind that.
const OURS: &str = "<<<<<<<";
const BASE: &str = "|||||||";
const THEIRS: &str = "=======";
const DONE: &str = ">>>>>>>";

/// Whether a line, without its line end, is one of those that only a conflict has.
pub(super) fn is_of_conflict(content: &str) -> bool {
    is_sign(content, OURS) || is_sign(content, DONE)
}

/// Whether there may be any at all.
pub(super) fn has_versions(text: &str) -> bool {
    text.contains(OURS)
}

/// A sign stands alone or before a name.
fn is_sign(content: &str, sign: &str) -> bool {
    content.strip_prefix(sign).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Two versions of the same lines.
struct Conflict {
    /// From the beginning of its first line to behind its last.
    range: Range<usize>,
    ours: Range<usize>,
    /// What both came from, where version control says it; else nothing.
    base: Range<usize>,
    /// From the line above what both came from, or else above theirs, to theirs.
    between: Range<usize>,
    theirs: Range<usize>,
    /// The part that is open above it.
    open: Option<String>,
}

/// What can be done without asking about versions that were not merged: where they
/// hold nothing but generated text, one of them is taken, and made again with all
/// else. An end mark that stands in both goes below them, without its hash: whose the
/// text above is, it cannot tell.
pub(super) fn resolution(text: &str) -> Vec<TextEdit> {
    if !has_versions(text) {
        return Vec::new();
    }
    let mut edits = step(text);
    // What was taken of one conflict may show that of another nothing was written.
    for _ in 0..MOST_STEPS {
        let next = step(&apply(text, &edits));
        if next.is_empty() {
            break;
        }
        edits = compose(text, &edits, &next);
    }
    edits
}

/// Conflicts that depend on each other in longer chains are nobody's work.
pub(super) const MOST_STEPS: usize = 8;

fn step(text: &str) -> Vec<TextEdit> {
    let conflicts = conflicts(text);
    if conflicts.is_empty() {
        return Vec::new();
    }
    let ours = Side::new(text, &conflicts, |conflict| conflict.ours.clone());
    let base = Side::new(text, &conflicts, |conflict| conflict.base.clone());
    let theirs = Side::new(text, &conflicts, |conflict| conflict.theirs.clone());
    let sides = [&ours, &base, &theirs];
    let is_torn = (0..conflicts.len()).any(|at| sides.iter().any(|side| side.has_mark(at)));
    let mut edits = Vec::new();
    for (at, conflict) in conflicts.iter().enumerate() {
        let is_blank = sides.iter().all(|side| side.lines(at).next().is_none());
        let is_taken = |side: &Side, other: &Side| {
            !is_blank && side.is_generated(at) && other.is_harmless(at, side) && base.is_harmless(at, side)
        };
        let taken = if is_taken(&ours, &theirs) {
            Some(&conflict.ours)
        } else if is_taken(&theirs, &ours) {
            Some(&conflict.theirs)
        } else if is_blank && is_torn && !is_fenced(text, conflict.range.start) {
            // Nothing but blank lines between parts, in a document that is known to be
            // unmerged: no example that somebody wrote down.
            Some(&conflict.ours)
        } else {
            None
        };
        match taken {
            Some(taken) => edits.push(edit(conflict.range.clone(), text[taken.clone()].to_owned())),
            None => edits.extend(conflict.without_end_mark(text)),
        }
    }
    edits
}

/// The document as one of the branches would have it.
struct Side {
    text: String,
    existing: Existing,
    /// Where its version of each conflict stands.
    versions: Vec<Range<usize>>,
}

impl Side {
    fn new(text: &str, conflicts: &[Conflict], version: impl Fn(&Conflict) -> Range<usize>) -> Self {
        let mut side = String::with_capacity(text.len());
        let mut versions = Vec::with_capacity(conflicts.len());
        let mut at = 0;
        for conflict in conflicts {
            side.push_str(&text[at..conflict.range.start]);
            let start = side.len();
            side.push_str(&text[version(conflict)]);
            versions.push(start..side.len());
            at = conflict.range.end;
        }
        side.push_str(&text[at..]);
        Self { existing: read_as_it_stands(&side), text: side, versions }
    }

    /// Whether every line of a version is in a part as it was made.
    fn is_generated(&self, at: usize) -> bool {
        self.lines(at).all(|(start, _)| is_within_generated(&self.existing, start))
    }

    /// Whether nothing is lost with a version if the other one is taken: besides such
    /// lines there are only end marks that say nothing but that something was made,
    /// and the other has them too.
    fn is_harmless(&self, at: usize, other: &Side) -> bool {
        self.lines(at).all(|(start, line)| match mark(line) {
            Some(Mark::End { name, is_kept: false, .. }) if other.has_end(at, &name) => true,
            _ => is_within_generated(&self.existing, start),
        })
    }

    fn has_mark(&self, at: usize) -> bool {
        self.lines(at).any(|(_, line)| mark(line).is_some())
    }

    fn has_end(&self, at: usize, part: &str) -> bool {
        self.lines(at).any(|(_, line)| matches!(mark(line), Some(Mark::End { name, .. }) if name == part))
    }

    /// The lines of a version that are not empty, with where they begin.
    fn lines(&self, at: usize) -> impl Iterator<Item = (usize, &str)> {
        let version = self.versions[at].clone();
        lines(&self.text, version).filter(|(_, line)| !line.is_empty()).map(|(range, line)| (range.start, line))
    }
}

/// Whether a part as it was made stands around a place. Parts are in the order of the
/// text.
pub(super) fn is_within_generated(existing: &Existing, at: usize) -> bool {
    let above = existing.parts.partition_point(|part| part.range.start <= at);
    let around = above.checked_sub(1).map(|last| &existing.parts[last]);
    around.is_some_and(|part| part.state == State::Generated && at < part.range.end)
}

/// Whether a place is in a fence of code that begins behind the last mark above it.
fn is_fenced(text: &str, at: usize) -> bool {
    lines(text, 0..at).fold(false, |is_fenced, (_, line)| {
        let is_fence = ["```", "~~~"].iter().any(|sign| line.trim_start().starts_with(sign));
        mark(line).is_none() && is_fenced != is_fence
    })
}

/// Of a conflict whose end is not reached: its first line, and the lines between its
/// versions, the base's and theirs.
type Begun = (Range<usize>, Option<Range<usize>>, Option<Range<usize>>);

/// The conflicts of a text; what only looks like one, or is one within another, is none.
fn conflicts(text: &str) -> Vec<Conflict> {
    let existing = read_as_it_stands(text);
    let mut conflicts = Vec::new();
    let mut open: Option<String> = None;
    let mut begun: Option<Begun> = None;
    for (range, content) in lines(text, 0..text.len()) {
        // What the model says may hold such lines.
        let is_sign = |sign| is_sign(content, sign) && !is_within_generated(&existing, range.start);
        if is_sign(OURS) {
            begun = Some((range, None, None));
        } else if is_sign(BASE) {
            match &mut begun {
                Some((_, base @ None, None)) => *base = Some(range),
                _ => begun = None,
            }
        } else if content == THEIRS && begun.is_some() {
            match &mut begun {
                Some((_, _, theirs @ None)) => *theirs = Some(range),
                // A heading may be underlined so: where the versions end is not known.
                _ => begun = None,
            }
        } else if is_sign(DONE) {
            if let Some((first, base, Some(second))) = begun.take() {
                let between = base.as_ref().map_or(second.start, |base| base.start);
                conflicts.push(Conflict {
                    ours: first.end..between,
                    base: base.map_or(second.start, |base| base.end)..second.start,
                    between: between..second.end,
                    theirs: second.end..range.start,
                    range: first.start..range.end,
                    open: open.clone(),
                });
                let behind = lines(text, second.end..range.start);
                open = behind.fold(open, |open, (_, line)| opened(line, open));
            }
        } else if begun.is_none() {
            open = opened(content, open);
        }
    }
    conflicts
}

/// The part that is open behind a line, if this one is open above it.
fn opened(line: &str, open: Option<String>) -> Option<String> {
    match mark(line) {
        Some(Mark::Begin { name }) => Some(name),
        Some(Mark::End { .. }) => None,
        Some(Mark::Unreadable) | None => open,
    }
}

impl Conflict {
    /// Both versions without the end mark that each ends with, and that mark below.
    fn without_end_mark(&self, text: &str) -> Option<TextEdit> {
        let name = self.open.as_deref()?;
        let (ours, end, _) = body(text, &self.ours, name)?;
        let (theirs, other_end, behind) = body(text, &self.theirs, name)?;
        if end == other_end {
            return None;
        }
        let between = lines(text, self.between.clone()).filter(|(_, line)| mark(line).is_none());
        let between: String = between.map(|(range, _)| &text[range]).collect();
        let (first, last) = (&text[self.range.start..self.ours.start], &text[self.theirs.end..self.range.end]);
        let line_end = line_end(text);
        let mut base = lines(text, self.base.clone());
        let is_empty = base.all(|(_, line)| line.is_empty() || mark(line).is_some());
        let versions = match is_empty && is_empty_lines(ours) && is_empty_lines(theirs) {
            true => ours.to_owned(),
            false => format!("{first}{ours}{between}{theirs}{}{line_end}", last.trim_end_matches(['\r', '\n'])),
        };
        Some(edit(self.range.clone(), format!("{versions}{}{behind}", end_unknown(name))))
    }
}

/// A version as it is above the end mark of the part, if that is its only mark and no
/// text comes behind it; that mark, and what does come.
fn body<'t>(text: &'t str, version: &Range<usize>, name: &str) -> Option<(&'t str, &'t str, &'t str)> {
    let mut marks = lines(text, version.clone()).filter_map(|(range, line)| Some((range, mark(line)?)));
    let (end, Mark::End { name: of, .. }) = marks.next()? else { return None };
    let behind = &text[end.end..version.end];
    let is_last = marks.next().is_none() && is_empty_lines(behind);
    let above = &text[version.start..end.start];
    let end_line = text[end].trim_end_matches(['\r', '\n']);
    let behind = &text[version.start + above.len() + end_line.len()..version.end];
    (of == name && is_last).then_some((above, end_line, behind))
}
