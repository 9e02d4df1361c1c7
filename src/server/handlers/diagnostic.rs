//! `textDocument/diagnostic`: findings for a client that asks for them.

use crate::server::diagnostics::{digest, of_file};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
};

pub fn handle(
    state: &Arc<State>,
    params: DocumentDiagnosticParams,
) -> impl Future<Output = Result<DocumentDiagnosticReportResult>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    // The version that is asked about: a later one has a later question.
    let version = state.document(&key).map(|document| document.version);
    let known = params.previous_result_id;
    let shown = Arc::clone(state);
    state.ask(move |view| {
        let items = of_file(&shown, view, &flags, &key)?;
        let digest = digest(&items);
        shown.shown.pulled(&key, version, digest);
        let result_id = format!("{digest:016x}");
        let report = if known.as_ref() == Some(&result_id) {
            DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                related_documents: None,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
            })
        } else {
            DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(result_id), items },
            })
        };
        Ok(DocumentDiagnosticReportResult::Report(report))
    })
}
