//! The gate before the protocol's methods: what is not advertised to this client is
//! not answered, and a request that nobody answers is told so. A client that waits
//! for an answer which never comes waits for ever.

use super::state::State;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower::Service;
use tower_lsp::ExitedError;
use tower_lsp::jsonrpc::{Error, Request, Response};

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
        let answer = self.service.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            Ok(Some(answer.unwrap_or_else(|| Response::from_error(id, Error::method_not_found()))))
        })
    }
}
