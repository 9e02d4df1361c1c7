//! The code actions of the documents: one that makes or refreshes each, and quick
//! fixes where one beside the model is stale.

use super::wanted::{Choice, Wanted, WantedWay, digest};
use super::{action_kind, documents, is_there};
use crate::ide::{Answer, DocumentKind, FileRange, StaleDocument, shown_name};
use crate::model::files::FileKey;
use crate::server::analyst::View;
use crate::server::capabilities::ClientFlags;
use crate::server::commands::generate_document;
use crate::server::convert::Lines;
use crate::server::state::State;
use crate::syntax::TextRange;
use crate::vfs;
use tower_lsp::ls_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, NumberOrString, Uri};

/// So many edited parts of a document have fixes of their own.
const MOST_PARTS: usize = 8;

/// The action that makes or refreshes the documents of this kind; nothing where they
/// would lie outside the workspace.
pub fn source(
    state: &State,
    view: &View,
    flags: &ClientFlags,
    uri: &Uri,
    kind: DocumentKind,
) -> Answer<Option<CodeActionOrCommand>> {
    let key = vfs::key_of_uri(uri.as_str());
    if !key.is_path() {
        return Ok(None);
    }
    let mut places = view.analysis.document_places(&key, kind)?;
    places.retain(|place| state.is_writable(place));
    if places.is_empty() {
        return Ok(None);
    }
    let there = places.iter().filter(|place| is_there(state, place)).count();
    let verb = match there {
        0 => "Generate",
        all if all == places.len() => "Refresh",
        _ => "Generate or refresh",
    };
    let title = match &places[..] {
        [only] => format!("{verb} {}", only.file_name()),
        several => format!("{verb} {} for {} models", kind.file_name(), several.len()),
    };
    let wanted = Wanted::new(uri.clone(), kind);
    // Nobody tells which of the edits in a menu was chosen: of a document that is there
    // the next would be made for a text that it no longer has.
    let is_free = |place: &FileKey| {
        let is_nothing = |path| std::fs::symlink_metadata(path).is_err();
        state.document(place).is_none() && vfs::path_of(place).is_some_and(is_nothing)
    };
    let edit = match flags.code_actions && !flags.resolves_edits && places.iter().all(is_free) {
        true => documents(state, view, flags, &wanted)?.edit,
        false => None,
    };
    let action = CodeAction { title, kind: Some(action_kind(kind)), edit, ..CodeAction::default() };
    Ok(Some(in_best_form(flags, action, &wanted)))
}

/// An action in the best form that the client takes: with its edit, with one that is
/// computed when it is chosen, or with a command.
fn in_best_form(flags: &ClientFlags, mut action: CodeAction, wanted: &Wanted) -> CodeActionOrCommand {
    if !flags.code_actions {
        return generate_document::command(action.title, wanted).into();
    }
    if action.edit.is_none() && flags.resolves_edits {
        action.data = serde_json::to_value(wanted).ok();
    } else if action.edit.is_none() {
        action.command = Some(generate_document::command(action.title.clone(), wanted));
    }
    action.into()
}

/// The quick fixes of stale documents whose finding a range touches.
pub fn fixes(
    state: &State,
    view: &View,
    flags: &ClientFlags,
    uri: &Uri,
    lines: &Lines,
    range: TextRange,
    shown: &[Diagnostic],
) -> Answer<Vec<CodeActionOrCommand>> {
    let key = vfs::key_of_uri(uri.as_str());
    let known = state.stale.known();
    let mut fixes = Vec::new();
    for (stale, finding) in view.analysis.stale_findings(&key, &known)? {
        let place = match finding.range {
            FileRange::Bytes(place) => place,
            FileRange::Point { .. } => TextRange::default(),
        };
        if !(range.overlaps(place) || place.touches(range.start as usize)) || !state.is_writable(&stale.file) {
            continue;
        }
        let is_it = |other: &&Diagnostic| {
            let is_coded = matches!(&other.code, Some(NumberOrString::String(code)) if code == finding.rule);
            is_coded && other.range == lines.range(place) && other.message == finding.message
        };
        let mended: Vec<Diagnostic> = shown.iter().filter(is_it).cloned().collect();
        for (title, choices) in ways(stale) {
            let is_preferred = choices.is_empty();
            let document = Some(stale.file.as_str().to_owned());
            let wanted = Wanted { document, choices, ..Wanted::new(uri.clone(), stale.kind) };
            let action = CodeAction {
                title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(mended.clone()).filter(|mended| !mended.is_empty()),
                is_preferred: (flags.preferred_actions && is_preferred).then_some(true),
                ..CodeAction::default()
            };
            fixes.push(in_best_form(flags, action, &wanted));
        }
    }
    Ok(fixes)
}

/// What can be done about a stale document, in the words of a menu, and what is decided
/// by that.
fn ways(stale: &StaleDocument) -> Vec<(String, Vec<Choice>)> {
    let name = stale.file.file_name();
    let refresh = (stale.changes > 0).then(|| (format!("Refresh {name}"), Vec::new()));
    let choices = stale.conflicts.iter().take(MOST_PARTS).flat_map(|part| {
        WantedWay::all(part.is_gone).iter().map(move |way| {
            let choice = Choice {
                document: stale.file.as_str().to_owned(),
                part: part.name.clone(),
                mine: digest(&part.mine),
                way: *way,
            };
            (format!("{name}, `{}`: {}", shown_name(&part.name), way.words(part.is_gone)), vec![choice])
        })
    });
    refresh.into_iter().chain(choices).collect()
}
