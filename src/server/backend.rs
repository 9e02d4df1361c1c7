//! The protocol's methods. Each is a shell: what must happen in order happens
//! in a plain function of `handlers/` before the first await.

use super::handlers::*;
use super::state::State;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer};

pub struct Backend(Arc<State>);

impl Backend {
    pub fn new(client: Client) -> Self {
        Self(State::new(client))
    }

    pub fn state(&self) -> &Arc<State> {
        &self.0
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        Ok(initialize::handle(&self.0, params))
    }

    async fn initialized(&self, _: InitializedParams) {
        initialized::handle(&self.0);
    }

    async fn shutdown(&self) -> Result<()> {
        self.0.shut_down();
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        did_open::handle(&self.0, params);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        did_change::handle(&self.0, &params);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        did_close::handle(&self.0, &params);
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        did_save::handle(&self.0);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        did_change_configuration::handle(&self.0, params);
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        did_change_workspace_folders::handle(&self.0, &params);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        did_change_watched_files::handle(&self.0, &params);
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        hover::handle(&self.0, params).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        inlay_hint::handle(&self.0, params).await
    }

    async fn inlay_hint_resolve(&self, hint: InlayHint) -> Result<InlayHint> {
        inlay_hint_resolve::handle(&self.0, hint).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        code_lens::handle(&self.0, params).await
    }

    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> {
        code_lens_resolve::handle(&self.0, lens).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        document_symbol::handle(&self.0, params).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        definition::handle(&self.0, params).await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        formatting::handle(&self.0, params).await
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        diagnostic::handle(&self.0, params).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        code_action::handle(&self.0, params).await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        code_action_resolve::handle(&self.0, action).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        execute_command::handle(&self.0, params).await
    }
}
