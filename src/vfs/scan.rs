//! Finding the models below a folder.

use super::names::{key_of_path, path_of};
use crate::deliverables::kind_of_name;
use crate::model::files::FileKey;
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What the name of a model ends with.
pub const EXTENSION: &str = ".dynamo";

/// How far a search goes. A folder opened by mistake (a home, a disk) must
/// cost neither minutes nor memory.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub files: usize,
    /// Folders below the first.
    pub depth: usize,
    /// Entries of all folders together.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { files: 10_000, depth: 32, entries: 500_000 }
    }
}

/// What a search found.
#[derive(Debug, Default)]
pub struct Scan {
    /// Breadth first, and by name within a folder.
    pub files: Vec<FileKey>,
    /// Generated documents, in the same order.
    pub documents: Vec<FileKey>,
    /// Folders that could not be read, with the system's own words, and what has the
    /// name of a model and cannot be one.
    pub faults: Vec<(PathBuf, String)>,
    /// Whether a limit ended it early.
    pub cut: bool,
}

/// Finds the `.dynamo` files below a folder. Links to folders are not followed,
/// so that a search ends.
pub fn scan(folder: &Path, limits: Limits) -> Scan {
    scan_while(folder, limits, || true)
}

/// The same, as long as somebody wants it to go on; where nobody does any more the
/// search is cut.
pub fn scan_while(folder: &Path, limits: Limits, goes_on: impl Fn() -> bool) -> Scan {
    let mut found = Scan::default();
    let mut entries = 0;
    let mut folders = VecDeque::from([(folder.to_path_buf(), 0)]);
    while let Some((folder, depth)) = folders.pop_front() {
        if !goes_on() {
            found.cut = true;
            return found;
        }
        let mut names: Vec<_> = match std::fs::read_dir(&folder) {
            Ok(list) => list.filter_map(Result::ok).take(limits.entries.saturating_sub(entries) + 1).collect(),
            Err(error) => {
                found.faults.push((folder, error.to_string()));
                continue;
            }
        };
        entries += names.len();
        if entries > limits.entries {
            found.cut = true;
            return found;
        }
        names.sort_by_key(std::fs::DirEntry::file_name);
        for entry in names {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let name = entry.file_name();
            if kind.is_dir() {
                if !is_skipped(&name.to_string_lossy()) {
                    if depth < limits.depth {
                        folders.push_back((path, depth + 1));
                    } else {
                        found.cut = true;
                    }
                }
            } else if name.to_string_lossy().ends_with(EXTENSION) && (kind.is_file() || path.is_file()) {
                if found.files.len() == limits.files {
                    found.cut = true;
                    return found;
                }
                match key_of_path(&path) {
                    Some(key) => found.files.push(key),
                    None => found.faults.push((path, "the path is not valid UTF-8".to_owned())),
                }
            } else if kind_of_name(&name.to_string_lossy()).is_some() && found.documents.len() < 2 * limits.files {
                found.documents.extend(key_of_path(&path));
            } else if kind.is_symlink() && name.to_string_lossy().ends_with(EXTENSION) {
                // A link to a folder, a pipe or a device is none to a model.
                if let Err(error) = std::fs::metadata(&path) {
                    let words = match error.kind() {
                        ErrorKind::NotFound => "it is a link that leads nowhere".to_owned(),
                        _ => error.to_string(),
                    };
                    found.faults.push((path, words));
                }
            }
        }
    }
    found
}

/// Folders that hold no sources: hidden ones and what tools put there.
fn is_skipped(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules" || name == "target"
}

/// Whether `key` lies below `folder`, or is it.
pub fn is_below(key: &FileKey, folder: &FileKey) -> bool {
    let folder = folder.as_str().trim_end_matches('/');
    key.as_str().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a search of `folder` finds the file `key`, as far as names tell.
pub fn is_scanned(key: &FileKey, folder: &FileKey, limits: Limits) -> bool {
    let Some(rest) = is_below(key, folder).then(|| &key.as_str()[folder.as_str().trim_end_matches('/').len()..]) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let name = parts.pop().unwrap_or("");
    name.ends_with(EXTENSION)
        && parts.len() <= limits.depth
        && !parts.iter().any(|part| is_skipped(part))
        && path_of(key).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    fn names(folder: &tempfile::TempDir, limits: Limits) -> (Vec<String>, bool) {
        let scan = scan(folder.path(), limits);
        let root = key_of_path(folder.path()).unwrap();
        for file in &scan.files {
            assert!(is_scanned(file, &root, limits), "{file}");
        }
        let names = scan.files.iter().map(|key| key.as_str()[root.as_str().len() + 1..].to_owned()).collect();
        (names, scan.cut)
    }

    #[test]
    fn models_are_found_and_what_is_no_source_is_left_out() {
        let folder = tree(&[
            "b.dynamo",
            "a.dynamo",
            "x.md",
            "sub/c.dynamo",
            ".git/d.dynamo",
            "node_modules/e/f.dynamo",
            "target/g.dynamo",
            "sub/.hidden/h.dynamo",
        ]);
        std::fs::create_dir(folder.path().join("folder.dynamo")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), folder.path().join("sub/loop")).unwrap();
        let (names, cut) = names(&folder, Limits::default());
        assert_eq!(names, ["a.dynamo", "b.dynamo", "sub/c.dynamo"]);
        assert!(!cut);
    }

    #[test]
    fn documents_are_found_beside_the_models() {
        let folder = tree(&["a/m.dynamo", "a/dynamodb_requirement.md", "a/m.dynamodb_data_model.md", "a/README.md"]);
        let scan = scan(folder.path(), Limits::default());
        let names: Vec<&str> = scan.documents.iter().map(FileKey::file_name).collect();
        assert_eq!(names, ["dynamodb_requirement.md", "m.dynamodb_data_model.md"]);
    }

    #[test]
    fn a_search_has_limits() {
        let folder = tree(&["1.dynamo", "2.dynamo", "3.dynamo", "a/b/4.dynamo"]);
        let all = Limits::default();
        assert_eq!(names(&folder, Limits { files: 2, ..all }), (vec!["1.dynamo".into(), "2.dynamo".into()], true));
        assert_eq!(names(&folder, Limits { depth: 1, ..all }).0.len(), 3);
        assert!(names(&folder, Limits { entries: 3, ..all }).1);
    }

    #[test]
    fn a_search_ends_when_nobody_wants_it_any_more() {
        let folder = tree(&["1.dynamo", "a/2.dynamo", "b/3.dynamo"]);
        let asked = std::cell::Cell::new(0);
        let scan = scan_while(folder.path(), Limits::default(), || {
            asked.set(asked.get() + 1);
            asked.get() <= 2
        });
        let names: Vec<&str> = scan.files.iter().map(FileKey::file_name).collect();
        assert_eq!((names, scan.cut), (vec!["1.dynamo", "2.dynamo"], true));
    }

    #[test]
    fn below_means_whole_names() {
        let key = FileKey::new("/a/bc/x.dynamo");
        assert!(is_below(&key, &FileKey::new("/a")) && is_below(&key, &FileKey::new("/")));
        assert!(!is_below(&key, &FileKey::new("/a/b")));
        assert!(!is_scanned(&FileKey::new("/a/.x/y.dynamo"), &FileKey::new("/a"), Limits::default()));
    }
}
