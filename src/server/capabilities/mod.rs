//! What the client can do, read once, and what the server says of itself.

mod completion;
mod formatting;
mod navigation;
mod reading;
mod rename;
mod workspace;

pub use completion::Indents;
pub use reading::{Folding, Signatures};

use super::commands;
use crate::syntax::Encoding;
use tower_lsp::ls_types::*;

/// The kind of the action that makes `dynamodb_requirement.md`.
pub const REQUIREMENT: CodeActionKind = CodeActionKind::new("source.keywright.requirement");
/// The kind of the action that makes `dynamodb_data_model.md`.
pub const DATA_MODEL: CodeActionKind = CodeActionKind::new("source.keywright.dataModel");

/// The kind of the action that fixes everything in a file that is safe to fix:
/// editors ask for it when they save.
pub const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.keywright");

/// What the client announced. What it did not announce is not used.
#[derive(Clone, Debug, Default)]
pub struct ClientFlags {
    pub encoding: Encoding,
    pub markdown_hover: bool,
    pub definition_links: bool,
    pub symbol_tree: bool,
    /// None: the kinds of the protocol's first version.
    pub symbol_kinds: Option<Vec<SymbolKind>>,
    /// It says that it can ask for findings; whether it is told to is the next.
    pub knows_pulling: bool,
    pub pulls_diagnostics: bool,
    pub refreshes_diagnostics: bool,
    pub related_information: bool,
    pub diagnostic_tags: Vec<DiagnosticTag>,
    pub diagnostic_version: bool,
    pub code_description: bool,
    pub code_actions: bool,
    pub preferred_actions: bool,
    pub resolves_edits: bool,
    pub applies_edits: bool,
    pub document_changes: bool,
    pub creates_files: bool,
    /// It ends the last line of a file by itself: of a text that ends its last line it
    /// makes an empty line more.
    pub ends_last_lines: bool,
    pub deletes_files: bool,
    pub watches_files: bool,
    /// It asks for the tooltips of hints one by one.
    pub resolves_hints: bool,
    pub refreshes_hints: bool,
    /// It knows lenses, and with them how to ask for what they say.
    pub code_lenses: bool,
    pub refreshes_lenses: bool,
    /// It can be asked for its configuration.
    pub configuration: bool,
    /// It can be asked to tell when that changes.
    pub tells_configuration: bool,
    pub completion: completion::Flags,
    pub navigation: navigation::Flags,
    pub rename: rename::Flags,
    pub reading: reading::Flags,
    pub workspace: workspace::Flags,
}

