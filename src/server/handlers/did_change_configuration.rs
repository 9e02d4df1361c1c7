//! `workspace/didChangeConfiguration`: settings hold at once, without a restart.

use crate::server::state::State;
use std::sync::Arc;
use tower_lsp::ls_types::DidChangeConfigurationParams;

pub fn handle(state: &Arc<State>, params: DidChangeConfigurationParams) {
    // Who can be asked may send anything with it, or nothing.
    if state.flags().configuration {
        state.pull_configuration(params.settings);
    } else {
        state.set_configuration(&params.settings);
    }
}
