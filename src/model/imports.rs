//! Imports: which files make a model, and which models there are.

use super::db::{Db, Decl, Presence, SourceFile, Workspace};
use super::defs::{Def, Text};
use super::files::FileKey;
use super::lower::lowered;
use crate::syntax::ChunkKind;
use std::collections::{BTreeMap, HashSet};

/// An import with the file that it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub decl: Decl,
    /// `None` where the path is missing or relative to no folder.
    pub key: Option<FileKey>,
    pub path: Option<Text>,
}

/// The imports of a file, in order.
#[salsa::tracked(returns(ref))]
pub fn imports(db: &dyn Db, file: SourceFile) -> Vec<Import> {
    let mut imports = Vec::new();
    for decl in file.decls(db) {
        if decl_kind(db, *decl) != ChunkKind::Import {
            continue;
        }
        if let Def::Import(import) = &lowered(db, *decl).def {
            let key = import.path.as_ref().and_then(|path| file.key(db).join(&path.value));
            imports.push(Import { decl: *decl, key, path: import.path.clone() });
        }
    }
    imports
}

/// The kind of a declaration: cheaper to depend on than its text.
pub fn decl_kind(db: &dyn Db, decl: Decl) -> ChunkKind {
    decl.kind(db)
}

/// Whether a file can be had; apart from its content, so that an edit does not
/// ask again which models there are.
pub fn is_present(db: &dyn Db, file: SourceFile) -> bool {
    file.presence(db) != Presence::Absent
}

/// The files of the model with this root: the root first, then what it imports,
/// breadth first, each once.
#[salsa::tracked(returns(ref))]
pub fn model_files(db: &dyn Db, root: SourceFile) -> Vec<SourceFile> {
    let known = Workspace::get(db).files(db);
    let mut files = vec![root];
    let mut seen: HashSet<SourceFile> = files.iter().copied().collect();
    let mut next = 0;
    while let Some(file) = files.get(next).copied() {
        next += 1;
        for import in imports(db, file) {
            let target = import.key.as_ref().and_then(|key| known.get(key)).copied();
            if let Some(target) = target.filter(|target| seen.insert(*target)) {
                files.push(target);
            }
        }
    }
    files
}

/// The roots of all models: files that no other file imports, and of files that
/// only import each other in a circle the first by path.
#[salsa::tracked(returns(ref))]
pub fn roots(db: &dyn Db) -> Vec<SourceFile> {
    let known: BTreeMap<&FileKey, SourceFile> = Workspace::get(db)
        .files(db)
        .iter()
        .filter(|(_, file)| is_present(db, **file))
        .map(|(key, file)| (key, *file))
        .collect();
    let mut imported: HashSet<SourceFile> = HashSet::new();
    for file in known.values() {
        for import in imports(db, *file) {
            if let Some(target) = import.key.as_ref().and_then(|key| known.get(key)).filter(|target| *target != file) {
                imported.insert(*target);
            }
        }
    }
    let mut roots: Vec<SourceFile> = known.values().copied().filter(|file| !imported.contains(file)).collect();
    let mut reached: HashSet<SourceFile> = roots.iter().flat_map(|root| model_files(db, *root)).copied().collect();
    for file in known.values() {
        if !reached.contains(file) {
            // What is left is reached from a circle only. The root of one is its first
            // file by path, unless something outside the circle leads into it.
            let mut leading = known.values().filter(|other| model_files(db, **other).contains(file));
            let own = model_files(db, *file);
            if leading.all(|other| own.contains(other) && other.key(db) >= file.key(db)) {
                reached.extend(own);
                roots.push(*file);
            }
        }
    }
    roots.sort_by_key(|root| root.key(db));
    roots
}

/// Whether another model has its root in the same folder. A file that declares nothing
/// is none, as long as one does.
pub fn shares_folder(db: &dyn Db, root: SourceFile) -> bool {
    let folder = root.key(db).folder();
    shared_folders(db).contains(folder) || !declares(db, root) && declaring_folders(db).contains(folder)
}

/// Whether a file declares anything, be it that it imports what does.
#[salsa::tracked(returns(copy))]
pub fn declares(db: &dyn Db, file: SourceFile) -> bool {
    file.decls(db).iter().any(|decl| decl_kind(db, *decl) != ChunkKind::Junk)
}

/// The folders of roots that declare something.
#[salsa::tracked(returns(ref))]
fn declaring_folders(db: &dyn Db) -> HashSet<String> {
    let declaring = roots(db).iter().filter(|root| declares(db, **root));
    declaring.map(|root| root.key(db).folder().to_owned()).collect()
}

/// The folders that hold the roots of several models.
#[salsa::tracked(returns(ref))]
fn shared_folders(db: &dyn Db) -> HashSet<String> {
    let none_declares = |root: &SourceFile| !declaring_folders(db).contains(root.key(db).folder());
    let models = roots(db).iter().filter(|root| declares(db, **root) || none_declares(root));
    let folders = models.map(|root| root.key(db).folder());
    let mut seen = HashSet::new();
    folders.filter(|folder| !seen.insert(*folder)).map(str::to_owned).collect()
}

/// The roots of the models that a file belongs to.
#[salsa::tracked(returns(ref))]
pub fn models_of(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    roots(db).iter().copied().filter(|root| model_files(db, *root).contains(&file)).collect()
}

/// The declarations of a model, in the order of its files.
#[salsa::tracked(returns(ref))]
pub fn model_decls(db: &dyn Db, root: SourceFile) -> Vec<Decl> {
    model_files(db, root).iter().flat_map(|file| file.decls(db).iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::db::Host;
    use crate::model::files::FileContent;

    fn roots_of(files: &[(&str, &[&str])]) -> Vec<String> {
        let mut host = Host::default();
        for (name, imported) in files {
            let text: String = imported.iter().map(|name| format!("import \"{name}\"\n")).collect();
            host.set(FileKey::new(&format!("/{name}")), FileContent::from_bytes(text.as_bytes()));
        }
        let db = host.db();
        roots(db).iter().map(|root| root.key(db).file_name().to_owned()).collect()
    }

    #[test]
    fn a_circle_has_one_root_and_what_it_imports_has_none() {
        assert_eq!(roots_of(&[("b", &["c"]), ("c", &["b"])]), ["b"]);
        assert_eq!(roots_of(&[("a", &[]), ("b", &["c", "a"]), ("c", &["b"])]), ["b"]);
        // A circle that another one imports, though its names come first.
        let two = [("a", &["b"] as &[&str]), ("b", &["a"]), ("c", &["d", "a"]), ("d", &["c"])];
        assert_eq!(roots_of(&two), ["c"]);
        assert_eq!(roots_of(&[("a", &["a"]), ("b", &["a"])]), ["b"]);
    }
}
