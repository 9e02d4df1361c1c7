//! How many items a step returns, and how large they are: the figures of the
//! hovers.

use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::kept::{Kept, kept};
use crate::capacity::operations::{StepNumbers, Work};
use crate::capacity::reads::ReadNumbers;
use crate::deliverables::figures::{Footnotes, bytes, mark, number};
use crate::deliverables::markdown::inline;
use crate::deliverables::outline::Outline;
use crate::deliverables::patterns::Pattern;
use crate::model::resolve::Step;

/// The items that one call gets back: `20`, `24 in 1.2 pages`, `2 of 20 read`; a dash
/// for a write.
pub(super) fn items(
    outline: &Outline<'_>,
    notes: &mut Footnotes,
    pattern: &Pattern<'_>,
    step: &Step<'_>,
    numbers: Option<&StepNumbers>,
) -> String {
    let (read, times) = match numbers.map(|numbers| (&numbers.work, numbers.times)) {
        Some((Work::Read(read), times)) => (read, times),
        Some((Work::Unknown(input), _)) => {
            let unknown = Figure::unknown(input.clone());
            notes.add([&unknown]);
            return number(&unknown);
        }
        Some((Work::Write(_), _)) | None => return String::from("–"),
    };
    let (of_call, _) = read.call();
    notes.add([&of_call]);
    let mut text = match of_filter(outline, pattern, step, read) {
        Some(kept) => {
            let returned = of_call.times(&kept.share);
            notes.add([&returned]);
            format!("{} of {} read", number(&returned), number(&of_call))
        }
        None => number(&of_call),
    };
    if let Some(pages) = read.pages.filter(|pages| *pages != 1.0) {
        text = format!("{text} in {} pages", number(&Figure::known(pages)));
    }
    if times == 1.0 { text } else { format!("{text} × {}", number(&Figure::known(times))) }
}

/// What the filter of a read keeps; `None` where it has none.
pub(super) fn of_filter(
    outline: &Outline<'_>,
    pattern: &Pattern<'_>,
    step: &Step<'_>,
    read: &ReadNumbers,
) -> Option<Kept> {
    let filter = step.step.op.options()?.filter.as_ref()?;
    let facts = Declared { db: outline.db, root: outline.root };
    Some(kept(outline.db, &facts, step.source?, read, filter, pattern.name.unwrap_or("?")))
}

/// The average size of each kind of item that a step reads or writes.
pub(super) fn sizes(notes: &mut Footnotes, numbers: Option<&StepNumbers>) -> Vec<String> {
    let mut line = |entity: &str, size: &Figure| {
        notes.add([size]);
        format!("{}: {}{}", inline(entity), bytes(size), mark([size]))
    };
    match numbers.map(|numbers| &numbers.work) {
        Some(Work::Read(read)) => read.kinds.iter().map(|kind| line(&kind.entity, &kind.each)).collect(),
        Some(Work::Write(write)) => vec![line(&write.entity, &write.bytes)],
        Some(Work::Unknown(_)) | None => Vec::new(),
    }
}
