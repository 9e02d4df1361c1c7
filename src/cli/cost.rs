//! `keywright cost`.

mod human;
mod json;

use super::load::{self, Around, Loaded};
use super::{Outcome, complain, print};
use crate::ide::{Analysis, CostReport};
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
    warn_of_errors(&loaded, &report);
    print(match format {
        Format::Human => human::render(&report),
        Format::Json => json::render(&report),
    });
    if loaded.faults.is_empty() { Outcome::Clean } else { Outcome::Failed }
}

/// The report of the one model that a path means.
fn the_model(loaded: &Loaded, path: &Path) -> Result<CostReport, String> {
    let root = load::one_model(loaded, path)?;
    let analysis = Analysis::new(loaded.host.snapshot());
    let reports = analysis.costs(&root).expect("nothing changes while the command runs");
    reports.into_iter().find(|report| report.root == root).ok_or_else(|| format!("{}: no model", path.display()))
}

/// Numbers of a model that DynamoDB would refuse may mean nothing: it is said
/// how many errors there are, and the numbers are shown all the same.
fn warn_of_errors(loaded: &Loaded, report: &CostReport) {
    let analysis = Analysis::new(loaded.host.snapshot());
    let findings = report.files.iter().map(|file| analysis.diagnostics(file).unwrap_or_default());
    let errors = findings.flatten().filter(|finding| finding.level == Level::Error).count();
    if errors > 0 {
        let (errors, them) = if errors == 1 { ("1 error".into(), "it") } else { (format!("{errors} errors"), "them") };
        complain(format!(
            "the model has {errors}, and numbers that depend on {them} mean little; `keywright check` tells"
        ));
    }
}
