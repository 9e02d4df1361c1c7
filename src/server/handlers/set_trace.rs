//! `$/setTrace`: how much is told of what goes on.

use crate::server::state::State;
use tower_lsp::ls_types::SetTraceParams;

pub fn handle(state: &State, params: &SetTraceParams) {
    state.trace.set(params.value);
}
