//! Text: encodings, edits, and documents of every kind.

use crate::support::client::*;
use serde_json::{Value, json};

/// Where the name `Nobody` is found in a line with `é🙂` before it.
fn column(encodings: Value) -> (Value, u64) {
    let mut client = Client::start(&[]);
    let mut capabilities = pulling();
    if !encodings.is_null() {
        capabilities["general"] = json!({"positionEncodings": encodings});
    }
    let answer = client.initialize(capabilities, &[]);
    client.open("untitled:a", "pattern P { external \"é🙂\" because \"é🙂\" reads Nobody }\n");
    let found = client.pulled("untitled:a");
    let unknown =
        found.iter().find(|finding| finding["code"] == "unknown-name").unwrap_or_else(|| panic!("{found:#?}"));
    client.finish();
    (answer["capabilities"]["positionEncoding"].clone(), unknown["range"]["start"]["character"].as_u64().unwrap())
}

#[test]
fn columns_are_counted_as_the_client_counts() {
    let text = "pattern P { external \"é🙂\" because \"é🙂\" reads ";
    let (bytes, scalars) = (text.len() as u64, text.chars().count() as u64);
    let units = text.encode_utf16().count() as u64;
    assert_eq!(column(Value::Null), (json!("utf-16"), units));
    assert_eq!(column(json!(["utf-16"])), (json!("utf-16"), units));
    assert_eq!(column(json!(["utf-16", "utf-8", "utf-32"])), (json!("utf-8"), bytes));
    assert_eq!(column(json!(["utf-32", "utf-16"])), (json!("utf-32"), scalars));
    assert_eq!(column(json!(["utf-7"])), (json!("utf-16"), units));
    assert_eq!(column(json!([])), (json!("utf-16"), units));
}

/// The rule, range and message of findings.
fn summary(found: &[Value]) -> Vec<Value> {
    found.iter().map(|finding| json!([finding["code"], finding["range"], finding["message"]])).collect()
}

#[test]
fn edits_lead_to_the_same_as_the_whole_text() {
    let mut client = Client::with(pulling(), &[]);
    client.open("untitled:a", "// é🙂\r\npattern P { reads A }\r\n");
    let range = |a: u32, b: u32, c: u32, d: u32| json!({"start": {"line": a, "character": b}, "end": {"line": c, "character": d}});
    client.edit(
        "untitled:a",
        2,
        json!([
            // Behind the emoji, in UTF-16.
            {"range": range(0, 6, 0, 6), "text": "\r\n// x"},
            // Inverted.
            {"range": range(2, 19, 2, 18), "text": "Bé"},
            // Past the end of a line, and of the text.
            {"range": range(2, 999, 2, 999), "text": " // end"},
            {"range": range(999, 0, 999, 7), "text": "pattern Q { reads Last }\r\n"},
        ]),
    );
    client.open("untitled:b", "// é🙂\r\n// x\r\npattern P { reads Bé } // end\r\npattern Q { reads Last }\r\n");
    let (edited, fresh) = (client.pulled("untitled:a"), client.pulled("untitled:b"));
    assert!(messages(&edited).contains("Last"), "{edited:#?}");
    assert_eq!(summary(&edited), summary(&fresh));
    client.edit("untitled:a", 3, json!([{"range": range(0, 0, 99, 0), "text": ""}]));
    client.edit("untitled:a", 4, json!([{"text": "pattern P { reads Whole }\n"}]));
    assert!(messages(&client.pulled("untitled:a")).contains("Whole"));
    client.finish();
}

#[test]
fn changes_and_closes_of_what_is_not_open_are_ignored() {
    let mut client = Client::with(pulling(), &[]);
    client.change("untitled:never", 2, "pattern P { reads X }\n");
    client.close("untitled:never");
    assert!(client.next("window/logMessage")["params"]["message"].as_str().unwrap().contains("not open"));
    assert_eq!(client.pulled("untitled:never"), Vec::<Value>::new());
    client.assert_alive();
    client.finish();
}

