//! From the first message to the last.

use super::backend::Backend;
use super::{panics, transport};
use std::io::{BufReader, stdin, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use tower_lsp::LspService;

/// Threads for analysis, more than there are cores: a question that takes long
/// must not keep the short ones waiting.
const ANALYSIS_THREADS: usize = 16;

/// Serves one client over standard input and output. The status is 0 if the
/// client asked for the end, by `shutdown`, and 1 if it came otherwise.
pub fn run() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(ANALYSIS_THREADS)
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
    let (service, socket) = LspService::new(Backend::new);
    let state = Arc::clone(service.inner().state());
    let serving = transport::serve(service, socket, BufReader::with_capacity(64 * 1024, stdin()), stdout());
    tokio::select! {
        () = serving => {}
        () = state.client_gone() => {}
    }
    state.was_shut_down()
}
