//! What the client has been told, and what it has to be told.

use super::{Pulled, digest};
use crate::model::files::FileKey;
use crate::server::capabilities::ClientFlags;
use crate::server::state::State;
use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp::ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

/// What the client has been told, file by file.
#[derive(Default)]
pub struct Shown(Mutex<HashMap<FileKey, Told>>);

#[derive(PartialEq, Eq)]
struct Told {
    /// The version that it was told about.
    version: Option<i32>,
    digest: u64,
    /// The spelling under which findings were published and not taken away;
    /// `None` where the client asked for them.
    uri: Option<String>,
    /// The files whose findings came with those of this one.
    related: BTreeSet<FileKey>,
    /// It is told again, the same or not.
    is_doubted: bool,
}

impl Shown {
    fn all(&self) -> MutexGuard<'_, HashMap<FileKey, Told>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what a client that pulls has been answered.
    pub fn pulled(&self, key: &FileKey, version: Option<i32>, pulled: &Pulled) {
        let mut shown = self.all();
        // What was published while it was not open has yet to be taken away.
        let uri = shown.get_mut(key).and_then(|told| told.uri.take());
        let related = pulled.related.iter().filter(|(_, found)| !found.is_empty()).map(|(key, _)| key.clone());
        let told = Told { version, digest: pulled.digest(), uri, related: related.collect(), is_doubted: false };
        shown.insert(key.clone(), told);
    }

    /// The files whose findings came with those of this one when it was last asked
    /// for.
    pub fn related(&self, key: &FileKey) -> BTreeSet<FileKey> {
        self.all().get(key).map(|told| told.related.clone()).unwrap_or_default()
    }

    /// Whether the client has pulled other findings for this very version: then
    /// it does not know that it should ask again.
    pub fn is_outdated(&self, key: &FileKey, version: Option<i32>, digest: u64) -> bool {
        self.all().get(key).is_some_and(|told| told.version == version && told.digest != digest)
    }

    /// Notes that the client knows that it should ask again: until it does it need
    /// not be told once more.
    pub fn will_be_pulled(&self, key: &FileKey, version: Option<i32>, digest: u64) {
        if let Some(told) = self.all().get_mut(key).filter(|told| told.version == version) {
            told.digest = digest;
        }
    }

    /// Forgets which version of a document was told: it is opened anew, and a client
    /// may have thrown away what it was told before; or what was to be told was not
    /// sent after all.
    pub fn doubt_of(&self, key: &FileKey) {
        if let Some(told) = self.all().get_mut(key) {
            told.is_doubted = true;
        }
    }

    /// Forgets what was told of a file that is gone, where nothing is left to take
    /// away from it or from others.
    pub fn forget(&self, key: &FileKey) {
        let mut shown = self.all();
        if shown.get(key).is_some_and(|told| told.uri.is_none() && told.related.is_empty()) {
            shown.remove(key);
        }
    }

    /// Notes that findings were not taken away after all. The document is open
    /// again; should it be closed before anybody has looked at it, they have to go.
    fn were_left(&self, key: FileKey, uri: String) {
        let left = Told { version: None, digest: 0, uri: Some(uri), related: BTreeSet::new(), is_doubted: true };
        self.all().entry(key).or_insert(left).is_doubted = true;
    }

    /// Takes what was told for unknown, so that everything is told again.
    pub fn doubt(&self) {
        for told in self.all().values_mut() {
            told.is_doubted = true;
        }
    }
}

/// Publishes the findings of a file, where they are news.
pub fn publish(state: &Arc<State>, flags: &ClientFlags, key: &FileKey, version: Option<i32>, found: Vec<Diagnostic>) {
    let Some(uri) = state.uri(key) else { return };
    let told = Told {
        version,
        digest: digest(&found),
        uri: Some(uri.as_str().to_owned()),
        related: BTreeSet::new(),
        is_doubted: false,
    };
    let mut shown = state.shown.all();
    let before = shown.get(key);
    let is_news = match before {
        Some(before) => *before != told,
        // A file that nobody has opened need not be told clean.
        None => version.is_some() || !found.is_empty(),
    };
    // What a client opens under another spelling is another document to it.
    let other = before.and_then(|before| before.uri.clone()).filter(|before| *before != uri.as_str());
    shown.insert(key.clone(), told);
    drop(shown);
    if let Some(other) = other {
        clear(state, key.clone(), &other);
    }
    if is_news {
        send(state, key, uri, version, version.filter(|_| flags.diagnostic_version), found);
    }
}

/// Clears the files that findings were published for and that are no longer
/// part of a model with an open file.
pub fn clear_others(state: &Arc<State>, keys: &BTreeSet<FileKey>) {
    let mut gone = Vec::new();
    state.shown.all().retain(|key, told| {
        let stays = keys.contains(key);
        if !stays {
            gone.extend(told.uri.take().map(|uri| (key.clone(), uri)));
        }
        stays
    });
    for (key, uri) in gone {
        clear(state, key, &uri);
    }
}

/// Takes away what a client that pulls was told of settings that hold for no
/// open file any more, or that it asks for itself now.
pub fn clear_pulled(state: &Arc<State>, keys: &BTreeSet<FileKey>) {
    let mut shown = state.shown.all();
    let gone = shown.iter_mut().filter(|(key, _)| !keys.contains(*key));
    let gone: Vec<String> = gone.filter_map(|(_, told)| told.uri.take()).collect();
    drop(shown);
    for uri in gone.iter().filter_map(|uri| Uri::from_str(uri).ok()) {
        state.outbox.publish(PublishDiagnosticsParams::new(uri, Vec::new(), None), || true);
    }
}

/// Takes findings away from a file under the spelling that they were published
/// for, unless it is open under that spelling again.
fn clear(state: &Arc<State>, key: FileKey, old: &str) {
    let Ok(uri) = Uri::from_str(old) else { return };
    let (weak, old) = (Arc::downgrade(state), old.to_owned());
    let is_gone = move || {
        let Some(state) = weak.upgrade() else { return false };
        let is_gone = state.document(&key).is_none_or(|open| open.uri.as_str() != old);
        if !is_gone {
            state.shown.were_left(key.clone(), old.clone());
        }
        is_gone
    };
    state.outbox.publish(PublishDiagnosticsParams::new(uri, Vec::new(), None), is_gone);
}

/// Sends findings, unless they are not those of the newest text by then: a
/// round for that one follows.
fn send(
    state: &Arc<State>,
    key: &FileKey,
    uri: Uri,
    computed_for: Option<i32>,
    version: Option<i32>,
    found: Vec<Diagnostic>,
) {
    let (weak, key) = (Arc::downgrade(state), key.clone());
    let is_current = move || {
        let Some(state) = weak.upgrade() else { return false };
        let is_current = state.document(&key).map(|open| open.version) == computed_for;
        if !is_current {
            state.shown.doubt_of(&key);
        }
        is_current
    };
    state.outbox.publish(PublishDiagnosticsParams::new(uri, found, version), is_current);
}
