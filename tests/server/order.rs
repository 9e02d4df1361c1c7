//! Order: an answer is for the text that its request was sent against, however
//! many edits surround it.

use crate::support::client::*;
use serde_json::json;

/// A model that shows its number in the name that a hover, the symbols and the
/// findings show.
fn numbered(number: usize) -> String {
    format!(
        "/// About the entity.\nentity Thing{number} {{\n  id: string @id\n}}\n\npattern P {{\n  reads Missing{number}\n}}\n"
    )
}

#[test]
fn of_2000_interleaved_changes_and_hovers_none_is_stale() {
    const MANY: usize = 2_000;
    let uri = "untitled:order";
    let mut client = Client::with(pulling(), &[]);
    client.open(uri, &numbered(0));
    let mut asked = Vec::new();
    for number in 1..=MANY {
        // Only the numbers change; the second edit stands on the first.
        let edit = |line: u32, column: usize| {
            let end = column + (number - 1).to_string().len();
            json!({"range": {"start": {"line": line, "character": column}, "end": {"line": line, "character": end}},
                "text": number.to_string()})
        };
        client.edit(uri, number as i64 + 1, json!([edit(1, "entity Thing".len()), edit(6, "  reads Missing".len())]));
        let at = json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 8}});
        let method = match number % 4 {
            0 => "textDocument/diagnostic",
            1 => "textDocument/documentSymbol",
            _ => "textDocument/hover",
        };
        asked.push((number, client.request(method, at)));
    }
    for (number, id) in asked {
        let response = client.response(id);
        let text = response["result"].to_string();
        let right = [format!("Thing{number}"), format!("Missing{number}")];
        // `Thing1` is no part of `Thing12`.
        let is_right = |word: &String| {
            let ends = |(at, _)| !text[at + word.len()..].starts_with(|c: char| c.is_ascii_digit());
            text.match_indices(word.as_str()).any(ends)
        };
        assert!(right.iter().any(is_right), "the answer to request {number} is for another text: {response}");
    }
    client.finish();
}

#[test]
fn versions_are_published_in_order_and_the_last_one_comes() {
    let uri = "untitled:versions";
    let mut client = Client::with(pushed(), &[]);
    client.open(uri, &numbered(0));
    for number in 1..=300 {
        client.change(uri, number as i64 + 1, &numbered(number));
    }
    let mut last = 0;
    while last < 301 {
        let message = client.next("textDocument/publishDiagnostics");
        let version = message["params"]["version"].as_i64().unwrap();
        assert!(version > last, "{version} after {last}");
        let text = messages(message["params"]["diagnostics"].as_array().unwrap());
        assert!(text.contains(&format!("Missing{}`", version - 1)), "version {version}: {text}");
        last = version;
    }
    client.finish();
}

#[test]
fn an_edit_of_one_file_refreshes_the_others() {
    let folder = Folder::new(&[]);
    let (a, b) = (folder.uri("a.dynamo"), folder.uri("b.dynamo"));
    let mut client = Client::with(pushed(), &[]);
    client.open(&b, "entity Known { id: string @id }\n");
    client.open(&a, "import \"b.dynamo\"\npattern P { reads Known }\n");
    client.published_until(&a, "nothing unknown", |found| !is_unknown(found, "Known"));
    client.change(&b, 2, "entity Other { id: string @id }\n");
    client.published_until(&a, "an unknown name", |found| is_unknown(found, "Known"));
    client.change(&b, 3, "entity Known { id: string @id }\n");
    client.published_until(&a, "nothing unknown", |found| !is_unknown(found, "Known"));
    client.finish();
}

