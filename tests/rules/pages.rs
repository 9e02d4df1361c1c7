//! Every rule page is a test of its rule: its `bad` blocks yield the rule at
//! the marked places and no other error or warning, its `good` blocks do not,
//! and the fix of a `bad` block gives the `fixed` one that follows it.

use crate::support::page::{self, Block};
use expect_test::expect_file;
use keywright::rules::registry::all;
use keywright::rules::rule::Group;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules")
}

fn pages() -> BTreeSet<String> {
    let names = std::fs::read_dir(folder()).expect("docs/rules is there").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter_map(|name| Some(name.strip_suffix(".md")?.to_owned())).filter(|name| name != "README").collect()
}

#[test]
fn every_built_rule_has_a_page_and_every_page_a_rule() {
    let rules: BTreeSet<String> = all().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(pages(), rules);
}

/// The heading of a group and what it is about, in the order of the catalogue.
const GROUPS: [(Group, &str, &str); 7] = [
    (Group::Language, "Language", "Faults of the text itself. They cannot be allowed."),
    (Group::Correctness, "Correctness", "What DynamoDB refuses, loses, or answers wrongly."),
    (Group::Capacity, "Capacity", "What is throttled or slow under load."),
    (Group::Cost, "Cost", "What is paid for and not needed."),
    (Group::Design, "Design", "The conventions of the style that a model follows."),
    (Group::Requirements, "Requirements", "What a model has to say before it can be judged."),
    (Group::Names, "Names", "Names and habits that cause trouble later."),
];

/// The index is written by this test: `UPDATE_EXPECT=1 cargo test --test rules pages`.
#[test]
fn the_index_lists_every_built_rule_by_group() {
    let mut index = String::from(
        "# Rules\n\nEach page says when its rule fires, why that matters, and shows it on a model; the models are run as tests. \
         `keywright explain NAME` prints a page, and editors show it on a finding. `allow NAME because \"…\"` in a block \
         silences a rule there, at the top of a file in the whole file. What a page says of DynamoDB links to [the facts and their sources](../facts.md).\n\nLevels: an **error** is refused by DynamoDB, \
         loses data or gives a wrong answer; a **warning** hurts in production; **info** is worth a look; a **hint** is a \
         good habit.\n",
    );
    let mut listed = 0;
    for (group, title, about) in GROUPS {
        let rules: Vec<_> = all().filter(|rule| rule.group == group).collect();
        if !rules.is_empty() {
            index.push_str(&format!("\n## {title}\n\n{about}\n\n"));
        }
        for rule in &rules {
            let (name, level) = (rule.name, rule.level.word());
            index.push_str(&format!("- [{name}]({name}.md) ({level}): {}\n", rule.summary));
        }
        listed += rules.len();
    }
    assert_eq!(listed, all().count(), "every group has a heading");
    expect_file!["../../docs/rules/README.md"].assert_eq(&index);
}

#[test]
fn names_of_rules_are_unique_and_read_well_behind_allow() {
    let mut seen = BTreeSet::new();
    for rule in all() {
        assert!(seen.insert(rule.name), "{} twice", rule.name);
        assert!(rule.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", rule.name);
        assert!(!rule.summary.is_empty());
    }
    assert_eq!(seen.len(), 112, "the catalogue has 112 rules");
}

/// The catalogue as it was decided: group, name and level of every rule, in order.
#[test]
fn the_rules_are_those_of_the_catalogue() {
    let built: Vec<String> =
        all().map(|rule| format!("{} {} {}", rule.group.name(), rule.name, rule.level.word())).collect();
    let decided: Vec<&str> = include_str!("../data/catalogue.txt").lines().collect();
    assert_eq!(built, decided);
}

#[test]
fn the_examples_of_every_page_hold() {
    let mut faults = Vec::new();
    for rule in all() {
        let Ok(text) = std::fs::read_to_string(folder().join(format!("{}.md", rule.name))) else { continue };
        if !text.starts_with(&format!("# {}\n", rule.name)) {
            faults.push(format!("{}: the page does not begin with its name", rule.name));
        }
        for section in ["## Why it matters", "## When to allow it", "## Sources"] {
            if !text.contains(section) {
                faults.push(format!("{}: no section `{section}`", rule.name));
            }
        }
        let blocks = page::blocks(&text);
        let count = |tag: &str| blocks.iter().filter(|block| block.tag == tag).count();
        if count("bad") < 2 || count("good") + count("fixed") < 2 {
            faults.push(format!("{}: needs two bad shapes and two near misses", rule.name));
        }
        let mut last_bad: Option<&Block> = None;
        for block in &blocks {
            let fault = match block.tag.as_str() {
                "bad" => {
                    last_bad = Some(block);
                    page::check_bad(rule.name, block)
                }
                "good" => page::check_good(rule.name, block),
                "fixed" => match last_bad {
                    Some(bad) => page::check_fixed(rule.name, bad, block),
                    None => Err("a `fixed` block without a `bad` one before it".to_owned()),
                },
                other => Err(format!("unknown tag `{other}`")),
            };
            if let Err(fault) = fault {
                faults.push(format!("{}.md line {}: {fault}", rule.name, block.line));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
