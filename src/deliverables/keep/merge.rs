//! A document made again around what people wrote into it.

use super::super::parts::Part;
use super::fresh_with;
use super::lines::{
    before_line_end, beginning, behind_line_end, is_apart_from_above, is_empty_lines, line_end, with_lf,
};
use super::made::{Made, blocks, made};
use super::marks::{end, end_kept, hash_of_words};
use super::read::{Damaged, Existing, MarkFault, Standing, State, read};
use super::unmerged::{MOST_STEPS, has_versions, resolution};
use crate::syntax::{TextEdit, TextRange, apply, compose};
use std::collections::HashMap;
use std::ops::Range;

/// What has to be done to a document so that it says what the model says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// What can be done without asking, sorted and without overlaps.
    pub edits: Vec<TextEdit>,
    /// What somebody has to decide, in the order of the text.
    pub conflicts: Vec<Conflict>,
    /// Marks that are damaged or stand twice: what they enclose is taken as written
    /// by a person.
    pub faults: Vec<MarkFault>,
    /// In how many places the document says something else than the model without
    /// being asked about. What only leads to other lines of the model, as a part does
    /// of which a declaration moved, is renewed and does not count.
    pub places: usize,
    /// Whether the document says what the model says, and there is nothing to decide.
    pub is_current: bool,
}

impl Merged {
    /// Whether the document says what the model says, and nothing besides: where marks
    /// are damaged or stand twice, an old text may stand beside the new one.
    pub fn is_sound(&self) -> bool {
        self.is_current && self.faults.is_empty()
    }
}

/// A text that somebody wrote where the model has another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub cause: Cause,
    /// The name of the part; empty for a whole document.
    pub name: String,
    /// Where the part stands, from its first mark to its last.
    pub range: Range<usize>,
    /// What the reader wrote, as it stands there, without marks.
    pub mine: String,
    /// Whether the model says something else than when the part was made: else only
    /// its reader does.
    pub is_news: bool,
    /// What the model says, with LF; `None` of a part that it has no longer.
    pub new: Option<String>,
    /// The last line of the part if it is kept as it is; `None` where nothing is
    /// written down for that, since the text is simply the reader's.
    pub mark_to_keep: Option<String>,
    pub(super) standing: Option<Standing>,
    /// The last line of the part if the new text is taken.
    pub(super) mark_of_new: String,
}

/// How a conflict came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A part was edited, or kept over a text that the model no longer says.
    Edited,
    /// The model no longer has what the part describes, and the part was edited, is
    /// kept, stands several times or within damaged marks.
    Gone,
    /// No part can be told in the document: it was written by hand.
    Unmarked,
}

/// Merges what the model says into a document that is there.
///
/// - A part that nobody edited gets its new text; one that the model has no longer
///   goes. All else keeps its bytes and its place, the order of the parts too.
/// - A new part is put behind the part that stands before it in the order of the
///   model, and behind what the reader wrote below that: headings stand inside the
///   parts, so what follows one belongs to it.
/// - A part that was deleted with both its marks comes back: to do without a part,
///   empty it and keep that.
/// - Where a name stands several times, one part of it is made again (the first
///   that nobody edited), and the others are the reader's.
/// - New text has the line ends of most of the document.
/// - Versions that were not merged and hold nothing but generated text are made one.
///
/// Made again with what this leaves there is nothing more to do.
pub fn merge(text: &str, parts: &[Part]) -> Merged {
    if !has_versions(text) {
        return merge_one(text, parts);
    }
    let mut resolved = resolution(text);
    let mut merged = Merged::default();
    // What is made again may be what both versions of something else say.
    for _ in 0..MOST_STEPS {
        let now = apply(text, &resolved);
        merged = merge_one(&now, parts);
        let next = resolution(&apply(&now, &merged.edits));
        if next.is_empty() {
            break;
        }
        resolved = compose(text, &resolved, &compose(&now, &merged.edits, &next));
    }
    if resolved.is_empty() {
        return merged;
    }
    let before = |range: &Range<usize>| before(&resolved, range.start)..before(&resolved, range.end);
    merged.conflicts.iter_mut().for_each(|conflict| conflict.range = before(&conflict.range));
    merged.faults.iter_mut().for_each(|fault| fault.range = before(&fault.range));
    merged.places += resolved.len();
    merged.is_current = false;
    merged.edits = compose(text, &resolved, &merged.edits);
    merged
}

/// Where a place of an edited text was before its edits; the beginning of an edit, of
/// what it wrote.
fn before(edits: &[TextEdit], at: usize) -> usize {
    let (mut was, mut now) = (0, 0);
    for edit in edits {
        let range = edit.range.indices();
        let start = now + (range.start - was);
        if at <= start {
            break;
        }
        if at < start + edit.text.len() {
            return range.start;
        }
        (was, now) = (range.end, start + edit.text.len());
    }
    was + (at - now)
}

