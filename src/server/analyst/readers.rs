//! Questions that are being answered, and what an edit does about them.

use super::view::View;
use crate::ide::Cancelled;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long an edit waits for the questions before it. What takes longer is
/// given up, and the client asks again if it still wants to know.
const PATIENCE: Duration = Duration::from_secs(5);

/// A question in the queue.
pub struct Ask {
    pub ticket: Arc<Ticket>,
    /// How many edits there had been when it was begun before, and had to make way:
    /// it is about the texts of then.
    pub edits: Option<u64>,
    /// Answers it, in a thread of its own.
    pub answer: Box<dyn FnOnce(Reader) + Send>,
}

/// What may still happen to a question.
#[derive(Default)]
pub struct Ticket {
    cancelled: AtomicBool,
    /// Stops the computation that is under way.
    token: Mutex<Option<salsa::CancellationToken>>,
}

impl Ticket {
    /// Nobody waits for the answer any more.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        if let Some(token) = &*self.token.lock().unwrap_or_else(PoisonError::into_inner) {
            token.cancel();
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    fn watch(&self, token: salsa::CancellationToken) {
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token.clone());
        // It may have been cancelled between the last look and now.
        if self.is_cancelled() {
            token.cancel();
        }
    }
}

/// Why there is no answer.
pub enum NoAnswer {
    /// The client has withdrawn the question.
    Withdrawn,
    /// An edit could wait no longer.
    Outdated,
}

/// A question under way: its view of the state, which an edit waits for.
pub struct Reader {
    view: View,
    ticket: Arc<Ticket>,
    /// How many edits its view knows of.
    pub edits: u64,
    /// Whether it had its time: a question may be outdated before.
    pub was_begun: bool,
    outdated: Arc<AtomicBool>,
    _counted: Counted,
}

impl Reader {
    /// Computes the answer, again where the computation was stopped by another.
    pub fn answer<T>(&self, question: impl Fn(&View) -> Result<T, Cancelled>) -> Result<T, NoAnswer> {
        loop {
            if self.ticket.is_cancelled() {
                return Err(NoAnswer::Withdrawn);
            }
            if self.outdated.load(Ordering::Acquire) {
                return Err(NoAnswer::Outdated);
            }
            let view = self.view.again();
            self.ticket.watch(view.token());
            if let Ok(answer) = view.catch(&question) {
                // Between two looks at the database nothing stops a computation; what it
                // says of a text that is gone is not said.
                return if self.outdated.load(Ordering::Acquire) { Err(NoAnswer::Outdated) } else { Ok(answer) };
            }
        }
    }
}

/// Counts the questions under way.
#[derive(Default)]
pub struct Readers {
    count: Arc<(Mutex<usize>, Condvar)>,
    outdated: Arc<AtomicBool>,
}

impl Readers {
    pub fn reader(&self, view: View, ticket: Arc<Ticket>, edits: u64) -> Reader {
        *self.count.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let _counted = Counted(Arc::clone(&self.count));
        Reader { view, ticket, edits, was_begun: true, outdated: Arc::clone(&self.outdated), _counted }
    }

    /// The same for a question whose text has changed before it was begun.
    pub fn outdated(&self, view: View, ticket: Arc<Ticket>, edits: u64) -> Reader {
        Reader { was_begun: false, outdated: Arc::new(AtomicBool::new(true)), ..self.reader(view, ticket, edits) }
    }

    /// Waits until all questions are answered, or gives up those that are not
    /// in time: the next write of the database then stops them.
    pub fn settle(&mut self) {
        let (count, none_left) = &*self.count;
        let guard = count.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = none_left.wait_timeout_while(guard, PATIENCE, |count| *count > 0);
        let (guard, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *guard > 0 {
            self.outdated.store(true, Ordering::Release);
            self.outdated = Arc::default();
        }
    }
}

struct Counted(Arc<(Mutex<usize>, Condvar)>);

impl Drop for Counted {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.1.notify_all();
    }
}
