//! The models of the concept pages are models: they parse, and nothing that is
//! built has an error or a warning to report on them.

use crate::support::page::{analyse, key, model as one_file};
use keywright::pages::concepts;
use keywright::rules::finding::Level;

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

#[test]
fn every_keyword_of_the_grammar_is_explained() {
    let language: tree_sitter::Language = tree_sitter_dynamo::LANGUAGE.into();
    let ids = 0..u16::try_from(language.node_kind_count()).unwrap();
    let unnamed = ids.filter(|id| language.node_kind_is_visible(*id) && !language.node_kind_is_named(*id));
    let words = unnamed.filter_map(|id| language.node_kind_for_id(id));
    let words: Vec<&str> = words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())).collect();
    assert!(words.len() > 90, "{words:?}");
    let known: Vec<&str> = concepts().iter().flat_map(|concept| concept.keywords.iter().copied()).collect();
    let explained =
        |word: &str| known.iter().any(|keyword| keyword.trim_start_matches('@').split(' ').any(|part| part == word));
    let missing: Vec<&&str> = words.iter().filter(|word| !explained(word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
