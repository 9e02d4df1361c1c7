//! `textDocument/typeDefinition`.

use crate::ide::Analysis;
use crate::server::going::go;
use crate::server::state::State;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{GotoDefinitionParams, GotoDefinitionResponse};

pub fn handle(
    state: &Arc<State>,
    params: GotoDefinitionParams,
) -> impl Future<Output = Result<Option<GotoDefinitionResponse>>> + use<> {
    go(state, params, state.flags().navigation.type_definition_links, Analysis::type_definition)
}
