//! Everything that the server says on its own account. Putting something here
//! never waits; one task hands it to the client, in order. A request to the
//! client runs in a task of its own: awaited in a handler, it could wait for an
//! answer that stands behind that very handler.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::pin::Pin;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::ls_types::notification::{LogTrace, Notification};
use tower_lsp::ls_types::{LogTraceParams, MessageType, ProgressToken, PublishDiagnosticsParams};

type Task = Box<dyn FnOnce(Client) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

enum Letter {
    /// Findings, and whether they are still those of the newest text.
    Publish(PublishDiagnosticsParams, Box<dyn Fn() -> bool + Send>),
    Log(MessageType, String),
    Show(MessageType, String),
    Trace(LogTraceParams),
    Progress(ProgressToken, Value),
    Then(Box<dyn FnOnce() + Send>),
    Ask(Task),
}

/// Where letters to the client are put.
#[derive(Clone)]
pub struct Outbox(UnboundedSender<Letter>);

impl Outbox {
    /// Starts the task that empties it.
    pub fn new(client: Client) -> Self {
        let (sender, receiver) = unbounded_channel();
        tokio::spawn(deliver(client, receiver));
        Self(sender)
    }

    /// Publishes findings, unless they are outdated when their turn comes.
    pub fn publish(&self, params: PublishDiagnosticsParams, is_current: impl Fn() -> bool + Send + 'static) {
        self.put(Letter::Publish(params, Box::new(is_current)));
    }

    pub fn log(&self, level: MessageType, message: impl Into<String>) {
        self.put(Letter::Log(level, message.into()));
    }

    pub fn show(&self, level: MessageType, message: impl Into<String>) {
        self.put(Letter::Show(level, message.into()));
    }

    pub fn trace(&self, told: LogTraceParams) {
        self.put(Letter::Trace(told));
    }

    /// Sends progress, or a part of an answer, under a token.
    pub fn progress(&self, token: ProgressToken, value: Value) {
        self.put(Letter::Progress(token, value));
    }

    /// Does something when all that stands here before it is on its way. An answer
    /// that is given then arrives after it.
    pub fn then(&self, action: impl FnOnce() + Send + 'static) {
        self.put(Letter::Then(Box::new(action)));
    }

    /// Asks the client something, beside everything else.
    pub fn ask<F>(&self, request: impl FnOnce(Client) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.put(Letter::Ask(Box::new(|client| Box::pin(request(client)))));
    }

    fn put(&self, letter: Letter) {
        // It fails only when the server ends, and then nobody listens.
        let _ = self.0.send(letter);
    }
}

async fn deliver(client: Client, mut letters: UnboundedReceiver<Letter>) {
    while let Some(letter) = letters.recv().await {
        match letter {
            Letter::Publish(params, is_current) => {
                if is_current() {
                    client.publish_diagnostics(params.uri, params.diagnostics, params.version).await;
                }
            }
            Letter::Log(level, message) => client.log_message(level, message).await,
            Letter::Show(level, message) => client.show_message(level, message).await,
            Letter::Trace(told) => client.send_notification::<LogTrace>(told).await,
            Letter::Progress(token, value) => {
                client.send_notification::<PartialResult>(Part { token, value }).await;
            }
            Letter::Then(action) => action(),
            Letter::Ask(task) => {
                tokio::spawn(task(client.clone()));
            }
        }
    }
}

/// `$/progress` with a value of any kind: the protocol's types know that of work
/// done only.
enum PartialResult {}

impl Notification for PartialResult {
    type Params = Part;
    const METHOD: &'static str = "$/progress";
}

#[derive(Serialize, Deserialize)]
struct Part {
    token: ProgressToken,
    value: Value,
}
