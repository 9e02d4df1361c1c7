//! A request for the findings of the whole workspace. Clients ask again as soon
//! as they are answered, so that one which would hear nothing new is held until
//! something changes: nothing is computed at rest.

use super::pulled::{is_known, result_id};
use super::round::Round;
use super::{digest, guarded, of_file};
use crate::model::files::FileKey;
use crate::server::analyst::View;
use crate::server::progress::Progress;
use crate::server::state::State;
use crate::vfs;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{
    FullDocumentDiagnosticReport, ProgressToken, UnchangedDocumentDiagnosticReport, Uri, WorkspaceDiagnosticParams,
    WorkspaceDocumentDiagnosticReport as Report, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

/// So many files are reported at a time to a client that takes parts.
const MOST_AT_ONCE: usize = 50;

/// A pause of the edits is so long.
const PAUSE: Duration = Duration::from_millis(300);

/// The request that waits, of which there is one at most.
#[derive(Default)]
pub struct Pulls {
    waiting: Mutex<Option<Arc<Pull>>>,
    /// Whether one was answered: the first is, whatever there is to say.
    has_answered: AtomicBool,
    is_closed: AtomicBool,
}

impl Pulls {
    /// Takes a request. One that waited is told that nothing is new: the client
    /// has this one in its place.
    pub fn put(&self, pull: Pull) {
        let pull = Arc::new(pull);
        if self.is_closed.load(Ordering::Acquire) {
            return pull.finish(Vec::new());
        }
        let before = self.waiting().replace(pull);
        if let Some(before) = before {
            before.finish(Vec::new());
        }
    }

    /// Answers the request that waits, and all that follow: the session ends.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        if let Some(pull) = self.waiting().take() {
            pull.finish(Vec::new());
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Option<Arc<Pull>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The request that waits, if somebody still wants its answer.
    fn wanted(&self) -> Option<Arc<Pull>> {
        let mut waiting = self.waiting();
        if waiting.as_ref().is_some_and(|pull| pull.is_withdrawn()) {
            *waiting = None;
        }
        waiting.clone()
    }

    fn take(&self, pull: &Arc<Pull>) {
        self.has_answered.store(true, Ordering::Release);
        let mut waiting = self.waiting();
        if waiting.as_ref().is_some_and(|other| Arc::ptr_eq(other, pull)) {
            *waiting = None;
        }
    }
}

/// A request, and what its client knows by now.
pub struct Pull {
    /// Where it takes parts of the answer.
    token: Option<ProgressToken>,
    told: Mutex<Told>,
    answer: Mutex<Option<oneshot::Sender<Vec<Report>>>>,
}

struct Told {
    /// The findings that the client has, by the names that we gave them.
    known: HashMap<FileKey, (Uri, String)>,
    /// Whether a part of the answer was sent.
    in_part: bool,
}

impl Pull {
    pub fn new(params: WorkspaceDiagnosticParams) -> (Self, oneshot::Receiver<Vec<Report>>) {
        let (sender, receiver) = oneshot::channel();
        let known = params.previous_result_ids.into_iter();
        let known = known.map(|known| (vfs::key_of_uri(known.uri.as_str()), (known.uri, known.value)));
        let told = Told { known: known.collect(), in_part: false };
        let token = params.partial_result_params.partial_result_token;
        (Self { token, told: Mutex::new(told), answer: Mutex::new(Some(sender)) }, receiver)
    }

    fn told(&self) -> std::sync::MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self) -> std::sync::MutexGuard<'_, Option<oneshot::Sender<Vec<Report>>>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_withdrawn(&self) -> bool {
        self.answer().as_ref().is_none_or(oneshot::Sender::is_closed)
    }

    fn finish(&self, reports: Vec<Report>) {
        if let Some(answer) = self.answer().take() {
            let _ = answer.send(reports);
        }
    }

    /// Sends a part of the answer, where the client takes parts. What it was told
    /// it knows, should the computation begin anew.
    fn send(&self, state: &State, reports: &mut Vec<Report>) {
        let Some(token) = &self.token else { return };
        let mut told = self.told();
        for report in reports.iter() {
            if let Report::Full(full) = report {
                let key = vfs::key_of_uri(full.uri.as_str());
                match &full.full_document_diagnostic_report.result_id {
                    Some(id) => drop(told.known.insert(key, (full.uri.clone(), id.clone()))),
                    None => drop(told.known.remove(&key)),
                }
            }
        }
        told.in_part = true;
        state.outbox.progress(token.clone(), json!({"items": std::mem::take(reports)}));
    }
}

