//! One computation of findings, and what becomes of them.

use super::shown::{clear_others, clear_pulled, publish};
use super::{guarded, of_file, pulled, stale, workspace};
use crate::ide::Answer;
use crate::model::files::FileKey;
use crate::model::settings::is_config;
use crate::server::analyst::View;
use crate::server::numbers;
use crate::server::progress::{Cancel, Progress};
use crate::server::state::State;
use crate::server::trace::{counted, shown};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tower_lsp::ls_types::MessageType;

/// A computation that takes longer is worth a line in the log.
const SLOW: Duration = Duration::from_secs(5);

/// One computation of findings.
pub struct Round {
    /// The open documents and their versions, as the round sees them.
    versions: BTreeMap<FileKey, i32>,
    /// Whether folders are searched still: there may be more files.
    is_searching: bool,
    stopped: AtomicBool,
    /// What is stopped does not rest any longer.
    woken: (Mutex<()>, Condvar),
    token: Mutex<Option<salsa::CancellationToken>>,
}

impl Round {
    pub fn new(versions: BTreeMap<FileKey, i32>, is_searching: bool) -> Self {
        Self {
            versions,
            is_searching,
            stopped: AtomicBool::new(false),
            woken: (Mutex::default(), Condvar::new()),
            token: Mutex::default(),
        }
    }

    /// The open documents and their versions, as the round sees them.
    pub fn versions(&self) -> &BTreeMap<FileKey, i32> {
        &self.versions
    }

    pub fn is_searching(&self) -> bool {
        self.is_searching
    }

    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        drop(self.woken.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.woken.1.notify_all();
        if let Some(token) = &*self.token.lock().unwrap_or_else(PoisonError::into_inner) {
            token.cancel();
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Waits so long, or until it is stopped; whether it goes on.
    pub fn rest(&self, pause: Duration) -> bool {
        let guard = self.woken.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.woken.1.wait_timeout_while(guard, pause, |()| !self.is_stopped()));
        !self.is_stopped()
    }

    /// Runs a computation, again where another stopped it; `None` when the
    /// round itself was stopped.
    pub fn run<T>(&self, view: &View, question: impl Fn(&View) -> Answer<T>) -> Option<T> {
        while !self.is_stopped() {
            let view = view.again();
            *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(view.token());
            // It may have been stopped before there was a token to cancel.
            if self.is_stopped() {
                break;
            }
            if let Ok(answer) = view.catch(&question) {
                return Some(answer);
            }
        }
        None
    }
}

/// Computes what the client is to be told after a change, and tells it. An edit
/// stops it.
pub fn compute(state: &Arc<State>, view: &View, round: &Round) {
    timed(state, round, |progress| {
        let files = findings(state, view, round, progress);
        guarded(state, || numbers::compare(state, view, round));
        files
    });
    answer_workspace(state, view, round);
    // Documents cost far more than all else, and wait for it.
    if stale::look(state, view, round) {
        timed(state, round, |progress| findings(state, view, round, progress));
        answer_workspace(state, view, round);
    }
}

fn answer_workspace(state: &Arc<State>, view: &View, round: &Round) {
    if workspace::is_due(state, round) {
        timed(state, round, |progress| workspace::answer(state, view, round, progress));
    }
}

/// Computes findings of some files, shows that, and tells how long it took.
fn timed(state: &Arc<State>, round: &Round, compute: impl FnOnce(&Progress) -> Option<usize>) {
    let begun = Instant::now();
    let progress = Progress::begin(state, "Checking models", Cancel::Never);
    let files = compute(&progress).unwrap_or(0);
    let took = begun.elapsed();
    state.trace_round(files, took, round.is_stopped());
    if took > SLOW && !round.is_stopped() && state.slowest.grows(took) {
        let text = format!("checking {} took {}", counted(files, "file"), shown(took));
        state.outbox.log(MessageType::INFO, text);
    }
}

/// Computes the findings of all models that hold an open file, and shows them.
/// Returns of how many files; `None` where it was stopped.
fn findings(state: &Arc<State>, view: &View, round: &Round, progress: &Progress) -> Option<usize> {
    let flags = state.flags();
    let open = || round.versions.keys();
    let keys = guarded(state, || {
        round.run(view, |view| {
            let mut keys = match flags.pulls_diagnostics {
                true => open().cloned().collect(),
                false => view.models_of(open()),
            };
            // A client that pulls does not ask for settings that are not open:
            // they are no models. It is told of them.
            keys.extend(view.configs_of(open()));
            keys.extend(open().filter(|key| is_config(key)).cloned());
            Ok(keys)
        })
    });
    let keys: BTreeSet<FileKey> = keys.flatten()?;
    // What is open comes first: that is what somebody looks at.
    let (open, others): (Vec<&FileKey>, Vec<&FileKey>) = keys.iter().partition(|key| round.versions.contains_key(key));
    let mut outdated = Vec::new();
    for (done, key) in open.into_iter().chain(others).enumerate() {
        progress.report(done, keys.len());
        let version = round.versions.get(key).copied();
        if flags.pulls_diagnostics && version.is_some() {
            let digest = guarded(state, || round.run(view, |view| Ok(pulled(state, view, &flags, key)?.digest())));
            let Some(digest) = digest else { continue };
            let digest = digest?;
            if state.shown.is_outdated(key, version, digest) {
                outdated.push((key, version, digest));
            }
        } else {
            let found = guarded(state, || round.run(view, |view| of_file(state, view, &flags, key)));
            let Some(found) = found else { continue };
            publish(state, &flags, key, version, found?);
        }
    }
    // A round that is stopped tells nothing, and so notes nothing: the next one
    // finds the same outdated again.
    if round.is_stopped() {
        return None;
    }
    if !outdated.is_empty() {
        for (key, version, digest) in outdated {
            state.shown.will_be_pulled(key, version, digest);
        }
        state.refresh_diagnostics();
    }
    let files = keys.len();
    match flags.pulls_diagnostics {
        true => clear_pulled(state, &keys.into_iter().filter(|key| !round.versions.contains_key(key)).collect()),
        false => clear_others(state, &keys),
    }
    Some(files)
}

impl State {
    /// Has a client that pulls ask for findings again, where it can be told.
    pub fn refresh_diagnostics(&self) {
        if self.flags().refreshes_diagnostics {
            self.outbox.ask(|client| async move {
                let _ = client.workspace_diagnostic_refresh().await;
            });
        }
    }
}

/// How long the slowest computation took that was told.
#[derive(Default)]
pub struct Slowest(AtomicU64);

impl Slowest {
    /// Whether one that took so long is news: twice as long as the last that was.
    fn grows(&self, took: Duration) -> bool {
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let update = |before: u64| (millis / 2 >= before).then_some(millis);
        self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, update).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_is_stopped_rests_no_longer() {
        let round = Arc::new(Round::new(BTreeMap::new(), false));
        assert!(round.rest(Duration::from_millis(1)));
        let resting = std::thread::spawn({
            let round = Arc::clone(&round);
            move || round.rest(Duration::from_secs(60))
        });
        let begun = Instant::now();
        round.stop();
        assert!(!resting.join().unwrap());
        assert!(begun.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_slow_check_is_told_again_when_it_takes_twice_as_long() {
        let slowest = Slowest::default();
        let told: Vec<bool> = [6, 7, 11, 12, 13, 30].map(|secs| slowest.grows(Duration::from_secs(secs))).to_vec();
        assert_eq!(told, [true, false, false, true, false, true]);
    }
}
