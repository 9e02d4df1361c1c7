//! `textDocument/didOpen`: the editor's text counts from now on.

use crate::server::analyst::Job;
use crate::server::document::Document;
use crate::server::state::State;
use crate::syntax::Text;
use crate::vfs;
use tower_lsp::ls_types::DidOpenTextDocumentParams;

pub fn handle(state: &State, params: DidOpenTextDocumentParams) {
    let opened = params.text_document;
    let key = vfs::key_of_uri(opened.uri.as_str());
    state.shown.doubt_of(&key);
    if vfs::is_document(&key) {
        state.given.are_shown();
    }
    state.put_document(Document {
        key,
        uri: opened.uri,
        version: opened.version,
        opening: state.next_opening(),
        text: Text::new(&opened.text),
    });
    if !state.flags().watches_files {
        state.analyst.put(Job::LookAround);
    }
}
