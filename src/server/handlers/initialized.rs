//! `initialized`: the workspace is searched, the client watches files, and is
//! asked for its configuration.

use crate::config::FILE_NAME;
use crate::server::analyst::Job;
use crate::server::settings::SECTION;
use crate::server::state::State;
use crate::syntax::Encoding;
use serde_json::{Value, json};
use std::sync::Arc;
use tower_lsp::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, DocumentFilter, FileSystemWatcher, GlobPattern, MessageType,
    Registration, TextDocumentSyncKind,
};

pub fn handle(state: &Arc<State>) {
    state.outbox.log(MessageType::INFO, first_words(state));
    state.tell_initial_faults();
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
        register(state, vec![registration], "changes of the configuration are not told");
    }
    if flags.watches_files {
        let watchers = ["*.dynamo", FILE_NAME, REQUIREMENTS, DATA_MODELS]
            .map(|name| FileSystemWatcher { glob_pattern: GlobPattern::String(format!("**/{name}")), kind: None });
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        let registration = Registration {
            id: "keywright-models".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        register(state, vec![registration], "files are not watched");
    }
    if flags.workspace.follows_documents {
        follow_documents(state);
    }
}

/// The documents of models, by their names.
const REQUIREMENTS: &str = "*dynamodb_requirement.md";
const DATA_MODELS: &str = "*dynamodb_data_model.md";

/// Asks for the texts of documents that are open: what is refreshed may hold changes
/// that nobody has saved.
fn follow_documents(state: &Arc<State>) {
    let documents = [REQUIREMENTS, DATA_MODELS].map(|name| DocumentFilter {
        language: None,
        scheme: Some("file".to_owned()),
        pattern: Some(format!("**/{name}")),
    });
    let documents = json!(documents);
    // What is open already is told once its changes are.
    let registrations = [
        (
            "textDocument/didChange",
            json!({"documentSelector": documents, "syncKind": TextDocumentSyncKind::INCREMENTAL}),
        ),
        ("textDocument/didClose", json!({"documentSelector": documents})),
        ("textDocument/didOpen", json!({"documentSelector": documents})),
    ];
    let registrations = registrations.map(|(method, options)| Registration {
        id: format!("keywright-documents-{}", method.rsplit('/').next().unwrap_or_default()),
        method: method.to_owned(),
        register_options: Some(options),
    });
    let weak = Arc::downgrade(state);
    register_then(state, registrations.to_vec(), "open documents are not followed", move || {
        if let Some(state) = weak.upgrade() {
            state.given.are_shown();
        }
    });
}

/// What a log begins with: who works for whom, and where.
fn first_words(state: &State) -> String {
    let columns = match state.flags().encoding {
        Encoding::Utf8 => "UTF-8",
        Encoding::Utf16 => "UTF-16",
        Encoding::Utf32 => "UTF-32",
    };
    let folders: Vec<String> = state.folders().iter().map(ToString::to_string).collect();
    let folders = match folders.is_empty() {
        true => "no workspace folder".to_owned(),
        false => folders.join(", "),
    };
    let client = state.client().unwrap_or("a client without a name");
    format!("keywright {} for {client}; columns in {columns}; {folders}", env!("CARGO_PKG_VERSION"))
}

fn register(state: &State, registrations: Vec<Registration>, otherwise: &'static str) {
    register_then(state, registrations, otherwise, || {});
}

/// The same, and then something more where the client has agreed.
fn register_then(
    state: &State,
    registrations: Vec<Registration>,
    otherwise: &'static str,
    then: impl FnOnce() + Send + 'static,
) {
    state.outbox.ask(move |client| async move {
        match client.register_capability(registrations).await {
            Ok(()) => then(),
            Err(error) => client.log_message(MessageType::WARNING, format!("{otherwise}: {error}")).await,
        }
    });
}
