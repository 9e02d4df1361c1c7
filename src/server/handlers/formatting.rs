//! `textDocument/formatting`. The form is the language's own: what the client
//! says about tabs is not asked.

use crate::server::convert::text_edits;
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{DocumentFormattingParams, TextEdit};

pub fn handle(
    state: &Arc<State>,
    params: DocumentFormattingParams,
) -> impl Future<Output = Result<Option<Vec<TextEdit>>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let edits = view.analysis.formatting(&key)?;
        Ok(Some(text_edits(&edits, &lines)))
    })
}
