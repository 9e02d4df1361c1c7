//! `textDocument/rename`: a name and all that is one with it, over all files of its
//! models. What is not renamed is an error whose message the editor shows.

use crate::ide::{self, Refused, Rename, SourceChange};
use crate::model::files::{FileContent, FileKey};
use crate::server::analyst::View;
use crate::server::capabilities::ClientFlags;
use crate::server::convert::{text_edits, workspace_edit};
use crate::server::state::State;
use crate::vfs;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::*;

/// `RequestFailed`: the request was well formed, and what it asks for is not done.
const REQUEST_FAILED: i64 = -32803;

pub fn handle(state: &Arc<State>, params: RenameParams) -> impl Future<Output = Result<Option<WorkspaceEdit>>> + use<> {
    let at = params.text_document_position;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let flags = state.flags();
    let asked = Arc::clone(state);
    let answer = state.ask_of_whole(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let offset = lines.offset(at.position);
        let Some(renamed) = view.analysis.rename(&key, offset, &params.new_name)? else { return Ok(None) };
        let named = view.analysis.prepare_rename(&key, offset)?;
        let old = named.and_then(|named| named.ok()).map(|named| named.name).unwrap_or_default();
        Ok(Some(renamed.and_then(|rename| edit(&asked, view, &flags, &rename, &old))))
    });
    async move { answer.await?.transpose().map_err(refused) }
}

/// The error that says why.
pub fn refused(reason: Refused) -> Error {
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: reason.message.into(), data: None }
}

/// Why a name stays that stands in this file.
pub fn only_read(file: &FileKey) -> Refused {
    Refused { message: format!("The name stands in {file} as well, which is outside the workspace and only read.") }
}

/// A file that is changed and is known under a second name, by links.
fn twice(view: &View, change: &SourceChange) -> Option<(FileKey, FileKey)> {
    let mut changed: HashMap<vfs::Identity, &FileKey> = HashMap::new();
    for (file, _) in &change.edits {
        if let Some(other) = vfs::identity(file).and_then(|identity| changed.insert(identity, file)) {
            return Some((other.clone(), file.clone()));
        }
    }
    view.models().into_iter().find_map(|file| {
        let one = *changed.get(&vfs::identity(&file)?)?;
        (*one != file).then(|| (one.clone(), file))
    })
}

fn edit(
    state: &State,
    view: &View,
    flags: &ClientFlags,
    rename: &Rename,
    old: &str,
) -> std::result::Result<WorkspaceEdit, Refused> {
    let change = rename.change();
    if let Some((file, _)) = change.edits.iter().find(|(file, _)| !state.is_writable(file)) {
        return Err(only_read(file));
    }
    if let Some((one, other)) = twice(view, &change) {
        let message =
            format!("{one} and {other} are one file: a change of it under one name would be lost under the other.");
        return Err(Refused { message });
    }
    let edit = match rename.groups.len() > 1 && flags.document_changes && flags.rename.annotations {
        true => annotated(state, view, flags, rename),
        false => workspace_edit(state, view, flags, &change),
    };
    tell_unread(state, view, flags, rename, old);
    edit.ok_or_else(|| Refused {
        message: "A file that names it was changed meanwhile, or cannot be read any more.".to_owned(),
    })
}

/// Says where the name stands in text that cannot be read: it is left as it is.
fn tell_unread(state: &State, view: &View, flags: &ClientFlags, rename: &Rename, old: &str) {
    if rename.groups.is_empty() {
        return;
    }
    let places = rename.unread.iter().filter_map(|(file, range)| {
        let line = view.lines(file, flags.encoding)?.range(*range).start.line + 1;
        Some(format!("line {line} of {}", file.file_name()))
    });
    // What is no text as a whole may be a part of the model that nobody can tell of.
    let files = view.models().into_iter().filter(|file| {
        let is_unread = matches!(view.content(file), Some(FileContent::Unreadable(_)));
        is_unread
            && match state.document(file) {
                Some(document) => document.text.to_text().contains(old),
                None => vfs::mentions(file, old),
            }
    });
    let places: Vec<String> = places.chain(files.map(|file| file.file_name().to_owned())).collect();
    if let Some((first, others)) = places.split_first() {
        let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        let text = format!("The old name also stands in text that cannot be read, and stays there: {first}{others}.");
        state.outbox.show(MessageType::WARNING, text);
    }
}

/// The same with what is renamed besides in groups of their own, each of which the
/// editor asks about.
fn annotated(state: &State, view: &View, flags: &ClientFlags, rename: &Rename) -> Option<WorkspaceEdit> {
    let mut annotations = HashMap::new();
    let mut files: BTreeMap<&FileKey, Vec<(ide::TextEdit, String)>> = BTreeMap::new();
    for (index, group) in rename.groups.iter().enumerate() {
        let id = format!("rename-{index}");
        annotations.insert(
            id.clone(),
            ChangeAnnotation {
                label: group.label.clone(),
                needs_confirmation: Some(!group.reason.is_empty()),
                description: Some(group.reason.clone()).filter(|reason| !reason.is_empty()),
            },
        );
        for (file, edits) in &group.edits {
            files.entry(file).or_default().extend(edits.iter().map(|edit| (edit.clone(), id.clone())));
        }
    }
    let mut documents = Vec::new();
    for (file, mut edits) in files {
        edits.sort_by_key(|(edit, _)| edit.range);
        let lines = view.lines(file, flags.encoding)?;
        let (edits, ids): (Vec<ide::TextEdit>, Vec<String>) = edits.into_iter().unzip();
        let edits = text_edits(&edits, &lines).into_iter().zip(ids);
        documents.push(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                uri: state.uri(file)?,
                version: view.version(file),
            },
            edits: edits
                .map(|(text_edit, annotation_id)| OneOf::Right(AnnotatedTextEdit { text_edit, annotation_id }))
                .collect(),
        });
    }
    Some(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(documents)),
        change_annotations: Some(annotations),
        ..WorkspaceEdit::default()
    })
}
