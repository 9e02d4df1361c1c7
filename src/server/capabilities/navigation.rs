//! What the client and the server can do about going from place to place.

use super::ClientFlags;
use tower_lsp::ls_types::*;

/// What the client announced.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    pub declaration_links: bool,
    pub type_definition_links: bool,
    pub implementation_links: bool,
    /// It shows what a document link leads to.
    pub link_tooltips: bool,
    /// The kinds of symbols that it shows for all files; none: those of the
    /// protocol's first version.
    pub symbol_kinds: Option<Vec<SymbolKind>>,
}

impl Flags {
    pub fn new(client: &ClientCapabilities) -> Self {
        let text = client.text_document.clone().unwrap_or_default();
        let links = |client: Option<GotoCapability>| client.is_some_and(|client| client.link_support == Some(true));
        let symbol = client.workspace.clone().and_then(|workspace| workspace.symbol).unwrap_or_default();
        Self {
            declaration_links: links(text.declaration),
            type_definition_links: links(text.type_definition),
            implementation_links: links(text.implementation),
            link_tooltips: text.document_link.is_some_and(|client| client.tooltip_support == Some(true)),
            symbol_kinds: symbol.symbol_kind.and_then(|kinds| kinds.value_set),
        }
    }
}

/// Adds what the server can do.
pub fn announce(server: &mut ServerCapabilities, _client: &ClientFlags) {
    server.declaration_provider = Some(DeclarationCapability::Simple(true));
    server.type_definition_provider = Some(TypeDefinitionProviderCapability::Simple(true));
    server.implementation_provider = Some(ImplementationProviderCapability::Simple(true));
    server.references_provider = Some(OneOf::Left(true));
    server.document_highlight_provider = Some(OneOf::Left(true));
    server.workspace_symbol_provider = Some(OneOf::Left(true));
    server.document_link_provider = Some(DocumentLinkOptions {
        resolve_provider: Some(false),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    });
    server.call_hierarchy_provider = Some(CallHierarchyServerCapability::Simple(true));
}