/// The same of a text in which there is but one version of everything, or several that
/// a person has to merge.
fn merge_one(text: &str, parts: &[Part]) -> Merged {
    let existing = read(text);
    let made = made(parts);
    let mut merged = if existing.parts.is_empty() {
        unmarked(text, parts)
    } else {
        Merging { text, made: &made, existing: &existing, line_end: line_end(text) }.merge()
    };
    merged.faults = existing.faults;
    merged.is_current = merged.places == 0 && merged.conflicts.is_empty();
    merged
}

/// A document without a part: one without any text is filled.
fn unmarked(text: &str, parts: &[Part]) -> Merged {
    let mut merged = Merged::default();
    let new = fresh_with(parts, line_end(text));
    let own = &text[beginning(text)..];
    if new.is_empty() {
        return merged;
    }
    if own.trim().is_empty() {
        let gap = if own.is_empty() || own.ends_with('\n') { "" } else { line_end(text) };
        merged.edits.push(edit(text.len()..text.len(), format!("{gap}{new}")));
        merged.places = 1;
    } else {
        merged.conflicts.push(Conflict {
            cause: Cause::Unmarked,
            name: String::new(),
            range: beginning(text)..text.len(),
            mine: own.to_owned(),
            is_news: true,
            new: Some(with_lf(&new)),
            mark_to_keep: None,
            standing: None,
            mark_of_new: String::new(),
        });
    }
    merged
}

struct Merging<'t> {
    text: &'t str,
    made: &'t [Made],
    existing: &'t Existing,
    line_end: &'static str,
}

/// A part that stands in the document and is looked after.
struct Block<'t> {
    standing: &'t Standing,
    /// What the model has for it; its number in the order.
    made: Option<usize>,
    is_removed: bool,
}

