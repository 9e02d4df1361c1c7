//! Messages in and out.
//!
//! tower-lsp's own transport ends at the first frame that it cannot read
//! (tokio's framed reader stops after an error) and knows headers in one
//! spelling only, so this one stands in its place: two plain threads that read
//! and write frames, and one loop that calls the service. The loop polls every
//! handler once, in the order of arrival, before it looks at the next message:
//! what a handler does before its first await is done in that order.

mod announced;
mod call;
mod frames;
mod outgoing;
mod spelling;
mod surrogates;

pub use call::Answered;
pub use spelling::Spellings;

use call::call;
use frames::{Frame, read_frame};
use futures_util::SinkExt;
use outgoing::{answers, forward, write_in_thread};
use serde::Deserialize;
use serde_json::Value;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tower::Service;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};
use tower_lsp::{ClientSocket, ExitedError};

/// Who watches what goes on.
pub trait Observer: Send + Sync + 'static {
    /// A request is about to be answered.
    fn answered(&self, answered: &Answered);

    /// Nothing more will be asked: requests that wait for news are answered now.
    fn input_ended(&self);
}

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
    observer: Arc<impl Observer>,
    spellings: Arc<Spellings>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    let mut input = read_in_thread(input);
    let (writer, mut broken) = write_in_thread(output, Arc::clone(&spellings));
    let (said, mut responses) = socket.split();
    let (outgoing, answered) = answers();
    let forwarding = tokio::spawn(forward(said, answered, writer));

    let mut running: JoinSet<()> = JoinSet::new();
    let mut is_broken = false;
    let ended_by_client = loop {
        let frame = tokio::select! {
            frame = input.recv() => frame,
            Some(_) = running.join_next(), if !running.is_empty() => continue,
            _ = &mut broken => {
                is_broken = true;
                break true;
            }
        };
        match frame {
            None => break false,
            Some(Frame::Malformed) => outgoing.fail(&Id::Null, &Error::parse_error()),
            Some(Frame::Body(body)) => match classify(&body, &spellings) {
                Ok(Message::Request(request)) => {
                    let exit = request.method() == "exit";
                    call(&mut service, request, &outgoing, &observer, &mut running);
                    if exit {
                        break true;
                    }
                }
                Ok(Message::Response(response)) => {
                    let _ = responses.send(response).await;
                }
                Err((id, error)) => outgoing.fail(&id, &error),
            },
        }
    };
    observer.input_ended();
    if !ended_by_client {
        // A script may close the pipe before it has read its answers.
        let _ = tokio::time::timeout(LAST_WORDS, async { while running.join_next().await.is_some() {} }).await;
    }
    drop(outgoing);
    let last_words = async {
        running.shutdown().await;
        let _ = forwarding.await;
        if !is_broken {
            let _ = broken.await;
        }
    };
    let _ = tokio::time::timeout(LAST_WORDS, last_words).await;
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
    announced::mend(&mut value);
    let message = if is_request {
        serde_json::from_value(value).map(Message::Request)
    } else {
        serde_json::from_value(value).map(Message::Response)
    };
    message.map_err(|_| (id.filter(|_| is_request).unwrap_or(Id::Null), Error::invalid_request()))
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
