//! One request: its handler, what the client is told while it takes long, and
//! its answer.

use super::Observer;
use super::outgoing::Outgoing;
use futures_util::FutureExt;
use serde_json::{Value, json};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tower::Service;
use tower_lsp::ExitedError;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};

/// A request that takes longer shows its progress, where the client gave a token
/// for that.
const LATE: Duration = Duration::from_millis(500);

/// What was answered, for who watches.
pub struct Answered<'a> {
    pub method: &'a str,
    pub id: &'a Id,
    pub took: Duration,
    pub error: Option<&'a Error>,
}

/// Hands a request to the service and polls its handler once; what is not done
/// then goes on beside the loop. A handler that panics fails its request only.
pub fn call<S>(
    service: &mut S,
    request: Request,
    outgoing: &Outgoing,
    observer: &Arc<impl Observer>,
    running: &mut JoinSet<()>,
) where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    let id = request.id().cloned();
    let method = request.method().to_owned();
    let token = id.as_ref().and_then(|_| request.params()?.get("workDoneToken").cloned());
    let begun = Instant::now();
    let handler = std::panic::catch_unwind(AssertUnwindSafe(|| service.call(request)));
    let (outgoing, observer) = (outgoing.clone(), Arc::clone(observer));
    let Ok(handler) = handler else {
        if let Some(id) = id {
            outgoing.fail(&id, &Error::internal_error());
        }
        return;
    };
    let mut task: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async move {
        let handler = AssertUnwindSafe(handler).catch_unwind();
        let answer = match token.filter(|token| token.is_string() || token.is_number()) {
            Some(token) => with_progress(handler, &outgoing, &token, title(&method)).await,
            None => handler.await,
        };
        let Some(id) = id else { return };
        let response = match answer {
            Ok(Ok(Some(response))) => response,
            Ok(_) => return,
            Err(_) => Response::from_error(id.clone(), Error::internal_error()),
        };
        observer.answered(&Answered { method: &method, id: &id, took: begun.elapsed(), error: response.error() });
        outgoing.send(serde_json::to_value(response));
    });
    if task.as_mut().now_or_never().is_none() {
        running.spawn(task);
    }
}

/// Waits for an answer, and shows that it is worked on where that takes long.
async fn with_progress<T>(answer: impl Future<Output = T>, outgoing: &Outgoing, token: &Value, title: &str) -> T {
    let mut answer = std::pin::pin!(answer);
    if let Ok(answer) = tokio::time::timeout(LATE, answer.as_mut()).await {
        return answer;
    }
    let progress = |value: Value| outgoing.notify("$/progress", json!({"token": token, "value": value}));
    progress(json!({"kind": "begin", "title": title, "cancellable": false}));
    let answer = answer.await;
    progress(json!({"kind": "end"}));
    answer
}

/// What is done for a request, as people read it.
fn title(method: &str) -> &'static str {
    match method {
        "textDocument/codeAction" => "Looking for fixes and refactorings",
        "textDocument/references" => "Looking for references",
        "textDocument/rename" | "textDocument/prepareRename" => "Renaming",
        "textDocument/formatting" | "textDocument/rangeFormatting" => "Formatting",
        "textDocument/diagnostic" | "workspace/diagnostic" => "Checking",
        "workspace/symbol" => "Looking for symbols",
        "workspace/executeCommand" => "Carrying out a command",
        "workspace/willRenameFiles" => "Adjusting imports",
        _ => "Analysing",
    }
}