#[test]
fn documents_without_a_file_work() {
    let mut client = Client::with(pushed(), &[]);
    for uri in ["untitled:Untitled-1", "vscode-vfs://github/a/b.dynamo", "inmemory://model/1"] {
        client.open(uri, "import \"x.dynamo\"\npattern P { reads Nobody }\n");
        assert!(messages(&client.published(uri, Some(1))).contains("Nobody"));
        client.close(uri);
        assert_eq!(client.published(uri, None), Vec::<Value>::new());
    }
    client.finish();
}

#[test]
fn illegal_uris_come_back_as_the_client_spells_them() {
    let folder = Folder::new(&[("[id]/é x.dynamo", ""), ("[id]/b.dynamo", "entity B { id: string @id }\n")]);
    let mut client = Client::with(able(), &[&format!("{}/[id]", folder.root())]);
    for uri in [folder.uri("[id]/é x.dynamo"), "untitled:My Model".to_owned(), "file:///C:\\a\\[b].dynamo".to_owned()]
    {
        client.open(&uri, "import \"b.dynamo\"\nentity A { id: string @id @id }\npattern P { reads Nobody }\n");
        assert!(messages(&client.published(&uri, Some(1))).contains("Nobody"), "{uri}");
        client.change(&uri, 2, "entity A { id: string @id }\nentity A { id: string @id }\n");
        let found = client.published(&uri, Some(2));
        let related = found.iter().filter_map(|finding| finding.pointer("/relatedInformation/0/location/uri"));
        assert!(related.clone().count() > 0, "{found:#?}");
        related.for_each(|other| assert_eq!(other, &json!(uri)));
        client.close(&uri);
        assert_eq!(client.published_until(&uri, "nothing", |found| found.is_empty()), Vec::<Value>::new());
    }
    client.finish();
}

#[test]
fn spellings_of_one_file_are_one_document() {
    let mut client = Client::with(pulling(), &[]);
    client.open("file:///C%3A/a%20b/x.dynamo", "pattern P { reads One }\n");
    client.change("file:///c:/a b/./x.dynamo", 2, "pattern P { reads Two }\n");
    assert!(messages(&client.pulled("file:///C:/a%20b/x.dynamo")).contains("Two"));
    client.finish();
}

#[test]
fn formatting_gives_edits_of_white_space_in_the_files_own_line_endings() {
    let mut client = Client::with(pulling(), &[]);
    client.open("untitled:a", "entity   A {\r\n// é🙂 comment\r\n      id: string @id   \r\n}\r\n");
    let options = json!({"textDocument": {"uri": "untitled:a"}, "options": {"tabSize": 8, "insertSpaces": false}});
    let mut edits = client.ask("textDocument/formatting", options.clone()).as_array().unwrap().clone();
    assert!(!edits.is_empty());
    for edit in &edits {
        assert!(edit["newText"].as_str().unwrap().trim().is_empty(), "{edit}");
    }
    // Applied from the last to the first, each stands on the text before it.
    edits.reverse();
    let changes = edits.iter().map(|edit| json!({"range": edit["range"], "text": edit["newText"]})).collect::<Vec<_>>();
    client.edit("untitled:a", 2, json!(changes));
    assert_eq!(client.ask("textDocument/formatting", options), json!([]), "nothing is left to format");
    client.open("untitled:b", "entity A {\r\n  // é🙂 comment\r\n  id: string @id\r\n}\r\n");
    let symbols = |client: &mut Client, uri: &str| {
        client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}})).to_string().replace(uri, "")
    };
    assert_eq!(symbols(&mut client, "untitled:a"), symbols(&mut client, "untitled:b"));
    client.finish();
}

