//! `textDocument/prepareCallHierarchy`.

use crate::server::calls::call_item;
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CallHierarchyItem, CallHierarchyPrepareParams};

pub fn handle(
    state: &Arc<State>,
    params: CallHierarchyPrepareParams,
) -> impl Future<Output = Result<Option<Vec<CallHierarchyItem>>>> + use<> {
    let at = params.text_document_position_params;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let flags = state.flags();
    let uris = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let items = view.analysis.prepare_calls(&key, lines.offset(at.position))?;
        let items: Vec<_> = items.iter().filter_map(|item| call_item(&uris, view, &flags, item)).collect();
        // Clients open an empty view for an empty list.
        Ok(Some(items).filter(|items| !items.is_empty()))
    })
}
