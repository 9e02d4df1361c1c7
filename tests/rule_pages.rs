//! Every rule page is a test of its rule: its `bad` blocks yield the rule at
//! the marked places and no other error or warning, its `good` blocks do not,
//! and the fix of a `bad` block gives the `fixed` one that follows it.

mod support;

use keywright::rules::registry::{BUILT, all, is_built};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use support::page::{self, Block};

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
    let rules: BTreeSet<String> = BUILT.iter().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(pages(), rules);
}

#[test]
fn names_of_rules_are_unique_and_read_well_behind_allow() {
    let mut seen = BTreeSet::new();
    for rule in all() {
        assert!(seen.insert(rule.name), "{} twice", rule.name);
        assert!(rule.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", rule.name);
        assert!(!is_built(rule) || !rule.summary.is_empty());
    }
    assert_eq!(seen.len(), 111, "the catalogue has 111 rules");
}

#[test]
fn the_examples_of_every_page_hold() {
    let mut faults = Vec::new();
    for rule in BUILT {
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
        if count("bad") < 1 || count("good") + count("fixed") < 1 {
            faults.push(format!("{}: needs a bad and a good block", rule.name));
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
