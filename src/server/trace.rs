//! What is told of the server's doings to a client that has asked for it by
//! `trace` or `$/setTrace`: how long requests took, and what was computed.

use super::state::State;
use super::transport::{Answered, Observer};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tower_lsp::jsonrpc::ErrorCode;
use tower_lsp::ls_types::{LogTraceParams, TraceValue};

/// How much is told.
#[derive(Debug, Default)]
pub struct Trace {
    value: AtomicU8,
    /// How often each query was computed since the last look, where all is told.
    computed: Mutex<BTreeMap<String, usize>>,
}

impl Trace {
    pub fn set(&self, value: TraceValue) {
        self.value.store(value as u8, Ordering::Release);
        drop(self.take_computed());
    }

    fn tells(&self) -> bool {
        self.value.load(Ordering::Acquire) >= TraceValue::Messages as u8
    }

    /// Whether everything is told.
    pub fn is_verbose(&self) -> bool {
        self.value.load(Ordering::Acquire) == TraceValue::Verbose as u8
    }

    /// Counts a query that is computed: its name stands before its argument.
    pub fn count(&self, query: &str) {
        let name = query.split('(').next().unwrap_or(query);
        let mut computed = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
        match computed.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(computed.insert(name.to_owned(), 1)),
        }
    }

    fn take_computed(&self) -> BTreeMap<String, usize> {
        std::mem::take(&mut self.computed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    /// Tells something of what goes on, and more of it where all is wanted.
    pub fn tell_trace(&self, message: impl FnOnce() -> String, verbose: impl FnOnce() -> Option<String>) {
        if self.trace.tells() {
            let verbose = self.trace.is_verbose().then(verbose).flatten();
            self.outbox.trace(LogTraceParams { message: message(), verbose });
        }
    }

    /// Tells that findings were computed, and which queries that took.
    pub fn trace_round(&self, files: usize, took: Duration, is_stopped: bool) {
        let message = || match is_stopped {
            true => format!("findings were given up after {}, as something changed", shown(took)),
            false => format!("findings of {} computed in {}", counted(files, "file"), shown(took)),
        };
        self.tell_trace(message, || {
            let mut computed: Vec<(String, usize)> = self.trace.take_computed().into_iter().collect();
            computed.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            let lines: Vec<String> = computed.iter().map(|(query, count)| format!("{query}: {count}")).collect();
            Some(match lines.is_empty() {
                true => "nothing was computed anew".to_owned(),
                false => format!("computed anew since the last time:\n{}", lines.join("\n")),
            })
        });
    }
}

impl Observer for State {
    fn answered(&self, answered: &Answered) {
        let outcome = match answered.error.map(|error| error.code) {
            None => "answered",
            Some(ErrorCode::RequestCancelled) => "cancelled",
            Some(ErrorCode::ContentModified) => "given up, as the text changed,",
            Some(_) => "refused",
        };
        let message = || format!("{} ({}) {outcome} after {}", answered.method, answered.id, shown(answered.took));
        self.tell_trace(message, || answered.error.map(|error| error.message.to_string()));
    }

    fn input_ended(&self) {
        self.pulls.close();
    }
}

/// A time as people read it.
pub fn shown(took: Duration) -> String {
    match took.as_millis() {
        0 => "less than 1 ms".to_owned(),
        millis if millis < 10_000 => format!("{millis} ms"),
        millis => format!("{} s", millis / 1_000),
    }
}

/// A number of things.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// The queries that a database computes, counted where they are wanted.
pub fn counter(
    state: &std::sync::Weak<State>,
) -> (impl Fn() -> bool + Send + Sync + use<>, impl Fn(String) + Send + Sync + use<>) {
    let (asked, told) = (state.clone(), state.clone());
    let wanted = move || asked.upgrade().is_some_and(|state: Arc<State>| state.trace.is_verbose());
    let count = move |query: String| {
        if let Some(state) = told.upgrade() {
            state.trace.count(&query);
        }
    };
    (wanted, count)
}
