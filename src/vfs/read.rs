//! Reading a file, and everything that is refused to be read.

use super::names::path_of;
use crate::model::files::{Absent, FileContent, FileKey, MOST_BYTES};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::SystemTime;

/// Reads a file. Folders, devices, pipes and what is too large are told by
/// their metadata and never opened: `/dev/zero` has no end, and a pipe that
/// nobody writes to would hold us for good.
pub fn read(key: &FileKey) -> FileContent {
    match path_of(key) {
        Some(path) => read_path(&path),
        None => FileContent::Absent(Absent::NotFound),
    }
}

fn read_path(path: &Path) -> FileContent {
    match size(path) {
        Ok(size) if size > MOST_BYTES as u64 => return FileContent::too_large(size),
        Ok(_) => {}
        Err(absent) => return FileContent::Absent(absent),
    }
    match bytes(path) {
        Ok(bytes) => FileContent::from_bytes(&bytes),
        Err(absent) => FileContent::Absent(absent),
    }
}

/// The size of what stands at a path, in bytes; it is not opened.
pub(super) fn size(path: &Path) -> Result<u64, Absent> {
    std::fs::metadata(path).map_err(|error| refusal(&error)).and_then(|metadata| judge(&metadata))
}

/// The size of a plain file; anything else is refused.
fn judge(metadata: &Metadata) -> Result<u64, Absent> {
    if metadata.is_dir() {
        Err(Absent::Folder)
    } else if metadata.is_file() {
        Ok(metadata.len())
    } else {
        Err(Absent::NotAFile)
    }
}

/// What a plain file holds, at most one byte more than is allowed.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Absent> {
    let file = open(path).map_err(|error| refusal(&error))?;
    // Asked again of what was opened: the name may mean something else by now.
    judge(&file.metadata().map_err(|error| refusal(&error))?)?;
    let mut bytes = Vec::new();
    // One byte more than is allowed tells a file that grows without end.
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| refusal(&error))?;
    Ok(bytes)
}

/// Opens a file so that neither this nor reading it ever waits: some plain
/// files of `/proc` do, and the name may have become a pipe's.
#[cfg(unix)]
fn open(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

/// Whether a plain file stands there that holds nothing, and is no link.
pub fn is_empty_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0)
}

/// Whether a file that can be read holds a text: cheaper than reading it as a
/// model.
pub fn mentions(key: &FileKey, text: &str) -> bool {
    let bytes = path_of(key).and_then(|path| bytes(&path).ok()).unwrap_or_default();
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn refusal(error: &std::io::Error) -> Absent {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Absent::NotFound,
        ErrorKind::IsADirectory => Absent::Folder,
        ErrorKind::WouldBlock => Absent::NotAFile,
        _ => Absent::Denied(error.to_string()),
    }
}

/// Tells whether a file changed without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
}

/// The stamp of a file; `None` where there is none.
pub fn stamp(key: &FileKey) -> Option<Stamp> {
    let metadata = std::fs::metadata(path_of(key)?).ok()?;
    Some(Stamp { size: metadata.len(), modified: metadata.modified().ok() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::key_of_path;

    fn absent(path: &Path) -> Option<Absent> {
        match read(&key_of_path(path).unwrap()) {
            FileContent::Absent(absent) => Some(absent),
            _ => None,
        }
    }

    #[test]
    fn only_plain_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(absent(folder.path()), Some(Absent::Folder));
        assert_eq!(absent(&folder.path().join("none.dynamo")), Some(Absent::NotFound));
        let file = folder.path().join("a.dynamo");
        std::fs::write(&file, "entity A { id: string @id }\n").unwrap();
        assert_eq!(absent(&file), None);
        assert_eq!(absent(&file.join("b.dynamo")), Some(Absent::NotFound), "a file is no folder");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_never_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.dynamo");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()), "mkfifo is part of every Unix");
        assert_eq!(absent(&pipe), Some(Absent::NotAFile));
        assert_eq!(absent(Path::new("/dev/zero")), Some(Absent::NotAFile));
        let link = folder.path().join("link.dynamo");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert_eq!(absent(&link), Some(Absent::NotAFile));
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("large.dynamo");
        File::create(&large).unwrap().set_len(MOST_BYTES as u64 + 1).unwrap();
        let content = read(&key_of_path(&large).unwrap());
        assert!(matches!(&content, FileContent::Unreadable(fault) if fault.reason.contains("32 MB")), "{content:?}");
    }
}