/// Whether somebody waits for what can be told by now. Whoever types does not look
/// at other files: those wait for a pause.
pub fn is_due(state: &State, round: &Round) -> bool {
    let is_wanted = !round.is_searching() && state.pulls.wanted().is_some();
    is_wanted && (!state.pulls.has_answered.load(Ordering::Acquire) || round.rest(PAUSE))
}

/// Answers the request that waits, if it would hear something new. Returns how many
/// files were looked at; `None` where that was stopped.
pub fn answer(state: &Arc<State>, view: &View, round: &Round, progress: &Progress) -> Option<usize> {
    let Some(pull) = state.pulls.wanted() else { return Some(0) };
    let flags = state.flags();
    let files = round.run(view, |view| Ok(concerned(state, view)))?;
    let (mut news, mut unchanged) = (Vec::new(), Vec::new());
    for (done, key) in files.iter().enumerate() {
        progress.report(done, files.len());
        let found = guarded(state, || round.run(view, |view| of_file(state, view, &flags, key)));
        let Some(found) = found else { continue };
        let found = found?;
        let known = pull.told().known.get(key).cloned();
        let version = round.versions().get(key).map(|version| i64::from(*version));
        let result_id = result_id(state, key, digest(&found));
        match known {
            Some((uri, id)) if is_known(&id, &result_id) => unchanged.push(unchanged_report(uri, version, id)),
            // A clean file that the client knows nothing of needs no words.
            None if found.is_empty() => {}
            known => {
                let Some(uri) = known.map(|(uri, _)| uri).or_else(|| state.uri(key)) else { continue };
                let findings = FullDocumentDiagnosticReport { result_id: Some(result_id), items: found };
                news.push(full_report(uri, version, findings));
            }
        }
        if news.len() >= MOST_AT_ONCE {
            pull.send(state, &mut news);
        }
    }
    let known = pull.told().known.clone();
    for (_, (uri, _)) in known.into_iter().filter(|(key, _)| !files.contains(key)) {
        // There is no such file any more, and it has no findings.
        news.push(full_report(uri, None, FullDocumentDiagnosticReport::default()));
    }
    let is_held = news.is_empty() && !pull.told().in_part && state.pulls.has_answered.load(Ordering::Acquire);
    if is_held || round.is_stopped() {
        return (!round.is_stopped()).then_some(files.len());
    }
    state.pulls.take(&pull);
    news.append(&mut unchanged);
    pull.send(state, &mut news);
    state.outbox.then(move || pull.finish(news));
    Some(files.len())
}

/// The files to report: those of the workspace folders, the open ones, and what is in
/// a model with one of these. A search around a document from elsewhere finds others,
/// which nobody here asks about.
fn concerned(state: &State, view: &View) -> BTreeSet<FileKey> {
    let folders = state.folders();
    let is_ours =
        |key: &FileKey| folders.iter().any(|folder| vfs::is_below(key, folder)) || state.document(key).is_some();
    let mut files = view.models();
    files.retain(|key| is_ours(key) || view.models_of([key]).iter().any(is_ours));
    files
}

fn full_report(uri: Uri, version: Option<i64>, report: FullDocumentDiagnosticReport) -> Report {
    WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report: report }.into()
}

fn unchanged_report(uri: Uri, version: Option<i64>, result_id: String) -> Report {
    let unchanged_document_diagnostic_report = UnchangedDocumentDiagnosticReport { result_id };
    WorkspaceUnchangedDocumentDiagnosticReport { uri, version, unchanged_document_diagnostic_report }.into()
}
