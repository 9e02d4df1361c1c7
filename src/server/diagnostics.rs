//! Findings, computed beside everything else after every change, and published
//! to a client that does not ask for them itself.

use super::analyst::View;
use super::capabilities::ClientFlags;
use super::convert::{Lines, SOURCE, diagnostic};
use super::state::State;
use crate::config::ConfigFault;
use crate::ide::{Answer, Cancelled};
use crate::model::files::FileKey;
use crate::model::settings::is_config;
use crate::syntax::Text;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity, MessageType, PublishDiagnosticsParams, Uri};

/// An editor with more findings than this is of no help to anybody.
const MOST: usize = 1_000;

/// One computation of findings.
pub struct Round {
    /// The open documents and their versions, as the round sees them.
    versions: BTreeMap<FileKey, i32>,
    stopped: AtomicBool,
    token: Mutex<Option<salsa::CancellationToken>>,
}

impl Round {
    pub fn new(versions: BTreeMap<FileKey, i32>) -> Self {
        Self { versions, stopped: AtomicBool::new(false), token: Mutex::default() }
    }

    /// The open documents and their versions, as the round sees them.
    pub fn versions(&self) -> &BTreeMap<FileKey, i32> {
        &self.versions
    }

    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        if let Some(token) = &*self.token.lock().unwrap_or_else(PoisonError::into_inner) {
            token.cancel();
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
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
}

impl Shown {
    /// Notes what a client that pulls has been answered.
    pub fn pulled(&self, key: &FileKey, version: Option<i32>, digest: u64) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What was published while it was not open has yet to be taken away.
        let uri = shown.get_mut(key).and_then(|told| told.uri.take());
        shown.insert(key.clone(), Told { version, digest, uri });
    }
}

/// Computes the findings of all models that hold an open file, and shows them.
/// An edit stops it.
pub fn compute(state: &Arc<State>, view: &View, round: &Round) {
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
    let Some(keys): Option<BTreeSet<FileKey>> = keys.flatten() else { return };
    // What is open comes first: that is what somebody looks at.
    let (open, others): (Vec<&FileKey>, Vec<&FileKey>) = keys.iter().partition(|key| round.versions.contains_key(key));
    let mut outdated = false;
    for key in open.into_iter().chain(others) {
        let found = guarded(state, || round.run(view, |view| of_file(state, view, &flags, key)));
        let Some(found) = found else { continue };
        let Some(found) = found else { return };
        let version = round.versions.get(key).copied();
        if flags.pulls_diagnostics && version.is_some() {
            outdated |= is_outdated(state, key, version, digest(&found));
        } else {
            publish(state, &flags, key, version, found);
        }
    }
    if outdated && flags.refreshes_diagnostics && !round.is_stopped() {
        state.outbox.ask(|client| async move {
            let _ = client.workspace_diagnostic_refresh().await;
        });
    }
    if round.is_stopped() {
        return;
    }
    match flags.pulls_diagnostics {
        true => clear_pulled(state, &keys.into_iter().filter(|key| !round.versions.contains_key(key)).collect()),
        false => clear_others(state, &keys),
    }
}

/// Runs a computation whose panic is told once and ends nothing else.
pub fn guarded<T>(state: &State, compute: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(compute)) {
        Ok(value) => Some(value),
        Err(payload) => {
            if let Some(text) = state.told.report(&*payload) {
                state.outbox.log(MessageType::ERROR, text);
            }
            None
        }
    }
}

/// The findings of a file as the client may see them.
pub fn of_file(state: &State, view: &View, flags: &ClientFlags, key: &FileKey) -> Result<Vec<Diagnostic>, Cancelled> {
    if is_config(key) {
        return Ok(of_config(view, flags, key));
    }
    let mut findings = view.analysis.diagnostics(key)?;
    let all = findings.len();
    if all > MOST {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
        findings.truncate(MOST - 1);
    }
    #[cfg(debug_assertions)]
    super::hooks::trip(view, key)?;
    let lines = view.lines(key, flags.encoding);
    let mut shown: Vec<Diagnostic> =
        findings.iter().map(|finding| diagnostic(state, view, flags, key, lines.as_ref(), finding)).collect();
    if all > MOST {
        shown.push(Diagnostic {
            severity: Some(DiagnosticSeverity::INFORMATION),
            source: Some(SOURCE.to_owned()),
            message: format!("{} more findings are not shown", all - shown.len()),
            ..Diagnostic::default()
        });
    }
    Ok(shown)
}

/// The faults of a `keywright.toml`.
fn of_config(view: &View, flags: &ClientFlags, key: &FileKey) -> Vec<Diagnostic> {
    let Some(file) = view.config(key) else { return Vec::new() };
    let lines = Lines { text: Text::new(&file.text), encoding: flags.encoding };
    let shown = |fault: &ConfigFault| Diagnostic {
        range: lines.range(fault.range),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_owned()),
        message: fault.message.clone(),
        ..Diagnostic::default()
    };
    file.faults.iter().map(shown).collect()
}

/// Tells equal findings from others.
pub fn digest(findings: &[Diagnostic]) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(findings).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

/// Whether the client has pulled other findings for this very version: then it
/// does not know that it should ask again.
fn is_outdated(state: &State, key: &FileKey, version: Option<i32>, digest: u64) -> bool {
    let mut shown = state.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(told) = shown.get_mut(key) else { return false };
    // Told once, it will ask; until it does it need not be told again.
    told.version == version && std::mem::replace(&mut told.digest, digest) != digest
}

fn publish(state: &Arc<State>, flags: &ClientFlags, key: &FileKey, version: Option<i32>, found: Vec<Diagnostic>) {
    let Some(uri) = state.uri(key) else { return };
    let told = Told { version, digest: digest(&found), uri: Some(uri.as_str().to_owned()) };
    let mut shown = state.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
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
fn clear_others(state: &Arc<State>, keys: &BTreeSet<FileKey>) {
    let mut gone = Vec::new();
    state.shown.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|key, told| {
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
fn clear_pulled(state: &Arc<State>, keys: &BTreeSet<FileKey>) {
    let mut shown = state.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
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
    let is_gone =
        move || weak.upgrade().is_some_and(|state| state.document(&key).is_none_or(|open| open.uri.as_str() != old));
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
    let is_current =
        move || weak.upgrade().is_some_and(|state| state.document(&key).map(|open| open.version) == computed_for);
    state.outbox.publish(PublishDiagnosticsParams::new(uri, found, version), is_current);
}
