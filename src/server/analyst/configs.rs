//! The analyst's `keywright.toml` files: those above all files that it knows, as
//! they are on disk or open in the editor.

use super::disk::Disk;
use super::worker::Worker;
use crate::config::{ConfigFile, MOST_BYTES};
use crate::model::files::FileKey;
use crate::model::settings::is_config;
use crate::rules::vocabulary::vocabulary;
use crate::server::document::Document;
use crate::vfs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

impl Worker {
    /// Looks for a `keywright.toml` above files that are new, and forgets those
    /// that are above none any more.
    pub(super) fn find_configs(&mut self) {
        let wanted = vfs::config_keys(self.host.files().map(|(key, _)| key));
        let before = std::mem::replace(&mut self.disk.configs, wanted.clone());
        for key in wanted.difference(&before) {
            self.read_config(key);
        }
        for key in before.difference(&wanted).filter(|key| !self.open.contains_key(*key)) {
            self.host.set_config(key.clone(), None);
            self.disk.stamps.remove(key);
            self.forget(key);
        }
    }

    /// Reads again what was found at this path, or below it.
    pub(super) fn reread_configs(&mut self, path: &FileKey) {
        let below = self.disk.configs.iter().filter(|key| vfs::is_below(key, path));
        for key in below.cloned().collect::<Vec<_>>() {
            self.read_config(&key);
        }
        // One that is closed may have been above no file at all.
        if !self.disk.configs.contains(path) && !self.open.contains_key(path) {
            self.host.set_config(path.clone(), None);
            if is_config(path) {
                self.forget(path);
            }
        }
    }

    /// Reads what changed on disk since it was read last, of those that are meant.
    pub(super) fn look_at_configs(&mut self, meant: impl Fn(&Disk, &FileKey) -> bool) {
        let stamps = &self.disk.stamps;
        let is_changed = |key: &FileKey| stamps.get(key).is_none_or(|stamp| *stamp != vfs::stamp(key));
        let looked_at = self.disk.configs.iter().filter(|key| !self.open.contains_key(*key) && meant(&self.disk, key));
        let changed: Vec<FileKey> = looked_at.filter(|key| is_changed(key)).cloned().collect();
        if !changed.is_empty() {
            self.begin_change();
        }
        for key in changed {
            self.read_config(&key);
        }
    }

    /// Takes what the editor holds: it counts as long as it is open.
    pub(super) fn put_config(&mut self, document: &Document) {
        self.begin_change();
        let file = self.guarded(|| match document.text.len() > MOST_BYTES {
            true => ConfigFile::too_large(),
            false => ConfigFile::of_text(&document.text.to_text(), vocabulary()),
        });
        self.host.set_config(document.key.clone(), Some(file));
    }

    /// Reads one from the disk, unless it is open.
    fn read_config(&mut self, key: &FileKey) {
        if self.open.contains_key(key) {
            return;
        }
        self.disk.stamps.insert(key.clone(), vfs::stamp(key));
        let file = catch_unwind(AssertUnwindSafe(|| vfs::read_config(key)));
        let file = file.unwrap_or_else(|payload| {
            self.tell(&*payload);
            Some(broken())
        });
        self.host.set_config(key.clone(), file);
    }

    fn guarded(&self, read: impl FnOnce() -> ConfigFile) -> Arc<ConfigFile> {
        catch_unwind(AssertUnwindSafe(read)).map(Arc::new).unwrap_or_else(|payload| {
            self.tell(&*payload);
            broken()
        })
    }
}

/// What is known of settings that made the parser fail.
fn broken() -> Arc<ConfigFile> {
    Arc::new(ConfigFile::unreadable("Keywright failed on it"))
}
