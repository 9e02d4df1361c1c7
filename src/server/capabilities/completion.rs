//! What the client and the server can do about completion.

use super::ClientFlags;
use crate::ide::TRIGGERS;
use tower_lsp::ls_types::{
    ClientCapabilities, CompletionItemKind, CompletionOptions, CompletionOptionsCompletionItem, InsertTextMode,
    MarkupKind, ServerCapabilities,
};

/// What the client announced.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// It knows texts with places to fill in.
    pub snippets: bool,
    /// It tells what is typed of a word from the whole of it.
    pub insert_and_replace: bool,
    pub commit_characters: bool,
    pub label_details: bool,
    pub markdown: bool,
    /// It asks for the documentation of an item when it shows it.
    pub resolves_documentation: bool,
    /// None: the kinds of the protocol's first version.
    pub kinds: Option<Vec<CompletionItemKind>>,
    /// Who indents the lines of what is put in.
    pub indents: Indents,
}

/// Who indents the lines of what is put in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Indents {
    /// The client, as it always does.
    #[default]
    Client,
    /// The client, where it is told to.
    ClientWhenTold,
    /// It takes every text as it is.
    Server,
}

impl Flags {
    pub fn new(client: &ClientCapabilities) -> Self {
        let text = client.text_document.as_ref();
        let Some(completion) = text.and_then(|text| text.completion.clone()) else { return Self::default() };
        let item = completion.completion_item.unwrap_or_default();
        let modes = item.insert_text_mode_support.map(|support| support.value_set);
        let as_is = completion.insert_text_mode == Some(InsertTextMode::AS_IS);
        let indents = match modes {
            Some(modes) if modes.contains(&InsertTextMode::ADJUST_INDENTATION) => Indents::ClientWhenTold,
            _ if as_is => Indents::Server,
            _ => Indents::Client,
        };
        Self {
            snippets: item.snippet_support == Some(true),
            insert_and_replace: item.insert_replace_support == Some(true),
            commit_characters: item.commit_characters_support == Some(true),
            label_details: item.label_details_support == Some(true),
            markdown: item.documentation_format.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            resolves_documentation: item
                .resolve_support
                .is_some_and(|resolve| resolve.properties.iter().any(|name| name == "documentation")),
            kinds: completion.completion_item_kind.and_then(|kinds| kinds.value_set),
            indents,
        }
    }
}

/// Adds what the server can do.
pub fn announce(server: &mut ServerCapabilities, client: &ClientFlags) {
    server.completion_provider = Some(CompletionOptions {
        resolve_provider: Some(client.completion.resolves_documentation),
        trigger_characters: Some(TRIGGERS.iter().map(|character| (*character).to_owned()).collect()),
        completion_item: client
            .completion
            .label_details
            .then_some(CompletionOptionsCompletionItem { label_details_support: Some(true) }),
        ..CompletionOptions::default()
    });
}
