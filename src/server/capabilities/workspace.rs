//! What the client and the server can do about many files, progress and manners.

use super::ClientFlags;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tower_lsp::ls_types::{ClientCapabilities, ServerCapabilities};

/// What the client announced.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// It shows progress, and lets the server begin some.
    pub work_done_progress: bool,
    /// It takes findings of other files with those that it asks for.
    pub related_documents: bool,
    /// It lets the server ask for the texts of more files that are open.
    pub follows_documents: bool,
    /// It asks its user what to do, of several ways.
    pub asks: bool,
}

impl Flags {
    pub fn new(client: &ClientCapabilities) -> Self {
        let text = client.text_document.as_ref();
        let window = client.window.as_ref();
        Self {
            work_done_progress: window.and_then(|window| window.work_done_progress) == Some(true),
            related_documents: text
                .and_then(|text| text.diagnostic.as_ref())
                .is_some_and(|pull| pull.related_document_support == Some(true)),
            follows_documents: text
                .and_then(|text| text.synchronization.as_ref())
                .is_some_and(|synchronization| synchronization.dynamic_registration == Some(true)),
            asks: window.is_some_and(|window| window.show_message.is_some()),
        }
    }
}

/// Adds what the server can do: whatever takes long shows its progress, to a client
/// that shows such. The others have said all of theirs by then.
pub fn announce(server: &mut ServerCapabilities, client: &ClientFlags) {
    if !client.workspace.work_done_progress {
        return;
    }
    shows_progress(&mut server.hover_provider, Bare::MayHaveOptions);
    shows_progress(&mut server.definition_provider, Bare::MayHaveOptions);
    shows_progress(&mut server.references_provider, Bare::MayHaveOptions);
    shows_progress(&mut server.document_symbol_provider, Bare::MayHaveOptions);
    shows_progress(&mut server.workspace_symbol_provider, Bare::MayHaveOptions);
    shows_progress(&mut server.document_formatting_provider, Bare::MayHaveOptions);
    shows_progress(&mut server.document_range_formatting_provider, Bare::MayHaveOptions);
    shows_progress(&mut server.execute_command_provider, Bare::MayHaveOptions);
    shows_progress(&mut server.diagnostic_provider, Bare::MayHaveOptions);
    // Options of these are for clients that announced more than the method.
    shows_progress(&mut server.code_action_provider, Bare::Stays);
    shows_progress(&mut server.rename_provider, Bare::Stays);
}

/// What becomes of a provider that is told by `true` alone.
#[derive(PartialEq, Eq)]
enum Bare {
    MayHaveOptions,
    Stays,
}

/// Says of a provider that it shows its progress. Their types differ; what they are
/// in the protocol does not.
fn shows_progress<T: Serialize + DeserializeOwned>(provider: &mut Option<T>, bare: Bare) {
    let mut value = serde_json::to_value(&provider).unwrap_or_default();
    if value == true && bare == Bare::MayHaveOptions {
        value = json!({});
    }
    if let Some(options) = value.as_object_mut() {
        options.insert("workDoneProgress".to_owned(), true.into());
        if let Ok(changed) = serde_json::from_value(value) {
            *provider = Some(changed);
        }
    }
}
