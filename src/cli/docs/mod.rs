//! `keywright docs`: documents are made, or made again around what people wrote
//! into them.

mod file;
mod one;
mod standing;
mod targets;
mod told;

use super::load::{self, Around, plain};
use super::{Outcome, complain};
use crate::ide::{Analysis, Document, DocumentKind};
use crate::model::files::FileKey;
use clap::ValueEnum;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Which documents, and what becomes of them.
pub(super) struct Wanted {
    /// The folder that they are in; without it each lies beside its model.
    pub out: Option<PathBuf>,
    pub only: Option<Only>,
    pub task: Task,
}

/// The documents that `--only` takes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Only {
    Requirement,
    DataModel,
}

/// What is done with documents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// They are made or renewed; what somebody edited stays.
    Renew,
    /// They are only looked at.
    Check,
    /// What somebody edited is replaced, after a copy was put beside it.
    Force,
}

pub(super) fn run(path: &Path, wanted: &Wanted) -> Outcome {
    let loaded = load::load(&[path.to_path_buf()], Around::Folder);
    let mut outcome = Outcome::Clean;
    let mut failed = |why: &dyn std::fmt::Display| {
        complain(why);
        outcome = Outcome::Failed;
    };
    loaded.faults.iter().for_each(|fault| failed(fault));
    let analysis = Analysis::new(loaded.host.snapshot());
    let mut documents = documents(&analysis, &loaded, wanted.only);
    let is_bare = wanted.task != Task::Force && !loaded.asked.iter().any(|file| declares(&analysis, file));
    if is_bare {
        // Documents of nothing would take the place of those that are there.
        documents.clear();
        for file in &loaded.asked {
            complain(format!("{} declares nothing: there is nothing to make documents of", load::shown(file)));
        }
    }
    let unparsed = unparsed(&analysis, &documents);
    for (root, (file, line)) in &unparsed {
        complain(format!("{}:{line}: this does not parse: {}", load::shown(file), lacking(root, wanted.task)));
    }
    if wanted.task != Task::Force {
        documents.retain(|document| !unparsed.contains_key(&document.root));
    }
    if let Some(folder) = &wanted.out
        && let Err(why) = ready(folder, wanted.task)
    {
        complain(format!("{}: {why}", folder.display()));
        return Outcome::Failed;
    }
    let (targets, faults) = targets::targets(&analysis, documents, wanted.out.as_deref());
    faults.iter().for_each(|fault| failed(fault));
    if is_bare || !unparsed.is_empty() {
        outcome = outcome.max(Outcome::Found);
    }
    let mut is_edited = false;
    for target in targets {
        match one::run(&target, wanted.task) {
            Ok(done) => {
                outcome = outcome.max(done.outcome);
                is_edited |= done.is_edited;
            }
            Err(why) => {
                complain(format!("{}: {why}", told::name(&target.path)));
                outcome = Outcome::Failed;
            }
        }
    }
    if is_edited && wanted.task == Task::Renew {
        complain("`--force` takes what the model says instead, and keeps what stood there in a copy beside it");
    }
    outcome
}

/// What does not parse of the models of these documents, the first of each.
fn unparsed(analysis: &Analysis, documents: &[Document]) -> BTreeMap<FileKey, (FileKey, u32)> {
    let roots: BTreeSet<&FileKey> = documents.iter().map(|document| &document.root).collect();
    let first = |root: &FileKey| {
        let places = analysis.unparsed(root).expect("nothing changes while the command runs");
        Some((root.clone(), places.into_iter().next()?))
    };
    roots.into_iter().filter_map(first).collect()
}

/// What follows from that for the documents of a model.
fn lacking(root: &FileKey, task: Task) -> String {
    let documents = format!("the documents of {}", load::shown(root));
    match task {
        Task::Renew => format!("{documents} would lack it and are left as they are; `--force` makes them without it"),
        Task::Check => format!("whether {documents} are current cannot be told"),
        Task::Force => format!("{documents} lack it"),
    }
}

/// The documents of the models that were asked for, by their places.
fn documents(analysis: &Analysis, loaded: &load::Loaded, only: Option<Only>) -> Vec<Document> {
    let kinds: &[DocumentKind] = match only {
        None => &[DocumentKind::Requirement, DocumentKind::DataModel],
        Some(Only::Requirement) => &[DocumentKind::Requirement],
        Some(Only::DataModel) => &[DocumentKind::DataModel],
    };
    // A file may belong to several models, and a model has several files.
    let mut documents: BTreeMap<String, Document> = BTreeMap::new();
    // A file that declares nothing is no model where there is one.
    let (declaring, empty): (Vec<&FileKey>, Vec<&FileKey>) =
        loaded.asked.iter().partition(|file| declares(analysis, file));
    for file in if declaring.is_empty() { empty } else { declaring } {
        for kind in kinds {
            for document in analysis.documents(file, *kind).expect("nothing changes while the command runs") {
                documents.insert(document.file.as_str().to_owned(), document);
            }
        }
    }
    documents.into_values().collect()
}

fn declares(analysis: &Analysis, file: &FileKey) -> bool {
    analysis.declares(file).expect("nothing changes while the command runs")
}

/// Makes the folder of the documents, where something will be written.
fn ready(folder: &Path, task: Task) -> Result<(), String> {
    let there = match task {
        Task::Check if std::fs::symlink_metadata(folder).is_err() => return Ok(()),
        Task::Check => std::fs::read_dir(folder).map(drop),
        Task::Renew | Task::Force => std::fs::create_dir_all(folder),
    };
    there.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => "it is not a folder".to_owned(),
        ErrorKind::NotADirectory if folder.exists() => "it is not a folder".to_owned(),
        ErrorKind::NotADirectory => "what stands above it is not a folder".to_owned(),
        _ => plain(&error),
    })
}
