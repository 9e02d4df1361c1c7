//! `workspace/didChangeConfiguration`: settings hold at once, without a restart.

use crate::server::state::State;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp::ls_types::DidChangeConfigurationParams;

pub fn handle(state: &Arc<State>, params: DidChangeConfigurationParams) {
    // Who can be asked may send anything with it, or nothing. What it sends holds
    // until it has answered: documents may be opened before that.
    if state.flags().configuration {
        if says_something(&params.settings) {
            state.set_configuration(&params.settings);
        }
        state.pull_configuration(params.settings);
    } else {
        state.set_configuration(&params.settings);
    }
}

/// Editors send nothing, an empty object, or one with an empty section where nobody
/// has set anything.
fn says_something(settings: &Value) -> bool {
    match settings {
        Value::Null => false,
        Value::Object(object) => object.values().any(says_something),
        _ => true,
    }
}
