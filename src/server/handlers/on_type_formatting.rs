//! `textDocument/onTypeFormatting`. As for the whole document, the form is the language's
//! own: what the client says about tabs is not asked.

use crate::server::convert::text_edits;
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{DocumentOnTypeFormattingParams, TextEdit};

pub fn handle(
    state: &Arc<State>,
    params: DocumentOnTypeFormattingParams,
) -> impl Future<Output = Result<Option<Vec<TextEdit>>>> + use<> {
    let at = params.text_document_position;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let flags = state.flags();
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let edits = view.analysis.on_type_formatting(&key, lines.offset(at.position), &params.ch)?;
        Ok(Some(text_edits(&edits, &lines)))
    })
}
