//! Hovers derive every number that they show: a person can compute each again,
//! and so does this test.

use crate::support::equations;
use expect_test::{ExpectFile, expect_file};
use keywright::ide::Analysis;
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use std::collections::BTreeSet;

const OPERATIONS: &str = include_str!("../derivations/operations.dynamo");
const UNKNOWN: &str = include_str!("../derivations/unknown.dynamo");
const HOTTEST: &str = include_str!("../derivations/hottest.dynamo");
const PROVISIONED: &str = include_str!("../derivations/provisioned.dynamo");

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
    snapshot(OPERATIONS, &["get", "query", "scan"], expect_file!["../snapshots/derivations/reads.md"]);
}

#[test]
fn of_each_kind_of_write() {
    let words = ["put", "update", "delete", "check"];
    snapshot(OPERATIONS, &words, expect_file!["../snapshots/derivations/writes.md"]);
}

#[test]
fn of_transactions_and_batches() {
    snapshot(OPERATIONS, &["transact", "batch"], expect_file!["../snapshots/derivations/groups.md"]);
}

#[test]
fn of_patterns() {
    snapshot(OPERATIONS, &["pattern"], expect_file!["../snapshots/derivations/patterns.md"]);
}

#[test]
fn of_entities_tables_indexes_and_keys() {
    let words = ["entity", "table", "gsi", "lsi", "partition key", "sort key"];
    snapshot(OPERATIONS, &words, expect_file!["../snapshots/derivations/declarations.md"]);
}

#[test]
fn of_a_model_that_says_little() {
    let words = ["entity", "table", "gsi", "partition key", "pattern", "get", "query", "scan", "put", "update"];
    snapshot(UNKNOWN, &words, expect_file!["../snapshots/derivations/unknown.md"]);
}

#[test]
fn of_reads_that_are_bounded_otherwise_on_the_hottest_value() {
    snapshot(HOTTEST, &["query"], expect_file!["../snapshots/derivations/hottest.md"]);
}

#[test]
fn of_provisioned_capacity_and_prices_that_are_not_verified() {
    snapshot(
        PROVISIONED,
        &["table", "pattern", "get", "put", "transact"],
        expect_file!["../snapshots/derivations/provisioned.md"],
    );
}

/// Every equation of every hover of a model, computed again; says how many there
/// were.
fn equations_of(text: &str) -> usize {
    let model = Model::new(text);
    let mut lines: BTreeSet<String> = BTreeSet::new();
    let mut before = ' ';
    for (offset, c) in model.text.char_indices() {
        if c.is_alphanumeric() && !before.is_alphanumeric() {
            let derivation = model.derivation(offset);
            lines.extend(derivation.lines().filter(|line| line.trim_start().starts_with("- ")).map(str::to_owned));
        }
        before = c;
    }
    check_lines(lines.iter().map(String::as_str), text)
}

fn check_lines<'l>(lines: impl Iterator<Item = &'l str>, model: &str) -> usize {
    let (counts, faults): (Vec<_>, Vec<_>) = lines.map(equations::check).partition(Result::is_ok);
    let faults: Vec<String> = faults.into_iter().filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{}\n\nof\n{model}", faults.join("\n"));
    counts.into_iter().filter_map(Result::ok).sum()
}

/// A model without the `n`th of its inputs: a count, size or rate, or a modifier
/// of an attribute; `None` where it has not so many.
fn without_input(text: &str, n: usize) -> Option<String> {
    let clauses = ["count ", "size ", "rate ", "pages ", "relationship ", "region "];
    let modifiers = ["@size(", "@present(", "@distinct(", "@hottest("];
    let mut inputs: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if clauses.iter().any(|word| trimmed.starts_with(word)) && !line.trim_end().ends_with('{') {
            inputs.push((start + line.len() - trimmed.len(), start + line.trim_end().len()));
        }
        for modifier in modifiers {
            if let Some(at) = line.find(modifier) {
                let end = line[at..].find(')').map_or(line.len(), |end| at + end + 1);
                inputs.push((start + at, start + end));
            }
        }
        start += line.len();
    }
    let (from, to) = *inputs.get(n)?;
    Some(format!("{}{}", &text[..from], &text[to..]))
}

