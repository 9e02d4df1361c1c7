//! Text in the making: what is whole around it is served as ever.

use super::shared::*;
use crate::support::client::*;
use serde_json::{Value, json};

const URI: &str = "untitled:half";

const BEFORE: &str = "entity User {\n  user_id: uuid @id\n}\n\npattern First { reads User, Nobody }\n\n";
const AFTER: &str = "\n\ntable Users {\n  partition key user_id\n  item User\n}\n\npattern Last { get User from Users reads Somebody }\n";

/// Names that are found to mean nothing.
fn unknown(found: &[Value]) -> Vec<&str> {
    ["Nobody", "Somebody"].into_iter().filter(|name| is_unknown(found, name)).collect()
}

/// The rest of a model is judged, shown and gone to with this in the middle.
fn assert_rest_is_served(client: &mut Client, version: i64, middle: &str) {
    let text = format!("{BEFORE}{middle}{AFTER}");
    client.change(URI, version, &text);
    let found = client.pulled(URI);
    assert_eq!(unknown(&found), ["Nobody", "Somebody"], "{middle}: {found:#?}");
    let symbols = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}})).to_string();
    for name in ["User", "First", "Users", "Last"] {
        assert!(symbols.contains(&format!("\"name\":\"{name}\"")), "{middle}: {name} in {symbols}");
    }
    let place = position(&text, text.rfind("User from").unwrap(), "utf-16");
    let definition = client.ask("textDocument/definition", at(URI, place.clone()));
    assert_eq!(definition[0]["range"]["start"], json!({"line": 0, "character": 7}), "{middle}");
    assert!(!client.ask("textDocument/hover", at(URI, place)).is_null(), "{middle}");
}

#[test]
fn a_half_typed_block_takes_nothing_from_the_others() {
    let mut client = Client::with(pulling(), &[]);
    client.open(URI, "");
    let whole = "pattern Typed {\n  query Users where user_id = :user_id and name begins_with \"é🙂\" limit 20\n  rate avg 1/s, peak 2/s\n}";
    let ends = whole.char_indices().map(|(at, _)| at).chain([whole.len()]);
    for (version, end) in (2..).zip(ends) {
        assert_rest_is_served(&mut client, version, &whole[..end]);
    }
    client.finish();
}

#[test]
fn pasted_json_is_answered_and_leaves_no_trace() {
    let json = include_str!("../../data/sarif-2.1.0-rtm.5.json");
    let mut client = Client::with(pulling(), &[]);
    client.open(URI, "");
    for (version, pasted) in (2..).zip([
        "{\"TableName\": \"Users\", \"KeySchema\": [{\"AttributeName\": \"é🙂\", \"KeyType\": \"HASH\"}]}",
        "[{\"a\": [[[[{}]]]], \"b\": \"pattern P {\"}",
        "\"}}}}",
    ]) {
        let text = format!("{BEFORE}{pasted}{AFTER}");
        client.change(URI, version, &text);
        assert_eq!(unknown(&client.pulled(URI))[0], "Nobody", "what stands before is judged");
    }
    // A large one into the middle of a line, and out again.
    client.change(URI, 10, &format!("{BEFORE}{AFTER}"));
    let before = client.pulled(URI);
    let middle = json!({"line": 4, "character": 12});
    client.edit(URI, 11, json!([{"range": {"start": middle, "end": middle}, "text": json}]));
    assert!(!client.pulled(URI).is_empty());
    let text = format!("{BEFORE}{AFTER}");
    let pasted = text.replacen("pattern Firs", &format!("pattern Firs{json}"), 1);
    client.ask("textDocument/hover", at(URI, position(&pasted, pasted.len() / 2, "utf-16")));
    client.ask(
        "textDocument/formatting",
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}}),
    );
    let end = position(&pasted, pasted.find("pattern Firs").unwrap() + "pattern Firs".len() + json.len(), "utf-16");
    client.edit(URI, 12, json!([{"range": {"start": middle, "end": end}, "text": ""}]));
    assert_eq!(client.pulled(URI), before);
    client.finish();
}
