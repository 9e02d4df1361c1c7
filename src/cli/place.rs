//! Places in files, as programs read them.

use super::load::Loaded;
use crate::ide::FileRange;
use crate::model::files::FileKey;
use crate::syntax::{Encoding, Position, Text, TextRange};
use serde::Serialize;

/// From here to there, the end left out.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Range {
    pub start: Place,
    pub end: Place,
}

/// Line and column from 1, the column in Unicode scalar values.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Place {
    pub line: u32,
    pub column: u32,
}

/// The range of a finding.
pub(super) fn of_finding(loaded: &Loaded, file: &FileKey, range: FileRange) -> Range {
    match range {
        FileRange::Bytes(range) => of_bytes(loaded, file, range),
        FileRange::Point { line, column } => {
            let place = Place { line: line + 1, column: column + 1 };
            Range { start: place, end: place }
        }
    }
}

/// A range in bytes.
pub(super) fn of_bytes(loaded: &Loaded, file: &FileKey, range: TextRange) -> Range {
    let empty = Text::default();
    let rope = loaded.host.content(file).and_then(|content| content.parse()).map_or(&empty, |parse| &parse.rope);
    of_text(rope, range)
}

/// A range in bytes of a text.
pub(super) fn of_text(text: &Text, range: TextRange) -> Range {
    let place = |offset: u32| {
        let Position { line, column } = text.position(offset as usize, Encoding::Utf32);
        Place { line: line + 1, column: column + 1 }
    };
    Range { start: place(range.start), end: place(range.end) }
}
