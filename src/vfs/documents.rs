//! Generated documents on disk: where they may stand, and what is written in them.

use super::names::path_of;
use super::read::read_text;
use crate::deliverables::{DocumentKind, file_name, kind_of_name};
use crate::model::files::{Absent, FileKey};
use std::sync::Arc;

/// What stands where a document belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnDisk {
    Nothing,
    /// A text as an editor has it that opens the file: without a byte order mark.
    Text(Arc<str>),
    /// Something that is no text, or cannot be read, and why.
    Unreadable(String),
}

/// Whether a file is a document by its name.
pub fn is_document(key: &FileKey) -> bool {
    key.is_path() && kind_of_name(key.file_name()).is_some()
}

/// Where the documents of a model may stand that has its root in this file: under
/// the names that they have alone, and those beside another model's.
pub fn document_keys(root: &FileKey) -> Vec<FileKey> {
    if !root.is_path() {
        return Vec::new();
    }
    let kinds = [DocumentKind::Requirement, DocumentKind::DataModel];
    let names = kinds.into_iter().flat_map(|kind| [false, true].map(|several| file_name(kind, root.stem(), several)));
    names.map(|name| FileKey::new(&format!("{}/{name}", root.folder()))).collect()
}

/// Looks at what stands where a document belongs.
pub fn read_document(key: &FileKey) -> OnDisk {
    let Some(path) = path_of(key) else { return OnDisk::Nothing };
    match read_text(&path) {
        Ok(text) => OnDisk::Text(text.into()),
        Err(Absent::NotFound) if std::fs::symlink_metadata(&path).is_ok() => {
            OnDisk::Unreadable("it is a link that leads nowhere".to_owned())
        }
        Err(Absent::NotFound) => OnDisk::Nothing,
        Err(Absent::Folder) => OnDisk::Unreadable("it is a folder".to_owned()),
        Err(Absent::NotAFile) => OnDisk::Unreadable("it is a device or a pipe, not a file".to_owned()),
        Err(Absent::Denied(words)) => OnDisk::Unreadable(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::key_of_path;

    #[test]
    fn a_document_is_a_text_or_nothing_or_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dynamodb_requirement.md");
        let key = key_of_path(&path).unwrap();
        assert!(is_document(&key));
        assert_eq!(read_document(&key), OnDisk::Nothing);
        std::fs::write(&path, "\u{feff}# Title\r\n\0").unwrap();
        assert_eq!(read_document(&key), OnDisk::Text("# Title\r\n\0".into()));
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_document(&key), OnDisk::Unreadable("it is not valid UTF-8".to_owned()));
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert_eq!(read_document(&key), OnDisk::Unreadable("it is a folder".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_takes_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dynamodb_requirement.md");
        std::os::unix::fs::symlink(folder.path().join("none"), &path).unwrap();
        assert!(matches!(read_document(&key_of_path(&path).unwrap()), OnDisk::Unreadable(_)));
    }

    #[test]
    fn documents_stand_beside_the_root() {
        let names = |key: &str| document_keys(&FileKey::new(key)).iter().map(FileKey::to_string).collect::<Vec<_>>();
        let beside = [
            "/a/dynamodb_requirement.md",
            "/a/m.dynamodb_requirement.md",
            "/a/dynamodb_data_model.md",
            "/a/m.dynamodb_data_model.md",
        ];
        assert_eq!(names("/a/m.dynamo"), beside);
        assert_eq!(names("untitled:m"), [""; 0]);
    }
}
