//! `textDocument/semanticTokens/full`.

use crate::server::state::State;
use crate::server::tokens;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

pub fn handle(
    state: &Arc<State>,
    params: SemanticTokensParams,
) -> impl Future<Output = Result<Option<SemanticTokensResult>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    let version = state.document(&key).map(|document| document.version);
    let asked = Arc::clone(state);
    state.ask(move |view| {
        let Some(data) = tokens::tokens(view, &flags, &key, None)? else { return Ok(None) };
        let result_id = version.map(|_| asked.tokens.gave_whole(&key, version, data.clone()));
        Ok(Some(SemanticTokens { result_id, data }.into()))
    })
}