impl Merging<'_> {
    fn merge(&self) -> Merged {
        let mut merged = Merged::default();
        let blocks = self.blocks(&mut merged.conflicts);
        for block in blocks.iter().filter(|block| !block.is_removed) {
            if let Some(made) = block.made {
                self.renew(block.standing, &self.made[made], &mut merged);
            }
        }
        let slots = self.slots(&blocks);
        merged.places += slots.iter().map(Vec::len).sum::<usize>();
        merged.places += blocks.iter().filter(|block| block.is_removed).count();
        self.put(&blocks, slots, &mut merged.edits);
        merged.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        merged.conflicts.sort_by_key(|conflict| conflict.range.start);
        merged
    }

    /// The parts that stand in the document, in its order. Those that the model has
    /// no longer are removed, or become conflicts.
    fn blocks(&self, conflicts: &mut Vec<Conflict>) -> Vec<Block<'_>> {
        let damaged = Damaged::of(self.existing);
        let mut by_name: HashMap<&str, Vec<&Standing>> = HashMap::new();
        for standing in &self.existing.parts {
            by_name.entry(&standing.name).or_default().push(standing);
        }
        let mut blocks = Vec::new();
        for (number, made) in self.made.iter().enumerate() {
            let of_it = by_name.remove(made.name.as_str()).unwrap_or_default();
            let chosen = of_it.into_iter().min_by_key(|standing| match standing.state {
                _ if self.says(standing, made) => 0,
                State::Generated => 1,
                State::Kept { .. } => 2,
                State::Edited => 3,
            });
            blocks.extend(chosen.map(|standing| Block { standing, made: Some(number), is_removed: false }));
        }
        for of_it in by_name.into_values() {
            let is_alone = of_it.len() == 1;
            for standing in of_it {
                let is_removed = is_alone && standing.state == State::Generated && !damaged.encloses(&standing.range);
                if !is_removed {
                    conflicts.push(self.conflict(standing, None));
                }
                blocks.push(Block { standing, made: None, is_removed });
            }
        }
        blocks.sort_by_key(|block| block.standing.range.start);
        blocks
    }

    /// Whether a part stands there as the model says it.
    fn says(&self, standing: &Standing, made: &Made) -> bool {
        with_lf(&self.text[standing.inner.clone()]) == made.inner
    }

    /// Gives a part the text that the model says, where that is not the reader's.
    fn renew(&self, standing: &Standing, made: &Made, merged: &mut Merged) {
        match &standing.state {
            State::Generated if self.says(standing, made) => {}
            State::Generated => {
                let moved = hash_of_words(&with_lf(&self.text[standing.inner.clone()])) == made.hash_of_words;
                merged.places += usize::from(!moved);
                merged.edits.push(edit(standing.inner.clone(), made.inner.replace('\n', self.line_end)));
                merged.edits.push(edit(standing.end_mark(self.text), end(&made.name, &made.hash)));
            }
            // Nobody's words are lost where both say the same.
            State::Edited | State::Kept { .. } if self.says(standing, made) => {
                merged.places += 1;
                merged.edits.push(edit(standing.end_mark(self.text), end(&made.name, &made.hash)));
            }
            State::Kept { over: Some(over) }
                if [&made.hash_of_words, &made.hash].iter().any(|hash| over.eq_ignore_ascii_case(hash)) => {}
            State::Kept { over: None } => {
                merged.places += 1;
                merged.edits.push(edit(standing.end_mark(self.text), end_kept(&made.name, &made.hash_of_words)));
            }
            State::Edited | State::Kept { .. } => merged.conflicts.push(self.conflict(standing, Some(made))),
        }
    }

    fn conflict(&self, standing: &Standing, made: Option<&Made>) -> Conflict {
        Conflict {
            cause: if made.is_some() { Cause::Edited } else { Cause::Gone },
            name: standing.name.clone(),
            range: standing.range.clone(),
            mine: self.text[standing.inner.clone()].to_owned(),
            is_news: made.is_none_or(|made| standing.said.as_ref() != Some(&made.hash)),
            new: made.map(|made| made.inner.clone()),
            mark_to_keep: made.map(|made| end_kept(&made.name, &made.hash_of_words)),
            standing: Some(standing.clone()),
            mark_of_new: made.map(|made| end(&made.name, &made.hash)).unwrap_or_default(),
        }
    }

    /// Which new parts come before each block, and behind the last.
    fn slots(&self, blocks: &[Block]) -> Vec<Vec<&Made>> {
        let places: HashMap<usize, usize> =
            blocks.iter().enumerate().filter_map(|(at, block)| Some((block.made?, at))).collect();
        let mut slots = vec![Vec::new(); blocks.len() + 1];
        // Before the first part that is there.
        let mut slot = (0..self.made.len()).find_map(|number| places.get(&number).copied()).unwrap_or(blocks.len());
        for (number, made) in self.made.iter().enumerate() {
            match places.get(&number) {
                Some(at) => slot = at + 1,
                None => slots[slot].push(made),
            }
        }
        slots
    }

    /// Puts new parts in and takes out those that are removed.
    fn put(&self, blocks: &[Block], mut slots: Vec<Vec<&Made>>, edits: &mut Vec<TextEdit>) {
        let mut at = 0;
        while let Some(block) = blocks.get(at) {
            if !block.is_removed {
                edits.extend(self.before(block.standing, &slots[at]));
                at += 1;
                continue;
            }
            // Removed parts that follow each other go in one piece, and what comes
            // new between them takes their place.
            let mut range = block.standing.range.clone();
            let mut new = std::mem::take(&mut slots[at]);
            at += 1;
            while let Some(next) = blocks.get(at)
                && next.is_removed
                && is_empty_lines(&self.text[range.end..next.standing.range.start])
            {
                range.end = next.standing.range.end;
                new.append(&mut slots[at]);
                at += 1;
            }
            if at == blocks.len() && is_empty_lines(&self.text[range.end..]) {
                new.append(&mut slots[at]);
            }
            edits.push(match new.is_empty() {
                true => removal(self.text, range, self.line_end),
                false => edit(range, blocks_of(&new, self.line_end)),
            });
        }
        edits.extend(self.behind(&slots[blocks.len()]));
    }

    /// New parts before one that stays.
    fn before(&self, standing: &Standing, new: &[&Made]) -> Option<TextEdit> {
        let at = standing.range.start;
        let gap = if is_apart_from_above(self.text, at) { "" } else { self.line_end };
        let text = || format!("{gap}{}{}", blocks_of(new, self.line_end), self.line_end.repeat(2));
        (!new.is_empty()).then(|| edit(at..at, text()))
    }

    /// New parts at the end. A text without a line end there stays without one.
    fn behind(&self, new: &[&Made]) -> Option<TextEdit> {
        let at = self.text.len();
        let blocks = blocks_of(new, self.line_end);
        let text = if !self.text.ends_with('\n') {
            format!("{}{blocks}", self.line_end.repeat(2))
        } else if is_apart_from_above(self.text, at) {
            format!("{blocks}{}", self.line_end)
        } else {
            format!("{0}{blocks}{0}", self.line_end)
        };
        (!new.is_empty()).then(|| edit(at..at, text))
    }
}

fn blocks_of(made: &[&Made], line_end: &str) -> String {
    blocks(made.iter().copied(), line_end)
}

/// Takes whole lines out, with one of the empty lines around them, so that what
/// stood apart still does and no gap is left.
pub(super) fn removal(text: &str, range: Range<usize>, line_end: &str) -> TextEdit {
    let Range { start, end } = range;
    let behind = behind_line_end(text, end);
    let is_last = is_empty_lines(&text[behind..]) && behind == text.len();
    let is_apart_above = is_apart_from_above(text, start);
    let next = behind_line_end(text, behind);
    let is_apart_below = next > behind || behind == text.len();
    if is_last && start > beginning(text) && is_apart_above {
        let mut from = before_line_end(text, start);
        // A text without a final line end stays without one.
        if behind == end {
            from = before_line_end(text, from);
        }
        return edit(from..behind, String::new());
    }
    match (is_apart_above, is_apart_below) {
        (true, true) => edit(start..next, String::new()),
        // Two paragraphs would become one.
        (false, false) => edit(start..behind, line_end.to_owned()),
        _ => edit(start..behind, String::new()),
    }
}

pub(super) fn edit(range: Range<usize>, text: String) -> TextEdit {
    TextEdit { range: TextRange::new(range.start, range.end), text }
}
