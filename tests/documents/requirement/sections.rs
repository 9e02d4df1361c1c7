//! The headings and the labels of every document, for any model.

use super::made::of;
use crate::support::document::{check_form, markdown_lines};
use crate::support::random::cases;
use proptest::prelude::*;

/// The parts of every document, but for the diagram of its entities.
pub const PARTS: [&str; 8] = [
    "title",
    "application-overview",
    "access-patterns",
    "relationships",
    "aggregate-analysis",
    "consolidation",
    "design-considerations",
    "validation",
];

/// The headings of every requirement document; those of its pairs come between.
const HEADINGS: [&str; 10] = [
    "# DynamoDB Modeling Session",
    "## Application Overview",
    "## Access Patterns Analysis",
    "## Entity Relationships Deep Dive",
    "## Enhanced Aggregate Analysis",
    "### Identifying Relationship Check",
    "## Table Consolidation Analysis",
    "### Consolidation Candidates Review",
    "## Design Considerations (Scratchpad - Subject to Change)",
    "## Validation Checklist",
];

/// What each section says in bold, in order.
const TOPICS: [&str; 7] = [
    "**Hot Partition Concerns**:",
    "**GSI Projections**:",
    "**Sparse GSI Opportunities**:",
    "**Item Collection Opportunities**:",
    "**Multi-Entity Query Patterns**:",
    "**Denormalization Ideas**:",
    "**Considerations of the Model**:",
];

const PAIR: [&str; 7] = [
    "Access Correlation",
    "Query Patterns",
    "Size Constraints",
    "Update Patterns",
    "Identifying Relationship",
    "Decision",
    "Justification",
];

/// Checks what holds for every requirement document.
pub fn check(document: &str) {
    check_form(document);
    let headings: Vec<&str> = markdown_lines(document).into_iter().filter(|line| line.starts_with('#')).collect();
    let (pairs, fixed): (Vec<&str>, Vec<&str>) =
        headings.iter().partition(|heading| heading.ends_with(" Item Collection Analysis"));
    assert_eq!(fixed, HEADINGS);
    // The pairs stand together, behind the heading of their section.
    assert_eq!(headings[5..5 + pairs.len()], pairs);
    let topics: Vec<&str> = document.lines().filter(|line| TOPICS.contains(line)).collect();
    assert_eq!(topics, TOPICS);
    for label in ["**Domain**: ", "**Key Entities**:", "**Business Context**: ", "**Scale**:"] {
        assert!(document.lines().any(|line| line.starts_with(label)), "{label}");
    }
    for pair in pairs {
        let lines = document.lines().skip_while(|line| *line != pair).skip(2);
        let labels: Vec<&str> =
            lines.take(7).filter_map(|line| line.strip_prefix("- **")?.split("**").next()).collect();
        assert_eq!(labels, PAIR, "{pair}");
    }
    for line in document.lines().filter(|line| line.starts_with("- **Query Patterns**")) {
        check_shares(line);
    }
}

/// Where shares are shown, they add up to exactly 100 %.
fn check_shares(line: &str) {
    let parts: Vec<&str> = line.split(" %").collect();
    if parts.len() == 1 {
        assert!(
            line.contains("unknown: needs")
                || line.contains("no pattern reads either")
                || line.contains("called 0 times a second")
                || line.contains("does not declare"),
            "{line}"
        );
        return;
    }
    assert_eq!(parts.len(), 4, "three shares: {line}");
    let millionths: i64 = parts[..3]
        .iter()
        .map(|part| {
            let number = part.rsplit(' ').next().expect("a number stands before the sign");
            let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
            format!("{whole}{fraction:0<6}").parse::<i64>().expect("it is a number")
        })
        .sum();
    assert_eq!(millionths, 100_000_000, "{line}");
}

