//! The table: who sends what, whether it is answered, where that is advertised
//! (`by`), what the client has to announce for it (`for`), and what or why.

use super::{Kind, Method, Needs, REGISTRATION, Section, Sender, Verdict};

macro_rules! sections {
    ($($title:literal { $(
        $sender:ident $kind:ident $name:literal $verdict:ident
        $(by $by:tt)? $(for $how:ident of $($need:literal),+)? : $about:literal;
    )* })*) => {
        &[$(Section { title: $title, methods: &[$(Method {
            name: $name,
            sender: Sender::$sender,
            kind: Kind::$kind,
            verdict: Verdict::$verdict,
            advertised: sections!(@by $($by)?),
            needs: sections!(@needs $($how $($need),+)?),
            about: $about,
        }),*] }),*]
    };
    (@by) => { None };
    (@by $by:tt) => { Some($by) };
    (@needs) => { Needs::Nothing };
    (@needs $how:ident $($need:literal),+) => { Needs::$how(&[$($need),+]) };
}

/// All methods, in the protocol's order of subjects.
pub const SECTIONS: &[Section] = sections! {
    "The session" {
        Client Request "initialize" Yes:
            "Version of the server, its capabilities for this very client, the encoding of columns: UTF-8 where the client has it, else its own first choice.";
        Client Notification "initialized" Yes:
            "The workspace is searched for models, files are watched, and the configuration is asked for.";
        Client Request "shutdown" Yes:
            "Every request after it is refused.";
        Client Notification "exit" Yes:
            "Status 0 after `shutdown`, else 1.";
        Server Request "client/registerCapability" Yes for Any of "workspace.didChangeWatchedFiles.dynamicRegistration", "workspace.didChangeConfiguration.dynamicRegistration", "textDocument.synchronization.dynamicRegistration":
            "Asks to be told of changes of models, of their documents, of `keywright.toml` and of the configuration, and for the texts of documents that are open, each where the client lets it be registered. Everything else is advertised once, by `initialize`.";
        Server Request "client/unregisterCapability" No:
            "What was registered holds for the whole session.";
        Client Notification "$/setTrace" Yes:
            "Switches `$/logTrace` while the server runs.";
        Server Notification "$/logTrace" Yes:
            "How long requests and rounds of the analysis took, for a client that has asked for a trace.";
        Both Notification "$/cancelRequest" Yes:
            "The request ends at once with `RequestCancelled`, and its analysis stops. The server cancels nothing that it asked for.";
        Both Notification "$/progress" Yes:
            "Begin and end of what takes longer than half a second, and the parts of an answer that the client wants in parts. The server asks for no progress of the client.";
    }
    "Documents" {
        Client Notification "textDocument/didOpen" Yes by "textDocumentSync.openClose":
            "The text of the editor counts, not the one on disk.";
        Client Notification "textDocument/didChange" Yes by "textDocumentSync.change":
            "Edits by range (incremental) or the whole text, in the order of arrival.";
        Client Notification "textDocument/willSave" No by "textDocumentSync.willSave":
            "Nothing has to happen before a save.";
        Client Request "textDocument/willSaveWaitUntil" No by "textDocumentSync.willSaveWaitUntil":
            "Editors run formatting and `source.fixAll` on save by themselves, where their users want that; twice would be once too often.";
        Client Notification "textDocument/didSave" Yes by "textDocumentSync.save":
            "A moment to look at the disk, for clients that do not watch files.";
        Client Notification "textDocument/didClose" Yes by "textDocumentSync.openClose":
            "The text on disk counts again.";
        Client Notification "notebookDocument/didOpen" No by "notebookDocumentSync":
            "Models are files, not cells of notebooks.";
        Client Notification "notebookDocument/didChange" No by "notebookDocumentSync":
            "As above.";
        Client Notification "notebookDocument/didSave" No by "notebookDocumentSync":
            "As above.";
        Client Notification "notebookDocument/didClose" No by "notebookDocumentSync":
            "As above.";
    }
    "Going from place to place" {
        Client Request "textDocument/declaration" Yes by "declarationProvider":
            "Where a name is declared.";
        Client Request "textDocument/definition" Yes by "definitionProvider":
            "The declaration of a name, or the file of an import.";
        Client Request "textDocument/typeDefinition" Yes by "typeDefinitionProvider":
            "From an attribute to the entity of its `@of`; from a parameter or a role to the entity behind it.";
        Client Request "textDocument/implementation" Yes by "implementationProvider":
            "From a pattern or a workflow to the tables and indexes that answer it; from an entity to its places in tables.";
        Client Request "textDocument/references" Yes by "referencesProvider":
            "Every use of a name in all files of its models, closed ones too, and in the holes of templates.";
        Client Request "textDocument/prepareCallHierarchy" Yes by "callHierarchyProvider":
            "A workflow, a pattern, a table or an index.";
        Client Request "callHierarchy/incomingCalls" Yes by "callHierarchyProvider":
            "Who uses an index, a table or a pattern.";
        Client Request "callHierarchy/outgoingCalls" Yes by "callHierarchyProvider":
            "The patterns of a workflow; the tables and indexes of a pattern.";
        Client Request "textDocument/prepareTypeHierarchy" No by "typeHierarchyProvider":
            "Entities have no subtypes.";
        Client Request "typeHierarchy/supertypes" No by "typeHierarchyProvider":
            "As above.";
        Client Request "typeHierarchy/subtypes" No by "typeHierarchyProvider":
            "As above.";
        Client Request "textDocument/documentHighlight" Yes by "documentHighlightProvider":
            "Every use of a name in the file; reads and writes apart.";
        Client Request "textDocument/documentLink" Yes by "documentLinkProvider":
            "Imports and the generated documents.";
        Client Request "documentLink/resolve" No by "documentLinkProvider.resolveProvider":
            "Links come with their targets.";
        Client Request "textDocument/documentSymbol" Yes by "documentSymbolProvider":
            "A tree; a list for a client without `hierarchicalDocumentSymbolSupport`.";
        Client Request "workspace/symbol" Yes by "workspaceSymbolProvider":
            "Names of all models of the workspace, the best match first.";
        Client Request "workspaceSymbol/resolve" No by "workspaceSymbolProvider.resolveProvider":
            "Symbols come with their ranges.";
        Client Request "textDocument/moniker" No by "monikerProvider":
            "Models import files, not packages: there is no index of packages that would know a moniker.";
    }
    "Reading" {
        Client Request "textDocument/hover" Yes by "hoverProvider":
            "What a name, a keyword or a number is; Markdown where the client shows it.";
        Client Request "textDocument/signatureHelp" Yes by "signatureHelpProvider":
            "The parts of an operation, a function of a template or a modifier, with the one under the cursor.";
        Client Request "textDocument/codeLens" Yes by "codeLensProvider":
            "The numbers of tables, indexes and entities, above them.";
        Client Request "codeLens/resolve" Yes by "codeLensProvider.resolveProvider" for All of "textDocument.codeLens":
            "The numbers of a lens, when it is shown. A client that does not announce lenses gets them at once.";
        Server Request "workspace/codeLens/refresh" Yes for All of "workspace.codeLens.refreshSupport":
            "When a lens that is shown says something else by now, because another file or a setting changed.";
        Client Request "textDocument/inlayHint" Yes by "inlayHintProvider":
            "Sizes, rates and costs beside what they are of.";
        Client Request "inlayHint/resolve" Yes by "inlayHintProvider.resolveProvider" for All of "textDocument.inlayHint.resolveSupport":
            "How a number comes about, when it is pointed at; else at once.";
        Server Request "workspace/inlayHint/refresh" Yes for All of "workspace.inlayHint.refreshSupport":
            "As for lenses.";
        Client Request "textDocument/inlineValue" No by "inlineValueProvider":
            "There is no debugger that stops in a model.";
        Server Request "workspace/inlineValue/refresh" No:
            "As above.";
        Client Request "textDocument/semanticTokens/full" Yes by "semanticTokensProvider.full" for All of "textDocument.semanticTokens.requests.full":
            "What each name is, by meaning.";
        Client Request "textDocument/semanticTokens/full/delta" Yes by "semanticTokensProvider.full.delta" for All of "textDocument.semanticTokens.requests.full.delta":
            "Only what changed since the last answer.";
        Client Request "textDocument/semanticTokens/range" Yes by "semanticTokensProvider.range" for All of "textDocument.semanticTokens.requests.range":
            "The part that is shown.";
        Server Request "workspace/semanticTokens/refresh" Yes for All of "workspace.semanticTokens.refreshSupport":
            "When another file changed what a name in an open one means.";
        Client Request "textDocument/foldingRange" Yes by "foldingRangeProvider":
            "Blocks, comments and imports.";
        Client Request "textDocument/selectionRange" Yes by "selectionRangeProvider":
            "From the name outwards to the file.";
        Client Request "textDocument/documentColor" No by "colorProvider":
            "There are no colours in a model.";
        Client Request "textDocument/colorPresentation" No by "colorProvider":
            "As above.";
        Client Request "textDocument/linkedEditingRange" No by "linkedEditingRangeProvider":
            "Names are changed together by rename, which looks for clashes first.";
    }
    "Writing" {
        Client Request "textDocument/completion" Yes by "completionProvider":
            "Keywords, names, units, values and paths that fit where the cursor is, in broken text too.";
        Client Request "completionItem/resolve" Yes by "completionProvider.resolveProvider" for All of "textDocument.completion.completionItem.resolveSupport":
            "The documentation of a proposal; else it comes at once.";
        Client Request "textDocument/codeAction" Yes by "codeActionProvider":
            "Fixes of findings, refactorings, `source.fixAll.keywright`, and the two documents.";
        Client Request "codeAction/resolve" Yes by "codeActionProvider.resolveProvider" for All of "textDocument.codeAction.codeActionLiteralSupport", "textDocument.codeAction.dataSupport", "textDocument.codeAction.resolveSupport":
            "The text of a document, when its action is chosen.";
        Client Request "textDocument/prepareRename" Yes by "renameProvider.prepareProvider" for All of "textDocument.rename.prepareSupport":
            "The range of a name that can be renamed.";
        Client Request "textDocument/rename" Yes by "renameProvider":
            "Every occurrence of a name in all files of its models; refused with the reason where the name would clash or is not legal.";
        Client Request "textDocument/formatting" Yes by "documentFormattingProvider":
            "White space only; what cannot be read stays as it is.";
        Client Request "textDocument/rangeFormatting" Yes by "documentRangeFormattingProvider":
            "The same, for the lines of a range.";
        Client Request "textDocument/onTypeFormatting" Yes by "documentOnTypeFormattingProvider":
            "The block that a `}` closes, and the indentation of a new line.";
    }
    "Findings" {
        Server Notification "textDocument/publishDiagnostics" Yes:
            "For a client that does not pull, or that cannot be told to pull again: with the version where it has `versionSupport`, and never for a text that is no longer the newest. What is wrong with `keywright.toml` is published to every client.";
        Client Request "textDocument/diagnostic" Yes by "diagnosticProvider" for All of "textDocument.diagnostic", "workspace.diagnostics.refreshSupport":
            "The findings of a file; `unchanged` where they are.";
        Client Request "workspace/diagnostic" Yes by "diagnosticProvider.workspaceDiagnostics" for All of "textDocument.diagnostic", "workspace.diagnostics.refreshSupport":
            "The findings of all models, open or not; an answer that would say nothing new waits until there is something.";
        Server Request "workspace/diagnostic/refresh" Yes for All of "workspace.diagnostics.refreshSupport":
            "When the findings of a file changed because of another.";
    }
    "The workspace" {
        Server Request "workspace/workspaceFolders" No:
            "`initialize` names the folders, and the client tells when they change.";
        Client Notification "workspace/didChangeWorkspaceFolders" Yes by "workspace.workspaceFolders.changeNotifications":
            "Models of new folders are found, those of folders that go are left.";
        Server Request "workspace/configuration" Yes for All of "workspace.configuration":
            "The section `keywright`.";
        Client Notification "workspace/didChangeConfiguration" Yes by REGISTRATION for All of "workspace.didChangeConfiguration.dynamicRegistration":
            "Holds at once, without a restart. It is understood from a client that cannot be registered with, too.";
        Client Notification "workspace/didChangeWatchedFiles" Yes by REGISTRATION for All of "workspace.didChangeWatchedFiles.dynamicRegistration":
            "Models and `keywright.toml`, made, changed or deleted outside the editor.";
        Client Request "workspace/willCreateFiles" No by "workspace.fileOperations.willCreate":
            "A new file has nothing that imports would have to follow.";
        Client Notification "workspace/didCreateFiles" No by "workspace.fileOperations.didCreate":
            "Watched files say it, whoever made the file.";
        Client Request "workspace/willRenameFiles" Yes by "workspace.fileOperations.willRename" for All of "workspace.fileOperations.willRename":
            "Imports follow a file or folder that is renamed or moved.";
        Client Notification "workspace/didRenameFiles" No by "workspace.fileOperations.didRename":
            "Watched files say it, whoever renamed the file.";
        Client Request "workspace/willDeleteFiles" No by "workspace.fileOperations.willDelete":
            "An import of a file that is gone is a finding: what to do about it is for people to decide.";
        Client Notification "workspace/didDeleteFiles" No by "workspace.fileOperations.didDelete":
            "Watched files say it, whoever deleted the file.";
        Client Request "workspace/executeCommand" Yes by "executeCommandProvider":
            "The commands of [Clients](clients.md).";
        Server Request "workspace/applyEdit" Yes for All of "workspace.applyEdit":
            "The document that `keywright.generateDocument` makes or refreshes.";
    }
    "The window" {
        Server Notification "window/showMessage" Yes:
            "Only what a person has to know now: that something asked for could not be done, and why.";
        Server Request "window/showMessageRequest" Yes for All of "window.showMessage", "workspace.applyEdit":
            "What becomes of a text that somebody wrote into a generated document where the model says something else: asked only of whoever has just generated it. All other choices are code actions, which wait in the menu.";
        Server Request "window/showDocument" No:
            "An editor opens what its user asks for, by links and definitions.";
        Server Notification "window/logMessage" Yes:
            "What helps to understand a session: its beginning, what was ignored and why, a fault once.";
        Server Request "window/workDoneProgress/create" Yes for All of "window.workDoneProgress":
            "For what takes longer than half a second and nobody has asked for.";
        Client Notification "window/workDoneProgress/cancel" Yes:
            "Ends what the progress is of, where it can be done without.";
        Server Notification "telemetry/event" No:
            "Nothing is told about those who use it.";
    }
};
