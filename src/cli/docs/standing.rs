//! What stands already where a document belongs: of which model it is, and whether the
//! document stands under a name that it had before.

use super::file;
use super::targets::Target;
use crate::deliverables::{DocumentKind, Owner, former_name, is_former};
use crate::model::files::FileKey;
use crate::vfs::{key_of_path, path_of};
use std::path::{Path, PathBuf};

/// Of which model a document is that stands where one of this model may stand.
pub(super) fn owner(text: &str, path: &Path, root: &FileKey) -> Owner {
    let Some(at) = key_of_path(path) else { return Owner::Unknown };
    let real = |key: &FileKey| path_of(key).and_then(|path| std::fs::canonicalize(path).ok());
    match Owner::of(text, &at, root, |other| real(other).is_some()) {
        // Another name of the same file.
        Owner::Other(other) if real(&other) == real(root) => Owner::Own,
        owner => owner,
    }
}

/// Where the document stands under the name that it had while the folder held one model
/// only, or several; whichever its name is not made for now.
pub(super) fn former(target: &Target) -> Option<PathBuf> {
    let name = target.path.file_name()?.to_str()?;
    let former = former_name(target.kind, &target.root, name);
    let path = target.path.with_file_name(&former);
    is_of(&path, target.kind, &target.root).then_some(path)
}

/// Whether a document of the model stands there by its former name.
pub(super) fn is_of(path: &Path, kind: DocumentKind, root: &FileKey) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    // What cannot be read is told when it is the one that is wanted.
    let Ok(Some(text)) = file::read(path) else { return false };
    is_former(kind, &text, name, &owner(&text, path, root))
}

/// Whether a place is free for the document, or it stands there.
pub(super) fn is_free(path: &Path, root: &FileKey) -> bool {
    match file::read(path) {
        Ok(Some(text)) => !matches!(owner(&text, path, root), Owner::Other(_)),
        Ok(None) | Err(_) => true,
    }
}
