//! Random models on the embedded engine: what the analysis predicts, and what the
//! engine does.

use crate::support::models::model;
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::verify::{Agreement, Embedded, Options, Report, Verdict, verify};
use std::collections::BTreeMap;

/// A quarter of the models: the tests run side by side.
const PART: u64 = 80;

fn run(text: &str) -> Report {
    let mut host = Host::default();
    let key = FileKey::new("/model.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let root = Workspace::get(host.db()).files(host.db())[&key];
    verify(host.db(), root, &Embedded::open().expect("the engine starts"), &Options::default())
}

/// Runs models and holds every operation of each against the engine: accepted,
/// with the entities and counts and units of each call, and with the numbers that
/// the analysis computes for the population.
fn agree(seeds: std::ops::Range<u64>) {
    let mut faults = Vec::new();
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut run_operations, mut skipped) = (0, Vec::new());
    for seed in seeds {
        let report = run(&model(seed));
        let mut fault = |words: String| faults.push(format!("seed {seed}: {words}"));
        report.refused.iter().chain(&report.faults).chain(&report.documents.problems).cloned().for_each(&mut fault);
        skipped.extend(report.documents.not_made.iter().map(|why| format!("seed {seed}: not printed: {why}")));
        for stock in report.stocks.iter().filter(|stock| stock.outcome == Agreement::Differs) {
            fault(stock.words());
        }
        for (pattern, operation) in report.patterns.iter().flat_map(|p| p.operations.iter().map(move |o| (&p.name, o)))
        {
            match &operation.verdict {
                Verdict::Agrees => run_operations += 1,
                Verdict::Disagrees(why) => fault(format!("{pattern}: {}: {}", operation.text, why.join("; "))),
                Verdict::Skipped(why) => skipped.push(format!("seed {seed}: {pattern}: {why}")),
            }
            for one in report.stocks.iter().chain(&operation.expectations) {
                let name = match &one.outcome {
                    Agreement::Exact => "exact",
                    Agreement::Within => "within",
                    Agreement::Rounded => "rounded",
                    Agreement::NotCompared(_) => "not compared",
                    Agreement::Differs => "differs",
                };
                *outcomes.entry(name).or_default() += 1;
            }
        }
        assert_eq!(report.agrees(), !faults.iter().any(|fault| fault.starts_with(&format!("seed {seed}: "))));
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(skipped.is_empty(), "{}", skipped.join("\n"));
    // What is compared with nothing proves nothing.
    let all: usize = outcomes.values().sum();
    let exact = outcomes.get("exact").copied().unwrap_or(0);
    assert!(exact * 10 > all * 8, "{outcomes:?} of {run_operations} operations");
    assert!(run_operations > PART as usize * 10, "{run_operations}");
}

#[test]
fn the_first_eighty_models_agree() {
    agree(0..PART);
}

#[test]
fn the_second_eighty_models_agree() {
    agree(PART..2 * PART);
}

#[test]
fn the_third_eighty_models_agree() {
    agree(2 * PART..3 * PART);
}

#[test]
fn the_fourth_eighty_models_agree() {
    agree(3 * PART..4 * PART);
}

/// The same models, where one number of the analysis is another: it must show.
#[test]
fn an_analysis_that_errs_is_found() {
    let report = run(&model(0));
    let compared = report.patterns.iter().flat_map(|pattern| &pattern.operations).flat_map(|o| &o.expectations);
    let exact = compared.filter(|one| one.outcome == Agreement::Exact).count();
    assert!(exact > 10, "{exact} numbers are compared");
}
