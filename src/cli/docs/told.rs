//! What is said about a document.

use super::super::load::shown;
use crate::deliverables::keep::{Cause, Conflict, LineNumbers, MarkFault};
use std::fmt::Write;
use std::path::Path;

/// A file as people name it.
pub(super) fn name(path: &Path) -> String {
    crate::vfs::key_of_path(path).map_or_else(|| path.display().to_string(), |key| shown(&key))
}

/// One line for each text that somebody has to decide about.
pub(super) fn conflicts(name: &str, text: &str, conflicts: &[Conflict]) -> String {
    let mut out = String::new();
    let lines = LineNumbers::of(text);
    for conflict in conflicts {
        let line = lines.line(conflict.range.start);
        let part = clean(&conflict.name);
        let said = match conflict.cause {
            Cause::Edited => {
                let mark = conflict.mark_to_keep.as_deref().unwrap_or_default();
                format!(
                    "part `{part}` was edited and stays as it is: to keep it, end it with `{mark}`; to take what the model \
                     says, delete it with both its marks and make it again"
                )
            }
            Cause::Gone => format!(
                "the model no longer has part `{part}`, which was edited or copied and stays: to keep it, delete its marks"
            ),
            Cause::Unmarked => "it holds a text without the marks of generated parts, and stays as it is".to_owned(),
        };
        let _ = writeln!(out, "{name}:{line}: {said}");
    }
    out
}

/// One line for each mark that cannot be what it says.
pub(super) fn faults(name: &str, text: &str, faults: &[MarkFault]) -> Vec<String> {
    let lines = LineNumbers::of(text);
    let told = |fault: &MarkFault| {
        let part = clean(&fault.name);
        format!("{name}:{}: {}", lines.line(fault.range.start), fault.words(&part))
    };
    faults.iter().map(told).collect()
}

/// A name from a document that anybody may have written, without what a terminal
/// would act on.
fn clean(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
