//! The generator of random models holds what it promises.

mod support;

use keywright::format::format;
use keywright::ide::{Analysis, Diagnostic};
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use keywright::rules::finding::Level;
use keywright::syntax::TextEdit;
use support::models::model;

const SEEDS: u64 = 1_000;

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let key = FileKey::new("/model.dynamo");
    let mut host = Host::default();
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    Analysis::new(host.snapshot()).diagnostics(&key).expect("nothing changes meanwhile")
}

#[test]
fn no_model_has_an_error() {
    let mut faults = Vec::new();
    for seed in 0..SEEDS {
        let text = model(seed);
        for found in diagnostics(&text).into_iter().filter(|found| found.level == Level::Error) {
            faults.push(format!("seed {seed}: {}: {} ({:?})", found.rule, found.message, found.range));
        }
    }
    assert!(faults.is_empty(), "{} errors:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_seed_is_a_model() {
    for seed in 0..SEEDS {
        assert_eq!(model(seed), model(seed), "seed {seed}");
    }
    assert_ne!(model(0), model(2));
}

#[test]
fn models_are_formatted() {
    for seed in 0..SEEDS {
        let text = model(seed);
        let content = FileContent::from_bytes(text.as_bytes());
        let edits: Vec<TextEdit> = format(content.parse().expect("it is text"));
        assert!(edits.is_empty(), "seed {seed}: {edits:?}");
    }
}

#[test]
#[ignore = "writes the model of the seed in the environment"]
fn show() {
    let seed = std::env::var("SEED").expect("a seed").parse().expect("a number");
    println!("{}", model(seed));
    for found in diagnostics(&model(seed)) {
        println!("{:?} {} {}", found.level, found.rule, found.message);
    }
}
