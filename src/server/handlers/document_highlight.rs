//! `textDocument/documentHighlight`.

use crate::ide::Access;
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

pub fn handle(
    state: &Arc<State>,
    params: DocumentHighlightParams,
) -> impl Future<Output = Result<Option<Vec<DocumentHighlight>>>> + use<> {
    let at = params.text_document_position_params;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let flags = state.flags();
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let found = view.analysis.highlights(&key, lines.offset(at.position))?;
        let highlights = found.iter().map(|naming| DocumentHighlight {
            range: lines.range(naming.range),
            kind: Some(match naming.access {
                Access::Mention => DocumentHighlightKind::TEXT,
                Access::Read => DocumentHighlightKind::READ,
                Access::Write => DocumentHighlightKind::WRITE,
            }),
        });
        Ok(Some(highlights.collect()))
    })
}
