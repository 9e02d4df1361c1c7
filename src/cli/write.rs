//! Writing files that somebody else may be reading.

use std::io::Write;
use std::path::Path;

/// Puts a new text in the place of a file in one step, so that a crash or a
/// full disk in between leaves the old one whole.
pub(super) fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    // A link stays a link: what it leads to is replaced.
    let path = std::fs::canonicalize(path)?;
    let permissions = std::fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let draft = path.with_file_name(format!(".{name}.{}.keywright", std::process::id()));
    let written = (|| {
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(&draft)?;
        file.write_all(text.as_bytes())?;
        file.set_permissions(permissions)?;
        file.sync_all()?;
        std::fs::rename(&draft, &path)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written
}
