//! The analyst's thread.

use super::disk::{Disk, is_model};
use super::readers::{Ask, Readers};
use super::{Analyst, Job, View};
use crate::model::db::{Database, Host};
use crate::model::files::{FileContent, FileKey, Unreadable};
use crate::model::settings::is_config;
use crate::server::diagnostics::{self, Round};
use crate::server::document::Document;
use crate::server::heap;
use crate::server::state::State;
use crate::server::trace::counter;
use crate::vfs;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tower_lsp::ls_types::MessageType;

/// The disk is quiet when nothing is heard of it for so long.
const QUIET: Duration = Duration::from_millis(30);

/// Findings are computed after so long, quiet or not.
const LONGEST_STORM: Duration = Duration::from_secs(1);

/// Nothing to do for so long is rest: memory is given back then.
const REST: Duration = Duration::from_secs(1);

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
    /// Questions that wait until nothing is unread.
    held: Vec<Ask>,
    /// How many edits there were.
    edits: u64,
    /// The computation of findings that is under way.
    round: Option<Arc<Round>>,
    /// Whether something changed since the last one began.
    pub(super) changed: bool,
    /// Whether the disk said so, and when it began to.
    storm: Option<Instant>,
}

impl Worker {
    pub fn new(state: Weak<State>, queue: Receiver<Job>, analyst: Analyst, runtime: Handle) -> Self {
        Self {
            state,
            host: Host::default(),
            storm: None,
            open: BTreeMap::new(),
            disk: Disk::default(),
            analyst,
            runtime,
            queue,
            waiting: VecDeque::new(),
            readers: Readers::default(),
            held: Vec::new(),
            edits: 0,
            round: None,
            changed: false,
        }
    }

