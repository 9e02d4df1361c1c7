//! The documents of a model, and where they belong.

use super::{Analysis, Answer, Document, DocumentKind};
use crate::deliverables::{Part, file_name, keep, parts, parts_at};
use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use crate::model::imports::{declares, models_of, shares_folder};
use crate::model::names::unparsed;

impl Analysis {
    /// The documents of the models that a file belongs to.
    pub fn documents(&self, file: &FileKey, kind: DocumentKind) -> Answer<Vec<Document>> {
        self.ask(file, |db, file| {
            let document = |root: &SourceFile| {
                let parts = made(db, *root, kind).clone();
                let text = keep::fresh(&parts);
                Document { kind, root: root.key(db).clone(), file: place(db, *root, kind), parts, text }
            };
            models_of(db, file).iter().map(document).collect()
        })
    }

    /// The parts of a document of the model with this root that is written elsewhere
    /// than where it belongs, so that its links lead from there.
    pub fn document_parts_at(&self, root: &FileKey, kind: DocumentKind, at: &FileKey) -> Answer<Vec<Part>> {
        self.ask(root, |db, root| parts_at(db, root, kind, at))
    }

    /// What of the model with this root does not parse, each file and its line, from
    /// one: its documents would lack it.
    pub fn unparsed(&self, root: &FileKey) -> Answer<Vec<(FileKey, u32)>> {
        self.ask(root, |db, root| unparsed(db, root).clone())
    }

    /// Whether a file declares anything.
    pub fn declares(&self, file: &FileKey) -> Answer<bool> {
        self.ask(file, |db, file| declares(db, file))
    }

    /// Where those belong, which costs far less than to make them.
    pub fn document_places(&self, file: &FileKey, kind: DocumentKind) -> Answer<Vec<FileKey>> {
        self.ask(file, |db, file| models_of(db, file).iter().map(|root| place(db, *root, kind)).collect())
    }
}

/// Where the document of a model belongs: beside its root, under a name of its
/// own where the folder holds the roots of several models.
pub(super) fn place(db: &dyn Db, root: SourceFile, kind: DocumentKind) -> FileKey {
    let key = root.key(db);
    let name = file_name(kind, key.stem(), shares_folder(db, root));
    // Not `join`, which reads what people write in imports: a name may hold a
    // backslash.
    if key.is_path() { FileKey::new(&format!("{}/{name}", key.folder())) } else { FileKey::new(&name) }
}

/// The parts of a document. A change of what is written in the document makes none
/// of them again.
#[salsa::tracked(returns(ref))]
pub(super) fn made(db: &dyn Db, root: SourceFile, kind: DocumentKind) -> Vec<Part> {
    parts(db, root, kind)
}
