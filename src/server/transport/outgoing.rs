//! What goes to the client, in an order that it can rely on: what the server
//! said before it answered a request goes before the answer. Progress that
//! comes after the answer is lost on a client.

use super::frames::write_frame;
use super::spelling::Spellings;
use futures_util::{FutureExt, Stream, StreamExt};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use tower_lsp::jsonrpc::{Error, Id, Request};

/// Where answers to the client go. Never waits.
#[derive(Clone)]
pub struct Outgoing(mpsc::UnboundedSender<Value>);

impl Outgoing {
    pub fn send(&self, message: serde_json::Result<Value>) {
        if let Ok(message) = message {
            // It fails only when the session ends.
            let _ = self.0.send(message);
        }
    }

    pub fn fail(&self, id: &Id, error: &Error) {
        self.send(Ok(json!({"jsonrpc": "2.0", "error": error, "id": id})));
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(Ok(json!({"jsonrpc": "2.0", "method": method, "params": params})));
    }
}

/// Sends what the server says on its own account, and its answers, to the
/// writer. Ends when nobody can answer any more; the writer then ends as well.
pub async fn forward(
    mut said: impl Stream<Item = Request> + Unpin,
    mut answers: mpsc::UnboundedReceiver<Value>,
    writer: Writer,
) {
    loop {
        tokio::select! {
            biased;
            Some(request) = said.next() => writer.write(serde_json::to_value(request)),
            answer = answers.recv() => {
                let Some(answer) = answer else { break };
                // What was said meanwhile was said before it.
                while let Some(Some(request)) = said.next().now_or_never() {
                    writer.write(serde_json::to_value(request));
                }
                writer.write(Ok(answer));
            }
        }
    }
}

/// A place for answers, and where they come out.
pub fn answers() -> (Outgoing, mpsc::UnboundedReceiver<Value>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (Outgoing(sender), receiver)
}

/// The thread that writes. It ends when this is dropped and all is written.
pub struct Writer(std::sync::mpsc::Sender<Value>);

impl Writer {
    fn write(&self, message: serde_json::Result<Value>) {
        if let Ok(message) = message {
            let _ = self.0.send(message);
        }
    }
}

/// Writes messages in a thread of its own; the receiver tells when it ends.
pub fn write_in_thread(
    mut output: impl Write + Send + 'static,
    spellings: Arc<Spellings>,
) -> (Writer, oneshot::Receiver<()>) {
    let (sender, receiver) = std::sync::mpsc::channel::<Value>();
    let (ended, broken) = oneshot::channel();
    std::thread::spawn(move || {
        while let Ok(mut message) = receiver.recv() {
            spellings.outgoing(&mut message);
            if write_frame(&mut output, &message).is_err() {
                break;
            }
        }
        let _ = ended.send(());
    });
    (Writer(sender), broken)
}
