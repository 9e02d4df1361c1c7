//! What the analyst knows of the disk: which folders are searched, which files
//! were found there, and which files are no longer of interest.

use super::worker::Worker;
use super::{Found, Job};
use crate::model::files::{Absent, FileContent, FileKey};
use crate::model::settings::is_config;
use crate::server::progress::{Cancel, Progress};
use crate::server::state::State;
use crate::vfs::{self, Limits, Stamp};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tower_lsp::ls_types::MessageType;

/// Files found by a search are read for so long at a time; questions and edits
/// come in between.
const READING_SLICE: Duration = Duration::from_millis(50);

/// Where nobody watches files for us, folders are searched again for new ones;
/// that takes no more than this part of the time.
const SEARCHING_PART: u32 = 20;

/// What somebody sees of it that takes long.
const READING: &str = "Reading models";

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
    /// The generated documents that are there.
    pub(super) documents: BTreeSet<FileKey>,
    /// The searches that are under way, as long as one is.
    search: Weak<Search>,
    /// The reading of what a watcher told of, while there is more of it.
    rereading: Option<Rereading>,
    /// When the last search ended, and how long it took.
    searched: Option<(Instant, Duration)>,
}

struct Rereading {
    progress: Option<Progress>,
    done: usize,
}

/// All searches that are under way at a time: somebody who watches sees one.
pub struct Search {
    begun: Instant,
    progress: Option<Progress>,
    found: AtomicUsize,
    read: AtomicUsize,
}

impl Disk {
    /// Whether a file stands in a folder that the client may watch for us.
    pub(super) fn is_in_workspace(&self, key: &FileKey) -> bool {
        self.workspace.iter().any(|folder| vfs::is_below(key, folder))
    }

    /// Whether there may be files that nobody has read yet.
    pub(super) fn is_searching(&self) -> bool {
        self.search.strong_count() > 0
    }

    /// Whether something that was found, or told of, is still to be read.
    pub(super) fn is_reading(&self) -> bool {
        self.is_searching() || self.rereading.is_some()
    }

    /// Nobody need wait for the rest of what a watcher told of.
    pub(super) fn give_up_rereading(&mut self) {
        self.rereading = None;
    }

    /// Forgets everything but the folders of the workspace.
    pub(super) fn forget(&mut self) {
        *self = Self { workspace: std::mem::take(&mut self.workspace), ..Self::default() };
    }

    /// Whether a folder is among those that are searched, or below one.
    pub(super) fn is_searched_folder(&self, folder: &str) -> bool {
        self.roots.keys().any(|root| vfs::is_below(&FileKey::new(folder), root))
    }