#[test]
fn halves_of_pairs_lose_no_edit() {
    let mut client = Client::with(pulling(), &[]);
    client.open("untitled:a", "");
    let raw = |client: &mut Client, version: i64, change: &str| {
        let document = format!("{{\"uri\":\"untitled:a\",\"version\":{version}}}");
        let params = format!("{{\"textDocument\":{document},\"contentChanges\":[{change}]}}");
        let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didChange\",\"params\":{params}}}");
        client.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    };
    let found = |client: &mut Client| {
        let found = client.pulled("untitled:a");
        let unknown = found.iter().find(|finding| finding["code"] == "unknown-name");
        let unknown = unknown.unwrap_or_else(|| panic!("{found:#?}"));
        (messages(std::slice::from_ref(unknown)), unknown["range"]["start"]["character"].as_u64().unwrap())
    };
    for (version, half) in (2..).zip([r"\ud83d", r"\uDE42", r"\ud83d\ud83d\ude42", r"\ude42\ud83d"]) {
        let text =
            |half: &str| format!("pattern P {{ external \\\"{half}\\\" because \\\"x\\\" reads Name{version} }}\\n");
        raw(&mut client, version, &format!("{{\"text\":\"{}\"}}", text(half)));
        let units = match half {
            r"\ud83d" | r"\uDE42" => 1,
            r"\ude42\ud83d" => 2,
            _ => 3,
        };
        let (message, column) = found(&mut client);
        assert!(message.contains(&format!("Name{version}")), "{half}: {message}");
        let before = "pattern P { external \"\" because \"x\" reads ".len() as u64;
        assert_eq!(column, before + units, "{half}");
    }
    // In the range of an edit, and where an edit halves a pair.
    client.change("untitled:a", 8, "pattern P { external \"🙂\" because \"x\" reads Nobody }\n");
    let column = found(&mut client).1;
    let range =
        |from: u32, to: u32| json!({"start": {"line": 0, "character": from}, "end": {"line": 0, "character": to}});
    client.edit("untitled:a", 9, json!([{"range": range(23, 24), "text": ""}]));
    assert_eq!(found(&mut client).1, column - 1);
    raw(&mut client, 10, &format!("{{\"range\":{},\"text\":\"\\ud83d\"}}", range(23, 23)));
    assert_eq!(found(&mut client).1, column);
    client.finish();
}

#[test]
fn a_request_with_half_a_pair_is_answered() {
    let mut client = Client::with(pulling(), &[]);
    let body = "{\"jsonrpc\":\"2.0\",\"id\":\"\\ud83d\",\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":\
        {\"uri\":\"untitled:\\ude42\"},\"position\":{\"line\":0,\"character\":0}}}";
    client.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    let answer = client.wait("an answer", |message| message["id"] == "\u{FFFD}");
    assert_eq!(answer["result"], Value::Null, "{answer}");
    client.finish();
}

#[test]
fn behind_the_end_of_a_line_is_its_end() {
    let mut client = Client::with(pulling(), &[]);
    let text = "entity A {\r\n  id: string @id\r\n\r\n}\r\npattern P { reads Nobody\r\n}\r\n";
    client.open("untitled:a", text);
    let mut something = 0;
    for (number, line) in text.split("\r\n").enumerate() {
        let hover = |client: &mut Client, character: u64| {
            let position = json!({"line": number, "character": character});
            client.ask("textDocument/hover", json!({"textDocument": {"uri": "untitled:a"}, "position": position}))
        };
        let at_end = hover(&mut client, line.len() as u64);
        something += usize::from(!at_end.is_null());
        for beyond in [line.len() as u64 + 1, line.len() as u64 + 2, 10_000, u64::from(u32::MAX)] {
            assert_eq!(hover(&mut client, beyond), at_end, "{line} {beyond}");
        }
    }
    assert!(something >= 2, "there is something to hover at the end of some lines");
    client.finish();
}

#[test]
fn findings_go_to_the_spelling_that_is_open() {
    let folder = Folder::new(&[("q'u;o.dynamo", ""), ("other.dynamo", "")]);
    let root = folder.root();
    let text = "pattern P { reads Nobody }\n";
    for folders in [vec![], vec![root.as_str()]] {
        let mut client = Client::with(pushed(), &folders);
        let spellings = ["q%27u%3Bo.dynamo", "q'u;o.dynamo", "q%27u;o.dynamo", "./q'u;o.dynamo", "q%27u%3Bo.dynamo"];
        let mut before: Option<String> = None;
        for name in spellings {
            let uri = format!("{root}/{name}");
            if let Some(before) = &before {
                client.close(before);
            }
            client.open(&uri, text);
            client.published_until(&uri, "a finding", |found| messages(found).contains("Nobody"));
            if let Some(before) = &before {
                client.published_until(before, "nothing", |found| found.is_empty());
            }
            before = Some(uri);
        }
        client.finish();
    }
}
