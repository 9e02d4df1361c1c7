//! From the paths of a command to the models that they mean.

use crate::model::db::{Host, SourceFile, Workspace};
use crate::model::files::{Absent, FileContent, FileKey};
use crate::model::imports::roots;
use crate::vfs::{Limits, key_of_path, load_imports, mentions, read, scan};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a command works on.
pub(super) struct Loaded {
    pub host: Host,
    /// The files that were asked about, in the order of their paths.
    pub asked: Vec<FileKey>,
    /// Why some could not be had; each was asked for by name.
    pub faults: Vec<String>,
}

/// What else is read around a file that was named: a folder may hold many large
/// models that have nothing to do with it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Nothing,
    /// The files that may import it, since it is judged in their models.
    Importers,
    /// Those, and all models in its folder, which tell how documents are named.
    Folder,
}

/// Reads everything that the paths mean. Files that import an asked one are
/// read as well, since a shared file is judged in the models that use it.
pub(super) fn load(paths: &[PathBuf], around: Around) -> Loaded {
    let mut host = Host::default();
    let mut asked = BTreeSet::new();
    let mut faults = Vec::new();
    for path in paths {
        let kind = match std::fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => {
                faults.push(format!("{}: {}", path.display(), plain(&error)));
                continue;
            }
        };
        if kind.is_dir() {
            let found = scan(path, Limits::default());
            for (folder, words) in found.faults {
                faults.push(format!("{}: {words}", folder.display()));
            }
            if found.cut {
                faults.push(format!("{}: too many files or folders; name fewer", path.display()));
            }
            if found.files.is_empty() {
                faults.push(format!("{}: no `.dynamo` file in this folder", path.display()));
            }
            for file in found.files {
                open(&mut host, &file);
                asked.insert(file);
            }
        } else {
            match ask(&mut host, path, around) {
                Ok(file) => {
                    asked.insert(file);
                }
                Err(fault) => faults.push(fault),
            }
        }
    }
    let asked: Vec<FileKey> = asked.into_iter().collect();
    load_imports(&mut host, asked.iter().cloned());
    Loaded { host, asked, faults }
}

/// Reads the one model that a path means: a file with all that it imports, or
/// the model in a folder.
///
/// # Errors
/// Why there is none, in sentences; of a folder with several models, which.
pub(super) fn one_model(path: &Path) -> Result<(Host, SourceFile), Vec<String>> {
    let loaded = load(&[path.to_path_buf()], Around::Nothing);
    if !loaded.faults.is_empty() {
        return Err(loaded.faults);
    }
    let db = loaded.host.db();
    let is_folder = std::fs::metadata(path).is_ok_and(|kind| kind.is_dir());
    let asked = |key: &&FileKey| loaded.asked.contains(key);
    let models: Vec<FileKey> = match is_folder {
        true => roots(db).iter().map(|root| root.key(db)).filter(asked).cloned().collect(),
        false => loaded.asked.clone(),
    };
    match models.as_slice() {
        [model] => {
            let root = Workspace::get(db).files(db)[model];
            Ok((loaded.host, root))
        }
        several => {
            let names: Vec<String> = several.iter().map(shown).collect();
            Err(vec![format!("{}: several models are in this folder; name one: {}", path.display(), names.join(", "))])
        }
    }
}

fn open(host: &mut Host, file: &FileKey) {
    if host.content(file).is_none() {
        host.set(file.clone(), read(file));
    }
}

/// Reads a file that was named, and the models around it that may import it:
/// those below the nearest `keywright.toml`, else below its folder.
fn ask(host: &mut Host, path: &Path, wanted: Around) -> Result<FileKey, String> {
    let key = key_of_path(path).ok_or_else(|| format!("{}: the path is not valid UTF-8", path.display()))?;
    open(host, &key);
    if let Some(FileContent::Absent(absent)) = host.content(&key) {
        let why = match absent {
            Absent::NotFound => "there is no such file".to_owned(),
            Absent::Folder => "it is a folder".to_owned(),
            Absent::NotAFile => "it is a device or a pipe, not a file".to_owned(),
            Absent::Denied(words) => words.clone(),
        };
        host.remove(&key);
        return Err(format!("{}: {why}", path.display()));
    }
    let folder = PathBuf::from(key.folder());
    let base = folder.ancestors().find(|folder| folder.join("keywright.toml").is_file()).unwrap_or(&folder);
    // What cannot be read around it was not asked for.
    let mut around = scan(base, Limits::default()).files;
    // A file that says nothing of imports imports nothing.
    around.retain(|file| match wanted {
        Around::Nothing => false,
        Around::Importers => mentions(file, "import"),
        Around::Folder => file.folder() == key.folder() || mentions(file, "import"),
    });
    for file in &around {
        open(host, file);
    }
    load_imports(host, around);
    Ok(key)
}

/// The asked files with all that they import.
pub(super) fn with_imports(loaded: &Loaded) -> Vec<FileKey> {
    let mut files = loaded.asked.clone();
    let mut seen: BTreeSet<FileKey> = files.iter().cloned().collect();
    let mut next = 0;
    while let Some(file) = files.get(next).cloned() {
        next += 1;
        for import in loaded.host.imports(&file) {
            let there = !matches!(loaded.host.content(&import), None | Some(FileContent::Absent(_)));
            if there && seen.insert(import.clone()) {
                files.push(import);
            }
        }
    }
    files.sort();
    files
}

/// A file as people name it: relative to the current folder where it is below.
pub(super) fn shown(file: &FileKey) -> String {
    let here = std::env::current_dir().ok().and_then(|here| key_of_path(&here));
    let below = here.as_ref().and_then(|here| file.as_str().strip_prefix(here.as_str().trim_end_matches('/')));
    below.and_then(|rest| rest.strip_prefix('/')).unwrap_or(file.as_str()).to_owned()
}

/// An error of the system without its number.
pub(super) fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
