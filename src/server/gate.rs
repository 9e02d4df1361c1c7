//! The gate before the protocol's methods: what is not advertised to this client is
//! not answered, and a request that nobody answers is told so. A client that waits
//! for an answer which never comes waits for ever.

use super::state::State;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower::Service;
use tower_lsp::ExitedError;
use tower_lsp::jsonrpc::{Error, ErrorCode, Request, Response};

/// A service behind its gate.
pub struct Gate<S> {
    service: S,
    state: Arc<State>,
}

impl<S> Gate<S> {
    pub fn new(service: S, state: Arc<State>) -> Self {
        Self { service, state }
    }
}

impl<S> Service<Request> for Gate<S>
where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    type Response = Option<Response>;
    type Error = ExitedError;
    type Future = Pin<Box<dyn Future<Output = Result<Option<Response>, ExitedError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ExitedError>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Some(id) = request.id().cloned() else { return Box::pin(self.service.call(request)) };
        if self.state.refuses(request.method()) {
            let answer = Response::from_error(id, Error::method_not_found());
            return Box::pin(std::future::ready(Ok(Some(answer))));
        }
        let is_early = self.state.is_new();
        let answer = self.service.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            let is_unknown = |answer: &Response| answer.error().is_some_and(|e| e.code == ErrorCode::MethodNotFound);
            Ok(Some(match answer {
                Some(answer) if is_early && is_unknown(&answer) => Response::from_error(id, not_initialized()),
                Some(answer) => answer,
                None => Response::from_error(id, Error::method_not_found()),
            }))
        })
    }
}

/// Before `initialize` nothing is known to either side: not even which methods there are.
fn not_initialized() -> Error {
    Error { code: ErrorCode::ServerError(-32002), message: "Server not initialized".into(), data: None }
}
