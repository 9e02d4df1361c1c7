//! Where completion has to be, and where it must not.

use super::shared::*;
use crate::support::client::*;
use serde_json::Value;

const URI: &str = "untitled:completed";

const MODEL: &str =
    "entity User {\n  user_id: uuid @id\n}\n\ntable Users {\n  partition key user_id\n  item User\n}\n\n";

/// What is proposed at `|` in a text behind the model.
fn proposed(client: &mut Client, version: i64, text: &str) -> Vec<String> {
    let text = format!("{MODEL}{text}");
    let cursor = text.find('|').expect("a cursor");
    let text = text.replacen('|', "", 1);
    client.change(URI, version, &text);
    let answer = client.ask("textDocument/completion", at(URI, position(&text, cursor, "utf-16")));
    let items = answer.get("items").unwrap_or(&answer);
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(|item: &Value| item["label"].as_str()).map(str::to_owned).collect()
}

fn opened() -> Client {
    let mut client = Client::with(pulling(), &[]);
    client.open(URI, "");
    client
}

#[track_caller]
fn assert_proposed(found: &[String], wanted: &[&str], text: &str) {
    for word in wanted {
        assert!(found.iter().any(|label| label.starts_with(word)), "{word} in {text}: {found:?}");
    }
}

#[test]
fn an_empty_block_is_completed() {
    let mut client = opened();
    let blocks = [
        ("entity E {|}\n", &["count", "size"][..]),
        ("entity E {\n  |\n}\n", &["count", "size"]),
        ("entity E {\r\n  |\r\n}\r\n", &["count", "size"]),
        ("entity E {\n|\n}\nentity F { id: string @id }\n", &["count", "size"]),
        // Not closed yet.
        ("table T {\n  |", &["partition key", "item"]),
        ("table T {\n  |\n\nentity F { id: string @id }\n", &["partition key", "item"]),
        ("pattern P { | }\n", &["get", "query", "reads"]),
        ("pattern P {\n  transact write {\n    |\n  }\n}\n", &["put", "update", "delete"]),
        ("workflow W {|}\n", &[]),
        ("/// é🙂\napplication A {\n  |\n}\n", &["domain", "region"]),
    ];
    for (version, (text, wanted)) in (2..).zip(blocks) {
        let found = proposed(&mut client, version, text);
        assert_proposed(&found, wanted, text);
    }
    client.finish();
}

#[test]
fn the_end_of_the_file_is_completed() {
    let mut client = opened();
    let all = &["entity", "table", "pattern"][..];
    let ends = [
        ("|", all),
        ("\n\n|", all),
        ("ent|", &["entity"]),
        ("// é🙂\n|", all),
        ("pattern P { get User from |", &["Users"]),
    ];
    for (version, (text, wanted)) in (2..).zip(ends) {
        let found = proposed(&mut client, version, text);
        assert_proposed(&found, wanted, text);
    }
    // A file with nothing in it ends at its beginning.
    client.change(URI, 20, "");
    let answer = client.ask("textDocument/completion", at(URI, serde_json::json!({"line": 0, "character": 0})));
    assert!(answer.to_string().contains("\"entity"), "{answer}");
    client.finish();
}

#[test]
fn comments_and_plain_strings_are_left_alone() {
    let mut client = opened();
    let texts = [
        "// get |",
        "//|\n",
        "/// The user |\nentity E { id: string @id }\n",
        "pattern P {\n  // get User from |\n}\n",
        "pattern P {\n  get User from Users // é🙂 |\n}\n",
        "application A {\n  domain \"|\"\n}\n",
        "tradeoff \"a |\" because \"b\"\n",
        "tradeoff \"a\" because \"entity |\"\n",
    ];
    for (version, text) in (2..).zip(texts) {
        assert_eq!(proposed(&mut client, version, text), [""; 0], "{text}");
    }
    client.finish();
}
