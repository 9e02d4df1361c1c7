//! `textDocument/didOpen`: the editor's text counts from now on.

use crate::server::analyst::Job;
use crate::server::document::Document;
use crate::server::state::State;
use crate::syntax::Text;
use crate::vfs;
use tower_lsp::ls_types::DidOpenTextDocumentParams;

pub fn handle(state: &State, params: DidOpenTextDocumentParams) {
    let opened = params.text_document;
    state.put_document(Document {
        key: vfs::key_of_uri(opened.uri.as_str()),
        uri: opened.uri,
        version: opened.version,
        text: Text::new(&opened.text),
    });
    if !state.flags().watches_files {
        state.analyst.put(Job::LookAround);
    }
}
