//! Findings as one JSON object, for machines. Lines and columns count from 1,
//! columns in Unicode scalar values.

use super::check::{FileReport, Summary};
use super::fault::Told;
use super::fix::Done;
use super::load::{Loaded, shown};
use super::place::{Range, of_bytes, of_finding};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'r> {
    version: u32,
    findings: Vec<Finding<'r>>,
    /// What could not be had, and what is wrong in `keywright.toml`.
    faults: Vec<Told<'r>>,
    summary: Counts,
    /// With `--fix`: what was fixed before.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<Vec<Fixed<'r>>>,
    /// The same of files that were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Fixed<'r> {
    file: String,
    rule: &'r str,
    fix: &'r str,
}

#[derive(Serialize)]
struct Finding<'r> {
    file: String,
    rule: &'r str,
    level: &'r str,
    message: &'r str,
    range: Range,
    related: Vec<Related<'r>>,
    fixable: bool,
}

#[derive(Serialize)]
struct Related<'r> {
    file: String,
    message: &'r str,
    range: Range,
}

#[derive(Serialize)]
struct Counts {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    hints: usize,
}

pub(super) fn render(loaded: &Loaded, reports: &[FileReport], summary: &Summary, done: Option<&Done>) -> String {
    let mut findings = Vec::new();
    for report in reports {
        for diagnostic in &report.diagnostics {
            let related = diagnostic.related.iter().map(|related| Related {
                file: shown(&related.file),
                message: &related.message,
                range: of_bytes(loaded, &related.file, related.range),
            });
            findings.push(Finding {
                file: shown(&report.file),
                rule: diagnostic.rule,
                level: diagnostic.level.word(),
                message: &diagnostic.message,
                range: of_finding(loaded, &report.file, diagnostic.range),
                related: related.collect(),
                fixable: diagnostic.fixable,
            });
        }
    }
    let Summary { files, errors, warnings, infos, hints } = *summary;
    let fixed = done.map(|done| {
        let all = done.fixed.values().flatten();
        all.map(|fixed| Fixed { file: shown(&fixed.file), rule: fixed.rule, fix: &fixed.title }).collect()
    });
    let faults = loaded.faults.iter().map(Told::from).collect();
    let created = done.map(|done| done.created.iter().map(shown).collect());
    let summary = Counts { files, errors, warnings, infos, hints };
    let report = Report { version: 1, findings, faults, summary, fixed, created };
    let mut text = serde_json::to_string(&report).expect("strings and numbers are always JSON");
    text.push('\n');
    text
}
