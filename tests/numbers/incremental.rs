//! What an edit computes again, and what it does not.

use keywright::config::ConfigFile;
use keywright::ide::{Analysis, DocumentKind, HintKinds};
use keywright::model::db::{Database, Host};
use keywright::model::files::{FileContent, FileKey};
use keywright::rules::vocabulary::vocabulary;
use keywright::syntax::TextRange;
use std::sync::{Arc, Mutex};

/// The shop example in a host that notes every query it computes.
struct Watched {
    host: Host,
    key: FileKey,
    text: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    fn new() -> Self {
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let sink = Arc::clone(&log);
        let host = Host::new(Database::watched(move |query| sink.lock().unwrap().push(query)));
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/shop.dynamo")).unwrap();
        let mut watched = Self { host, key: FileKey::new("/shop.dynamo"), text: String::new(), log };
        watched.set(text);
        watched
    }

    /// Sets the text, asks for the findings, and returns what was computed.
    fn set(&mut self, text: String) -> Vec<String> {
        self.text = text;
        self.host.set(self.key.clone(), FileContent::from_bytes(self.text.as_bytes()));
        self.log.lock().unwrap().clear();
        Analysis::new(self.host.snapshot()).diagnostics(&self.key).unwrap();
        std::mem::take(&mut self.log.lock().unwrap())
    }

    fn replace(&mut self, from: &str, to: &str) -> Vec<String> {
        assert!(self.text.contains(from), "{from}");
        self.set(self.text.replacen(from, to, 1))
    }
}

fn count(log: &[String], query: &str) -> usize {
    log.iter().filter(|entry| entry.starts_with(&format!("{query}("))).count()
}

#[test]
fn an_edit_inside_one_pattern_recomputes_no_other() {
    let mut watched = Watched::new();
    let log = watched.replace("rate avg 120/s, peak 500/s", "rate avg 121/s, peak 500/s");
    assert_eq!(count(&log, "lowered"), 1, "{log:#?}");
    assert_eq!(count(&log, "resolved"), 1, "{log:#?}");
    assert_eq!(count(&log, "findings"), 1, "{log:#?}");
    assert_eq!(count(&log, "layout"), 0, "{log:#?}");
    // What the other numbers lack stays what it is, and no entity is asked again.
    for (query, computed) in [("pattern_lacks", 1), ("table_lacks", 0), ("lacks", 0), ("entity_lacks", 0)] {
        assert_eq!(count(&log, query), computed, "{query}: {log:#?}");
    }
}

#[test]
fn a_key_that_becomes_hot_has_its_table_judged_again_and_no_other() {
    let mut watched = Watched::new();
    let log = watched.replace("rate avg 0.2/s, peak 20/s", "rate avg 0.2/s, peak 100M/s");
    assert_eq!(count(&log, "findings"), 2, "the pattern and its table: {log:#?}");
    // Another load on it is another finding, and nothing else.
    let log = watched.replace("peak 100M/s", "peak 200M/s");
    assert_eq!(count(&log, "findings"), 2, "{log:#?}");
}

#[test]
fn a_line_above_recomputes_only_positions() {
    let mut watched = Watched::new();
    let text = format!("\n\n// a comment\n{}", watched.text);
    let log = watched.set(text);
    for query in ["lowered", "resolved", "findings", "layout", "names"] {
        assert_eq!(count(&log, query), 0, "{query}: {log:#?}");
    }
}

#[test]
fn an_edit_of_a_table_reaches_only_what_reads_it() {
    let mut watched = Watched::new();
    let log = watched.replace("partition key session_id", "partition key session_id because \"Even.\"");
    assert_eq!(count(&log, "lowered"), 1);
    assert_eq!(count(&log, "layout"), 1);
    // The item behind the key has moved: the two patterns that touch this table
    // are resolved again, and no other.
    assert_eq!(count(&log, "resolved"), 2, "{log:#?}");
}

#[test]
fn hints_compute_again_what_the_edit_touched() {
    let mut watched = Watched::new();
    let hints = |watched: &Watched| {
        watched.log.lock().unwrap().clear();
        let all = TextRange::new(0, watched.text.len());
        Analysis::new(watched.host.snapshot()).inlay_hints(&watched.key, all, HintKinds::default()).unwrap();
        std::mem::take(&mut *watched.log.lock().unwrap())
    };
    hints(&watched);
    watched.set(format!("// a comment\n\n{}", watched.text));
    let log = hints(&watched);
    assert!(log.is_empty(), "moved down a line, everything is as it was: {log:#?}");
    let mut log = watched.replace("rate avg 500/s, peak 4k/s", "rate avg 501/s, peak 4k/s");
    log.extend(hints(&watched));
    // The average rate has part in the costs of the table's two patterns alone.
    for (query, expected) in [("step_costs", 2), ("pattern_loads", 1), ("key_loads", 0), ("layout", 0)] {
        assert_eq!(count(&log, query), expected, "{query}: {log:#?}");
    }
    let mut log = watched.replace("peak 4k/s", "peak 5k/s");
    log.extend(hints(&watched));
    assert_eq!(count(&log, "key_loads"), 1, "the peak is what loads the table's key: {log:#?}");
}

