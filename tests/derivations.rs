//! Hovers derive every number that they show: a person can compute each again,
//! and so does this test.

mod support;

use expect_test::{ExpectFile, expect_file};
use keywright::ide::Analysis;
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use std::collections::BTreeSet;
use support::equations;

const OPERATIONS: &str = include_str!("derivations/operations.dynamo");
const UNKNOWN: &str = include_str!("derivations/unknown.dynamo");
const PROVISIONED: &str = include_str!("derivations/provisioned.dynamo");

struct Model {
    text: String,
    analysis: Analysis,
    file: FileKey,
}

impl Model {
    fn new(text: &str) -> Self {
        let file = FileKey::new("/model/main.dynamo");
        let mut host = Host::default();
        host.set(file.clone(), FileContent::from_bytes(text.as_bytes()));
        Self { text: text.to_owned(), analysis: Analysis::new(host.snapshot()), file }
    }

    fn hover(&self, offset: usize) -> String {
        let hover = self.analysis.hover(&self.file, offset).expect("nothing changes meanwhile");
        hover.map(|hover| hover.markdown).unwrap_or_default()
    }

    /// What hovers derive: of the pages that follow it nothing.
    fn derivation(&self, offset: usize) -> String {
        let hover = self.hover(offset);
        let parts = hover.split("\n\n---\n\n").filter(|part| is_derivation(part));
        parts.collect::<Vec<_>>().join("\n\n---\n\n")
    }

    /// The derivations at the first word of every line that begins so, each below
    /// its line.
    fn of_lines(&self, words: &[&str]) -> String {
        let mut out = String::new();
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let trimmed = line.trim_start();
            if words.iter().any(|word| trimmed.starts_with(&format!("{word} "))) {
                let at = start + line.len() - trimmed.len();
                // Of a declaration its name says more than its keyword.
                let name = ["entity", "table", "pattern", "gsi", "lsi", "partition key", "sort key"];
                let keyword = name.iter().find(|word| trimmed.starts_with(&format!("{word} ")));
                let at = at + keyword.map_or(0, |word| word.len() + 1);
                out.push_str(&format!("# {}\n\n{}\n\n", trimmed.trim(), self.derivation(at)));
            }
            start += line.len();
        }
        out
    }
}

/// Described declarations begin with their code, derived steps with their units;
/// pages of concepts and rules with their title.
fn is_derivation(part: &str) -> bool {
    let first = part.lines().next().unwrap_or("");
    let counts =
        first.contains(|c: char| c.is_ascii_digit()) || first.contains("unknown") || first.contains("no units");
    first.starts_with("```dynamo") || (first.starts_with("**") && first.contains(" unit") && counts)
}

fn snapshot(model: &str, words: &[&str], expected: ExpectFile) {
    expected.assert_eq(&Model::new(model).of_lines(words));
}

#[test]
fn of_each_kind_of_read() {
    snapshot(OPERATIONS, &["get", "query", "scan"], expect_file!["snapshots/derivations/reads.md"]);
}

#[test]
fn of_each_kind_of_write() {
    let words = ["put", "update", "delete", "check"];
    snapshot(OPERATIONS, &words, expect_file!["snapshots/derivations/writes.md"]);
}

#[test]
fn of_transactions_and_batches() {
    snapshot(OPERATIONS, &["transact", "batch"], expect_file!["snapshots/derivations/groups.md"]);
}

#[test]
fn of_patterns() {
    snapshot(OPERATIONS, &["pattern"], expect_file!["snapshots/derivations/patterns.md"]);
}

#[test]
fn of_entities_tables_indexes_and_keys() {
    let words = ["entity", "table", "gsi", "lsi", "partition key", "sort key"];
    snapshot(OPERATIONS, &words, expect_file!["snapshots/derivations/declarations.md"]);
}

#[test]
fn of_a_model_that_says_little() {
    let words = ["entity", "table", "gsi", "partition key", "pattern", "get", "query", "put", "update"];
    snapshot(UNKNOWN, &words, expect_file!["snapshots/derivations/unknown.md"]);
}

#[test]
fn of_provisioned_capacity_and_prices_that_are_not_verified() {
    snapshot(PROVISIONED, &["table", "pattern", "get"], expect_file!["snapshots/derivations/provisioned.md"]);
}

/// Every equation of every hover of a model, computed again; says how many there
/// were.
fn equations_of(model: &str) -> usize {
    let model = Model::new(model);
    let mut lines: BTreeSet<String> = BTreeSet::new();
    let mut before = ' ';
    for (offset, c) in model.text.char_indices() {
        if c.is_alphanumeric() && !before.is_alphanumeric() {
            let derivation = model.derivation(offset);
            lines.extend(derivation.lines().filter(|line| line.trim_start().starts_with("- ")).map(str::to_owned));
        }
        before = c;
    }
    let checked = lines.iter().map(|line| equations::check(line));
    let (counts, faults): (Vec<_>, Vec<_>) = checked.partition(Result::is_ok);
    let faults: Vec<String> = faults.into_iter().filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    counts.into_iter().filter_map(Result::ok).sum()
}

#[test]
fn every_equation_of_the_hovers_holds() {
    for (model, at_least) in [
        (OPERATIONS, 250),
        (UNKNOWN, 60),
        (PROVISIONED, 15),
        (include_str!("../examples/shop.dynamo"), 150),
        (include_str!("../examples/blog.dynamo"), 80),
        (include_str!("../examples/school.dynamo"), 20),
    ] {
        let checked = equations_of(model);
        assert!(checked >= at_least, "only {checked} equations in\n{}", &model[..60.min(model.len())]);
    }
}

#[test]
fn the_reader_of_equations_finds_what_is_wrong() {
    let right = [
        "`a` 5 + 3 (`x 9`) = 8 B, *computed*",
        "Together: 1 × 1,024 + 20 × 2,419 = 49,404 B",
        "Units: 49,404 B → 13 units of 4 KB × 0.5 (eventually consistent) = 6.5 read units",
        "`A`, within `limit` 21: min(20, 21 − 1) = 20 items",
        "reads: 60/s × 6.5 × 2,592,000 s × $0.125/M = $126.36 a month",
        "Storage: (2 × (1 + 100) + 3 × (2 + 100)) ÷ 1,000 = 0.508 GB",
        "≤ 20 × 100 ≤ 2,000 B",
        "3 + unknown = at least 3 B",
        "3 × unknown = unknown",
        "unknown B → at least 1 unit of 4 KB × 0.5 = at least 0.5 read units",
        "min(unknown, 20 × 50) ≤ 1,000 B",
        "107/s ÷ 50% (utilization) → 214 units",
        "1 ÷ 3 ≈ 33.3333%",
    ];
    for line in right {
        assert_ne!(equations::check(line), Ok(0), "{line}");
        equations::check(line).unwrap();
    }
    let wrong = [
        "5 + 3 = 9 B",
        "20 × 2,419 = 48,381 B",
        "49,404 B → 12 units of 4 KB",
        "107/s ÷ 50% → 213 units",
        "60/s × 6.5 × 2,592,000 s × $0.125/M = $126.38 a month",
        "min(20, 21 − 1) = 21 items",
        "≤ 20 × 100 = 2,000 B",
        "≤ 20 × 100 ≤ 1,999 B",
        "3 + unknown = 3 B",
        "3 + unknown = unknown",
        "3 × unknown = at least 3",
        "3 4 = 12",
        "1 ÷ 3 ≈ 33.34%",
    ];
    for line in wrong {
        assert!(equations::check(line).is_err(), "{line}");
    }
}
