//! Models tried on the embedded engine.

use keywright::model::db::{Database, Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::verify::{Embedded, Options, Report, Verdict, verify};

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

fn example(name: &str) -> String {
    std::fs::read_to_string(format!("examples/{name}.dynamo")).expect("the example is there")
}

#[test]
fn examples_agree_entirely() {
    for name in ["shop", "blog", "school"] {
        let report = run(&example(name));
        eprintln!("{report:#?}");
        assert!(report.agrees(), "{name}");
    }
}
