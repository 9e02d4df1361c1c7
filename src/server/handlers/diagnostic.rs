//! `textDocument/diagnostic`: findings for a client that asks for them.

use crate::server::diagnostics::{Pulled, pulled};
use crate::server::state::State;
use crate::vfs;
use std::collections::HashMap;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportKind, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport, Uri,
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
        let pulled = pulled(&shown, view, &flags, &key)?;
        shown.shown.pulled(&key, version, &pulled);
        Ok(DocumentDiagnosticReportResult::Report(report(&shown, pulled, known.as_deref())))
    })
}

fn report(state: &State, pulled: Pulled, known: Option<&str>) -> DocumentDiagnosticReport {
    let result_id = pulled.result_id();
    if known == Some(result_id.as_str()) {
        return DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        });
    }
    let related = pulled.related.into_iter().filter_map(|(key, items)| {
        // Its name would stand for this file's share of it only: it has none.
        let report = FullDocumentDiagnosticReport { result_id: None, items };
        Some((state.uri(&key)?, DocumentDiagnosticReportKind::Full(report)))
    });
    let related: HashMap<Uri, DocumentDiagnosticReportKind> = related.collect();
    DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: Some(related).filter(|related| !related.is_empty()),
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: Some(result_id),
            items: pulled.items,
        },
    })
}