    /// Whether a search of the folders would come upon a file of this name.
    fn is_searched(&self, key: &FileKey) -> bool {
        self.roots.iter().any(|(root, limits)| vfs::is_scanned(key, root, *limits))
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
        for key in self.open.keys().filter(|key| key.is_path() && is_model(key)) {
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

    fn search(&mut self, folder: FileKey, limits: Limits) {
        let Some(path) = vfs::path_of(&folder) else { return };
        let search = self.disk.search.upgrade().unwrap_or_else(|| Arc::new(Search::begin(&self.state)));
        self.disk.search = Arc::downgrade(&search);
        let analyst = self.analyst.clone();
        let state = self.state.clone();
        self.runtime.spawn_blocking(move || {
            let scan = vfs::scan_while(&path, limits, || !search.is_cancelled());
            if let Some(state) = state.upgrade().filter(|_| scan.cut && !search.is_cancelled()) {
                let text = format!("{folder} holds too much to be searched whole; some models may be missing");
                state.outbox.log(MessageType::WARNING, text);
            }
            if let Some(state) = state.upgrade() {
                for (path, words) in &scan.faults {
                    state.warn_once(format!("{} is passed over: {words}", path.display()));
                }
            }
            search.found.fetch_add(scan.files.len(), Ordering::AcqRel);
            analyst.put(Job::Scanned(Found { folder, files: scan.files, documents: scan.documents, search }));
        });
    }

    /// Reads what a search found, a slice at a time.
    pub(super) fn take_scanned(&mut self, Found { folder, files, documents, search }: Found) {
        // Who waits for the end of all searches is answered in any case.
        self.changed = true;
        if !self.disk.roots.contains_key(&folder) {
            return;
        }
        if search.is_cancelled() {
            let text = format!("the search of {folder} was ended; some models may be missing");
            return self.log(MessageType::INFO, text);
        }
        let files: Vec<FileKey> = files.into_iter().filter(|key| !self.disk.found.contains(key)).collect();
        let known = &self.disk.documents;
        let documents: Vec<FileKey> = documents.into_iter().filter(|key| !known.contains(key)).collect();
        if files.is_empty() && documents.is_empty() {
            self.disk.searched = Some((Instant::now(), search.begun.elapsed()));
            return;
        }
        self.begin_change();
        let end = Instant::now() + READING_SLICE;
        let (mut files, mut documents) = (files.into_iter(), documents.into_iter());
        while Instant::now() < end {
            let Some(key) = files.next() else {
                let Some(key) = documents.next() else { break };
                self.read_written(&key);
                continue;
            };
            #[cfg(debug_assertions)]
            crate::server::hooks::linger();
            search.has_read();
            // A file that is known already was read later than the search began.
            if self.disk.found.insert(key.clone()) && self.host.content(&key).is_none() {
                self.read_again(&key);
                self.load_imports(key);
            }
        }
        self.find_configs();
        let (files, documents) = (files.collect(), documents.collect());
        self.analyst.put(Job::Scanned(Found { folder, files, documents, search }));
    }

    /// Reads files again that may have changed, and what lies below folders, a slice
    /// at a time.
    pub(super) fn reread(&mut self, keys: Vec<FileKey>) {
        self.begin_change();
        let end = Instant::now() + READING_SLICE;
        let mut keys = keys.into_iter();
        let mut done = 0;
        for key in keys.by_ref() {
            #[cfg(debug_assertions)]
            crate::server::hooks::linger();
            self.reread_below(&key);
            done += 1;
            if Instant::now() >= end {
                break;
            }
        }
        let rest: Vec<FileKey> = keys.collect();
        if rest.is_empty() {
            self.disk.rereading = None;
            return self.forget_unreached();
        }
        let state = &self.state;
        let reading = self.disk.rereading.get_or_insert_with(|| Rereading::begin(state));
        reading.report(done, rest.len());
        self.analyst.put(Job::OnDisk(rest));
    }

    /// Reads again what is found at a path, and below it.
    fn reread_below(&mut self, key: &FileKey) {
        self.reread_configs(key);
        self.reread_written(key);
        let near = self.host.files_from(key).map(|(known, _)| known);
        let near = near.take_while(|known| known.as_str().starts_with(key.as_str()));
        let below: Vec<FileKey> = near.filter(|known| vfs::is_below(known, key)).cloned().collect();
        let is_ours = self.disk.is_searched(key);
        if is_ours {
            self.disk.found.insert(key.clone());
        }
        let new = (is_ours && !below.contains(key)).then(|| key.clone());
        for file in below.into_iter().chain(new) {
            self.read_again(&file);
            self.load_imports(file);
        }
    }

    /// Reads what changed on disk since it was read last.
    pub(super) fn look_around(&mut self) {
        self.look_at_configs(|_, _| true);
        self.look_at_written();
        self.look_at_known();
        self.search_again();
    }

    /// Reads the files that are known and have changed since.
    pub(super) fn look_at_known(&mut self) {
        let known: Vec<FileKey> = self.host.files().map(|(key, _)| key.clone()).collect();
        let changed: Vec<FileKey> = known
            .into_iter()
            .filter(|key| !self.open.contains_key(key))
            .filter(|key| self.disk.stamps.get(key).is_none_or(|stamp| *stamp != vfs::stamp(key)))
            .collect();
        if !changed.is_empty() {
            self.reread(changed);
        }
    }

    /// Searches all folders again: files may have been made that nobody has told of.
    fn search_again(&mut self) {
        let is_time = self.disk.searched.is_some_and(|(end, took)| end.elapsed() >= took * SEARCHING_PART);
        if is_time && !self.disk.is_searching() {
            for (root, limits) in self.disk.roots.clone() {
                self.search(root, limits);
            }
        }
    }

    /// Reads a file, unless it is open: what the editor has counts.
    pub(super) fn read_again(&mut self, key: &FileKey) {
        if self.open.contains_key(key) {
            return;
        }
        self.disk.stamps.insert(key.clone(), vfs::stamp(key));
        let content = vfs::read_as_opened(key);
        if let (FileContent::Absent(Absent::Denied(words)), Some(state)) = (&content, self.state.upgrade()) {
            state.warn_once(format!("{key} is passed over: {words}"));
        }
        if matches!(content, FileContent::Absent(_)) {
            self.disk.found.remove(key);
        } else if self.disk.is_searched(key) {
            // A search would find it now: it may be one that the editor has made.
            self.disk.found.insert(key.clone());
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
            self.forget(key);
        }
        self.find_configs();
        self.forget_written();
    }
}

impl Rereading {
    fn begin(state: &Weak<State>) -> Self {
        let progress = state.upgrade().map(|state| Progress::begin(&state, READING, Cancel::Never));
        Self { progress, done: 0 }
    }

    fn report(&mut self, done: usize, rest: usize) {
        self.done += done;
        if let Some(progress) = &self.progress {
            progress.report(self.done, self.done + rest);
        }
    }
}

impl Search {
    fn begin(state: &Weak<State>) -> Self {
        let progress = state.upgrade().map(|state| Progress::begin(&state, READING, Cancel::Possible));
        Self { begun: Instant::now(), progress, found: AtomicUsize::new(0), read: AtomicUsize::new(0) }
    }

    /// Whether somebody wants no more files to be read.
    fn is_cancelled(&self) -> bool {
        self.progress.as_ref().is_some_and(Progress::is_cancelled)
    }

    fn has_read(&self) {
        let read = self.read.fetch_add(1, Ordering::AcqRel) + 1;
        if let Some(progress) = &self.progress {
            progress.report(read, self.found.load(Ordering::Acquire));
        }
    }
}

/// Whether an open file may be one of a model.
pub(super) fn is_model(key: &FileKey) -> bool {
    !is_config(key) && !vfs::is_document(key)
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
