//! Asking the analyst: from a handler's question to its answer.

use super::readers::{Ask, NoAnswer, Reader, Ticket};
use super::{Job, View};
use crate::ide::Answer;
use crate::server::state::State;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::MessageType;

impl State {
    /// Puts a question in the analyst's queue, at once; what is returned waits
    /// for the answer. Dropping it, as cancelling a request does, withdraws the
    /// question.
    pub fn ask<T, Q>(self: &Arc<Self>, question: Q) -> impl Future<Output = Result<T>> + Send + use<T, Q>
    where
        T: Send + 'static,
        Q: Fn(&View) -> Answer<T> + Send + 'static,
    {
        let ticket = Arc::new(Ticket::default());
        let (sender, receiver) = oneshot::channel();
        let state = Arc::clone(self);
        let answer = Box::new(move |reader: Reader| {
            let result = match catch_unwind(AssertUnwindSafe(|| reader.answer(question))) {
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(NoAnswer::Withdrawn)) => Err(Error::request_cancelled()),
                Ok(Err(NoAnswer::Outdated)) => Err(Error::content_modified()),
                Err(payload) => {
                    if let Some(text) = state.told.report(&*payload) {
                        state.outbox.log(MessageType::ERROR, text);
                    }
                    Err(Error::internal_error())
                }
            };
            // The view goes before the answer: an edit need not wait for the
            // client to read it.
            drop(reader);
            let _ = sender.send(result);
        });
        self.analyst.put(Job::Ask(Ask { ticket: Arc::clone(&ticket), answer }));
        let withdraw = Withdraw(ticket);
        async move {
            let answer = receiver.await;
            drop(withdraw);
            answer.unwrap_or_else(|_| Err(Error::request_cancelled()))
        }
    }
}

struct Withdraw(Arc<Ticket>);

impl Drop for Withdraw {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