    pub fn run(mut self) {
        self.host = self.new_host();
        while let Some(job) = self.next() {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| self.work(job))) {
                self.tell(&*payload);
                // What it would have read next is read when somebody asks.
                self.disk.give_up_rereading();
            }
        }
    }

    fn work(&mut self, job: Job) {
        match job {
            Job::Ask(ask) => self.start_answer(ask),
            Job::AskOfWhole(ask) if ask.edits.is_some_and(|edits| edits != self.edits) => self.give_up(ask),
            Job::AskOfWhole(ask) => self.held.push(ask),
            Job::Document(document) => {
                self.begin_edit();
                self.put_document(document);
            }
            Job::Closed(key) => {
                self.begin_edit();
                self.close(&key);
            }
            Job::OnDisk(keys) => self.take_events(keys),
            Job::LookAround => self.look_around(),
            Job::Folders(folders) => self.set_folders(folders),
            Job::Settings(settings) => {
                self.begin_change();
                self.host.set_editors_settings(settings);
            }
            Job::Scanned(found) => self.take_scanned(found),
            Job::Pull => {
                // It is answered by the next computation: that under way may be
                // past the point.
                self.stop_round();
                self.changed = true;
            }
            Job::Restart => self.restart(),
        }
        self.answer_held();
    }

    /// Begins with the questions that are held, if by now everything is read as it is
    /// on disk: nobody may have told of a change, or not yet.
    fn answer_held(&mut self) {
        if self.held.is_empty() || self.disk.is_reading() {
            return;
        }
        self.look_at_known();
        if !self.disk.is_reading() {
            for ask in std::mem::take(&mut self.held) {
                self.start_answer(ask);
            }
        }
    }

    /// The next job. Findings are computed when there is nothing else to do.
    fn next(&mut self) -> Option<Job> {
        self.waiting.extend(self.queue.try_iter());
        if self.waiting.is_empty() {
            if let Some(job) = self.wait_for_quiet()? {
                return Some(job);
            }
            if std::mem::take(&mut self.changed) {
                self.renew_if_worn();
                self.start_round();
            }
            let job = self.wait()?;
            self.waiting.push_back(job);
            self.waiting.extend(self.queue.try_iter());
        }
        self.waiting.pop_front()
    }

    /// Waits for a job; `None` when the session ends. Whoever stops typing leaves
    /// behind what was computed for texts that are gone.
    fn wait(&self) -> Option<Job> {
        match self.queue.recv_timeout(REST) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Timeout) => {
                heap::give_back();
                self.queue.recv().ok()
            }
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Waits until the disk is quiet: watchers tell of a checkout in a thousand
    /// messages, and what is computed in between is for nothing. Returns what came
    /// meanwhile; outside, `None` when the session ends.
    fn wait_for_quiet(&mut self) -> Option<Option<Job>> {
        let Some(begun) = self.storm else { return Some(None) };
        let rest = LONGEST_STORM.saturating_sub(begun.elapsed());
        match self.queue.recv_timeout(QUIET.min(rest)) {
            Ok(job) => Some(Some(job)),
            Err(RecvTimeoutError::Timeout) => {
                self.storm = None;
                Some(None)
            }
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Takes events of the disk, and those behind them, as one.
    fn take_events(&mut self, mut keys: Vec<FileKey>) {
        while matches!(self.waiting.front(), Some(Job::OnDisk(_))) {
            if let Some(Job::OnDisk(more)) = self.waiting.pop_front() {
                keys.extend(more);
            }
        }
        keys.sort();
        keys.dedup();
        self.storm.get_or_insert_with(Instant::now);
        self.reread(keys);
    }

    fn start_answer(&mut self, Ask { ticket, answer, .. }: Ask) {
        if ticket.is_cancelled() {
            return;
        }
        let reader = self.readers.reader(self.view(), ticket, self.edits);
        self.runtime.spawn_blocking(move || answer(reader));
    }

    /// The places that questions speak of are about to be others.
    fn begin_edit(&mut self) {
        self.edits += 1;
        for ask in std::mem::take(&mut self.held) {
            self.give_up(ask);
        }
    }

    fn give_up(&mut self, Ask { ticket, answer, .. }: Ask) {
        let reader = self.readers.outdated(self.view(), ticket, self.edits);
        self.runtime.spawn_blocking(move || answer(reader));
    }

    fn versions(&self) -> BTreeMap<FileKey, i32> {
        self.open.iter().map(|(key, document)| (key.clone(), document.version)).collect()
    }

    fn view(&self) -> View {
        View::new(self.host.snapshot(), Arc::new(self.versions()), self.disk.is_reading())
    }

    fn start_round(&mut self) {
        let Some(state) = self.state.upgrade() else { return };
        let round = Arc::new(Round::new(self.versions(), self.disk.is_searching()));
        // Of one that is forgotten and goes on nobody could make way for a change.
        self.stop_round();
        self.round = Some(Arc::clone(&round));
        let view = self.view();
        self.runtime.spawn_blocking(move || diagnostics::compute(&state, &view, &round));
    }

    fn stop_round(&mut self) {
        if let Some(round) = self.round.take() {
            round.stop();
        }
    }

    /// Makes way for a change: questions are answered first, findings are not.
    pub(super) fn begin_change(&mut self) {
        self.stop_round();
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
        if vfs::is_document(&key) {
            return self.put_written(&document);
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
        if vfs::path_of(key).is_some() && is_model(key) {
            self.find_roots();
            self.find_written(key);
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
        if vfs::is_document(key) {
            return self.read_written(key);
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
        let mut host = self.new_host();
        for (other, content) in kept {
            if other != key && set(&mut host, other, content).is_err() {
                host = self.new_host();
            }
        }
        host.set(key, broken());
        for (key, file) in self.host.configs() {
            host.set_config(key.clone(), Some(Arc::clone(file)));
        }
        for (key, text) in self.host.documents() {
            host.set_document(key.clone(), Some(Arc::clone(text)));
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
        let load = || vfs::load_imports(&mut self.host, [key], vfs::read_as_opened);
        if let Err(payload) = catch_unwind(AssertUnwindSafe(load)) {
            self.tell(&*payload);
        }
    }

    /// A host without a file, whose computations are counted where somebody wants
    /// to know.
    fn new_host(&self) -> Host {
        let (is_wanted, count) = counter(&self.state);
        Host::new(Database::watched_where(is_wanted, count))
    }

    /// Puts a fresh database in place of one that holds more of what is gone than of
    /// what is there. Questions under way keep the old one until they are answered.
    fn renew_if_worn(&mut self) {
        if !self.host.is_worn() {
            return;
        }
        self.stop_round();
        let mut host = self.new_host();
        match catch_unwind(AssertUnwindSafe(|| host.take_over(&self.host))) {
            Ok(()) => self.host = host,
            Err(payload) => self.tell(&*payload),
        }
    }

    /// Forgets all that was read and computed, and reads the disk anew; what is
    /// open counts as it is.
    fn restart(&mut self) {
        self.begin_change();
        let settings = Arc::clone(self.host.editors_settings());
        self.host = self.new_host();
        self.host.set_editors_settings(settings);
        self.disk.forget();
        for document in std::mem::take(&mut self.open).into_values() {
            self.put_document(document);
        }
        self.find_roots();
        self.find_configs();
        let Some(state) = self.state.upgrade() else { return };
        state.given.forget_all();
        state.shown.doubt();
        state.refresh_diagnostics();
        state.refresh_hints();
        state.refresh_lenses();
        state.refresh_tokens();
    }

    /// Has the rest of the server forget a file that is neither open nor known.
    pub(super) fn forget(&self, key: &FileKey) {
        if let Some(state) = self.state.upgrade().filter(|_| !self.open.contains_key(key)) {
            state.forget(key);
        }
    }

    pub(super) fn log(&self, level: MessageType, text: String) {
        if let Some(state) = self.state.upgrade() {
            state.outbox.log(level, text);
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
