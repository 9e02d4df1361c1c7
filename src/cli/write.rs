//! Writing files that somebody else may be reading.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// Puts a new text in the place of a file in one step, so that a crash or a
/// full disk in between leaves the old one whole.
pub(super) fn replace(path: &Path, text: &str) -> Result<()> {
    // A link stays a link: what it leads to is replaced.
    let path = std::fs::canonicalize(path)?;
    let permissions = std::fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
    }
    draft(&path, |draft, mut file| {
        file.write_all(text.as_bytes())?;
        file.set_permissions(permissions)?;
        file.sync_all()?;
        std::fs::rename(draft, &path)
    })
}

/// Makes a file in one step where none is; `AlreadyExists` where there is one, also
/// when it came meanwhile.
pub(super) fn create(path: &Path, text: &str) -> Result<()> {
    if std::fs::symlink_metadata(path).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    draft(path, |draft, mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        // Unlike a renamed file, a link takes the place of nothing.
        match std::fs::hard_link(draft, path) {
            Ok(()) => std::fs::remove_file(draft),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
            // There are file systems without such links.
            Err(_) => OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes()),
        }
    })
}

/// Gives a file another name that nothing has; `AlreadyExists` where something does,
/// also when it came meanwhile.
pub(super) fn rename(from: &Path, to: &Path) -> Result<()> {
    if std::fs::symlink_metadata(to).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    match std::fs::hard_link(from, to) {
        Ok(()) => std::fs::remove_file(from),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // There are file systems without such links.
        Err(_) => std::fs::rename(from, to),
    }
}

/// Makes a file beside another one to write into; afterwards it is gone.
fn draft(path: &Path, write: impl FnOnce(&Path, File) -> Result<()>) -> Result<()> {
    // The name is short: that of the file may be as long as names can be.
    let name = |number: u32| -> PathBuf { path.with_file_name(format!(".{}-{number}.keywright", std::process::id())) };
    let open = |draft: PathBuf| Ok((OpenOptions::new().write(true).create_new(true).open(&draft)?, draft));
    let mut opened = (1..100).map(|number| open(name(number)));
    // One that a crash left behind has a name that another process may get again.
    let is_taken = |opened: &Result<_>| matches!(opened, Err(error) if error.kind() == ErrorKind::AlreadyExists);
    let (file, draft) = opened.find(|opened| !is_taken(opened)).unwrap_or(Err(ErrorKind::AlreadyExists.into()))?;
    let written = write(&draft, file);
    let _ = std::fs::remove_file(&draft);
    written
}
