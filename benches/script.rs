//! A fixed script over the whole analysis, for counting its instructions: a model
//! of 5,000 lines is read, its findings are computed, and a name in the middle is
//! broken and mended again and again, each time with findings, completion and
//! hover. Instructions, unlike time, are the same in every run.
//!
//! `cargo xtask instructions` runs it under callgrind.

#[path = "../xtask/src/bench/models.rs"]
#[allow(dead_code, reason = "the bench of xtask uses the rest")]
mod models;

use keywright::ide::Analysis;
use keywright::model::db::{Database, Host};
use keywright::model::files::{FileContent, FileKey};
use keywright::syntax::{Encoding, Position, Text};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// What is done: `open` once, or as many edits as the word says besides.
fn main() {
    // Cargo says `--bench` where it runs this as a benchmark.
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let number = |word: Option<String>, or: usize| word.and_then(|word| word.parse().ok()).unwrap_or(or);
    let (edits, lines, files) = (number(words.next(), 10), number(words.next(), 5_000), number(words.next(), 1));
    let model = if files == 1 { models::dynamo(lines) } else { models::dynamo_in_files(lines, files) };
    let computed: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
    let mut host = match std::env::var_os("KEYWRIGHT_COUNT") {
        None => Host::default(),
        Some(_) => Host::new(Database::watched({
            let computed = Arc::clone(&computed);
            move |query| {
                let name = query.split('(').next().unwrap_or_default().to_owned();
                *computed.lock().expect("nobody panics").entry(name).or_default() += 1;
            }
        })),
    };
    for (name, text) in &model.files {
        host.set(FileKey::new(&format!("/{name}")), FileContent::from_bytes(text.as_bytes()));
    }
    let key = FileKey::new(&format!("/{}", model.open.name));
    let begun = std::time::Instant::now();
    let found = Analysis::new(host.snapshot()).diagnostics(&key).expect("nothing changes meanwhile").len();
    eprintln!("{found} findings, {:?}", begun.elapsed());
    let mut text = Text::new(&model.open.text);
    let spot = &model.open.breaks;
    let at = text.offset(
        Position {
            line: u32::try_from(spot.line).expect("few lines"),
            column: u32::try_from(spot.character).expect("few columns"),
        },
        Encoding::Utf8,
    );
    computed.lock().expect("nobody panics").clear();
    let begun = std::time::Instant::now();
    for edit in 0..edits {
        match edit % 2 {
            0 => text.replace(at, at, spot.typed),
            _ => text.replace(at, at + spot.typed.len(), ""),
        }
        let before = host.content(&key).and_then(FileContent::parse).cloned();
        host.set(key.clone(), FileContent::of_text(&text, before.as_deref()));
        let found = Analysis::new(host.snapshot()).diagnostics(&key).expect("nothing changes meanwhile").len();
        assert!(found > 0, "the model has findings");
    }
    let mut counts: Vec<(usize, String)> =
        computed.lock().expect("nobody panics").iter().map(|(name, count)| (*count, name.clone())).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    for (count, name) in counts {
        eprintln!("{count:>8} {name}");
    }
    eprintln!("{:?} an edit", begun.elapsed() / u32::try_from(edits.max(1)).expect("few edits"));
}
