//! From the first message to the last.

use super::backend::Backend;
use super::gate::Gate;
use super::{heap, panics, transport};
use std::io::{BufReader, stdin, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tower_lsp::LspService;
use tower_lsp::ls_types::notification::{Notification, SetTrace, WorkDoneProgressCancel};

/// Threads for messages, besides the one that the process begins with. Each that
/// lasts keeps some of what it has freed for itself.
const MESSAGE_THREADS: usize = 1;

/// Threads for analysis, more than there are cores: a question that takes long
/// must not keep the short ones waiting.
const ANALYSIS_THREADS: usize = 16;

/// How long a thread for analysis waits for work: stacks and heaps of those that a
/// burst of questions has started are given back soon.
const IDLE: Duration = Duration::from_millis(500);

/// Serves one client over standard input and output. The status is 0 if the
/// client asked for the end, by `shutdown`, and 1 if it came otherwise.
pub fn run() -> ExitCode {
    heap::share();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(MESSAGE_THREADS)
        .max_blocking_threads(ANALYSIS_THREADS)
        .thread_keep_alive(IDLE)
        .enable_time()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("keywright: the server cannot start: {error}");
            return ExitCode::from(2);
        }
    };
    panics::keep_quiet();
    let orderly = runtime.block_on(serve());
    // What still computes, or waits for input that never comes, is left behind.
    runtime.shutdown_background();
    if orderly { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn serve() -> bool {
    let (service, socket) = LspService::build(Backend::new)
        .custom_method(SetTrace::METHOD, Backend::set_trace)
        .custom_method(WorkDoneProgressCancel::METHOD, Backend::cancel_progress)
        .finish();
    let state = Arc::clone(service.inner().state());
    let input = BufReader::with_capacity(64 * 1024, stdin());
    let spellings = Arc::clone(&state.spellings);
    let service = Gate::new(service, Arc::clone(&state));
    let serving = transport::serve(service, socket, Arc::clone(&state), spellings, input, stdout());
    tokio::select! {
        () = serving => {}
        () = state.client_gone() => {}
    }
    state.was_shut_down()
}
