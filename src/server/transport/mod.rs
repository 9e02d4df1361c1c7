//! Messages in and out.
//!
//! tower-lsp's own transport ends at the first frame that it cannot read
//! (tokio's framed reader stops after an error) and knows headers in one
//! spelling only, so this one stands in its place: two plain threads that read
//! and write frames, and one loop that calls the service. The loop polls every
//! handler once, in the order of arrival, before it looks at the next message:
//! what a handler does before its first await is done in that order.

mod frames;
mod spelling;
mod surrogates;

use frames::{Frame, read_frame, write_frame};
use futures_util::{FutureExt, SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use spelling::Spellings;
use std::io::{BufRead, Write};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tower::Service;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};
use tower_lsp::{ClientSocket, ExitedError};

/// Messages that were read and not handled yet: enough that the reader never
/// idles, few enough that a client which floods us is slowed down.
const READ_AHEAD: usize = 256;

/// How long answers that are under way may take when the input ends, and how
/// long the last of them may take to be written.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Serves until the client says `exit`, the input ends, or the output breaks.
pub async fn serve<S>(
    mut service: S,
    socket: ClientSocket,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    let spellings = Arc::new(Spellings::default());
    let mut input = read_in_thread(input);
    let (output, mut broken) = write_in_thread(output, Arc::clone(&spellings));
    let (mut requests, mut responses) = socket.split();
    let to_client = output.clone();
    let forward = tokio::spawn(async move {
        while let Some(request) = requests.next().await {
            to_client.send(serde_json::to_value(request));
        }
    });

    let mut running: JoinSet<()> = JoinSet::new();
    let ended_by_client = loop {
        let frame = tokio::select! {
            frame = input.recv() => frame,
            Some(_) = running.join_next(), if !running.is_empty() => continue,
            _ = &mut broken => break true,
        };
        match frame {
            None => break false,
            Some(Frame::Malformed) => output.fail(Id::Null, Error::parse_error()),
            Some(Frame::Body(body)) => match classify(&body, &spellings) {
                Ok(Message::Request(request)) => {
                    let exit = request.method() == "exit";
                    call(&mut service, request, &output, &mut running);
                    if exit {
                        break true;
                    }
                }
                Ok(Message::Response(response)) => {
                    let _ = responses.send(response).await;
                }
                Err((id, error)) => output.fail(id, error),
            },
        }
    };
    if !ended_by_client {
        // A script may close the pipe before it has read its answers.
        let _ = tokio::time::timeout(LAST_WORDS, async { while running.join_next().await.is_some() {} }).await;
    }
    running.abort_all();
    forward.abort();
    output.close();
    let _ = tokio::time::timeout(LAST_WORDS, &mut broken).await;
}

enum Message {
    Request(Request),
    Response(Response),
}

/// What a body is, or the error to answer it with.
fn classify(body: &[u8], spellings: &Spellings) -> Result<Message, (Id, Error)> {
    let value = serde_json::from_slice(body).or_else(|error| match surrogates::replaced(body) {
        Some(body) => serde_json::from_slice(&body),
        None => Err(error),
    });
    let mut value: Value = value.map_err(|_| (Id::Null, Error::parse_error()))?;
    let id = value.get("id").and_then(|id| Id::deserialize(id).ok());
    let is_request = value.get("method").is_some();
    spellings.incoming(&mut value);
    let message = if is_request {
        serde_json::from_value(value).map(Message::Request)
    } else {
        serde_json::from_value(value).map(Message::Response)
    };
    message.map_err(|_| (id.filter(|_| is_request).unwrap_or(Id::Null), Error::invalid_request()))
}

/// Hands a request to the service and polls its handler once; what is not done
/// then goes on beside the loop. A handler that panics fails its request only.
fn call<S>(service: &mut S, request: Request, output: &Output, running: &mut JoinSet<()>)
where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    let id = request.id().cloned();
    let failed = move |output: &Output| {
        if let Some(id) = id {
            output.fail(id, Error::internal_error());
        }
    };
    let Ok(future) = std::panic::catch_unwind(AssertUnwindSafe(|| service.call(request))) else {
        return failed(output);
    };
    let output = output.clone();
    let mut task: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async move {
        match AssertUnwindSafe(future).catch_unwind().await {
            Ok(Ok(Some(response))) => output.send(serde_json::to_value(response)),
            Ok(_) => {}
            Err(_) => failed(&output),
        }
    });
    if task.as_mut().now_or_never().is_none() {
        running.spawn(task);
    }
}

/// Reads frames in a thread of its own: analysis fills the runtime's blocking
/// threads at times, and reading must go on even then.
fn read_in_thread(mut input: impl BufRead + Send + 'static) -> mpsc::Receiver<Frame> {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    std::thread::spawn(move || {
        while let Ok(Some(frame)) = read_frame(&mut input) {
            if sender.blocking_send(frame).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Where messages to the client go. Never waits.
#[derive(Clone)]
struct Output(std::sync::mpsc::Sender<Option<Value>>);

impl Output {
    fn send(&self, message: serde_json::Result<Value>) {
        if let Ok(message) = message {
            let _ = self.0.send(Some(message));
        }
    }

    fn fail(&self, id: Id, error: Error) {
        self.send(Ok(json!({"jsonrpc": "2.0", "error": error, "id": id})));
    }

    /// Lets the writer end when it has written what it was given.
    fn close(&self) {
        let _ = self.0.send(None);
    }
}

/// Writes messages in a thread of its own; the receiver tells when it ends.
fn write_in_thread(
    mut output: impl Write + Send + 'static,
    spellings: Arc<Spellings>,
) -> (Output, tokio::sync::oneshot::Receiver<()>) {
    let (sender, receiver) = std::sync::mpsc::channel::<Option<Value>>();
    let (ended, broken) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        while let Ok(Some(mut message)) = receiver.recv() {
            spellings.outgoing(&mut message);
            if write_frame(&mut output, &message).is_err() {
                break;
            }
        }
        let _ = ended.send(());
    });
    (Output(sender), broken)
}
