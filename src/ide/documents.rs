//! The documents of a model, and where they belong.

use super::{Document, DocumentKind};
use crate::deliverables::{document, file_name};
use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use crate::model::imports::{models_of, roots};

/// One document for each model that the file belongs to.
pub(super) fn documents(db: &dyn Db, file: SourceFile, kind: DocumentKind) -> Vec<Document> {
    let models = models_of(db, file).iter();
    models.map(|root| Document { kind, file: place(db, *root, kind), text: document(db, *root, kind) }).collect()
}

/// Where the document of a model belongs: beside its root, under a name of its
/// own where the folder holds the roots of several models.
fn place(db: &dyn Db, root: SourceFile, kind: DocumentKind) -> FileKey {
    let key = root.key(db);
    let several = roots(db).iter().filter(|other| other.key(db).folder() == key.folder()).count() > 1;
    let name = file_name(kind, key.stem(), several);
    // Not `join`, which reads what people write in imports: a name may hold a
    // backslash.
    if key.is_path() { FileKey::new(&format!("{}/{name}", key.folder())) } else { FileKey::new(&name) }
}
