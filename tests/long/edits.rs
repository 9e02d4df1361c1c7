//! Random edits: whatever the way to a text, document, tree and findings are
//! those of a fresh start on it.

use keywright::ide::Analysis;
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use keywright::syntax::{FileParse, Text};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use std::sync::Arc;

/// An edit by fractions of the text, so that it fits whatever is there.
#[derive(Clone, Debug)]
struct Edit {
    start: f64,
    length: usize,
    text: String,
}

/// What people and their tools put into a model: words, halves of clauses,
/// braces, quotes, line breaks of both kinds, letters of more than one byte.
fn snippet() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        prop::sample::select(vec![
            "{",
            "}",
            "\"",
            "`",
            "\r\n",
            "\n",
            " ",
            "é",
            "🙂",
            "e\u{301}",
            "//",
            "/// doc\n",
            ":",
            ",",
            "=",
            "@",
            "(",
            ")",
            "table ",
            "entity X {\n",
            "pattern P {\n",
            "item ",
            "relationship A 1:N B\n",
            "import \"x\"\n",
            "sk = \"A#{b}\"",
            "allow ",
            "because \"x\"",
            "1:N",
            "N:M",
            "120/s",
            "{user_id",
            "}}",
            "query T where ",
            "gsi G {",
            "\u{feff}",
            "\0x",
            "\t",
            "\u{2028}",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9_ ,.#é🙂{}\"\r\n]{0,12}",
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    (0.0..1.0f64, prop_oneof![Just(0usize), 0usize..4, 0usize..60, 0usize..2000], snippet())
        .prop_map(|(start, length, text)| Edit { start, length, text })
}

fn apply(text: &mut Text, edit: &Edit) {
    let start = (edit.start * text.len() as f64) as usize;
    text.replace(start, start + edit.length, &edit.text);
}

fn trees(parse: &FileParse) -> Vec<String> {
    parse
        .chunks
        .iter()
        .map(|c| format!("{} {:?} {}", c.start, c.chunk.errors, c.chunk.tree.root_node().to_sexp()))
        .collect()
}

#[test]
fn some_edits_leave_what_a_fresh_start_gives() {
    run(10);
}

#[test]
#[ignore = "takes long unless it is optimised: `cargo xtask test` does so"]
fn ten_thousand_edits_leave_what_a_fresh_start_gives() {
    run(200);
}

/// Runs so many sequences of 50 edits, comparing with a fresh start after each.
fn run(cases: u32) {
    let examples: Vec<String> = ["shop", "blog", "school"]
        .iter()
        .map(|name| std::fs::read_to_string(format!("{}/examples/{name}.dynamo", env!("CARGO_MANIFEST_DIR"))).unwrap())
        .collect();
    let config = Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(20261129), ..Config::default() };
    let edits = (0..examples.len(), any::<bool>(), prop::collection::vec(edit(), 50));
    let outcome = TestRunner::new(config).run(&edits, |(example, crlf, edits)| {
        let start = if crlf { examples[example].replace('\n', "\r\n") } else { examples[example].clone() };
        let key = FileKey::new("/m.dynamo");
        let mut host = Host::default();
        let mut parse = FileParse::new(&start);
        let mut plain = start.clone();
        host.set(key.clone(), FileContent::Parsed(Arc::new(parse.clone())));
        for edit in &edits {
            let mut rope = parse.rope.clone();
            apply(&mut rope, edit);
            parse = parse.edited(rope);
            // The document equals what plain string surgery gives.
            let at = |offset: usize| (0..=offset.min(plain.len())).rev().find(|i| plain.is_char_boundary(*i)).unwrap();
            let from = (edit.start * plain.len() as f64) as usize;
            let (from, to) = (at(from), at(from + edit.length));
            plain.replace_range(from..to, &edit.text);
            prop_assert_eq!(&*parse.text, &plain);
            let fresh = FileParse::new(&parse.text);
            prop_assert_eq!(trees(&parse), trees(&fresh));
            host.set(key.clone(), FileContent::Parsed(Arc::new(parse.clone())));
            let mut fresh_host = Host::default();
            fresh_host.set(key.clone(), FileContent::Parsed(Arc::new(fresh)));
            let found = Analysis::new(host.snapshot()).diagnostics(&key).unwrap();
            let expected = Analysis::new(fresh_host.snapshot()).diagnostics(&key).unwrap();
            prop_assert_eq!(found, expected);
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
