//! Files that are gone: what the client has said of them, and was told, is
//! forgotten. A session sees more files than there ever are at a time.

use super::state::State;
use crate::model::files::FileKey;
use crate::vfs;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a message that names a file may be under way: the last of them takes
/// its findings away.
const LINGER: Duration = Duration::from_secs(30);

/// Files whose names are forgotten soon, each with its URI and since when it is
/// gone.
#[derive(Default)]
pub struct Gone(Mutex<VecDeque<(FileKey, String, Instant)>>);

impl State {
    /// Forgets a file that is neither open nor known any more.
    pub fn forget(&self, key: &FileKey) {
        self.shown.forget(key);
        let uri = self.forget_uri(key).unwrap_or_else(|| vfs::uri_of(key));
        let mut gone = self.gone.0.lock().unwrap_or_else(PoisonError::into_inner);
        if self.spellings.has(&uri) {
            gone.push_back((key.clone(), uri, Instant::now()));
        }
        let is_due = |since: &Instant| since.elapsed() >= LINGER;
        while gone.front().is_some_and(|(_, _, since)| is_due(since)) {
            let Some((key, uri, since)) = gone.pop_front() else { break };
            // It may be open again.
            if self.document(&key).is_none() {
                self.spellings.forget(&uri, since);
            }
        }
    }
}
