//! *Table Designs* of the data model document: samples that are true of the keys,
//! the projections and each other, labels that are always there, and the figures of
//! `keywright cost`.

mod figures;
mod labels;
mod page;
mod samples;
mod words;

use crate::support::models::model;
use std::path::Path;

/// A model with its name: its files, the root first.
pub type Model = (String, Vec<(String, String)>);

/// Every example, the gallery, and random models of both styles.
pub fn models() -> Vec<Model> {
    let mut models: Vec<Model> = Vec::new();
    for folder in ["examples", "examples/gallery", "examples/large"] {
        models.extend(files(folder).into_iter().map(|file| (file.0.clone(), vec![file])));
    }
    let mut marketplace = files("examples/large/marketplace");
    marketplace.sort_by_key(|(name, _)| (name != "marketplace.dynamo", name.clone()));
    models.push(("marketplace".to_owned(), marketplace));
    assert!(models.len() >= 16, "the examples are there");
    let random = (0..RANDOM).map(|seed| (format!("random model {seed}"), vec![(FILE.to_owned(), model(seed))]));
    models.extend(random);
    models
}

/// The models of a folder.
fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    let mut files: Vec<(String, String)> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "dynamo"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("an example is text");
            (path.file_name().expect("it has one").to_string_lossy().into_owned(), text)
        })
        .collect();
    files.sort();
    files
}

/// The file of a model that stands nowhere else.
const FILE: &str = "model.dynamo";

/// So many random models; every other one is in the single-table style.
const RANDOM: u64 = 24;
