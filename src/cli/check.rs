//! `keywright check`.

use super::load::{self, Around, Loaded};
use super::{FailOn, Format, Outcome, complain, human, json, print};
use crate::ide::{Analysis, Diagnostic};
use crate::model::files::FileKey;
use crate::rules::finding::Level;
use std::path::PathBuf;

/// The findings of one file.
pub(super) struct FileReport {
    pub file: FileKey,
    pub diagnostics: Vec<Diagnostic>,
}

/// How many findings there are, by level.
#[derive(Default)]
pub(super) struct Summary {
    pub files: usize,
    pub errors: usize,
    pub warnings: usize,
    pub infos: usize,
    pub hints: usize,
}

pub(super) fn run(paths: &[PathBuf], format: Format, fail_on: FailOn) -> Outcome {
    let loaded = load::load(paths, Around::Importers);
    let reports = reports(&loaded);
    let mut summary = Summary { files: reports.len(), ..Summary::default() };
    let mut worst = None;
    for diagnostic in reports.iter().flat_map(|report| &report.diagnostics) {
        worst = worst.max(Some(diagnostic.level));
        match diagnostic.level {
            Level::Error => summary.errors += 1,
            Level::Warning => summary.warnings += 1,
            Level::Info => summary.infos += 1,
            Level::Hint => summary.hints += 1,
        }
    }
    match format {
        // Of nothing there is nothing to say; why is told below.
        Format::Human if reports.is_empty() && !loaded.faults.is_empty() => {}
        Format::Human => print(human::render(&loaded, &reports, &summary)),
        Format::Json => print(json::render(&loaded, &reports, &summary)),
    }
    for fault in &loaded.faults {
        complain(fault);
    }
    let limit = match fail_on {
        FailOn::Error => Level::Error,
        FailOn::Warning => Level::Warning,
        FailOn::Info => Level::Info,
    };
    if !loaded.faults.is_empty() {
        Outcome::Failed
    } else if worst.is_some_and(|worst| worst >= limit) {
        Outcome::Found
    } else {
        Outcome::Clean
    }
}

fn reports(loaded: &Loaded) -> Vec<FileReport> {
    let analysis = Analysis::new(loaded.host.snapshot());
    let files = load::with_imports(loaded);
    files
        .into_iter()
        .map(|file| {
            let diagnostics = analysis.diagnostics(&file).expect("nothing changes while the command runs");
            FileReport { file, diagnostics }
        })
        .collect()
}
