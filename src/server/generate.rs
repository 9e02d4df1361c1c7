//! The two documents as edits that create them. A file that exists is never
//! written over: the new one gets another name.

use super::analyst::View;
use super::capabilities::{ClientFlags, DATA_MODEL, REQUIREMENT};
use super::convert::workspace_edit;
use super::state::State;
use crate::ide::{Answer, DocumentKind, SourceChange};
use crate::model::files::FileKey;
use crate::vfs;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tower_lsp::ls_types::{CodeActionKind, MessageType, Uri, WorkspaceEdit};

/// What a code action or command asks for.
#[derive(Serialize, Deserialize)]
pub struct Wanted {
    pub uri: Uri,
    pub kind: WantedKind,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WantedKind {
    Requirement,
    DataModel,
}

impl From<WantedKind> for DocumentKind {
    fn from(kind: WantedKind) -> Self {
        match kind {
            WantedKind::Requirement => DocumentKind::Requirement,
            WantedKind::DataModel => DocumentKind::DataModel,
        }
    }
}

impl From<DocumentKind> for WantedKind {
    fn from(kind: DocumentKind) -> Self {
        match kind {
            DocumentKind::Requirement => WantedKind::Requirement,
            DocumentKind::DataModel => WantedKind::DataModel,
        }
    }
}

pub fn action_kind(kind: DocumentKind) -> CodeActionKind {
    match kind {
        DocumentKind::Requirement => REQUIREMENT,
        DocumentKind::DataModel => DATA_MODEL,
    }
}

/// An edit that makes documents.
pub struct Made {
    /// None where there is nothing to make, or the client could not.
    pub edit: Option<WorkspaceEdit>,
    pub renamed: Vec<Renamed>,
}

/// A document that got another name, as its own was taken.
pub struct Renamed {
    pub from: FileKey,
    pub to: FileKey,
}

/// Whether the edit is made for a menu, or because somebody chose it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Menu,
    Chosen,
}

/// The documents of the models that a file belongs to.
pub fn documents(
    state: &State,
    view: &View,
    flags: &ClientFlags,
    key: &FileKey,
    kind: DocumentKind,
    moment: Moment,
) -> Answer<Made> {
    let mut change = SourceChange::default();
    let mut renamed = Vec::new();
    if key.is_path() {
        for document in view.analysis.documents(key, kind)? {
            let to = free_name(state, &document.file, moment);
            if moment == Moment::Chosen {
                state.given.insert(to.clone());
            }
            if to != document.file {
                renamed.push(Renamed { from: document.file, to: to.clone() });
            }
            change.creates.push((to, document.text));
        }
    }
    let edit = if change.creates.is_empty() { None } else { workspace_edit(state, view, flags, &change) };
    Ok(Made { edit, renamed })
}

/// The first name that no file has: `a.md`, `a.2.md`, `a.3.md`, … A file without
/// content is what an editor leaves of a document that nobody saved, and free,
/// unless the client may have that document in front of it: then the text would
/// stand there twice. In a menu that is not known.
fn free_name(state: &State, wanted: &FileKey, moment: Moment) -> FileKey {
    let is_left =
        |key: &FileKey, path: &Path| moment == Moment::Chosen && !state.given.contains(key) && vfs::is_empty_file(path);
    let is_taken = |key: &FileKey| {
        // Links that lead nowhere take a name, too; so does an unsaved document.
        let is_there = |path: PathBuf| std::fs::symlink_metadata(&path).is_ok() && !is_left(key, &path);
        state.document(key).is_some() || vfs::path_of(key).is_some_and(is_there)
    };
    let name = wanted.as_str();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let others = (2..).map(|number| FileKey::new(&format!("{stem}.{number}.{extension}")));
    std::iter::once(wanted.clone()).chain(others).find(|key| !is_taken(key)).unwrap_or_else(|| wanted.clone())
}

/// Says which documents got another name.
pub fn tell_renamed(state: &State, renamed: &[Renamed]) {
    for Renamed { from, to } in renamed {
        let message = format!("{} exists and stays as it is; the new one is {}.", from.file_name(), to.file_name());
        state.outbox.show(MessageType::INFO, message);
    }
}
