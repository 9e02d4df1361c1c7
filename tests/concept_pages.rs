//! The models of the concept pages are models: they parse, and nothing that is
//! built has an error or a warning to report on them.

mod support;

use keywright::pages::concepts;
use keywright::rules::finding::Level;
use support::page::{analyse, key, model as one_file};

#[test]
fn the_models_of_concept_pages_are_clean() {
    let mut faults = Vec::new();
    for concept in concepts() {
        let models: Vec<&str> =
            concept.body.split("```dynamo\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
        assert!(!models.is_empty(), "{}: no model", concept.id);
        for model in models {
            let found = analyse(&one_file(&format!("{model}\n"))).diagnostics(&key("main.dynamo")).unwrap();
            for diagnostic in found.into_iter().filter(|d| d.level >= Level::Warning) {
                faults.push(format!("{}: {} {}", concept.id, diagnostic.rule, diagnostic.message));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
