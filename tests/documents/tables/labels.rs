//! The labels that a design review reads for: always there, in their order.

use crate::tables::models;
use crate::tables::page::{open, open_files, tables};
use keywright::model::db::{Host, SourceFile};

const OF_TABLE: &[&str] = &[
    "Purpose",
    "Aggregate Boundary",
    "Partition Key",
    "Sort Key",
    "SK Taxonomy",
    "Attributes",
    "Bounded Read Strategy",
    "Access Patterns Served",
    "Capacity Planning",
    "Settings",
];

const OF_INDEX: &[&str] = &[
    "Purpose",
    "Partition Key",
    "Sort Key",
    "Multi-Attribute Key Decision",
    "Projection",
    "Per-Pattern Projected Attributes",
    "Sparse",
    "Access Patterns Served",
    "Capacity Planning",
];

/// Checks the labels of every table and index of a model, and that something
/// stands behind each.
fn check(name: &str, (host, root): (Host, SourceFile)) -> usize {
    let mut seen = 0;
    for table in tables(&host, root) {
        for (at, section) in table.iter().enumerate() {
            let expected = if at == 0 { OF_TABLE } else { OF_INDEX };
            assert_eq!(section.labels(), expected, "{name}, {}:\n{}", section.heading, section.text);
            let endings: &[&str] = if at == 0 { &[" Table"] } else { &[" GSI", " LSI"] };
            assert!(endings.iter().any(|ending| section.heading.ends_with(ending)), "{name}: {}", section.heading);
            for label in expected {
                let is_empty = section.said(label).is_empty() && section.below(label).is_empty();
                assert!(!is_empty, "{name}, {}: nothing behind {label}", section.heading);
            }
            seen += 1;
        }
    }
    seen
}

#[test]
fn every_label_stands_in_its_order() {
    for (name, files) in models() {
        assert!(check(&name, open_files(&files)) > 0, "{name} has a table");
    }
}

#[test]
fn what_is_not_declared_yet_is_said_so() {
    for half in [
        "table",
        "table T",
        "table T {",
        "table T { partition key",
        "table T { partition key a  gsi",
        "table T { partition key a  gsi G {",
        "table T { partition key a  lsi L { sort key",
        "table T { partition key a  item",
        "table T { partition key a  item Nobody }",
        "table { partition key a  gsi { partition key b } }",
        "table T { item E  gsi G { partition key b projection include } }\nentity E { a: string",
        "table T { partition key a  item E embeds E as e }\nentity E { a: string @id }",
        "table T { partition key a  sort key a  item E }\nentity E { a: list }\npattern P { query T where a = :a }",
        "table T { partition key a item E }\ntable T { partition key b item E }\nentity E { a: uuid @id b: uuid }",
    ] {
        assert!(check(half, open(half)) > 0, "{half}");
    }
}

#[test]
fn a_cut_model_has_every_label_all_the_same() {
    let text = include_str!("../../../examples/shop.dynamo");
    for cut in (0..text.len()).step_by(397).filter(|cut| text.is_char_boundary(*cut)) {
        check(&format!("the shop cut at {cut}"), open(&text[..cut]));
    }
}

#[test]
fn parts_have_names_of_their_own() {
    use keywright::deliverables::{DocumentKind, parts};
    let (host, root) = open("table `#1` { }\ntable { }\ntable `unnamed table 1` { }\ntable { }\ntable `table` { }");
    let names: Vec<String> =
        parts(host.db(), root, DocumentKind::DataModel).into_iter().map(|part| part.name).collect();
    let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}
