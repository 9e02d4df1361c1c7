//! `textDocument/semanticTokens/full/delta`: the difference to the last answer, or
//! all tokens where the client has another one in mind.

use crate::server::state::State;
use crate::server::tokens;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

pub fn handle(
    state: &Arc<State>,
    params: SemanticTokensDeltaParams,
) -> impl Future<Output = Result<Option<SemanticTokensFullDeltaResult>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let before = params.previous_result_id;
    let flags = state.flags();
    let version = state.document(&key).map(|document| document.version);
    let asked = Arc::clone(state);
    state.ask(move |view| {
        let Some(data) = tokens::tokens(view, &flags, &key, None)? else { return Ok(None) };
        let known = asked.tokens.whole(&key, &before);
        let result_id = version.map(|_| asked.tokens.gave_whole(&key, version, data.clone()));
        Ok(Some(match known {
            Some(old) => SemanticTokensDelta { result_id, edits: tokens::difference(&old, &data) }.into(),
            None => SemanticTokens { result_id, data }.into(),
        }))
    })
}
