//! `window/workDoneProgress/cancel`: somebody wants no more of it.

use crate::server::state::State;
use tower_lsp::ls_types::WorkDoneProgressCancelParams;

pub fn handle(state: &State, params: &WorkDoneProgressCancelParams) {
    state.cancel_progress(&params.token);
}
