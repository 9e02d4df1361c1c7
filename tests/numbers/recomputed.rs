//! Which numbers an edit computes again, and which it does not.

use keywright::ide::Analysis;
use keywright::model::db::{Database, Host};
use keywright::model::files::{FileContent, FileKey};
use std::sync::{Arc, Mutex};

/// The queries that compute numbers, by the thing that they are of.
const NUMBERS: [&str; 8] =
    ["entity_facts", "linked", "pattern_numbers", "pattern_loads", "key_loads", "stocks", "traffic", "source_costs"];

struct Watched {
    host: Host,
    key: FileKey,
    text: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    fn new(text: &str) -> Self {
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let sink = Arc::clone(&log);
        let host = Host::new(Database::watched(move |query| sink.lock().unwrap().push(query)));
        let mut watched = Self { host, key: FileKey::new("/m.dynamo"), text: String::new(), log };
        watched.set(text.to_owned());
        watched
    }

    /// Sets the text, asks for everything that numbers are shown in, and counts
    /// the computations of each query.
    fn set(&mut self, text: String) -> Counts {
        self.text = text;
        self.host.set(self.key.clone(), FileContent::from_bytes(self.text.as_bytes()));
        self.log.lock().unwrap().clear();
        let analysis = Analysis::new(self.host.snapshot());
        analysis.diagnostics(&self.key).unwrap();
        analysis.costs(&self.key).unwrap();
        Counts(std::mem::take(&mut self.log.lock().unwrap()))
    }

    fn replace(&mut self, from: &str, to: &str) -> Counts {
        assert_eq!(self.text.matches(from).count(), 1, "{from}");
        self.set(self.text.replace(from, to))
    }
}

struct Counts(Vec<String>);

impl Counts {
    fn of(&self, query: &str) -> usize {
        self.0.iter().filter(|entry| entry.starts_with(&format!("{query}("))).count()
    }

    /// The queries of numbers that were computed, with how often.
    fn numbers(&self) -> Vec<(&'static str, usize)> {
        NUMBERS.iter().map(|query| (*query, self.of(query))).filter(|(_, count)| *count > 0).collect()
    }
}

fn shop() -> Watched {
    Watched::new(&std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/shop.dynamo")).unwrap())
}

#[test]
fn what_the_test_watches_is_computed() {
    let mut watched = shop();
    let first = watched.set(String::new());
    assert_eq!(first.numbers(), []);
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/shop.dynamo")).unwrap();
    let all = watched.set(text).numbers();
    assert_eq!(all.len(), NUMBERS.len(), "{all:?}");
}

#[test]
fn lines_and_comments_compute_no_number() {
    let mut watched = shop();
    let text = format!("\n\n// a comment\n{}", watched.text);
    assert_eq!(watched.set(text).numbers(), []);
    // A comment inside an entity is read again, and its numbers are the same.
    let counts = watched.replace("/// A person who buys.", "/// A person who buys.\n/// Twice.");
    assert_eq!(counts.numbers(), [("entity_facts", 1)]);
    let counts = watched.replace("  latency 10ms", "  latency 11ms");
    // The pattern itself is another, but its numbers are not: nothing behind them is computed.
    assert_eq!((counts.of("pattern_numbers"), counts.of("traffic"), counts.of("key_loads")), (1, 0, 0));
}

#[test]
fn a_rate_computes_its_pattern_and_the_tables_that_it_touches() {
    let mut watched = shop();
    let counts = watched.replace("rate avg 500/s, peak 4k/s", "rate avg 501/s, peak 4k/s");
    // Loads hang on the peak, which is the same.
    assert_eq!(counts.numbers(), [("pattern_numbers", 1), ("pattern_loads", 1), ("traffic", 1), ("source_costs", 1)]);
    let counts = watched.replace("rate avg 501/s, peak 4k/s", "rate avg 501/s, peak 5k/s");
    assert_eq!((counts.of("pattern_numbers"), counts.of("pattern_loads"), counts.of("key_loads")), (1, 1, 1));
}

#[test]
fn an_entity_computes_what_touches_it_and_no_more() {
    let mut watched = shop();
    // Sessions are in one table, touched by two patterns; nothing else knows of them.
    let counts = watched.replace("count 300k", "count 301k");
    assert_eq!(counts.of("entity_facts"), 1);
    assert_eq!(counts.of("stocks"), 1);
    // Their numbers do not hang on how many sessions there are, but were asked.
    assert!(counts.of("pattern_numbers") <= 2, "{:?}", counts.numbers());
    assert!(counts.of("pattern_loads") <= 2 && counts.of("key_loads") <= 1, "{:?}", counts.numbers());
}

#[test]
fn a_price_computes_dollars_alone() {
    let mut watched = shop();
    let counts = watched.replace("region   \"us-east-1\"", "region   \"eu-west-1\"");
    assert_eq!(counts.numbers(), [("source_costs", 4)]);
}