#[test]
fn a_client_that_pulls_is_asked_to_pull_again() {
    let folder = Folder::new(&[]);
    let (a, b) = (folder.uri("a.dynamo"), folder.uri("b.dynamo"));
    let mut capabilities = pulling();
    capabilities["workspace"] = json!({"diagnostics": {"refreshSupport": true}});
    let mut client = Client::with(capabilities, &[]);
    client.open(&b, "entity Known { id: string @id }\n");
    client.open(&a, "import \"b.dynamo\"\npattern P { reads Known }\n");
    assert!(!is_unknown(&client.pulled(&a), "Known"));
    client.change(&b, 2, "entity Other { id: string @id }\n");
    client.next("workspace/diagnostic/refresh");
    assert!(is_unknown(&client.pulled(&a), "Known"));
    assert_eq!(client.seen("textDocument/publishDiagnostics"), 0, "who pulls is not pushed");
    client.finish();
}

#[test]
fn findings_that_did_not_change_are_not_sent_again() {
    let uri = "untitled:same";
    let mut client = Client::with(pulling(), &[]);
    client.open(uri, "pattern P { reads Nobody }\n");
    let first = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
    assert_eq!(first["kind"], "full");
    let params = json!({"textDocument": {"uri": uri}, "previousResultId": first["resultId"]});
    let again = client.ask("textDocument/diagnostic", params.clone());
    assert_eq!(again, json!({"kind": "unchanged", "resultId": first["resultId"]}));
    client.change(uri, 2, "pattern P { reads Somebody }\n");
    assert_eq!(client.ask("textDocument/diagnostic", params)["kind"], "full");
    client.finish();
}

#[test]
fn a_model_typed_faster_than_it_is_answered_gets_every_answer() {
    let shop = include_str!("../../examples/shop.dynamo");
    let uri = "untitled:typed";
    let mut client = Client::with(pulling(), &[]);
    client.open(uri, "");
    let (mut line, mut column) = (0, 0);
    let mut asked = Vec::new();
    for (number, letter) in shop.chars().enumerate() {
        let at = json!({"line": line, "character": column});
        client.edit(uri, number as i64 + 2, json!([{"range": {"start": at, "end": at}, "text": letter.to_string()}]));
        let params =
            json!({"textDocument": {"uri": uri}, "position": at, "options": {"tabSize": 2, "insertSpaces": true}});
        let methods = ["diagnostic", "hover", "documentSymbol", "formatting", "definition"];
        asked.push(client.request(&format!("textDocument/{}", methods[number % methods.len()]), params));
        if letter == '\n' {
            (line, column) = (line + 1, 0);
        } else {
            column += letter.len_utf16();
        }
    }
    for id in asked {
        let response = client.response(id);
        assert!(response.get("error").is_none(), "{response}");
    }
    client.open("untitled:whole", shop);
    assert_eq!(client.pulled(uri), client.pulled("untitled:whole"));
    assert_eq!(client.seen("window/logMessage"), 0, "no fault was logged");
    client.finish();
}

/// Ranges of one text in another one spoil it: the client has to be able to tell.
#[test]
fn an_edit_is_for_the_version_that_its_request_was_sent_against() {
    const MANY: usize = 300;
    let uri = "untitled:renamed";
    let mut client = Client::with(able(), &[]);
    client.open(uri, &numbered(0));
    let mut asked = Vec::new();
    for number in 1..=MANY {
        let version = number as i64 + 1;
        // Each has a line more above.
        client.change(uri, version, &format!("{}{}", "\n".repeat(number), numbered(number)));
        let at =
            json!({"textDocument": {"uri": uri}, "position": {"line": number + 1, "character": 8}, "newName": "Other"});
        asked.push((version, client.request("textDocument/rename", at)));
    }
    let mut answered = 0;
    for (version, id) in asked {
        let response = client.response(id);
        let changes = &response["result"]["documentChanges"];
        if changes.is_null() {
            assert_eq!(response["error"]["code"], json!(-32801), "it was modified meanwhile: {response}");
            continue;
        }
        assert_eq!(changes[0]["textDocument"]["version"], json!(version), "{response}");
        assert_eq!(changes[0]["edits"][0]["range"]["start"]["line"], json!(version), "{response}");
        answered += 1;
    }
    assert!(answered > 0);
    client.finish();
}
