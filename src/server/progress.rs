//! Progress of what the server does on its own account: searches, and checks of
//! all models. It is shown where it takes long, to a client that announced it.

use super::state::State;
use super::trace::counted;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tower_lsp::Client;
use tower_lsp::ls_types::{NumberOrString, ProgressParams, ProgressToken};

/// What is done sooner shows no progress.
const LATE: Duration = Duration::from_millis(500);

/// The client hears of progress at most so often.
const PAUSE: Duration = Duration::from_millis(100);

/// A client that does not say so long whether it shows progress is shown none.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether somebody may end what takes long.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cancel {
    Never,
    Possible,
}

/// Something under way. It is done when this is dropped.
pub struct Progress {
    steps: Option<watch::Sender<Step>>,
    is_cancelled: Arc<AtomicBool>,
}

/// How far it is.
#[derive(Clone, Copy, Default)]
struct Step {
    done: usize,
    all: usize,
}

impl Step {
    fn percent(self) -> u32 {
        u32::try_from(self.done.saturating_mul(100) / self.all.max(1)).unwrap_or(100).min(100)
    }

    fn message(self) -> String {
        format!("{} of {}", self.done, counted(self.all, "file"))
    }
}

impl Progress {
    /// Begins to count the time.
    pub fn begin(state: &Arc<State>, title: &'static str, cancel: Cancel) -> Self {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        if !state.flags().workspace.work_done_progress {
            return Self { steps: None, is_cancelled };
        }
        let (sender, steps) = watch::channel(Step::default());
        let (weak, flag) = (Arc::downgrade(state), Arc::clone(&is_cancelled));
        state.outbox.ask(move |client| async move {
            if !is_late(steps.clone()).await {
                return;
            }
            let token = NumberOrString::String(format!("keywright/{}", NEXT.fetch_add(1, Ordering::Relaxed)));
            if let Some(state) = weak.upgrade() {
                state.cancels.insert(token.clone(), flag);
            }
            show(client, token.clone(), title, cancel, steps).await;
            if let Some(state) = weak.upgrade() {
                state.cancels.remove(&token);
            }
        });
        Self { steps: Some(sender), is_cancelled }
    }

    /// So many of so many files are done. Only the last word counts.
    pub fn report(&self, done: usize, all: usize) {
        if let Some(steps) = &self.steps {
            steps.send_replace(Step { done, all });
        }
    }

    /// Whether somebody wants no more of it.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }
}

/// Tells tokens apart.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Whether it takes so long that it is worth showing.
async fn is_late(mut steps: watch::Receiver<Step>) -> bool {
    let is_done = async { while steps.changed().await.is_ok() {} };
    tokio::time::timeout(LATE, is_done).await.is_err()
}

async fn show(client: Client, token: ProgressToken, title: &str, cancel: Cancel, mut steps: watch::Receiver<Step>) {
    let created = tokio::time::timeout(PATIENCE, client.create_work_done_progress(token.clone())).await;
    if !matches!(created, Ok(Ok(()))) {
        return;
    }
    let step = *steps.borrow_and_update();
    let mut begin = json!({
        "kind": "begin", "title": title, "cancellable": cancel == Cancel::Possible, "percentage": step.percent()
    });
    if step.all > 0 {
        begin["message"] = step.message().into();
    }
    tell(&client, &token, begin).await;
    while steps.changed().await.is_ok() {
        let step = *steps.borrow_and_update();
        tell(&client, &token, json!({"kind": "report", "percentage": step.percent(), "message": step.message()})).await;
        tokio::time::sleep(PAUSE).await;
    }
    tell(&client, &token, json!({"kind": "end"})).await;
}

async fn tell(client: &Client, token: &ProgressToken, value: Value) {
    let Ok(value) = serde_json::from_value(value) else { return };
    let params = ProgressParams { token: token.clone(), value };
    client.send_notification::<tower_lsp::ls_types::notification::Progress>(params).await;
}

impl State {
    /// Marks what shows its progress under this token as wanted no more.
    pub fn cancel_progress(&self, token: &ProgressToken) {
        if let Some(flag) = self.cancels.get(token) {
            flag.store(true, Ordering::Release);
        }
    }
}