#[test]
fn every_equation_of_the_hovers_holds() {
    for (model, at_least) in [
        (OPERATIONS, 250),
        (UNKNOWN, 60),
        (PROVISIONED, 15),
        (HOTTEST, 40),
        (include_str!("../../examples/shop.dynamo"), 150),
        (include_str!("../../examples/blog.dynamo"), 80),
        (include_str!("../../examples/school.dynamo"), 20),
    ] {
        let checked = equations_of(model);
        assert!(checked >= at_least, "only {checked} equations in\n{}", &model[..60.min(model.len())]);
    }
}

#[test]
fn the_equations_hold_where_any_one_input_is_missing() {
    let words =
        ["entity", "table", "gsi", "partition key", "pattern", "get", "query", "scan", "put", "update", "delete"];
    // Every second input of the one, all of the small one, and every fourth of the last.
    for (text, step, at_least) in
        [(OPERATIONS, 2, 100), (HOTTEST, 1, 30), (include_str!("../../examples/shop.dynamo"), 4, 100)]
    {
        let mut tried = 0;
        while let Some(text) = without_input(text, tried * step) {
            let hovers = Model::new(&text).of_lines(&words);
            let lines = hovers.lines().filter(|line| line.trim_start().starts_with("- "));
            assert!(check_lines(lines, &text) > at_least);
            tried += 1;
        }
        assert!(tried > 10, "only {tried} inputs");
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
        "3 + ≤ 5 ≤ 8 B (at least 3 B)",
        "2 × ≤ 8 (at least 3) + unknown = at least 6 B",
        "3 + unknown = at least 3 B",
        "3 × unknown = unknown",
        "unknown B → at least 1 unit of 4 KB × 0.5 = at least 0.5 read units",
        "min(unknown, 20 × 50) ≤ 1,000 B",
        "107/s ÷ 50 % (utilization) → 214 units",
        "1 ÷ 3 ≈ 33.3333 %",
        "$11.66 + $1.94 + $34.99 ≈ $48.60",
        "$11.664 + $1.944 + $34.992 = $48.60",
        "12,345,678.9 × 2,419.33 ≈ 29,868,300,000 B",
        "1 ÷ 3 + unknown ≈ at least 0.3333",
    ];
    for line in right {
        assert_ne!(equations::check(line), Ok(0), "{line}");
        equations::check(line).unwrap();
    }
    let wrong = [
        "5 + 3 = 9 B",
        "20 × 2,419 = 48,381 B",
        "49,404 B → 12 units of 4 KB",
        "107/s ÷ 50 % → 213 units",
        "60/s × 6.5 × 2,592,000 s × $0.125/M = $126.38 a month",
        "min(20, 21 − 1) = 21 items",
        "≤ 20 × 100 = 2,000 B",
        "≤ 20 × 100 ≤ 1,998 B",
        "3 + ≤ 5 ≤ 8 B (at least 4 B)",
        "3 + ≤ 5 ≤ 8 B",
        "3 + unknown = 3 B",
        "3 + unknown = unknown",
        "3 × unknown = at least 3",
        "3 4 = 12",
        "1 ÷ 3 ≈ 33.35 %",
        "1 ÷ 3 = 33.3333 %",
        "$11.66 + $1.94 + $34.99 = $48.60",
        "$11.66 + $1.94 + $34.99 ≈ $48.61",
        "12,345 × 2,419 ≈ 29,880,000 B",
        "1 ÷ 3 + unknown = at least 0.3333",
        "3 × ≤ 0.333333 ≤ 1.01",
    ];
    for line in wrong {
        assert!(equations::check(line).is_err(), "{line}");
    }
}
