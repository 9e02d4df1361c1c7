//! Documents on disk. Nothing is written over what was not read before.

use super::super::load::{plain, why_absent};
use super::super::write;
use crate::model::files::Absent;
use crate::vfs::read_bytes;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The text of a document; `None` where there is none yet, else why it cannot be
/// had.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    let bytes = match read_bytes(path) {
        Ok(bytes) => bytes,
        Err(Absent::NotFound) if std::fs::symlink_metadata(path).is_ok() => {
            return Err("it is a link that leads nowhere".to_owned());
        }
        Err(Absent::NotFound) => return Ok(None),
        Err(absent) => return Err(why_absent(&absent)),
    };
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not valid UTF-8 and stays as it is".to_owned())
}

/// Makes a document where there was none.
pub(super) fn create(path: &Path, text: &str) -> Result<(), String> {
    write::create(path, text).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => changed(),
        _ => plain(&error),
    })
}

/// Gives a document another name, unless something has it by now.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), String> {
    write::rename(from, to).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => changed(),
        _ => plain(&error),
    })
}

/// Puts a text in the place of the one that was read.
pub(super) fn replace(path: &Path, old: &str, new: &str) -> Result<(), String> {
    if read(path)?.as_deref() != Some(old) {
        return Err(changed());
    }
    write::replace(path, new).map_err(|error| plain(&error))
}

/// Somebody else wrote it while this was reckoning: what they wrote is not lost.
fn changed() -> String {
    "it was changed meanwhile; it is left as it is".to_owned()
}

/// Puts a copy of what was read beside a document, under a name that nothing has:
/// `dynamodb_requirement.md.orig`, `….orig.2`, … Who could not read the document
/// cannot read the copy.
pub(super) fn copy_beside(path: &Path, text: &str) -> Result<PathBuf, String> {
    let told = |copy: &Path, error: &std::io::Error| format!("no copy {} was made: {}", copy.display(), plain(error));
    let permissions = std::fs::metadata(path).map_err(|error| plain(&error))?.permissions();
    for number in 1..10_000 {
        let mut name: OsString = path.file_name().unwrap_or_default().to_owned();
        name.push(".orig");
        if number > 1 {
            name.push(format!(".{number}"));
        }
        let copy = path.with_file_name(name);
        let mut file = match std::fs::OpenOptions::new().write(true).create_new(true).open(&copy) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(told(&copy, &error)),
        };
        let written = file
            .set_permissions(permissions)
            .and_then(|()| file.write_all(text.as_bytes()))
            .and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = std::fs::remove_file(&copy);
            return Err(told(&copy, &error));
        }
        return Ok(copy);
    }
    Err("there are too many copies of it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_wrote_meanwhile_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.md");
        std::fs::write(&path, "theirs").unwrap();
        assert_eq!(create(&path, "ours"), Err(changed()));
        assert_eq!(replace(&path, "as it was read", "ours"), Err(changed()));
        assert_eq!(read(&path), Ok(Some("theirs".to_owned())));
        assert_eq!(replace(&path, "theirs", "ours"), Ok(()));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(replace(&path, "ours", "new"), Err(changed()), "nor is what they deleted brought back");
        assert_eq!(create(&path, "new"), Ok(()));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }
}
