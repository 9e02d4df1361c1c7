//! The analyst's generated documents: those that searches find, watchers tell of or
//! stand beside an open model, as they are on disk or open in the editor.

use super::worker::Worker;
use crate::model::files::FileKey;
use crate::server::document::Document;
use crate::vfs::{self, OnDisk};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Worker {
    /// Takes what the editor holds: it counts as long as it is open.
    pub(super) fn put_written(&mut self, document: &Document) {
        self.disk.documents.insert(document.key.clone());
        self.set_written(document.key.clone(), Some(document.text.to_text().into()));
    }

    /// Looks at where the documents of a model may stand that has its root here: it
    /// may lie where no search comes.
    pub(super) fn find_written(&mut self, root: &FileKey) {
        for key in vfs::document_keys(root) {
            self.read_written(&key);
        }
    }

    /// Reads again what was found at this path, or below it, and what is a document
    /// by its name.
    pub(super) fn reread_written(&mut self, path: &FileKey) {
        let near = self.disk.documents.range(path.clone()..);
        let near = near.take_while(|known| known.as_str().starts_with(path.as_str()));
        let below: Vec<FileKey> = near.filter(|known| vfs::is_below(known, path)).cloned().collect();
        let own = Some(path).filter(|path| vfs::is_document(path) && !below.contains(path));
        for key in below.iter().chain(own) {
            self.read_written(key);
        }
    }

    /// Reads what changed on disk since it was read last, and what may have been made
    /// beside the models of open files, whose roots may be closed.
    pub(super) fn look_at_written(&mut self) {
        let models = self.open.keys().filter(|key| !vfs::is_document(key));
        let models: BTreeSet<FileKey> =
            models.flat_map(|key| self.host.models_of(key).into_iter().chain([key.clone()])).collect();
        let beside = models.iter().flat_map(vfs::document_keys);
        let looked_at = self.disk.documents.iter().cloned().chain(beside);
        let is_changed = |key: &FileKey| match self.disk.stamps.get(key) {
            Some(stamp) => *stamp != vfs::stamp(key),
            None => vfs::stamp(key).is_some(),
        };
        let changed: Vec<FileKey> = looked_at.filter(|key| !self.open.contains_key(key) && is_changed(key)).collect();
        for key in changed {
            self.read_written(&key);
        }
    }

    /// Reads one from the disk, unless it is open. What cannot be read is none.
    pub(super) fn read_written(&mut self, key: &FileKey) {
        if self.open.contains_key(key) {
            return;
        }
        let stamp = vfs::stamp(key);
        let text = match stamp.as_ref().map(|_| vfs::read_document(key)) {
            Some(OnDisk::Text(text)) => Some(text),
            _ => None,
        };
        match stamp {
            Some(stamp) => {
                self.disk.documents.insert(key.clone());
                self.disk.stamps.insert(key.clone(), Some(stamp));
            }
            None => {
                self.disk.documents.remove(key);
                self.disk.stamps.remove(key);
            }
        }
        self.set_written(key.clone(), text);
        if stamp.is_none() {
            self.forget(key);
        }
    }

    /// Forgets those that stand beside no model any more, in folders that nobody
    /// searches.
    pub(super) fn forget_written(&mut self) {
        if self.disk.documents.is_empty() {
            return;
        }
        let folders: BTreeSet<&str> = self.host.files().map(|(key, _)| key.folder()).collect();
        let is_gone = |key: &&FileKey| {
            let folder = key.folder();
            !self.open.contains_key(*key) && !folders.contains(folder) && !self.disk.is_searched_folder(folder)
        };
        let gone: Vec<FileKey> = self.disk.documents.iter().filter(is_gone).cloned().collect();
        for key in gone {
            self.disk.documents.remove(&key);
            self.disk.stamps.remove(&key);
            self.set_written(key.clone(), None);
            self.forget(&key);
        }
    }

    fn set_written(&mut self, key: FileKey, text: Option<Arc<str>>) {
        if self.host.document(&key) != text.as_ref() {
            self.begin_change();
            self.host.set_document(key, text);
        }
    }
}
