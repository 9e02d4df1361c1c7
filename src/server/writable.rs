//! Which files the server may propose to change: what lies outside every
//! workspace folder belongs to somebody else, and is read only.

use super::state::State;
use crate::model::files::FileKey;
use crate::vfs;
use std::path::{Path, PathBuf};

impl State {
    /// Whether an edit may change or make a file. Without a workspace folder every
    /// file may be changed, and so may a document that has no file.
    pub fn is_writable(&self, key: &FileKey) -> bool {
        let folders = self.folders();
        if folders.is_empty() || folders.iter().any(|folder| vfs::is_below(key, folder)) {
            return true;
        }
        // What is no path is an unsaved document, or something that an editor made up.
        let Some(path) = vfs::path_of(key) else { return true };
        // A folder may be a link, or be reached by one.
        let Some(real) = real(&path) else { return false };
        let folders = folders.iter().filter_map(vfs::path_of).filter_map(|folder| folder.canonicalize().ok());
        folders.into_iter().any(|folder| real.starts_with(folder))
    }
}

/// Where a path really leads. Of a file that is yet to be made the folder above
/// it says so.
fn real(path: &Path) -> Option<PathBuf> {
    path.ancestors().find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        Some(above.canonicalize().ok()?.join(rest))
    })
}
