//! `keywright check`.

use super::load::{self, Around, Loaded};
use super::{FailOn, Outcome, complain, fix, github, human, json, print, sarif};
use crate::ide::{Analysis, Diagnostic};
use crate::model::files::FileKey;
use crate::rules::finding::{Level, Safety};
use clap::ValueEnum;
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

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people, in colour where the terminal has colours.
    Human,
    /// One object on standard output.
    Json,
    /// SARIF 2.1.0, for code hosts and other tools.
    Sarif,
    /// Workflow commands of GitHub, which show findings at their lines.
    Github,
}

/// `fix` is how safe the fixes are that are made first; `None` to make none.
pub(super) fn run(paths: &[PathBuf], format: Format, fail_on: FailOn, fix: Option<Safety>) -> Outcome {
    let mut loaded = load::load(paths, Around::Importers);
    let mut done = fix.map(|least| fix::run(&mut loaded, paths, least));
    if let Some(done) = &mut done {
        match format {
            Format::Human => print(fix::report(done)),
            // It is in the object.
            Format::Json => {}
            // Standard output belongs to the programs that read it.
            Format::Sarif | Format::Github => {
                fix::report(done).lines().filter(|line| !line.is_empty()).for_each(complain)
            }
        }
        loaded.faults.append(&mut done.faults);
    }
    load::load_documents(&mut loaded);
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
        Format::Json => print(json::render(&loaded, &reports, &summary, done.as_ref())),
        Format::Sarif => print(sarif::render(&loaded, &reports)),
        Format::Github => print(github::render(&loaded, &reports, &summary)),
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
            let stale = analysis.stale_documents(&file);
            let found = stale.and_then(|stale| analysis.all_diagnostics(&file, &stale));
            let diagnostics = found.expect("nothing changes while the command runs");
            FileReport { file, diagnostics }
        })
        .collect()
}
