//! `workspace/symbol`: with their places, so that none has to be resolved.

use crate::server::convert::symbol_kind;
use crate::server::state::State;
use std::collections::HashMap;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Location, SymbolInformation, WorkspaceSymbolParams, WorkspaceSymbolResponse};

pub fn handle(
    state: &Arc<State>,
    params: WorkspaceSymbolParams,
) -> impl Future<Output = Result<Option<WorkspaceSymbolResponse>>> + use<> {
    let flags = state.flags();
    let uris = Arc::clone(state);
    state.ask(move |view| {
        let found = view.analysis.workspace_symbols(&params.query)?;
        let mut files = HashMap::new();
        let mut list = Vec::new();
        for symbol in found {
            let file = files
                .entry(symbol.file)
                .or_insert_with_key(|file| Some((uris.uri(file)?, view.lines(file, flags.encoding)?)));
            let Some((uri, lines)) = file else { continue };
            #[allow(deprecated)]
            list.push(SymbolInformation {
                name: symbol.name,
                kind: symbol_kind(symbol.kind, flags.navigation.symbol_kinds.as_deref()),
                tags: None,
                deprecated: None,
                location: Location::new(uri.clone(), lines.range(symbol.range)),
                container_name: symbol.container,
            });
        }
        Ok(Some(WorkspaceSymbolResponse::Flat(list)))
    })
}
