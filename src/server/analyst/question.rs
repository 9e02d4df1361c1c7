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
        self.ask_through(false, question)
    }

    /// The same for a question that no file may be missing for, or be there as it was
    /// before: it waits until all is read that was found and told of, and looks at the
    /// disk. An edit meanwhile makes it outdated; what is read does not.
    pub fn ask_of_whole<T, Q>(self: &Arc<Self>, question: Q) -> impl Future<Output = Result<T>> + Send + use<T, Q>
    where
        T: Send + 'static,
        Q: Fn(&View) -> Answer<T> + Send + 'static,
    {
        self.ask_through(true, question)
    }

    fn ask_through<T, Q>(
        self: &Arc<Self>,
        of_whole: bool,
        question: Q,
    ) -> impl Future<Output = Result<T>> + Send + use<T, Q>
    where
        T: Send + 'static,
        Q: Fn(&View) -> Answer<T> + Send + 'static,
    {
        let ticket = Arc::new(Ticket::default());
        let (sender, receiver) = oneshot::channel();
        Question { state: Arc::clone(self), of_whole, ticket: Arc::clone(&ticket), question, sender }.put(None);
        let withdraw = Withdraw(ticket);
        async move {
            let answer = receiver.await;
            drop(withdraw);
            answer.unwrap_or_else(|_| Err(Error::request_cancelled()))
        }
    }
}

/// A question on its way through the queue.
struct Question<T, Q> {
    state: Arc<State>,
    of_whole: bool,
    ticket: Arc<Ticket>,
    question: Q,
    sender: oneshot::Sender<Result<T>>,
}

impl<T, Q> Question<T, Q>
where
    T: Send + 'static,
    Q: Fn(&View) -> Answer<T> + Send + 'static,
{
    /// Puts it in the queue; `edits` as in [`Ask`].
    fn put(self, edits: Option<u64>) {
        let (analyst, ticket) = (self.state.analyst.clone(), Arc::clone(&self.ticket));
        let job = if self.of_whole { Job::AskOfWhole } else { Job::Ask };
        analyst.put(job(Ask { ticket, edits, answer: Box::new(move |reader| self.answer(reader)) }));
    }

    fn answer(self, reader: Reader) {
        let asked = |view: &View| {
            #[cfg(debug_assertions)]
            crate::server::hooks::trip_question(view)?;
            (self.question)(view)
        };
        let result = match catch_unwind(AssertUnwindSafe(|| reader.answer(asked))) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(NoAnswer::Withdrawn)) => Err(Error::request_cancelled()),
            // It made way. If that was for what was read, it waits for the end of it.
            Ok(Err(NoAnswer::Outdated)) if self.of_whole && reader.was_begun => {
                let edits = reader.edits;
                drop(reader);
                return self.put(Some(edits));
            }
            Ok(Err(NoAnswer::Outdated)) => Err(Error::content_modified()),
            Err(payload) => {
                if let Some(text) = self.state.told.report(&*payload) {
                    self.state.outbox.log(MessageType::ERROR, text);
                }
                Err(Error::internal_error())
            }
        };
        // The view goes before the answer: an edit need not wait for the
        // client to read it.
        drop(reader);
        let _ = self.sender.send(result);
    }
}

struct Withdraw(Arc<Ticket>);

impl Drop for Withdraw {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
