//! `initialized`: the workspace is searched, and the client watches files.

use crate::config::FILE_NAME;
use crate::server::analyst::Job;
use crate::server::state::State;
use tower_lsp::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType, Registration,
};

pub fn handle(state: &State) {
    state.analyst.put(Job::Folders(state.folders()));
    if !state.flags().watches_files {
        return;
    }
    let watchers = ["*.dynamo", FILE_NAME]
        .map(|name| FileSystemWatcher { glob_pattern: GlobPattern::String(format!("**/{name}")), kind: None });
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
    let registration = Registration {
        id: "keywright-models".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(options).ok(),
    };
    state.outbox.ask(|client| async move {
        if let Err(error) = client.register_capability(vec![registration]).await {
            client.log_message(MessageType::WARNING, format!("files are not watched: {error}")).await;
        }
    });
}
