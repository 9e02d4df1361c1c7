//! `textDocument/definition`: links where the client has them, so that it can
//! show the whole declaration, else places of names.

use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink};

pub fn handle(
    state: &Arc<State>,
    params: GotoDefinitionParams,
) -> impl Future<Output = Result<Option<GotoDefinitionResponse>>> + use<> {
    let at = params.text_document_position_params;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let flags = state.flags();
    let uris = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let found = view.analysis.definition(&key, lines.offset(at.position))?;
        let found = found.into_iter().filter_map(|place| {
            // A file that is no text can be gone to all the same: its start.
            let lines = view.lines(&place.file, flags.encoding);
            let range = |range| lines.as_ref().map(|lines| lines.range(range)).unwrap_or_default();
            Some((uris.uri(&place.file)?, range(place.range), range(place.selection)))
        });
        Ok(Some(if flags.definition_links {
            GotoDefinitionResponse::Link(
                found
                    .map(|(target_uri, target_range, target_selection_range)| LocationLink {
                        origin_selection_range: None,
                        target_uri,
                        target_range,
                        target_selection_range,
                    })
                    .collect(),
            )
        } else {
            GotoDefinitionResponse::Array(found.map(|(uri, _, name)| Location::new(uri, name)).collect())
        }))
    })
}
