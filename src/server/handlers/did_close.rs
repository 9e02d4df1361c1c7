//! `textDocument/didClose`: the disk counts again.

use crate::server::state::State;
use crate::vfs;
use tower_lsp::ls_types::{DidCloseTextDocumentParams, MessageType};

pub fn handle(state: &State, params: &DidCloseTextDocumentParams) {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    if !state.close_document(&key) {
        state.outbox.log(MessageType::WARNING, format!("{key} was closed, which is not open"));
    }
}
