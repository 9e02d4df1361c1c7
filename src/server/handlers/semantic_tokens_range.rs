//! `textDocument/semanticTokens/range`.

use crate::server::state::State;
use crate::server::tokens;
use crate::syntax::TextRange;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

pub fn handle(
    state: &Arc<State>,
    params: SemanticTokensRangeParams,
) -> impl Future<Output = Result<Option<SemanticTokensRangeResult>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    let version = state.document(&key).map(|document| document.version);
    let asked = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let range = TextRange::new(lines.offset(params.range.start), lines.offset(params.range.end));
        let Some(data) = tokens::tokens(view, &flags, &key, Some(range))? else { return Ok(None) };
        if version.is_some() {
            asked.tokens.gave_range(&key, version, range, data.clone());
        }
        Ok(Some(SemanticTokens { result_id: None, data }.into()))
    })
}
