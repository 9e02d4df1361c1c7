//! `textDocument/hover`.

use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

pub fn handle(state: &Arc<State>, params: HoverParams) -> impl Future<Output = Result<Option<Hover>>> + use<> {
    let at = params.text_document_position_params;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let flags = state.flags();
    state.ask(move |view| {
        #[cfg(debug_assertions)]
        crate::server::hooks::trip(view, &key)?;
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let hover = view.analysis.hover(&key, lines.offset(at.position))?;
        Ok(hover.map(|hover| Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: if flags.markdown_hover { MarkupKind::Markdown } else { MarkupKind::PlainText },
                value: hover.markdown,
            }),
            range: Some(lines.range(hover.range)),
        }))
    })
}
