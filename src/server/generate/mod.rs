//! The two documents as edits: of files that are made, and of those that are there,
//! in which what people wrote stays. Where they wrote and the model says something
//! else, they decide; nothing is written over.

pub mod actions;
mod question;
mod wanted;

pub use question::{deliver, deliver_with_action};
pub use wanted::Wanted;

use super::analyst::View;
use super::capabilities::{ClientFlags, DATA_MODEL, REQUIREMENT};
use super::convert::{FileEdits, Lines, edit_of_files, text_edits};
use super::document;
use super::state::State;
use crate::deliverables::keep::{self, Cause, Conflict, LineNumbers, Merged, Way};
use crate::deliverables::{Owner, Part, former_name, is_former};
use crate::ide::{Answer, Document, DocumentKind, TextEdit, shown_name};
use crate::model::files::FileKey;
use crate::syntax::{Text, apply, compose};
use crate::vfs::{self, OnDisk};
use std::sync::Arc;
use tower_lsp::ls_types::{CodeActionKind, MessageType, WorkspaceEdit};

pub fn action_kind(kind: DocumentKind) -> CodeActionKind {
    match kind {
        DocumentKind::Requirement => REQUIREMENT,
        DocumentKind::DataModel => DATA_MODEL,
    }
}

/// An edit that makes and refreshes documents, and what else there is to say.
#[derive(Default)]
pub struct Made {
    /// None where there is nothing to do, or the client could not.
    pub edit: Option<WorkspaceEdit>,
    /// The documents that the edit changes and that the server does not see.
    pub unseen: Vec<FileKey>,
    /// What somebody has to decide.
    pub undecided: Vec<Undecided>,
    /// The documents that are there and may be open with something unsaved: nobody but
    /// their reader knows.
    pub unsure: Vec<FileKey>,
    pub told: Vec<(MessageType, String)>,
    /// How many documents there are to speak of.
    pub documents: usize,
    /// Those of them that are there, or are made: where somebody may read them.
    pub places: Vec<FileKey>,
}

/// A text of a person where the model says something else.
pub struct Undecided {
    pub document: FileKey,
    pub conflict: Conflict,
    /// The line that it begins on, from one.
    pub line: usize,
}

/// The documents that are wanted.
pub fn documents(state: &State, view: &View, flags: &ClientFlags, wanted: &Wanted) -> Answer<Made> {
    let key = vfs::key_of_uri(wanted.uri.as_str());
    let mut making = Making { state, flags, wanted, made: Made::default(), edits: Vec::new(), creates: Vec::new() };
    if key.is_path() {
        for document in view.analysis.documents(&key, wanted.kind.into())? {
            if wanted.document.as_deref().is_none_or(|only| only == document.file.as_str()) {
                making.wanted(&document, view.analysis.unparsed(&document.root)?);
            }
        }
    }
    Ok(making.done())
}

/// Whether a document has a text by now, on disk or in the editor.
pub fn is_there(state: &State, key: &FileKey) -> bool {
    let is_taken = |key: &FileKey| {
        let path = vfs::path_of(key);
        path.is_some_and(|path| std::fs::symlink_metadata(&path).is_ok() && !vfs::is_empty_file(&path))
    };
    state.document(key).is_some() || is_taken(key)
}

struct Making<'a> {
    state: &'a State,
    flags: &'a ClientFlags,
    wanted: &'a Wanted,
    made: Made,
    edits: Vec<FileEdits>,
    creates: Vec<(FileKey, String)>,
}