impl ClientFlags {
    pub fn new(capabilities: &ClientCapabilities, client: Option<&ClientInfo>) -> Self {
        let text = capabilities.text_document.clone().unwrap_or_default();
        let workspace = capabilities.workspace.clone().unwrap_or_default();
        let edit = workspace.workspace_edit.unwrap_or_default();
        let action = text.code_action.unwrap_or_default();
        let symbol = text.document_symbol.unwrap_or_default();
        let publish = text.publish_diagnostics.unwrap_or_default();
        let pull = text.diagnostic.clone().unwrap_or_default();
        let pulls = text.diagnostic.is_some();
        // Who cannot be told to pull again would show what an edit of another file has
        // made wrong. Neovim 0.12 can, and then does not pull what it first heard of
        // as a related document; both versions show what is pushed.
        let refreshes = workspace.diagnostics.as_ref().is_some_and(|client| client.refresh_support == Some(true));
        let is_neovim = client.is_some_and(|client| client.name == "Neovim");
        let is_eglot = client.is_some_and(|client| client.name == "Eglot");
        let document_changes = edit.document_changes == Some(true);
        // File operations exist as document changes only: a client that
        // announces them without the latter, as Neovim does, takes both.
        let operations = edit.resource_operations.unwrap_or_default();
        let creates_files = operations.contains(&ResourceOperationKind::Create);
        let deletes_files = operations.contains(&ResourceOperationKind::Delete);
        // A client that pulls may describe what it shows under either name.
        let either = |publish: Option<bool>, pull: Option<bool>| publish == Some(true) || pulls && pull == Some(true);
        Self {
            encoding: encoding(capabilities),
            markdown_hover: text
                .hover
                .and_then(|hover| hover.content_format)
                .is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            definition_links: text.definition.is_some_and(|definition| definition.link_support == Some(true)),
            symbol_tree: symbol.hierarchical_document_symbol_support == Some(true),
            symbol_kinds: symbol.symbol_kind.and_then(|kinds| kinds.value_set),
            knows_pulling: pulls,
            pulls_diagnostics: pulls && refreshes && !is_neovim,
            refreshes_diagnostics: refreshes,
            related_information: either(publish.related_information, pull.related_information),
            diagnostic_tags: match publish.tag_support {
                Some(tags) => tags.value_set,
                None => pulled_tags(&pull),
            },
            diagnostic_version: publish.version_support == Some(true),
            code_description: either(publish.code_description_support, pull.code_description_support),
            code_actions: action.code_action_literal_support.is_some(),
            preferred_actions: action.is_preferred_support == Some(true),
            resolves_edits: action.data_support == Some(true)
                && action.resolve_support.is_some_and(|resolve| resolve.properties.iter().any(|name| name == "edit")),
            applies_edits: workspace.apply_edit == Some(true),
            document_changes,
            creates_files,
            ends_last_lines: is_neovim,
            deletes_files,
            watches_files: workspace
                .did_change_watched_files
                .is_some_and(|watching| watching.dynamic_registration == Some(true)),
            resolves_hints: text
                .inlay_hint
                .and_then(|hint| hint.resolve_support)
                .is_some_and(|resolve| resolve.properties.iter().any(|name| name == "tooltip")),
            refreshes_hints: workspace.inlay_hint.is_some_and(|client| client.refresh_support == Some(true)),
            code_lenses: text.code_lens.is_some(),
            refreshes_lenses: workspace.code_lens.is_some_and(|client| client.refresh_support == Some(true)),
            configuration: workspace.configuration == Some(true),
            tells_configuration: workspace
                .did_change_configuration
                .is_some_and(|telling| telling.dynamic_registration == Some(true)),
            completion: completion::Flags::new(capabilities),
            navigation: navigation::Flags::new(capabilities),
            rename: rename::Flags::new(capabilities),
            reading: reading::Flags::new(capabilities, is_eglot),
            workspace: workspace::Flags::new(capabilities),
        }
    }
}

/// The tags that a client knows in what it pulls. The type keeps them to
/// itself, so they are read from its JSON.
fn pulled_tags(pull: &DiagnosticClientCapabilities) -> Vec<DiagnosticTag> {
    let support = serde_json::to_value(&pull.tag_support).unwrap_or_default();
    support.get("valueSet").and_then(|tags| serde_json::from_value(tags.clone()).ok()).unwrap_or_default()
}

/// UTF-8 if the client has it, as that costs nothing here; else its own first
/// choice of what we know; UTF-16 is what every client understands.
fn encoding(capabilities: &ClientCapabilities) -> Encoding {
    let offered = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    let Some(offered) = offered else { return Encoding::Utf16 };
    if offered.contains(&PositionEncodingKind::UTF8) {
        return Encoding::Utf8;
    }
    let first = offered.iter().find_map(|kind| match kind.as_str() {
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    });
    first.unwrap_or(Encoding::Utf16)
}

/// What the server can do for this client.
pub fn of_server(client: &ClientFlags) -> ServerCapabilities {
    let encoding = match client.encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    };
    let actions = if client.code_actions {
        CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR,
                FIX_ALL,
                REQUIREMENT,
                DATA_MODEL,
            ]),
            resolve_provider: Some(client.resolves_edits),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })
    } else {
        CodeActionProviderCapability::Simple(true)
    };
    let mut server = ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        inlay_hint_provider: Some(OneOf::Right(InlayHintServerCapabilities::Options(InlayHintOptions {
            resolve_provider: Some(client.resolves_hints),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }))),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(client.code_lenses) }),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(actions),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::NAMES.map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        diagnostic_provider: client.pulls_diagnostics.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("keywright".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                work_done_progress_options: WorkDoneProgressOptions::default(),
            })
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    };
    completion::announce(&mut server, client);
    navigation::announce(&mut server, client);
    rename::announce(&mut server, client);
    reading::announce(&mut server, client);
    formatting::announce(&mut server);
    workspace::announce(&mut server, client);
    server
}
