//! `textDocument/references`.

use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Location, ReferenceParams};

pub fn handle(
    state: &Arc<State>,
    params: ReferenceParams,
) -> impl Future<Output = Result<Option<Vec<Location>>>> + use<> {
    let at = params.text_document_position;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let with_declarations = params.context.include_declaration;
    let flags = state.flags();
    let uris = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let mut found = view.analysis.references(&key, lines.offset(at.position))?;
        found.retain(|naming| with_declarations || !naming.declares);
        // They come file by file: one look-up serves all of a file.
        let files = found.chunk_by(|one, next| one.file == next.file).filter_map(|in_file| {
            let file = &in_file.first()?.file;
            let (uri, lines) = (uris.uri(file)?, view.lines(file, flags.encoding)?);
            let places = in_file.iter().map(|naming| Location::new(uri.clone(), lines.range(naming.range)));
            Some(places.collect::<Vec<_>>())
        });
        Ok(Some(files.flatten().collect()))
    })
}
