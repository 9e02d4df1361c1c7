//! From the paths of a command to the models that they mean.

use crate::model::db::{Host, Workspace};
use crate::model::files::{Absent, FileContent, FileKey};
use crate::model::imports::models_of;
use crate::model::settings::{config_file, configs_of};
use crate::syntax::{Encoding, Text};
use crate::vfs::{Limits, key_of_path, load_configs, load_imports, mentions, read, scan};
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
    if around != Around::Nothing {
        load_configs(&mut host);
        faults.extend(config_faults(&host, &asked));
    }
    Loaded { host, asked, faults }
}

/// The faults of the `keywright.toml` of every model that an asked file belongs
/// to: file, line and column, from one, and what is wrong.
fn config_faults(host: &Host, asked: &[FileKey]) -> Vec<String> {
    let mut faults = Vec::new();
    for key in configs_of(host.db(), asked) {
        let Some(file) = config_file(host.db(), &key) else { continue };
        let text = Text::new(&file.text);
        for fault in &file.faults {
            let at = text.position(fault.range.start as usize, Encoding::Utf32);
            faults.push(format!("{}:{}:{}: {}", shown(&key), at.line + 1, at.column + 1, fault.message));
        }
    }
    faults
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

/// The root of the one model that a path means: of a file the model that it
/// belongs to, of a folder the one that it holds. Where there are several, their
/// names.
pub(super) fn one_model(loaded: &Loaded, path: &Path) -> Result<FileKey, String> {
    let db = loaded.host.db();
    let known = Workspace::get(db).files(db);
    let models: BTreeSet<&FileKey> = loaded
        .asked
        .iter()
        .filter_map(|file| known.get(file))
        .flat_map(|file| models_of(db, *file))
        .map(|root| root.key(db))
        .collect();
    let mut models = models.into_iter();
    match (models.next(), models.next()) {
        (Some(only), None) => Ok(only.clone()),
        (Some(first), Some(second)) => {
            let names: Vec<String> = [first, second].into_iter().chain(models).map(shown).collect();
            let belongs = if path.is_dir() { "holds" } else { "belongs to" };
            Err(format!("{}: {belongs} several models; name one: {}", path.display(), names.join(", ")))
        }
        (None, _) => Err(format!("{}: there is no model", path.display())),
    }
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
