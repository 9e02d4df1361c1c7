//! `textDocument/hover`.

use crate::server::plain::markup;
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Hover, HoverContents, HoverParams};

pub fn handle(state: &Arc<State>, params: HoverParams) -> impl Future<Output = Result<Option<Hover>>> + use<> {
    let at = params.text_document_position_params;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let flags = state.flags();
    let known = state.stale.known();
    state.ask(move |view| {
        #[cfg(debug_assertions)]
        crate::server::hooks::trip(view, &key)?;
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let offset = lines.offset(at.position);
        let hover = view.analysis.hover(&key, offset)?;
        let hover = view.analysis.hover_with_stale(&key, offset, hover, &known)?;
        Ok(hover.map(|hover| Hover {
            contents: HoverContents::Markup(markup(hover.markdown, flags.markdown_hover)),
            range: Some(lines.range(hover.range)),
        }))
    })
}
