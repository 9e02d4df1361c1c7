//! Models tried on the embedded engine.

use keywright::model::db::{Database, Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::verify::{Embedded, OperationReport, Options, Report, Verdict, verify};

fn with_model<T>(text: &str, run: impl FnOnce(&Database, SourceFile) -> T) -> T {
    let mut host = Host::default();
    let key = FileKey::new("/model.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    run(db, Workspace::get(db).files(db)[&key])
}

fn run(text: &str) -> Report {
    let engine = Embedded::open().expect("the engine starts");
    with_model(text, |db, root| verify(db, root, &engine, &Options::default()))
}

fn file(path: &str) -> String {
    std::fs::read_to_string(path).expect("the model is there")
}

fn operations(report: &Report) -> impl Iterator<Item = (&str, &OperationReport)> {
    report.patterns.iter().flat_map(|pattern| pattern.operations.iter().map(|one| (pattern.name.as_str(), one)))
}

/// Every operation was run, and everything agreed.
fn agrees_entirely(report: &Report) {
    assert_eq!((&report.refused, &report.faults), (&vec![], &vec![]));
    let faults: Vec<String> = operations(report)
        .filter(|(_, operation)| operation.verdict != Verdict::Agrees)
        .map(|(pattern, operation)| format!("{pattern}: {}: {:#?}", operation.text, operation.verdict))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for (pattern, operation) in operations(report) {
        assert!(operation.calls > 0, "{pattern}");
        assert_eq!(operation.expected, operation.returned, "{pattern}");
        assert!(operation.units.iter().all(|units| units.predicted == units.measured), "{pattern}");
    }
    assert!(report.agrees());
}

#[test]
fn examples_agree_entirely() {
    for name in ["shop", "blog", "school"] {
        let report = run(&file(&format!("examples/{name}.dynamo")));
        agrees_entirely(&report);
        assert!(operations(&report).count() > 0, "{name}");
    }
}

#[test]
fn every_kind_of_key_index_and_operation_agrees() {
    let report = run(&file("tests/support/everything.dynamo"));
    for (pattern, operation) in operations(&report) {
        eprintln!(
            "{pattern:20} {:60} {:4} {:?} {:?}",
            operation.text,
            operation.calls,
            operation.returned,
            operation.units.iter().map(|u| (u.target.as_str(), u.measured)).collect::<Vec<_>>()
        );
    }
    eprintln!("{:#?} {:#?}", report.notes, report.entities);
    agrees_entirely(&report);
}
