//! What the server knows: the client, its documents, and the analyst.

use super::analyst::{Analyst, Job};
use super::capabilities::ClientFlags;
use super::configuration::Configuration;
use super::diagnostics::{Pulls, Shown, Slowest, Stale};
use super::document::Document;
use super::forgetting::Gone;
use super::given::Given;
use super::numbers::Numbers;
use super::outbox::Outbox;
use super::panics::Told;
use super::tokens::Tokens;
use super::trace::Trace;
use super::transport::Spellings;
use crate::model::files::FileKey;
use crate::vfs;
use dashmap::{DashMap, DashSet};
use std::collections::HashSet;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tower_lsp::Client;
use tower_lsp::ls_types::{MessageType, ProgressToken, Uri};

pub struct State {
    pub outbox: Outbox,
    pub analyst: Analyst,
    /// The open documents. An `Arc` is cloned out in the statement that looks
    /// it up: a guard of the map that is held blocks who writes to it.
    documents: DashMap<FileKey, Arc<Document>>,
    /// How the client spells the files that it has named.
    uris: DashMap<FileKey, Uri>,
    flags: OnceLock<Arc<ClientFlags>>,
    /// The requests that are not advertised to the client.
    refused: OnceLock<HashSet<&'static str>>,
    /// The client's name and version, as it says them.
    client: OnceLock<String>,
    /// The workspace folders, in the client's order.
    folders: Mutex<Vec<FileKey>>,
    pub told: Told,
    pub shown: Shown,
    /// The stale documents beside models.
    pub stale: Stale,
    pub pulls: Pulls,
    pub slowest: Slowest,
    pub trace: Trace,
    /// What somebody may end that is under way, by the token of its progress.
    pub cancels: DashMap<ProgressToken, Arc<AtomicBool>>,
    /// The hints and lenses that the client shows.
    pub numbers: Numbers,
    /// The semantic tokens that the client shows.
    pub tokens: Tokens,
    pub(super) configuration: Configuration,
    /// The edits of documents that the client was given.
    pub given: Given,
    /// How the client spells what is no URI.
    pub spellings: Arc<Spellings>,
    /// The files whose spellings are forgotten soon.
    pub(super) gone: Gone,
    /// What was logged and is worth no second word.
    logged: DashSet<String>,
    openings: AtomicU64,
    shut_down: AtomicBool,
    /// The client's process, once it is known.
    client_process: watch::Sender<Option<u32>>,
}

impl State {
    pub fn new(client: Client) -> Arc<Self> {
        Arc::new_cyclic(|state| Self {
            outbox: Outbox::new(client),
            analyst: Analyst::start(state.clone()),
            documents: DashMap::new(),
            uris: DashMap::new(),
            flags: OnceLock::new(),
            refused: OnceLock::new(),
            client: OnceLock::new(),
            folders: Mutex::default(),
            told: Told::default(),
            shown: Shown::default(),
            stale: Stale::default(),
            pulls: Pulls::default(),
            slowest: Slowest::default(),
            trace: Trace::default(),
            cancels: DashMap::new(),
            numbers: Numbers::default(),
            tokens: Tokens::default(),
            configuration: Configuration::default(),
            given: Given::default(),
            spellings: Arc::default(),
            gone: Gone::default(),
            logged: DashSet::new(),
            openings: AtomicU64::new(0),
            shut_down: AtomicBool::new(false),
            client_process: watch::Sender::new(None),
        })
    }

    /// What the client can do; nothing, until it has said so.
    pub fn flags(&self) -> Arc<ClientFlags> {
        self.flags.get().cloned().unwrap_or_default()
    }

    pub fn set_flags(&self, flags: ClientFlags) {
        let _ = self.flags.set(Arc::new(flags));
    }

    /// Whether a request is answered with that there is no such method, as it is not
    /// advertised to this client. After `shutdown` everything is refused elsewhere.
    pub fn refuses(&self, method: &str) -> bool {
        !self.was_shut_down() && self.refused.get().is_some_and(|refused| refused.contains(method))
    }

