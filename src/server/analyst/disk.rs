//! What the analyst knows of the disk: which folders are searched, which files
//! were found there, and which files are no longer of interest.

use super::Job;
use super::worker::Worker;
use crate::model::files::{FileContent, FileKey};
use crate::model::settings::is_config;
use crate::vfs::{self, Limits, Stamp};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};
use tower_lsp::ls_types::MessageType;

/// Files found by a search are read for so long at a time; questions and edits
/// come in between.
const READING_SLICE: Duration = Duration::from_millis(50);

/// Around a file that is in no workspace folder a search stays near.
const NEARBY_DEPTH: usize = 4;

#[derive(Default)]
pub struct Disk {
    workspace: Vec<FileKey>,
    /// The folders that are searched: those of the workspace, and for each open
    /// file outside them the folder that it stands in.
    roots: BTreeMap<FileKey, Limits>,
    /// The files found below them.
    found: BTreeSet<FileKey>,
    pub(super) stamps: HashMap<FileKey, Option<Stamp>>,
    /// Where a `keywright.toml` was looked for, above all known files.
    pub(super) configs: BTreeSet<FileKey>,
}

impl Disk {
    /// Whether a file stands in a folder that the client may watch for us.
    pub(super) fn is_in_workspace(&self, key: &FileKey) -> bool {
        self.workspace.iter().any(|folder| vfs::is_below(key, folder))
    }
}

impl Worker {
    pub(super) fn set_folders(&mut self, folders: Vec<FileKey>) {
        self.disk.workspace = folders;
        self.find_roots();
        self.begin_change();
        self.forget_unreached();
    }

    /// Finds out which folders to search, searches those that are new, and
    /// forgets what was found below those that are none any more.
    pub(super) fn find_roots(&mut self) {
        let mut roots: BTreeMap<FileKey, Limits> =
            self.disk.workspace.iter().map(|folder| (folder.clone(), Limits::default())).collect();
        for key in self.open.keys().filter(|key| key.is_path() && !is_config(key)) {
            if !self.disk.is_in_workspace(key) {
                roots.insert(home(key), Limits { depth: NEARBY_DEPTH, ..Limits::default() });
            }
        }
        for (root, limits) in &roots {
            if !self.disk.roots.contains_key(root) {
                self.search(root.clone(), *limits);
            }
        }
        let gone = self.disk.roots.keys().any(|root| !roots.contains_key(root));
        self.disk.roots = roots;
        if gone {
            let roots = &self.disk.roots;
            self.disk.found.retain(|key| roots.iter().any(|(root, limits)| vfs::is_scanned(key, root, *limits)));
        }
    }

    fn search(&self, folder: FileKey, limits: Limits) {
        let Some(path) = vfs::path_of(&folder) else { return };
        let analyst = self.analyst.clone();
        let state = self.state.clone();
        self.runtime.spawn_blocking(move || {
            let scan = vfs::scan(&path, limits);
            let level = MessageType::WARNING;
            if let Some(state) = state.upgrade().filter(|_| scan.cut) {
                state
                    .outbox
                    .log(level, format!("{folder} holds too much to be searched whole; some models may be missing"));
            }
            analyst.put(Job::Scanned { folder, files: scan.files });
        });
    }

    /// Reads what a search found, a slice at a time.
    pub(super) fn take_scanned(&mut self, folder: &FileKey, files: Vec<FileKey>) {
        if !self.disk.roots.contains_key(folder) {
            return;
        }
        self.begin_change();
        let end = Instant::now() + READING_SLICE;
        let mut files = files.into_iter();
        while Instant::now() < end {
            let Some(key) = files.next() else { return self.find_configs() };
            // A file that is known already was read later than the search began.
            if self.disk.found.insert(key.clone()) && self.host.content(&key).is_none() {
                self.read_again(&key);
                self.load_imports(key);
            }
        }
        self.find_configs();
        self.analyst.put(Job::Scanned { folder: folder.clone(), files: files.collect() });
    }

    /// Reads files again that may have changed, and what lies below folders.
    pub(super) fn reread(&mut self, keys: &[FileKey]) {
        self.begin_change();
        for key in keys {
            self.reread_configs(key);
            let below: Vec<FileKey> =
                self.host.files().map(|(known, _)| known).filter(|known| vfs::is_below(known, key)).cloned().collect();
            let roots = &self.disk.roots;
            let is_ours = roots.iter().any(|(root, limits)| vfs::is_scanned(key, root, *limits));
            if is_ours {
                self.disk.found.insert(key.clone());
            }
            let new = (is_ours && !below.contains(key)).then(|| key.clone());
            for file in below.into_iter().chain(new) {
                self.read_again(&file);
                self.load_imports(file);
            }
        }
        self.forget_unreached();
    }

    /// Reads what changed on disk since it was read last.
    pub(super) fn look_around(&mut self) {
        self.look_at_configs(|_, _| true);
        let known: Vec<FileKey> = self.host.files().map(|(key, _)| key.clone()).collect();
        let changed: Vec<FileKey> = known
            .into_iter()
            .filter(|key| !self.open.contains_key(key))
            .filter(|key| self.disk.stamps.get(key).is_none_or(|stamp| *stamp != vfs::stamp(key)))
            .collect();
        if !changed.is_empty() {
            self.reread(&changed);
        }
    }

    /// Reads a file, unless it is open: what the editor has counts.
    pub(super) fn read_again(&mut self, key: &FileKey) {
        if self.open.contains_key(key) {
            return;
        }
        self.disk.stamps.insert(key.clone(), vfs::stamp(key));
        let content = vfs::read(key);
        if matches!(content, FileContent::Absent(_)) {
            self.disk.found.remove(key);
        }
        if self.host.content(key) != Some(&content) {
            self.set(key.clone(), content);
        }
    }

    /// Forgets files that are neither open, nor found in a folder, nor imported
    /// by such: every letter typed in an import's path names another file.
    pub(super) fn forget_unreached(&mut self) {
        let mut reached: BTreeSet<FileKey> = BTreeSet::new();
        let mut queue: Vec<FileKey> = self.open.keys().chain(&self.disk.found).cloned().collect();
        while let Some(key) = queue.pop() {
            if reached.insert(key.clone()) {
                queue.extend(self.imports(&key));
            }
        }
        let known: Vec<FileKey> = self.host.files().map(|(key, _)| key.clone()).collect();
        for key in known.iter().filter(|key| !reached.contains(key)) {
            self.host.remove(key);
            self.disk.stamps.remove(key);
        }
        self.find_configs();
    }
}

/// The folder to search for the models that a file outside the workspace may
/// belong to: that of the nearest `keywright.toml` upwards, else its own.
fn home(key: &FileKey) -> FileKey {
    let own = if key.folder().is_empty() { "/" } else { key.folder() };
    let mut folder = own;
    loop {
        let config = FileKey::new(&format!("{}/keywright.toml", folder.trim_end_matches('/')));
        if vfs::path_of(&config).is_some_and(|path| path.is_file()) {
            return FileKey::new(folder);
        }
        match folder.rfind('/') {
            Some(at) if at > 0 => folder = &folder[..at],
            _ => return FileKey::new(own),
        }
    }
}
