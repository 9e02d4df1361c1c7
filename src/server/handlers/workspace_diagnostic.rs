//! `workspace/diagnostic`: the findings of all models, open or not.

use crate::server::analyst::Job;
use crate::server::diagnostics::Pull;
use crate::server::state::State;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult};

pub fn handle(
    state: &Arc<State>,
    params: WorkspaceDiagnosticParams,
) -> impl Future<Output = Result<WorkspaceDiagnosticReportResult>> + use<> {
    let (pull, answer) = Pull::new(params);
    state.pulls.put(pull);
    state.analyst.put(Job::Pull);
    async move {
        // One that nobody answers any more has nothing to hear.
        let items = answer.await.unwrap_or_default();
        Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items }))
    }
}
