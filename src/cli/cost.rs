//! `keywright cost`.

mod human;

use super::load::{self, Around, Loaded};
use super::{Outcome, complain, print};
use crate::ide::{Analysis, CostReport, cost_object};
use crate::model::files::{FileContent, FileKey};
use crate::rules::finding::Level;
use clap::ValueEnum;
use std::path::Path;

/// How the numbers are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Tables for people.
    Human,
    /// One object on standard output.
    Json,
}

pub(super) fn run(path: &Path, format: Format) -> Outcome {
    let loaded = load::load(&[path.to_path_buf()], Around::Importers);
    for fault in &loaded.faults {
        complain(fault);
    }
    if loaded.asked.is_empty() {
        return Outcome::Failed;
    }
    let report = match the_model(&loaded, path) {
        Ok(report) => report,
        Err(why) => {
            complain(why);
            return Outcome::Failed;
        }
    };
    if let Some(file) = report.files.iter().find(|file| is_unreadable(&loaded, file)) {
        complain(format!("{}: it is no text that can be read; `keywright check` tells", load::shown(file)));
        return Outcome::Failed;
    }
    let errors = errors(&loaded, &report);
    print(match format {
        Format::Human => human::render(&report),
        Format::Json => json(&report, errors),
    });
    if loaded.faults.is_empty() { Outcome::Clean } else { Outcome::Failed }
}

fn json(report: &CostReport, errors: usize) -> String {
    let mut text = serde_json::to_string(&cost_object(report, errors)).expect("strings and numbers are always JSON");
    text.push('\n');
    text
}

/// The report of the one model that a path means.
fn the_model(loaded: &Loaded, path: &Path) -> Result<CostReport, String> {
    let root = load::one_model(loaded, path)?;
    let analysis = Analysis::new(loaded.host.snapshot());
    let reports = analysis.costs(&root).expect("nothing changes while the command runs");
    reports.into_iter().find(|report| report.root == root).ok_or_else(|| format!("{}: no model", path.display()))
}

/// Of a file that is no text nothing is known, and nothing is no number.
fn is_unreadable(loaded: &Loaded, file: &FileKey) -> bool {
    matches!(loaded.host.content(file), Some(FileContent::Unreadable(_)))
}

/// How many errors the model has. Numbers of one that DynamoDB would refuse may
/// mean nothing: that is said, and the numbers are shown all the same.
fn errors(loaded: &Loaded, report: &CostReport) -> usize {
    let analysis = Analysis::new(loaded.host.snapshot());
    let findings = report.files.iter().map(|file| analysis.diagnostics(file).unwrap_or_default());
    let errors = findings.flatten().filter(|finding| finding.level == Level::Error).count();
    if errors > 0 {
        let (count, them) = if errors == 1 { ("1 error".into(), "it") } else { (format!("{errors} errors"), "them") };
        complain(format!(
            "the model has {count}, and numbers that depend on {them} mean little; `keywright check` tells"
        ));
    }
    errors
}
