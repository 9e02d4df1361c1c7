//! `textDocument/codeAction`: fixes of findings, and the two documents.

use crate::ide::{self, DocumentKind, FileRange};
use crate::model::files::FileKey;
use crate::server::analyst::View;
use crate::server::capabilities::{ClientFlags, FIX_ALL};
use crate::server::convert::{Lines, workspace_edit};
use crate::server::generate::action_kind;
use crate::server::generate::actions::{fixes as stale_fixes, source};
use crate::server::state::State;
use crate::syntax::TextRange;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    Diagnostic, NumberOrString,
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
            offered.retain(|action| action.change.files().all(|key| asked.is_writable(key)));
            for action in offered {
                actions.extend(fix(&asked, view, &flags, &lines, &context, &action).map(CodeActionOrCommand::from));
            }
        }
        if flags.code_actions && is_wanted(&context, &[FIX_ALL]) && asked.is_writable(&key) {
            actions.extend(fix_all(&asked, view, &flags, &key)?.map(CodeActionOrCommand::from));
        }
        if is_wanted(&context, &EDITING[..1]) {
            let range = TextRange::new(lines.offset(params.range.start), lines.offset(params.range.end));
            actions.extend(stale_fixes(&asked, view, &flags, &uri, &lines, range, &context.diagnostics)?);
        }
        for kind in [DocumentKind::Requirement, DocumentKind::DataModel] {
            if is_wanted(&context, &[action_kind(kind)]) {
                // The fix of a stale document is the same.
                let title = |action: &CodeActionOrCommand| match action {
                    CodeActionOrCommand::CodeAction(action) => action.title.clone(),
                    CodeActionOrCommand::Command(command) => command.title.clone(),
                };
                let source = source(&asked, view, &flags, &uri, kind)?;
                actions.extend(source.filter(|own| !actions.iter().any(|other| title(other) == title(own))));
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
