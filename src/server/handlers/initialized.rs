//! `initialized`: the workspace is searched, the client watches files, and is
//! asked for its configuration.

use crate::config::FILE_NAME;
use crate::server::analyst::Job;
use crate::server::settings::SECTION;
use crate::server::state::State;
use serde_json::{Value, json};
use std::sync::Arc;
use tower_lsp::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType, Registration,
};

pub fn handle(state: &Arc<State>) {
    state.analyst.put(Job::Folders(state.folders()));
    let flags = state.flags();
    if flags.configuration {
        state.pull_configuration(Value::Null);
    }
    if flags.tells_configuration {
        let registration = Registration {
            id: "keywright-configuration".to_owned(),
            method: "workspace/didChangeConfiguration".to_owned(),
            register_options: Some(json!({"section": SECTION})),
        };
        register(state, registration, "changes of the configuration are not told");
    }
    if flags.watches_files {
        let watchers = ["*.dynamo", FILE_NAME]
            .map(|name| FileSystemWatcher { glob_pattern: GlobPattern::String(format!("**/{name}")), kind: None });
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        let registration = Registration {
            id: "keywright-models".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        register(state, registration, "files are not watched");
    }
}

fn register(state: &State, registration: Registration, otherwise: &'static str) {
    state.outbox.ask(move |client| async move {
        if let Err(error) = client.register_capability(vec![registration]).await {
            client.log_message(MessageType::WARNING, format!("{otherwise}: {error}")).await;
        }
    });
}
