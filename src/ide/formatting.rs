//! The edits, of white space only, that format a file or a part of it.

use super::{Analysis, Answer};
use crate::format::{format, format_lines, format_typed};
use crate::model::files::FileKey;
use crate::syntax::{FileParse, TextEdit, TextRange};

impl Analysis {
    /// The edits, of white space only, that format a file.
    pub fn formatting(&self, file: &FileKey) -> Answer<Vec<TextEdit>> {
        self.parsed(file, format)
    }

    /// The edits that format the lines that a range of a file touches.
    pub fn range_formatting(&self, file: &FileKey, range: TextRange) -> Answer<Vec<TextEdit>> {
        self.parsed(file, |parse| format_lines(parse, range))
    }

    /// The edits that format what was finished by the `}` or the line break that
    /// was just typed before `offset`.
    pub fn on_type_formatting(&self, file: &FileKey, offset: usize, typed: &str) -> Answer<Vec<TextEdit>> {
        let mut typed = typed.chars();
        let (Some(typed), None) = (typed.next(), typed.next()) else { return Ok(Vec::new()) };
        self.parsed(file, |parse| format_typed(parse, offset, typed))
    }

    fn parsed(&self, file: &FileKey, edits: impl FnOnce(&FileParse) -> Vec<TextEdit>) -> Answer<Vec<TextEdit>> {
        self.ask(file, |db, file| file.content(db).parse().map(|parse| edits(parse)).unwrap_or_default())
    }
}
