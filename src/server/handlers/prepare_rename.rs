//! `textDocument/prepareRename`: the name at a place, or why it cannot be renamed.

use super::rename::{only_read, refused};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{PrepareRenameResponse, TextDocumentPositionParams};

pub fn handle(
    state: &Arc<State>,
    params: TextDocumentPositionParams,
) -> impl Future<Output = Result<Option<PrepareRenameResponse>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    let asked = Arc::clone(state);
    let answer = state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let found = view.analysis.prepare_rename(&key, lines.offset(params.position))?;
        let named = found.map(|found| {
            let named = found?;
            // A rename would have to say no, whatever the new name.
            let mut files = named.declared.iter().chain([&key]);
            match files.find(|file| !asked.is_writable(file)) {
                Some(file) => Err(only_read(file)),
                None => Ok((lines.range(named.range), named.name)),
            }
        });
        Ok(named)
    });
    async move {
        match answer.await? {
            Some(Ok((range, placeholder))) => {
                Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
            }
            Some(Err(reason)) => Err(refused(reason)),
            None => Ok(None),
        }
    }
}
