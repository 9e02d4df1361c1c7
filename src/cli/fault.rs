//! Why a command could not do, or not wholly do, what it was asked: for people a
//! line, for programs a file, a place and a message.

use super::load::shown;
use super::place::Range;
use crate::model::files::FileKey;
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// A fault of what was asked for, or of the settings that hold for it.
pub(super) struct Fault {
    /// The file or folder, as people name it.
    pub name: String,
    /// The file, where programs can be led to it.
    pub file: Option<FileKey>,
    /// Where in the file; `None` of what concerns the whole of it.
    pub range: Option<Range>,
    pub message: String,
}

impl Fault {
    /// A fault of a path as somebody gave it.
    pub fn of_path(path: &Path, message: impl Into<String>) -> Self {
        let file = crate::vfs::key_of_path(path);
        Self { name: path.display().to_string(), file, range: None, message: message.into() }
    }

    /// A fault of a file that was found or read.
    pub fn of_file(file: &FileKey, range: Option<Range>, message: impl Into<String>) -> Self {
        Self { name: shown(file), file: Some(file.clone()), range, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(Range { start, .. }) = self.range {
            write!(f, ":{}:{}", start.line, start.column)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// A fault in the output for programs.
#[derive(Serialize)]
pub(super) struct Told<'f> {
    file: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    message: &'f str,
}

impl<'f> From<&'f Fault> for Told<'f> {
    fn from(fault: &'f Fault) -> Self {
        Self { file: &fault.name, range: fault.range, message: &fault.message }
    }
}
