//! Refactorings: what each offers where, what it leaves, and what it costs.

mod embed;
mod files;
mod guards_and_counterparts;
mod index_and_shards;
mod index_keys;
mod parent_key;
mod shared;
mod solve;
mod tidy;

use crate::support::assists::{Offered, every_one, titles};
use crate::support::page;
use keywright::rules::registry::BUILT;
use std::path::Path;

/// A model with parts of it exchanged.
#[track_caller]
pub fn with(model: &str, parts: &[(&str, &str)]) -> String {
    parts.iter().fold(model.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "`{from}` in {text}");
        text.replace(from, to)
    })
}

/// Rules that may speak of what a refactoring leaves: a pattern to fill in lacks its
/// rate, and reading all shards may reach a quota.
pub const ASKS: &[&str] = &["missing-rate", "throughput-quota"];

/// The titles of what is offered that begin so.
pub fn titles_of(model: &str, start: &str) -> Vec<String> {
    titles(model).into_iter().filter(|title| title.starts_with(start)).collect()
}

#[test]
fn refactorings_hold_on_the_models_of_all_pages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let (mut count, mut faults) = (0, Vec::new());
    for rule in BUILT {
        let page = std::fs::read_to_string(folder.join(format!("{}.md", rule.name))).expect("every rule has a page");
        for block in page::blocks(&page).into_iter().filter(|block| block.tag == "good" || block.tag == "bad") {
            if block.files.iter().any(|file| std::str::from_utf8(&file.bytes).is_err() || file.bytes.contains(&0)) {
                continue;
            }
            let what = format!("{}.md line {} ({})", rule.name, block.line, block.tag);
            // What is wrong in a bad model may be so twice in a part that is added to.
            let mut asks = ASKS.to_vec();
            asks.extend([rule.name, "unused-index"].iter().filter(|_| block.tag == "bad"));
            let offered = every_one(&block.files, &asks, &what);
            count += offered.titles.len();
            faults.extend(offered.faults);
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
    assert!(count > 100, "{count} refactorings were tried");
}

#[test]
fn refactorings_hold_on_the_examples() {
    let mut all = Offered::default();
    for example in ["shop", "blog", "school", "gallery/arcade"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{example}.dynamo"));
        let text = std::fs::read_to_string(path).expect("the examples are there");
        let offered = every_one(&page::model(&text), ASKS, example);
        all.titles.extend(offered.titles);
        all.faults.extend(offered.faults);
    }
    assert!(all.faults.is_empty(), "{}", all.faults.join("\n\n"));
    assert!(all.titles.len() > 5, "{:#?}", all.titles);
}
