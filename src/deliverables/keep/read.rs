//! What stands in a document: the parts between marks, and marks that are none.

use super::lines::{beginning, behind_line_end, lines};
use super::marks::{Mark, hash, mark, within};
use super::unmerged::{is_of_conflict, is_within_generated};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The parts that stand in a text, in its order, and what is wrong with its marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Existing {
    pub parts: Vec<Standing>,
    pub faults: Vec<MarkFault>,
}

/// A part that stands in a text. A name may stand several times where somebody
/// copied a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The name as the model makes it, `Part::name`.
    pub name: String,
    /// From the beginning of the line of the first mark to the end of the line of
    /// the last, without its line end.
    pub range: Range<usize>,
    /// What stands between the lines of the marks.
    pub inner: Range<usize>,
    pub state: State,
    /// The hash that the end mark has: of the text that was made, or turned down.
    pub said: Option<String>,
}

/// Who a part is by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It is as it was made.
    Generated,
    /// Its hash does not fit, or there is none: somebody edited it.
    Edited,
    /// Somebody wants to keep it as it is, and turned down the text with this hash;
    /// without one, whatever the model says next.
    Kept { over: Option<String> },
}

/// A mark that cannot be what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkFault {
    /// The line of the mark, without its line end; of a part that stands there
    /// again, the whole of it.
    pub range: Range<usize>,
    /// The name in the mark; empty where it cannot be read.
    pub name: String,
    pub trouble: Trouble,
}

/// What is wrong with a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A beginning whose end is missing.
    NoEnd,
    /// An end whose beginning is missing.
    NoBegin,
    /// It begins like a mark and cannot be read.
    Unreadable,
    /// A part of this name stands above already.
    Again,
    /// Version control left two versions here.
    Unmerged,
}

impl MarkFault {
    /// What is wrong, for its reader; the name is theirs, and shown as the caller
    /// spells it.
    pub fn words(&self, part: &str) -> String {
        match self.trouble {
            Trouble::NoEnd => format!("the end of part `{part}` is missing: what was in it is taken as yours"),
            Trouble::NoBegin => format!("part `{part}` ends here without a beginning"),
            Trouble::Unreadable => "this is no mark of a part, though it begins like one".to_owned(),
            Trouble::Again => format!("part `{part}` stands here again: only one of them is renewed"),
            Trouble::Unmerged => "two versions that were not merged: take either one".to_owned(),
        }
    }
}

/// Reads the parts and marks of a document, whatever it holds. Of versions that were
/// not merged it takes none.
pub fn read(text: &str) -> Existing {
    let mut existing = read_as_it_stands(text);
    let mut names = HashSet::new();
    for part in existing.parts.iter().filter(|part| !names.insert(part.name.as_str())) {
        let again = MarkFault { range: part.range.clone(), name: part.name.clone(), trouble: Trouble::Again };
        existing.faults.push(again);
    }
    // What the model says may hold such a line too.
    let unmerged = lines(text, beginning(text)..text.len())
        .filter(|(line, content)| is_of_conflict(content) && !is_within_generated(&existing, line.start));
    let fault = |(line, content): (Range<usize>, &str)| MarkFault {
        range: line.start..line.start + content.len(),
        name: String::new(),
        trouble: Trouble::Unmerged,
    };
    let unmerged: Vec<MarkFault> = unmerged.map(fault).collect();
    existing.faults.extend(unmerged);
    existing.faults.sort_by_key(|fault| fault.range.start);
    existing
}

/// The parts of a document, and the marks that belong to none.
pub(super) fn read_as_it_stands(text: &str) -> Existing {
    let mut existing = Existing::default();
    // The mark that is open: its line, and its name.
    let mut open: Option<(Range<usize>, String)> = None;
    for (line, content) in lines(text, beginning(text)..text.len()) {
        let range = line.start..line.start + content.len();
        let fault = |name: &str, trouble| MarkFault { range: range.clone(), name: name.to_owned(), trouble };
        match mark(content) {
            None => {}
            Some(Mark::Unreadable) => existing.faults.push(fault("", Trouble::Unreadable)),
            Some(Mark::Begin { name }) => {
                if let Some((range, name)) = open.replace((range, name)) {
                    existing.faults.push(MarkFault { range, name, trouble: Trouble::NoEnd });
                }
            }
            Some(Mark::End { name, hash, is_kept }) => match open.take() {
                Some((begin, opened)) if opened == name => {
                    let inner = behind_line_end(text, begin.end)..range.start;
                    let state = state(&text[inner.clone()], hash.clone(), is_kept);
                    existing.parts.push(Standing { name, range: begin.start..range.end, inner, state, said: hash });
                }
                // It was put into the text of another part.
                other => {
                    existing.faults.push(fault(&name, Trouble::NoBegin));
                    open = other;
                }
            },
        }
    }
    existing.faults.extend(open.map(|(range, name)| MarkFault { range, name, trouble: Trouble::NoEnd }));
    existing
}

fn state(inner: &str, said: Option<String>, is_kept: bool) -> State {
    if is_kept {
        State::Kept { over: said }
    } else if said.is_some_and(|said| said.eq_ignore_ascii_case(&hash(inner))) {
        State::Generated
    } else {
        State::Edited
    }
}

impl Standing {
    /// Where the end mark stands, without what else is on its line.
    pub(super) fn end_mark(&self, text: &str) -> Range<usize> {
        let mark = within(&text[self.inner.end..self.range.end]);
        self.inner.end + mark.start..self.inner.end + mark.end
    }
}

/// Where marks of one name do not belong together as long as something stands
/// between them.
pub(super) struct Damaged {
    /// The end of each beginning, and the farthest end mark of this one's name or of
    /// one before it; sorted.
    reach: Vec<(usize, usize)>,
}

impl Damaged {
    pub(super) fn of(existing: &Existing) -> Self {
        let of_trouble = |trouble| existing.faults.iter().filter(move |fault| fault.trouble == trouble);
        // Faults are in the order of the text: the last of a name stays.
        let ends: HashMap<&str, usize> =
            of_trouble(Trouble::NoBegin).map(|fault| (fault.name.as_str(), fault.range.start)).collect();
        let mut farthest = 0;
        let reach = of_trouble(Trouble::NoEnd).map(|fault| {
            farthest = farthest.max(ends.get(fault.name.as_str()).copied().unwrap_or(0));
            (fault.range.end, farthest)
        });
        Self { reach: reach.collect() }
    }

    /// Whether a piece of text stands between such marks.
    pub(super) fn encloses(&self, range: &Range<usize>) -> bool {
        let before = self.reach.partition_point(|(begin, _)| *begin <= range.start);
        before.checked_sub(1).is_some_and(|last| self.reach[last].1 >= range.end)
    }
}
