//! From the paths of a command to the models that they mean.

use super::fault::Fault;
use super::place::of_text;
use crate::config::{ConfigFault, ConfigFile, FILE_NAME};
use crate::model::db::{Host, Workspace};
use crate::model::files::{Absent, FileContent, FileKey};
use crate::model::imports::models_of;
use crate::model::settings::{config_file, configs_of};
use crate::syntax::Text;
use crate::vfs::{
    EXTENSION, Limits, OnDisk, document_keys, key_of_path, load_configs, load_imports, mentions, path_of, read,
    read_document, scan,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a command works on.
pub(super) struct Loaded {
    pub host: Host,
    /// The files that were asked about, in the order of their paths.
    pub asked: Vec<FileKey>,
    /// Why some could not be had, and what is wrong with the settings.
    pub faults: Vec<Fault>,
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
                faults.push(Fault::of_path(path, plain(&error)));
                continue;
            }
        };
        if kind.is_dir() {
            let found = scan(path, Limits::default());
            if found.files.is_empty() && found.faults.is_empty() {
                faults.push(Fault::of_path(path, format!("no `{EXTENSION}` file in this folder")));
            }
            faults.extend(found.faults.into_iter().map(|(at, words)| Fault::of_path(&at, words)));
            if found.cut {
                faults.push(Fault::of_path(path, "too many files or folders; name fewer"));
            }
            for file in found.files {
                // One that is there and cannot be opened was not checked.
                match had(&mut host, &file) {
                    Ok(()) => drop(asked.insert(file)),
                    Err(why) => faults.push(Fault::of_file(&file, None, why)),
                }
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
    let asked = each_once(asked);
    load_imports(&mut host, asked.iter().cloned(), read);
    if around != Around::Nothing {
        load_configs(&mut host);
        faults.extend(config_faults(&host, &asked));
    }
    Loaded { host, asked, faults }
}

/// The faults of the `keywright.toml` of every model that an asked file belongs
/// to.
fn config_faults(host: &Host, asked: &[FileKey]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for key in configs_of(host.db(), asked) {
        let Some(file) = config_file(host.db(), &key) else { continue };
        faults.extend(faults_of(&key, file));
    }
    faults
}

/// The faults of a `keywright.toml`, each at its place.
pub(super) fn faults_of(key: &FileKey, file: &ConfigFile) -> Vec<Fault> {
    let text = Text::new(&file.text);
    let told = |fault: &ConfigFault| Fault::of_file(key, Some(of_text(&text, fault.range)), fault.message.clone());
    file.faults.iter().map(told).collect()
}

/// Reads the documents that stand beside the models that were asked about.
pub(super) fn load_documents(loaded: &mut Loaded) {
    let host = &mut loaded.host;
    let roots = || {
        let db = host.db();
        let known = Workspace::get(db).files(db);
        let roots = loaded.asked.iter().filter_map(|file| known.get(file)).flat_map(|file| models_of(db, *file));
        roots.map(|root| root.key(db).clone()).collect::<BTreeSet<FileKey>>()
    };
    let read_it = |key: FileKey| match read_document(&key) {
        OnDisk::Text(text) => Some((key, text)),
        OnDisk::Nothing | OnDisk::Unreadable(_) => None,
    };
    let found: Vec<_> = roots().iter().flat_map(document_keys).filter_map(read_it).collect();
    // How they are named depends on what else is a model in their folders.
    let folders: BTreeSet<String> = found.iter().map(|(key, _)| key.folder().to_owned()).collect();
    for folder in folders {
        let beside = scan(Path::new(&folder), Limits { depth: 0, ..Limits::default() }).files;
        beside.iter().for_each(|file| open(host, file));
        load_imports(host, beside, crate::vfs::read);
    }
    for (key, text) in found {
        host.set_document(key, Some(text));
    }
}

/// The files without those that are another name of one of them: a link in a
/// folder leads to what is judged and fixed already. The name that is no link is
/// kept.
fn each_once(asked: BTreeSet<FileKey>) -> Vec<FileKey> {
    let is_link = |file: &FileKey| path_of(file).is_some_and(|path| path.is_symlink());
    let mut names: BTreeMap<PathBuf, FileKey> = BTreeMap::new();
    let mut once: BTreeSet<FileKey> = BTreeSet::new();
    for file in asked {
        let Some(real) = path_of(&file).and_then(|path| std::fs::canonicalize(path).ok()) else {
            once.insert(file);
            continue;
        };
        match names.get(&real) {
            Some(other) if is_link(&file) || !is_link(other) => {}
            _ => drop(names.insert(real, file)),
        }
    }
    once.extend(names.into_values());
    once.into_iter().collect()
}

fn open(host: &mut Host, file: &FileKey) {
    if host.content(file).is_none() {
        host.set(file.clone(), read(file));
    }
}

/// Reads a file that must be there; else why it cannot be had.
fn had(host: &mut Host, file: &FileKey) -> Result<(), String> {
    open(host, file);
    let Some(FileContent::Absent(absent)) = host.content(file) else { return Ok(()) };
    let why = why_absent(absent);
    host.remove(file);
    Err(why)
}

/// Why a file cannot be had, for people.
pub(super) fn why_absent(absent: &Absent) -> String {
    match absent {
        Absent::NotFound => "there is no such file".to_owned(),
        Absent::Folder => "it is a folder".to_owned(),
        Absent::NotAFile => "it is a device or a pipe, not a file".to_owned(),
        Absent::Denied(words) => words.clone(),
    }
}

/// Reads a file that was named, and the models around it that may import it:
/// those below the nearest `keywright.toml`, else below its folder.
fn ask(host: &mut Host, path: &Path, wanted: Around) -> Result<FileKey, Fault> {
    let refused = |why: String| Fault::of_path(path, why);
    let key = key_of_path(path).ok_or_else(|| refused("the path is not valid UTF-8".to_owned()))?;
    if key.file_name() == FILE_NAME {
        let why = "it holds settings and is no model; what is wrong in it is told with the models below it: name one, or \
                   their folder";
        return Err(refused(why.to_owned()));
    }
    had(host, &key).map_err(refused)?;
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
    load_imports(host, around, read);
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
    here.and_then(|here| below(file, &here)).unwrap_or_else(|| file.as_str().to_owned())
}

/// The name of a file from a folder that it lies below.
pub(super) fn below(file: &FileKey, folder: &FileKey) -> Option<String> {
    let rest = file.as_str().strip_prefix(folder.as_str().trim_end_matches('/'))?;
    rest.strip_prefix('/').map(str::to_owned)
}

/// An error of the system without its number.
pub(super) fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
