//! `workspace/executeCommand`: each command is a file of `commands/`.

use crate::server::commands;
use crate::server::state::State;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{ExecuteCommandParams, LSPAny};

pub fn handle(
    state: &Arc<State>,
    params: ExecuteCommandParams,
) -> impl Future<Output = Result<Option<LSPAny>>> + use<> {
    commands::run(state, &params.command, params.arguments)
}
