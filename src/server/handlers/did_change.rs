//! `textDocument/didChange`: edits, in the order of arrival.

use crate::server::state::State;
use crate::vfs;
use tower_lsp::ls_types::{DidChangeTextDocumentParams, MessageType};

pub fn handle(state: &State, params: &DidChangeTextDocumentParams) {
    let changed = &params.text_document;
    let key = vfs::key_of_uri(changed.uri.as_str());
    match state.document(&key) {
        Some(document) => {
            state.put_document(document.changed(changed.version, &params.content_changes, state.flags().encoding));
        }
        None => state.outbox.log(MessageType::WARNING, format!("a change of {key}, which is not open, is ignored")),
    }
}
