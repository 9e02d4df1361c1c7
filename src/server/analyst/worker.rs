//! The analyst's thread.

use super::disk::Disk;
use super::readers::{Ask, Readers};
use super::{Analyst, Job, View};
use crate::model::db::Host;
use crate::model::files::{FileContent, FileKey, Unreadable};
use crate::model::settings::is_config;
use crate::server::diagnostics::{self, Round};
use crate::server::document::Document;
use crate::server::numbers;
use crate::server::state::State;
use crate::vfs;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Weak};
use tokio::runtime::Handle;
use tower_lsp::ls_types::MessageType;

pub struct Worker {
    pub(super) state: Weak<State>,
    pub(super) host: Host,
    pub(super) open: BTreeMap<FileKey, Arc<Document>>,
    pub(super) disk: Disk,
    /// For the ends of searches.
    pub(super) analyst: Analyst,
    pub(super) runtime: Handle,
    queue: Receiver<Job>,
    waiting: VecDeque<Job>,
    readers: Readers,
    /// The computation of findings that is under way.
    round: Option<Arc<Round>>,
    /// Whether something changed since the last one began.
    changed: bool,
}

impl Worker {
    pub fn new(state: Weak<State>, queue: Receiver<Job>, analyst: Analyst, runtime: Handle) -> Self {
        Self {
            state,
            host: Host::default(),
            open: BTreeMap::new(),
            disk: Disk::default(),
            analyst,
            runtime,
            queue,
            waiting: VecDeque::new(),
            readers: Readers::default(),
            round: None,
            changed: false,
        }
    }

    pub fn run(mut self) {
        while let Some(job) = self.next() {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| self.work(job))) {
                self.tell(&*payload);
            }
        }
    }

    fn work(&mut self, job: Job) {
        match job {
            Job::Ask(ask) => self.start_answer(ask),
            Job::Document(document) => self.put_document(document),
            Job::Closed(key) => self.close(&key),
            Job::OnDisk(keys) => self.reread(&keys),
            Job::LookAround => self.look_around(),
            Job::Folders(folders) => self.set_folders(folders),
            Job::Settings(settings) => {
                self.begin_change();
                self.host.set_editors_settings(settings);
            }
            Job::Scanned { folder, files } => self.take_scanned(&folder, files),
        }
    }

    /// The next job. Findings are computed when there is nothing else to do.
    fn next(&mut self) -> Option<Job> {
        self.waiting.extend(self.queue.try_iter());
        if self.waiting.is_empty() {
            if std::mem::take(&mut self.changed) {
                self.start_round();
            }
            self.waiting.push_back(self.queue.recv().ok()?);
            self.waiting.extend(self.queue.try_iter());
        }
        self.waiting.pop_front()
    }

    fn start_answer(&mut self, Ask { ticket, answer }: Ask) {
        if ticket.is_cancelled() {
            return;
        }
        let reader = self.readers.reader(View::new(self.host.snapshot()), ticket);
        self.runtime.spawn_blocking(move || answer(reader));
    }

    fn start_round(&mut self) {
        let Some(state) = self.state.upgrade() else { return };
        let versions = self.open.iter().map(|(key, document)| (key.clone(), document.version)).collect();
        let round = Arc::new(Round::new(versions));
        self.round = Some(Arc::clone(&round));
        let view = View::new(self.host.snapshot());
        self.runtime.spawn_blocking(move || {
            diagnostics::compute(&state, &view, &round);
            diagnostics::guarded(&state, || numbers::compare(&state, &view, &round));
        });
    }

    /// Makes way for a change: questions are answered first, findings are not.
    pub(super) fn begin_change(&mut self) {
        if let Some(round) = self.round.take() {
            round.stop();
        }
        self.readers.settle();
        self.changed = true;
    }

    fn put_document(&mut self, document: Arc<Document>) {
        let key = document.key.clone();
        let is_new = self.open.insert(key.clone(), Arc::clone(&document)).is_none();
        // Of several edits that nobody asked about in between only the last counts.
        if matches!(self.waiting.front(), Some(Job::Document(next)) if next.key == key) {
            if is_new {
                self.after_open(&key);
            }
            return;
        }
        if is_config(&key) {
            return self.put_config(&document);
        }
        let before = self.imports(&key);
        let parse = self.host.content(&key).and_then(FileContent::parse).cloned();
        let content = catch_unwind(AssertUnwindSafe(|| FileContent::of_text(&document.text, parse.as_deref())));
        let content = content.unwrap_or_else(|payload| {
            self.tell(&*payload);
            broken()
        });
        self.begin_change();
        self.set(key.clone(), content);
        if is_new || self.imports(&key) != before {
            self.load_imports(key.clone());
            self.forget_unreached();
        }
        if is_new {
            self.after_open(&key);
        }
    }

    fn after_open(&mut self, key: &FileKey) {
        if vfs::path_of(key).is_some() && !is_config(key) {
            self.find_roots();
            // Nobody tells of changes above the workspace.
            self.look_at_configs(|disk, config| !disk.is_in_workspace(config));
        }
    }

    fn close(&mut self, key: &FileKey) {
        if self.open.remove(key).is_none() {
            return;
        }
        self.begin_change();
        if is_config(key) {
            self.reread_configs(key);
            return;
        }
        self.read_again(key);
        self.load_imports(key.clone());
        self.find_roots();
        self.forget_unreached();
    }

    /// Sets a file's content. Should that fail, a fresh database takes all the
    /// contents over, so that one fault does not end the session.
    pub(super) fn set(&mut self, key: FileKey, content: FileContent) {
        let set = |host: &mut Host, key: FileKey, content: FileContent| {
            catch_unwind(AssertUnwindSafe(|| host.set(key, content)))
        };
        let Err(payload) = set(&mut self.host, key.clone(), content) else { return };
        self.tell(&*payload);
        let kept: Vec<(FileKey, FileContent)> =
            self.host.files().map(|(key, content)| (key.clone(), content.clone())).collect();
        let mut host = Host::default();
        for (other, content) in kept {
            if other != key && set(&mut host, other, content).is_err() {
                host = Host::default();
            }
        }
        host.set(key, broken());
        for (key, file) in self.host.configs() {
            host.set_config(key.clone(), Some(Arc::clone(file)));
        }
        host.set_editors_settings(Arc::clone(self.host.editors_settings()));
        self.host = host;
    }

    /// What a file imports. Should the analysis fail on it, the edit that is
    /// being applied must not be lost with it.
    pub(super) fn imports(&self, key: &FileKey) -> Vec<FileKey> {
        catch_unwind(AssertUnwindSafe(|| self.host.imports(key))).unwrap_or_else(|payload| {
            self.tell(&*payload);
            Vec::new()
        })
    }

    pub(super) fn load_imports(&mut self, key: FileKey) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| vfs::load_imports(&mut self.host, [key]))) {
            self.tell(&*payload);
        }
    }

    pub(super) fn tell(&self, payload: &(dyn std::any::Any + Send)) {
        let Some(state) = self.state.upgrade() else { return };
        if let Some(text) = state.told.report(payload) {
            state.outbox.log(MessageType::ERROR, text);
        }
    }
}

/// What is known of a file that made the parser fail.
fn broken() -> FileContent {
    FileContent::Unreadable(Unreadable {
        reason: "Keywright failed on it".to_owned(),
        remedy: "change it, and report this",
        line: 0,
        column: 0,
    })
}
