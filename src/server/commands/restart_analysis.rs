//! `keywright.restartAnalysis`: everything is read and computed anew, and told
//! anew: for whoever does not believe what is shown.

use crate::server::analyst::Job;
use crate::server::state::State;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{LSPAny, MessageType};

/// Takes nothing, and returns `null` when what was known is forgotten.
pub const NAME: &str = "keywright.restartAnalysis";

pub fn handle(
    state: &Arc<State>,
    arguments: Vec<Value>,
) -> impl Future<Output = Result<Option<LSPAny>>> + Send + use<> {
    let restarted = arguments.is_empty().then(|| {
        state.outbox.log(MessageType::INFO, "everything is read and analysed anew");
        state.analyst.put(Job::Restart);
        state.ask(|_| Ok(()))
    });
    async move {
        match restarted {
            Some(restarted) => restarted.await.map(|()| None),
            None => Err(Error::invalid_params("expected no arguments")),
        }
    }
}
