//! `keywright docs`.

use super::load::{self, Around, plain, shown};
use super::{Outcome, complain, print};
use crate::ide::{Analysis, Document, DocumentKind};
use crate::vfs::is_empty_file;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

pub(super) fn run(path: &Path, out: Option<&Path>) -> Outcome {
    let loaded = load::load(&[path.to_path_buf()], Around::Folder);
    let mut outcome = Outcome::Clean;
    for fault in &loaded.faults {
        complain(fault);
        outcome = Outcome::Failed;
    }
    let analysis = Analysis::new(loaded.host.snapshot());
    // A file may belong to several models, and a model has several files.
    let mut documents: BTreeMap<PathBuf, Document> = BTreeMap::new();
    for file in &loaded.asked {
        for kind in [DocumentKind::Requirement, DocumentKind::DataModel] {
            for document in analysis.documents(file, kind).expect("nothing changes while the command runs") {
                let beside = PathBuf::from(document.file.as_str());
                documents.insert(beside, document);
            }
        }
    }
    if let Some(folder) = out
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        let why = match error.kind() {
            ErrorKind::AlreadyExists => "it is not a folder".to_owned(),
            ErrorKind::NotADirectory => "what stands above it is not a folder".to_owned(),
            _ => plain(&error),
        };
        complain(format!("{}: {why}", folder.display()));
        return Outcome::Failed;
    }
    for (beside, document) in documents {
        let target = match out {
            Some(folder) => folder.join(beside.file_name().unwrap_or_default()),
            None => beside,
        };
        if let Err(error) = write(&target, &document.text) {
            complain(format!("{}: {}", target.display(), plain(&error)));
            outcome = Outcome::Failed;
        }
    }
    outcome
}

/// Writes a document. A file that is there is never overwritten: one with the
/// same text is left, one without any, as an editor leaves it of a document
/// that nobody saved, is filled, and beside any other a new name is taken.
fn write(target: &Path, text: &str) -> std::io::Result<()> {
    for number in 1..10_000 {
        let path = numbered(target, number);
        let mut options = std::fs::OpenOptions::new();
        match is_empty_file(&path) {
            // Should somebody else write to it now, neither text is lost.
            true => options.append(true),
            false => options.write(true).create_new(true),
        };
        match options.open(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                let name = name(&path);
                if number > 1 {
                    complain(format!(
                        "{} is there already and may hold what you wrote; made {name} instead",
                        self::name(target)
                    ));
                }
                print(format!("{name} written\n"));
                return Ok(());
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
                    print(format!("{} is up to date\n", name(&path)));
                    return Ok(());
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(std::io::Error::other("there are too many documents of this name"))
}

fn name(path: &Path) -> String {
    crate::vfs::key_of_path(path).map_or_else(|| path.display().to_string(), |key| shown(&key))
}

/// `dynamodb_data_model.md`, `dynamodb_data_model.2.md`, …
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}.{number}.md"))
}
