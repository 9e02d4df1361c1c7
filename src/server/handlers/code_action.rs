//! `textDocument/codeAction`: fixes of findings, and the two documents.

use super::execute_command;
use crate::ide::{self, DocumentKind, FileRange};
use crate::model::files::FileKey;
use crate::server::analyst::View;
use crate::server::capabilities::{ClientFlags, FIX_ALL};
use crate::server::convert::{Lines, workspace_edit};
use crate::server::generate::{self, Moment};
use crate::server::state::State;
use crate::syntax::TextRange;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    Diagnostic, NumberOrString, Uri,
};

pub fn handle(
    state: &Arc<State>,
    params: CodeActionParams,
) -> impl Future<Output = Result<Option<CodeActionResponse>>> + use<> {
    let uri = params.text_document.uri;
    let key = vfs::key_of_uri(uri.as_str());
    let flags = state.flags();
    let context = params.context;
    let asked = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let mut actions = Vec::new();
        if flags.code_actions && is_wanted(&context, &EDITING) {
            let range = TextRange::new(lines.offset(params.range.start), lines.offset(params.range.end));
            let mut offered = view.analysis.code_actions(&key, range)?;
            if is_wanted(&context, &EDITING[1..]) {
                let mut assists = view.analysis.assists(&key, range)?;
                if is_wanted(&context, &EDITING[..1]) {
                    // What mends a finding is in the menu already.
                    assists.retain(|assist| !offered.iter().any(|fix| fix.change == assist.change));
                }
                offered.extend(assists);
            }
            for action in offered {
                actions.extend(fix(&asked, view, &flags, &lines, &context, &action).map(CodeActionOrCommand::from));
            }
        }
        if flags.code_actions && is_wanted(&context, &[FIX_ALL]) {
            actions.extend(fix_all(&asked, view, &flags, &key)?.map(CodeActionOrCommand::from));
        }
        for kind in [DocumentKind::Requirement, DocumentKind::DataModel] {
            if key.is_path() && is_wanted(&context, &[generate::action_kind(kind)]) {
                actions.push(document(&asked, view, &flags, &uri, kind)?);
            }
        }
        Ok(Some(actions))
    })
}

/// The kinds of the actions that edit models: fixes, then refactorings.
const EDITING: [CodeActionKind; 4] = [
    CodeActionKind::QUICKFIX,
    CodeActionKind::REFACTOR_EXTRACT,
    CodeActionKind::REFACTOR_INLINE,
    CodeActionKind::REFACTOR_REWRITE,
];

/// Whether the client wants actions of one of these kinds, or of one that they
/// are a part of.
fn is_wanted(context: &CodeActionContext, kinds: &[CodeActionKind]) -> bool {
    let Some(only) = &context.only else { return true };
    only.iter().any(|wanted| {
        kinds.iter().any(|kind| {
            let rest = kind.as_str().strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || wanted.as_str().is_empty())
        })
    })
}

fn fix(
    state: &State,
    view: &View,
    flags: &ClientFlags,
    lines: &Lines,
    context: &CodeActionContext,
    action: &ide::CodeAction,
) -> Option<CodeAction> {
    let kind = match action.kind {
        ide::CodeActionKind::QuickFix => CodeActionKind::QUICKFIX,
        ide::CodeActionKind::RefactorExtract => CodeActionKind::REFACTOR_EXTRACT,
        ide::CodeActionKind::RefactorInline => CodeActionKind::REFACTOR_INLINE,
        ide::CodeActionKind::RefactorRewrite => CodeActionKind::REFACTOR_REWRITE,
    };
    if !is_wanted(context, std::slice::from_ref(&kind)) {
        return None;
    }
    let mended = action.mends.map(|(rule, range)| {
        let is_it = |shown: &&Diagnostic| {
            let code = matches!(&shown.code, Some(NumberOrString::String(code)) if code == rule);
            code && matches!(range, FileRange::Bytes(range) if lines.range(range) == shown.range)
        };
        context.diagnostics.iter().filter(is_it).cloned().collect::<Vec<_>>()
    });
    Some(CodeAction {
        title: action.title.clone(),
        kind: Some(kind),
        diagnostics: mended.filter(|mended| !mended.is_empty()),
        edit: Some(workspace_edit(state, view, flags, &action.change)?),
        is_preferred: (flags.preferred_actions && action.preferred).then_some(true),
        ..CodeAction::default()
    })
}

/// The action that fixes everything in a file that is safe to fix, in one edit;
/// nothing where there is nothing to do.
fn fix_all(state: &State, view: &View, flags: &ClientFlags, key: &FileKey) -> ide::Answer<Option<CodeAction>> {
    let all = view.analysis.fix_all(key)?;
    if all.fixed.is_empty() {
        return Ok(None);
    }
    let title = match all.fixed.len() {
        1 => "Fix what is safe to fix (1 finding)".to_owned(),
        several => format!("Fix what is safe to fix ({several} findings)"),
    };
    let edit = workspace_edit(state, view, flags, &all.change);
    Ok(edit.map(|edit| CodeAction { title, kind: Some(FIX_ALL), edit: Some(edit), ..CodeAction::default() }))
}

/// The action that makes a document, in the best form that the client takes: an
/// edit computed when it is chosen, an edit, or a command.
fn document(
    state: &State,
    view: &View,
    flags: &ClientFlags,
    uri: &Uri,
    kind: DocumentKind,
) -> ide::Answer<CodeActionOrCommand> {
    let title = format!("Generate {}", kind.file_name());
    if !flags.code_actions {
        return Ok(execute_command::command(title, uri, kind).into());
    }
    let mut action = CodeAction { title, kind: Some(generate::action_kind(kind)), ..CodeAction::default() };
    if !flags.creates_files {
        action.command = Some(execute_command::command(action.title.clone(), uri, kind));
    } else if flags.resolves_edits {
        action.data = serde_json::to_value(generate::Wanted { uri: uri.clone(), kind: kind.into() }).ok();
    } else {
        let made = generate::documents(state, view, flags, &vfs::key_of_uri(uri.as_str()), kind, Moment::Menu)?;
        // A menu is no place for messages: its entry says what will happen.
        if let Some(renamed) = made.renamed.first() {
            action.title = format!("Generate {} ({} exists)", renamed.to.file_name(), renamed.from.file_name());
        }
        action.edit = made.edit;
    }
    Ok(action.into())
}
