//! Answers that are places to go to: links where the client has them, so that it
//! can show the whole of what is there, else places of names.

use super::state::State;
use crate::ide::{Analysis, Answer, Location};
use crate::model::files::FileKey;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{self, GotoDefinitionParams, GotoDefinitionResponse, LocationLink};

/// Asks where something at a place is; `links` says whether this client has links.
pub fn go(
    state: &Arc<State>,
    params: GotoDefinitionParams,
    links: bool,
    question: fn(&Analysis, &FileKey, usize) -> Answer<Vec<Location>>,
) -> impl Future<Output = Result<Option<GotoDefinitionResponse>>> + use<> {
    let at = params.text_document_position_params;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let flags = state.flags();
    let uris = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let offset = lines.offset(at.position);
        let found = question(&view.analysis, &key, offset)?;
        let found = found.into_iter().filter_map(|place| {
            // A file that is no text can be gone to all the same: its start.
            let lines = view.lines(&place.file, flags.encoding);
            let range = |range| lines.as_ref().map(|lines| lines.range(range)).unwrap_or_default();
            Some((uris.uri(&place.file)?, range(place.range), range(place.selection)))
        });
        Ok(Some(if links {
            let origin = view.analysis.name_range(&key, offset)?.map(|name| lines.range(name));
            GotoDefinitionResponse::Link(
                found
                    .map(|(target_uri, target_range, target_selection_range)| LocationLink {
                        origin_selection_range: origin,
                        target_uri,
                        target_range,
                        target_selection_range,
                    })
                    .collect(),
            )
        } else {
            GotoDefinitionResponse::Array(found.map(|(uri, _, name)| ls_types::Location::new(uri, name)).collect())
        }))
    })
}