#[test]
fn removed_declarations_leave_their_inputs_to_new_ones() {
    let mut watched = Watched::new();
    let whole = watched.text.clone();
    for _ in 0..50 {
        watched.set("entity A { id: uuid @id }".to_owned());
        watched.set(whole.clone());
    }
    assert!(count(&watched.replace("limit 24", "limit 25"), "lowered") == 1);
}

#[test]
fn what_comes_and_goes_wears_a_host_and_typing_does_not() {
    let mut watched = Watched::new();
    let host = &mut watched.host;
    let set =
        |host: &mut Host, key: &FileKey, text: &str| host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let typed = FileKey::new("/typed.dynamo");
    for number in 0..5_000 {
        set(host, &typed, &format!("import \"none{number}.dynamo\"\nentity Typed{number} {{ id: string @id }}\n"));
    }
    assert!(!host.is_worn(), "nothing has gone from file to file");
    let passing = |number: usize| FileKey::new(&format!("/passing{number}.dynamo"));
    for number in 2..5_000 {
        // Two of different length are there at a time: what one leaves goes to the next.
        set(host, &passing(number), &"entity A { a: string @id }\n".repeat(1 + number % 5));
        host.remove(&passing(number - 2));
    }
    assert!(host.is_worn(), "declarations have been in thousands of files");
}

#[test]
fn a_fresh_host_that_takes_over_knows_the_same() {
    let mut watched = Watched::new();
    watched.replace("rate avg 120/s, peak 500/s", "rate avg 121/s, peak 500/s");
    let settings = ConfigFile::of_text("[levels]\nmissing-latency = \"off\"\n", vocabulary());
    watched.host.set_config(FileKey::new("/keywright.toml"), Some(Arc::new(settings)));
    watched.host.set(FileKey::new("/gone.dynamo"), FileContent::from_bytes(b"entity Gone { id: string @id }"));
    watched.host.remove(&FileKey::new("/gone.dynamo"));

    let mut fresh = Host::default();
    fresh.take_over(&watched.host);
    assert!(fresh.files().eq(watched.host.files()));
    assert!(fresh.configs().eq(watched.host.configs()));
    assert_eq!(fresh.editors_settings(), watched.host.editors_settings());
    let findings = |host: &Host| Analysis::new(host.snapshot()).diagnostics(&watched.key).unwrap();
    assert!(!findings(&fresh).is_empty());
    assert_eq!(findings(&fresh), findings(&watched.host));
}

#[test]
fn a_document_is_made_only_for_who_asks_whether_it_is_stale() {
    let mut watched = Watched::new();
    let document = FileKey::new("/dynamodb_requirement.md");
    let made = Analysis::new(watched.host.snapshot()).documents(&watched.key, DocumentKind::Requirement).unwrap();
    let text = made[0].text.clone();
    watched.host.set_document(document.clone(), Some(text.as_str().into()));
    let stale = |watched: &Watched| {
        watched.log.lock().unwrap().clear();
        let stale = Analysis::new(watched.host.snapshot()).stale_documents(&watched.key).unwrap();
        let log = std::mem::take(&mut *watched.log.lock().unwrap());
        (stale.len(), count(&log, "made"), count(&log, "stale"))
    };
    assert_eq!(stale(&watched), (0, 0, 2), "what has just been made is not made again");
    let log = watched.replace("rate avg 120/s, peak 500/s", "rate avg 121/s, peak 500/s");
    assert_eq!(count(&log, "made") + count(&log, "stale"), 0, "findings are told first: {log:#?}");
    assert_eq!(stale(&watched), (1, 1, 1), "of the two documents one stands beside the model");
    assert_eq!(stale(&watched), (1, 0, 0));
    watched.host.set_document(document.clone(), Some(format!("{text}\nWhat somebody writes.\n").into()));
    assert_eq!(stale(&watched), (1, 0, 1), "whoever types into it has nothing made");
    watched.host.set_document(document, None);
    watched.replace("rate avg 121/s, peak 500/s", "rate avg 122/s, peak 500/s");
    assert_eq!(stale(&watched).1, 0, "a model without documents pays nothing");
}
