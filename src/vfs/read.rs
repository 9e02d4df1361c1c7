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
    content(key, |bytes| bytes)
}

/// The same as an editor has it that opens the file: without the byte order mark,
/// which it takes away, so that no position counts it.
pub fn read_as_opened(key: &FileKey) -> FileContent {
    content(key, |bytes| bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes))
}

/// What some editors put before a text, in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

fn content(key: &FileKey, text: impl FnOnce(&[u8]) -> &[u8]) -> FileContent {
    let Some(path) = path_of(key) else { return FileContent::Absent(Absent::NotFound) };
    match size(&path) {
        Ok(size) if size > MOST_BYTES as u64 => return FileContent::too_large(size),
        Ok(_) => {}
        Err(absent) => return FileContent::Absent(absent),
    }
    match bytes(&path) {
        Ok(bytes) => FileContent::from_bytes(text(&bytes)),
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

/// What a plain file holds, byte for byte. What is no plain file or too large is
/// refused without being opened.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Absent> {
    let too_large = || Absent::Denied(format!("it has over {} MB", MOST_BYTES / 1024 / 1024));
    if size(path)? > MOST_BYTES as u64 {
        return Err(too_large());
    }
    let bytes = bytes(path)?;
    // It may have grown meanwhile.
    if bytes.len() > MOST_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// Whether a plain file stands there that holds nothing, and is no link.
pub fn is_empty_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0)
}

/// Reads a file as a text of any kind, without a byte order mark.
pub(super) fn read_text(path: &Path) -> Result<String, Absent> {
    let mut bytes = read_bytes(path)?;
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    String::from_utf8(bytes).map_err(|_| Absent::Denied("it is not valid UTF-8".to_owned()))
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

/// What tells files apart, however many names each has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] std::path::PathBuf);

/// Which file a key means, links followed; `None` where there is none.
pub fn identity(key: &FileKey) -> Option<Identity> {
    let path = path_of(key)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let metadata = std::fs::metadata(path).ok()?;
        Some(Identity((metadata.dev(), metadata.ino())))
    }
    #[cfg(not(unix))]
    {
        path.canonicalize().ok().map(Identity)
    }
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

    #[test]
    fn an_editor_has_no_byte_order_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dynamo");
        std::fs::write(&path, "\u{feff}\u{feff}entity A {}\n").unwrap();
        let key = key_of_path(&path).unwrap();
        let text = |content: FileContent| content.parse().map(|parse| parse.text.to_string());
        assert_eq!(text(read(&key)).as_deref(), Some("\u{feff}\u{feff}entity A {}\n"));
        assert_eq!(text(read_as_opened(&key)).as_deref(), Some("\u{feff}entity A {}\n"), "a second is text");
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