    /// Whether no client has said yet who it is, by `initialize`.
    pub fn is_new(&self) -> bool {
        self.refused.get().is_none()
    }

    pub fn set_refused(&self, refused: HashSet<&'static str>) {
        let _ = self.refused.set(refused);
    }

    /// The client's name and version, if it has said them.
    pub fn client(&self) -> Option<&str> {
        self.client.get().map(String::as_str)
    }

    pub fn set_client(&self, client: String) {
        let _ = self.client.set(client);
    }

    pub fn document(&self, key: &FileKey) -> Option<Arc<Document>> {
        self.documents.get(key).map(|document| Arc::clone(&document))
    }

    /// The number of the next document that is opened.
    pub fn next_opening(&self) -> u64 {
        self.openings.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Puts a version of a document in place of the one before, and has it
    /// analysed.
    pub fn put_document(&self, document: Document) {
        let document = Arc::new(document);
        self.documents.insert(document.key.clone(), Arc::clone(&document));
        self.uris.insert(document.key.clone(), document.uri.clone());
        self.analyst.put(Job::Document(document));
    }

    /// Takes a document out; whether it was open.
    pub fn close_document(&self, key: &FileKey) -> bool {
        let was_open = self.documents.remove(key).is_some();
        if was_open {
            self.given.forget(key);
            self.tokens.retain(|other| other != key);
            self.analyst.put(Job::Closed(key.clone()));
        }
        was_open
    }

    /// The URI of a file, in the client's own spelling where it has one.
    pub fn uri(&self, key: &FileKey) -> Option<Uri> {
        let open = self.document(key).map(|document| document.uri.clone());
        let known = open.or_else(|| self.uris.get(key).map(|uri| uri.clone()));
        known.or_else(|| Uri::from_str(&vfs::uri_of(key)).ok())
    }

    /// Forgets how the client spells a file, unless it is open; tells how that was.
    pub(super) fn forget_uri(&self, key: &FileKey) -> Option<String> {
        // One that is opened at this moment is among the documents first.
        let forgotten = self.uris.remove_if(key, |_, _| !self.documents.contains_key(key));
        forgotten.map(|(_, uri)| uri.as_str().to_owned())
    }

    /// Warns in the log of something that is found again and again, once.
    pub fn warn_once(&self, text: String) {
        if self.logged.insert(text.clone()) {
            self.outbox.log(MessageType::WARNING, text);
        }
    }

    pub fn folders(&self) -> Vec<FileKey> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn change_folders(&self, change: impl FnOnce(&mut Vec<FileKey>)) {
        change(&mut self.folders.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub fn shut_down(&self) {
        self.shut_down.store(true, Ordering::Release);
        self.pulls.close();
    }

    pub fn was_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::Acquire)
    }

    /// Watches the client's process. One that cannot be seen from here to begin
    /// with, as from a server in a container, tells nothing.
    pub fn watch_client(&self, process: u32) {
        if is_alive(process) {
            self.client_process.send_replace(Some(process));
        }
    }

    /// Ends when the client's process has.
    pub async fn client_gone(&self) {
        let mut process = self.client_process.subscribe();
        let process = match process.wait_for(Option::is_some).await {
            Ok(process) => *process,
            Err(_) => None,
        };
        let Some(process) = process else { return std::future::pending().await };
        while is_alive(process) {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// How often the client's process is looked for.
const LOOK_EVERY: Duration = Duration::from_secs(2);

#[cfg(unix)]
fn is_alive(process: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return false };
    // One that belongs to somebody else is alive, too.
    test_kill_process(process) != Err(rustix::io::Errno::SRCH)
}

/// Elsewhere the end of the input has to do.
#[cfg(not(unix))]
fn is_alive(_process: u32) -> bool {
    false
}