impl Making<'_> {
    /// Adds a document, unless it would lack what of its model does not parse.
    fn wanted(&mut self, document: &Document, unparsed: Vec<(FileKey, u32)>) {
        self.made.documents += 1;
        let Some((file, line)) = unparsed.first() else { return self.add(document) };
        let text = format!(
            "{}, line {line}, does not parse: {} is made when it does, for it would lack what stands there.",
            file.file_name(),
            document.file.file_name()
        );
        self.tell(MessageType::WARNING, text);
    }

    fn add(&mut self, document: &Document) {
        let key = &document.file;
        let name = key.file_name();
        if !self.state.is_writable(key) {
            let text = format!("{key} is outside the workspace: it is not made. `keywright docs` makes it.");
            return self.tell(MessageType::WARNING, text);
        }
        if let Some(open) = self.state.document(key) {
            return self.refresh(document, &open.text.to_text(), Some(&open));
        }
        if self.state.given.may_be_unsaved(key) {
            let text = format!(
                "{name} was changed and is not saved, as far as can be seen from here. Save it (or delete it, where it \
                 is not wanted), and then generate it again."
            );
            return self.tell(MessageType::WARNING, text);
        }
        match vfs::read_document(key) {
            OnDisk::Unreadable(why) => {
                self.tell(MessageType::WARNING, format!("{name} stays as it is, as it cannot be read: {why}."));
            }
            // One without content need not be made.
            OnDisk::Text(text) if !text.is_empty() || !self.flags.creates_files => {
                self.refresh(document, &text, None);
            }
            OnDisk::Text(_) | OnDisk::Nothing if self.tells_former(document) => {}
            OnDisk::Text(_) | OnDisk::Nothing if self.flags.creates_files => {
                self.made.unseen.push(key.clone());
                self.made.places.push(key.clone());
                self.creates.push((key.clone(), document.text.clone()));
            }
            OnDisk::Text(_) | OnDisk::Nothing => {
                let text = format!(
                    "This editor cannot create files for a language server. Make an empty {name} beside the model and \
                     generate it again; or `keywright docs` makes it."
                );
                self.tell(MessageType::WARNING, text);
            }
        }
    }

    /// Says where the document stands under the name that it had before, if it does: a
    /// second one beside it would leave it to go out of date.
    fn tells_former(&mut self, document: &Document) -> bool {
        let name = document.file.file_name();
        let former = former_name(document.kind, &document.root, name);
        let key = FileKey::new(&format!("{}/{former}", document.file.folder()));
        let text = match (self.state.document(&key), vfs::read_document(&key)) {
            (Some(open), _) => open.text.to_text(),
            (None, OnDisk::Text(text)) => text.to_string(),
            (None, _) => return false,
        };
        let is_it = is_former(document.kind, &text, &former, &owner(document, &text, &key));
        if is_it {
            let text = format!(
                "{former} is the document of this model, under the name that it had before. Rename it to {name}, as \
                 `keywright docs` does, and refresh it."
            );
            self.tell(MessageType::WARNING, text);
        }
        is_it
    }

    /// Merges what the model says into the text of a document.
    fn refresh(&mut self, document: &Document, text: &str, open: Option<&Arc<document::Document>>) {
        let key = &document.file;
        if let Owner::Other(other) = owner(document, text, key) {
            let text = format!(
                "{} is the document of another model, {other}, and stays as it is. Give it another name, or delete it.",
                key.file_name()
            );
            return self.tell(MessageType::WARNING, text);
        }
        self.made.places.push(key.clone());
        let Merged { edits, conflicts, faults, .. } = keep::merge(text, &document.parts);
        if self.wanted.is_outdated(key, &conflicts) {
            let text = format!("{} was changed meanwhile: what was decided is not done.", key.file_name());
            self.tell(MessageType::WARNING, text);
        }
        let decided: Vec<(Conflict, Way)> =
            conflicts.iter().filter_map(|conflict| Some((conflict.clone(), self.wanted.way(key, conflict)?))).collect();
        let undecided = conflicts.into_iter().filter(|conflict| self.wanted.way(key, conflict).is_none());
        let numbers = LineNumbers::of(text);
        let undecided: Vec<Undecided> = undecided
            .map(|conflict| Undecided { document: key.clone(), line: numbers.line(conflict.range.start), conflict })
            .collect();
        let edits = settled(text, &document.parts, edits, &decided);
        let has_news = !(edits.is_empty() && undecided.is_empty());
        let is_unsure = open.is_none() && !text.is_empty() && !self.wanted.is_saved && !self.state.given.is_seen();
        if is_unsure && has_news {
            return self.made.unsure.push(key.clone());
        }
        if let Some(fault) = faults.first() {
            let more = if faults.len() > 1 { format!(" (and {} more)", faults.len() - 1) } else { String::new() };
            let line = numbers.line(fault.range.start);
            let words = fault.words(&shown_name(&fault.name));
            self.tell(MessageType::WARNING, format!("{}, line {line}: {words}{more}.", key.file_name()));
        } else if edits.is_empty() && decided.is_empty() && undecided.is_empty() {
            self.tell(MessageType::INFO, format!("{} is up to date.", key.file_name()));
        }
        self.made.undecided.extend(undecided);
        if edits.is_empty() {
            return;
        }
        let Some(uri) = self.state.uri(key) else { return };
        let lines = Lines { text: Text::new(text), encoding: self.flags.encoding };
        self.edits.push((uri, open.map(|open| open.version), text_edits(&edits, &lines)));
        if open.is_none() {
            self.made.unseen.push(key.clone());
        }
    }

    fn tell(&mut self, level: MessageType, text: String) {
        self.made.told.push((level, text));
    }

    fn done(self) -> Made {
        let mut made = self.made;
        if !(self.edits.is_empty() && self.creates.is_empty()) {
            made.edit = edit_of_files(self.state, self.flags, self.edits, &self.creates, &[]);
        }
        made
    }
}

/// Whose a document is, that stands where one of this model may stand.
fn owner(document: &Document, text: &str, at: &FileKey) -> Owner {
    let is_there = |key: &FileKey| vfs::path_of(key).is_some_and(|path| path.exists());
    Owner::of(text, at, &document.root, is_there)
}

/// Edits of a text, and those that settle what was decided: one after the other, since
/// each moves what stands below it.
fn settled(text: &str, parts: &[Part], mut edits: Vec<TextEdit>, decided: &[(Conflict, Way)]) -> Vec<TextEdit> {
    edits = compose(text, &edits, &[]);
    let mut now = apply(text, &edits);
    for (conflict, way) in decided {
        let conflicts = keep::merge(&now, parts).conflicts;
        let is_it = |other: &&Conflict| other.name == conflict.name && other.mine == conflict.mine;
        let Some(conflict) = conflicts.iter().find(is_it) else { continue };
        edits = compose(text, &edits, &keep::settle(&now, conflict, *way));
        now = apply(text, &edits);
    }
    edits.retain(|edit| text.get(edit.range.indices()) != Some(edit.text.as_str()));
    edits
}

impl State {
    /// Notes that the client is given what was made, where it is not seen what it
    /// makes of it.
    pub fn note_given(&self, made: &Made) {
        if made.edit.is_some() {
            made.unseen.iter().for_each(|key| self.given.note(key));
        }
    }
}

impl Undecided {
    /// What is asked, or told, about it.
    pub fn words(&self) -> String {
        let (name, line) = (self.document.file_name(), self.line);
        let part = shown_name(&self.conflict.name);
        match self.conflict.cause {
            Cause::Unmarked => format!("{name} was not made by Keywright, or not by this version"),
            Cause::Edited if self.conflict.is_news => {
                format!("{name}, line {line}: `{part}` was edited, and the model says something else by now")
            }
            Cause::Edited => format!("{name}, line {line}: `{part}` was edited, and the model still says what it said"),
            Cause::Gone => format!("{name}, line {line}: `{part}` was edited, and the model has it no longer"),
        }
    }
}
