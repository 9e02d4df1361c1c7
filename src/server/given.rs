//! The edits of documents that the client was given. Not every client lets a server see
//! the Markdown that it has open: what it was given may stand there unsaved,
//! and a second edit of what is on disk would spoil it.

use crate::model::files::FileKey;
use crate::vfs::{self, Stamp};
use dashmap::DashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// How each document was on disk when the client was given an edit of it.
#[derive(Default)]
pub struct Given {
    stamps: DashMap<FileKey, Option<Stamp>>,
    are_shown: AtomicBool,
}

impl Given {
    /// Notes that the client shows the server the documents that it has open: of one
    /// that it does not show nothing can be unsaved.
    pub fn are_shown(&self) {
        self.are_shown.store(true, Ordering::Release);
    }

    /// Notes that the client is given an edit of what is on disk.
    pub fn note(&self, key: &FileKey) {
        self.stamps.insert(key.clone(), vfs::stamp(key));
    }

    /// Notes that it did not take the edit.
    pub fn forget(&self, key: &FileKey) {
        self.stamps.remove(key);
    }

    /// Notes that nothing of what was is known any more.
    pub fn forget_all(&self) {
        self.stamps.clear();
    }

    /// Whether the client shows the documents that it has open.
    pub fn is_seen(&self) -> bool {
        self.are_shown.load(Ordering::Acquire)
    }

    /// Whether the client may hold a text of a document that is not on disk. A file
    /// without content is what some make at once, and fill when somebody saves.
    pub fn may_be_unsaved(&self, key: &FileKey) -> bool {
        if self.is_seen() {
            return false;
        }
        let given = self.stamps.get(key).map(|given| *given);
        let is_empty = || vfs::path_of(key).is_some_and(|path| vfs::is_empty_file(&path));
        given.is_some_and(|given| is_empty() || given.is_some() && given == vfs::stamp(key))
    }
}
