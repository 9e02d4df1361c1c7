//! `textDocument/rangeFormatting`. As for the whole document, the form is the language's
//! own: what the client says about tabs is not asked.

use crate::server::convert::text_edits;
use crate::server::state::State;
use crate::syntax::TextRange;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{DocumentRangeFormattingParams, TextEdit};

pub fn handle(
    state: &Arc<State>,
    params: DocumentRangeFormattingParams,
) -> impl Future<Output = Result<Option<Vec<TextEdit>>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let range = TextRange::new(lines.offset(params.range.start), lines.offset(params.range.end));
        let edits = view.analysis.range_formatting(&key, range)?;
        Ok(Some(text_edits(&edits, &lines)))
    })
}
