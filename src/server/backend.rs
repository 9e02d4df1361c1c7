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

    /// `$/setTrace`, which tower-lsp leaves to servers.
    pub async fn set_trace(&self, params: SetTraceParams) {
        set_trace::handle(&self.0, &params);
    }

    /// `window/workDoneProgress/cancel`, the same.
    pub async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        cancel_progress::handle(&self.0, &params);
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

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        completion::handle(&self.0, params).await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        completion_resolve::handle(&self.0, item).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        signature_help::handle(&self.0, params).await
    }

    async fn goto_declaration(
        &self,
        params: request::GotoDeclarationParams,
    ) -> Result<Option<request::GotoDeclarationResponse>> {
        declaration::handle(&self.0, params).await
    }

    async fn goto_type_definition(
        &self,
        params: request::GotoTypeDefinitionParams,
    ) -> Result<Option<request::GotoTypeDefinitionResponse>> {
        type_definition::handle(&self.0, params).await
    }

    async fn goto_implementation(
        &self,
        params: request::GotoImplementationParams,
    ) -> Result<Option<request::GotoImplementationResponse>> {
        implementation::handle(&self.0, params).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        references::handle(&self.0, params).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        document_highlight::handle(&self.0, params).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        workspace_symbol::handle(&self.0, params).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        document_link::handle(&self.0, params).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        prepare_call_hierarchy::handle(&self.0, params).await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        incoming_calls::handle(&self.0, params).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        outgoing_calls::handle(&self.0, params).await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        prepare_rename::handle(&self.0, params).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        rename::handle(&self.0, params).await
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        will_rename_files::handle(&self.0, params).await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        semantic_tokens_full::handle(&self.0, params).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        semantic_tokens_delta::handle(&self.0, params).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        semantic_tokens_range::handle(&self.0, params).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        folding_range::handle(&self.0, params).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        super::handlers::selection_range::handle(&self.0, params).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        range_formatting::handle(&self.0, params).await
    }

    async fn on_type_formatting(&self, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        on_type_formatting::handle(&self.0, params).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        workspace_diagnostic::handle(&self.0, params).await
    }
}
