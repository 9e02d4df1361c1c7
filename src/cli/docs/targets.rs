//! Where each document is written.

use super::super::load::shown;
use super::standing;
use crate::deliverables::{Part, file_name};
use crate::ide::{Analysis, Document, DocumentKind};
use crate::model::files::FileKey;
use crate::vfs::key_of_path;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A document and the file that it belongs into.
pub(super) struct Target {
    pub path: PathBuf,
    pub kind: DocumentKind,
    /// The root of its model.
    pub root: FileKey,
    pub parts: Vec<Part>,
}

/// Finds a place for each document: beside its model, or in the folder that is
/// given. A folder with the documents of several models has their names in those of
/// the documents, wherever the models are. Where that does not tell them apart, none
/// is written over the other; what cannot be written is told. The links of a document
/// lead from its place.
pub(super) fn targets(analysis: &Analysis, documents: Vec<Document>, out: Option<&Path>) -> (Vec<Target>, Vec<String>) {
    let several = documents.iter().map(|document| document.root.as_str()).collect::<BTreeSet<_>>().len() > 1;
    let mut places: BTreeMap<PathBuf, Vec<Document>> = BTreeMap::new();
    for document in documents {
        let path = match out {
            None => PathBuf::from(document.file.as_str()),
            Some(folder) if several => folder.join(file_name(document.kind, document.root.stem(), true)),
            Some(folder) => alone_in(folder, &document),
        };
        places.entry(path).or_default().push(document);
    }
    let (mut targets, mut faults) = (Vec::new(), Vec::new());
    for (path, mut documents) in places {
        match documents.pop() {
            Some(document) if documents.is_empty() => {
                let elsewhere = key_of_path(&path).filter(|at| at.folder() != document.file.folder());
                let parts = match elsewhere {
                    Some(at) => analysis
                        .document_parts_at(&document.root, document.kind, &at)
                        .expect("nothing changes while the command runs"),
                    None => document.parts,
                };
                targets.push(Target { path, kind: document.kind, root: document.root, parts });
            }
            Some(last) => {
                let mut roots: Vec<String> = documents.iter().map(|document| shown(&document.root)).collect();
                roots.push(shown(&last.root));
                let name = super::told::name(&path);
                faults.push(format!(
                    "{name}: the documents of several models would have this name: {}",
                    roots.join(", ")
                ));
            }
            None => {}
        }
    }
    (targets, faults)
}

/// The place of the only document of its kind in a folder: under the name of its
/// model where it was made there beside those of others.
fn alone_in(folder: &Path, document: &Document) -> PathBuf {
    let alone = folder.join(document.file.file_name());
    let beside = folder.join(file_name(document.kind, document.root.stem(), true));
    let is_beside = || standing::is_of(&beside, document.kind, &document.root);
    let is_wanted = std::fs::symlink_metadata(&alone).is_err() || !standing::is_free(&alone, &document.root);
    if is_wanted && is_beside() { beside } else { alone }
}
