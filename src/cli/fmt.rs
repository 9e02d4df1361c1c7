//! `keywright fmt`.

use super::load::{self, Around, Loaded, plain, shown};
use super::{Outcome, complain, print};
use crate::ide::{Analysis, apply};
use crate::model::files::{FileContent, FileKey};
use crate::vfs::path_of;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(super) fn run(paths: &[PathBuf], check: bool) -> Outcome {
    let loaded = load::load(paths, Around::Nothing);
    let mut outcome = Outcome::Clean;
    for file in &loaded.asked {
        outcome = outcome.max(format_file(&loaded, file, check));
    }
    for fault in &loaded.faults {
        complain(fault);
        outcome = Outcome::Failed;
    }
    outcome
}

fn format_file(loaded: &Loaded, file: &FileKey, check: bool) -> Outcome {
    let text = match loaded.host.content(file) {
        Some(FileContent::Parsed(parse)) => &parse.text,
        Some(FileContent::Unreadable(fault)) => {
            complain(format!("{}: {}", shown(file), fault.reason));
            return Outcome::Failed;
        }
        Some(FileContent::Absent(_)) | None => return Outcome::Failed,
    };
    let analysis = Analysis::new(loaded.host.snapshot());
    let edits = analysis.formatting(file).expect("nothing changes while the command runs");
    if edits.is_empty() {
        return Outcome::Clean;
    }
    if check {
        print(format!("{} is not formatted\n", shown(file)));
        return Outcome::Found;
    }
    match path_of(file).map(|path| replace(&path, &apply(text, &edits))) {
        Some(Ok(())) => {
            print(format!("{} formatted\n", shown(file)));
            Outcome::Clean
        }
        Some(Err(error)) => {
            complain(format!("{}: {}", shown(file), plain(&error)));
            Outcome::Failed
        }
        None => Outcome::Failed,
    }
}

/// Puts a new text in the place of a file in one step, so that a crash or a
/// full disk in between leaves the old one whole.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
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