#[test]
fn every_section_is_there_for_every_example() {
    let mut models = 0;
    for folder in ["examples", "examples/gallery", "examples/large"] {
        let Ok(entries) = std::fs::read_dir(format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"))) else { continue };
        for entry in entries {
            let path = entry.expect("its entries can be read").path();
            if path.extension().is_some_and(|extension| extension == "dynamo") {
                check(&of(&std::fs::read_to_string(path).expect("a model is text")));
                models += 1;
            }
        }
    }
    assert!(models >= 13, "{models}");
}

#[test]
fn every_section_is_there_for_the_smallest_models() {
    for text in [
        "",
        "// nothing yet\n",
        "entity",
        "entity A {",
        "relationship A 1:N",
        "relationship 1:N { children",
        "relationship A 1:N A { identifying }",
        "relationship A N:M A through A",
        "aggregate",
        "aggregate A",
        "aggregate A, A, B { decision }",
        "pattern { rate }",
        "table { item }",
        "application { domain }",
        "consideration",
        "import \"gone.dynamo\"",
    ] {
        check(&of(text));
    }
}

/// A model of a few entities that are related, read and stored anyhow.
fn random_model() -> impl Strategy<Value = String> {
    let name = || prop::sample::select(vec!["A", "B", "C", "`D|<d>`"]);
    let entity = (name(), prop::option::of(1u32..5_000), prop::bool::ANY).prop_map(|(name, size, of)| {
        let size = size.map(|size| format!("size avg {size}B, max {}B", size * 7)).unwrap_or_default();
        let of = if of { "a_id: uuid @of(A)" } else { "" };
        format!("entity {name} {{ id: uuid @id {of} {size} }}\n")
    });
    let relationship = (
        name(),
        prop::sample::select(vec!["1:1", "1:N", "N:M", "N:M_"]),
        name(),
        prop::option::of(1u32..500),
        prop::bool::ANY,
    )
        .prop_map(|(left, cardinality, right, most, identifying)| {
            let (cardinality, through) = match cardinality {
                "N:M_" => ("N:M", "through C"),
                other => (other, ""),
            };
            let most = most.map(|most| format!("children avg 1, max {most}")).unwrap_or_default();
            let identifying = if identifying { "identifying" } else { "" };
            format!("relationship {left} {cardinality} {right} {through} {{ {most} {identifying} }}\n")
        });
    let aggregate = (
        prop::collection::vec(name(), 1..4),
        prop::sample::select(vec!["single_item", "item_collection", "separate_tables"]),
    )
        .prop_map(|(names, decision)| {
            format!("aggregate {} {{ decision {decision} because \"so | so\" }}\n", names.join(", "))
        });
    let table = (prop::collection::vec(name(), 1..4), prop::bool::ANY).prop_map(|(names, embeds)| {
        let embeds = if embeds { "embeds B as bs" } else { "" };
        let items: String = names.iter().map(|name| format!("  item {name} {embeds}\n")).collect();
        format!("table T{} {{ partition key id\n{items}}}\n", names.len())
    });
    let pattern = (prop::collection::vec(name(), 1..3), prop::option::of((0u32..1_000, 1u32..60)), prop::bool::ANY)
        .prop_map(|(names, rate, writes)| {
            let rate = rate
                .map(|(calls, per)| format!("rate avg {calls}/h, peak {}/s", f64::from(calls) / f64::from(per)))
                .unwrap_or_default();
            let verb = if writes { "writes" } else { "reads" };
            format!("pattern P{} {{ {verb} {} {rate} }}\n", names.len() * 100 + rate.len(), names.join(", "))
        });
    let any = prop_oneof![3 => entity, 3 => relationship, 1 => aggregate, 1 => table, 4 => pattern];
    prop::collection::vec(any, 0..14).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn every_section_is_there_and_shares_add_up_for_random_models(text in random_model()) {
        check(&of(&text));
    }

    #[test]
    fn every_section_is_there_for_half_typed_models(text in random_model(), cut in 0usize..2_000, put in "[\\PC\n{}\"`|]{0,6}") {
        let mut at = cut.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        check(&of(&format!("{}{put}", &text[..at])));
        check(&of(&format!("{}{put}{}", &text[..at], &text[at..])));
    }
}
