//! Completion as a client asks for it: what it announced is used, and nothing else.

use crate::support::client::*;
use serde_json::{Value, json};

/// A shop whose last pattern is being typed, behind an emoji on the same line.
const MODEL: &str = "entity Order {\n  order_id: ulid @id\n  status: enum(open, paid)\n}\n\n\
    table Shop {\n  partition key order_id\n  item Order\n}\n\n\
    pattern P {\n  query Shop where order_id = \"🙂é\" filter sta\n}\n";
const LINE: u64 = 11;

/// A client that can take everything that an item can have.
fn all() -> Value {
    json!({
        "completionItem": {
            "snippetSupport": true, "commitCharactersSupport": true, "insertReplaceSupport": true,
            "labelDetailsSupport": true, "documentationFormat": ["markdown", "plaintext"],
            "insertTextModeSupport": {"valueSet": [1, 2]},
            "resolveSupport": {"properties": ["documentation"]}
        },
        "completionItemKind": {"valueSet": (1..=25).collect::<Vec<u8>>()}
    })
}

/// The same without some properties of an item.
fn without(names: &[&str]) -> Value {
    let mut completion = all();
    for name in names {
        let (parent, name) = name.rsplit_once('/').map_or(("/completionItem", *name), |_| ("", &name[1..]));
        completion.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name).expect(name);
    }
    completion
}

fn client(completion: Value, encoding: &str) -> Client {
    Client::with(
        json!({"general": {"positionEncodings": [encoding]}, "textDocument": {"completion": completion, "diagnostic": {}}}),
        &[],
    )
}

fn list(client: &mut Client, uri: &str, line: u64, character: u64) -> Value {
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    client.ask("textDocument/completion", at)
}

fn item(list: &Value, label: &str) -> Value {
    let items = list["items"].as_array().unwrap_or_else(|| panic!("{list}"));
    items.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("{label}: {list}")).clone()
}

fn position(line: u64, character: u64) -> Value {
    json!({"line": line, "character": character})
}

#[test]
fn completion_is_announced_with_what_the_client_resolves() {
    for (completion, resolves) in [(all(), true), (without(&["resolveSupport"]), false), (json!({}), false)] {
        let mut client = Client::start(&[]);
        let answer = client.initialize(json!({"textDocument": {"completion": completion}}), &[]);
        let provider = &answer["capabilities"]["completionProvider"];
        assert_eq!(provider["resolveProvider"], resolves, "{provider}");
        let triggers: Vec<&str> =
            provider["triggerCharacters"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
        assert!(triggers.contains(&".") && triggers.contains(&"\"") && !triggers.contains(&" "), "{triggers:?}");
        client.finish();
    }
}

#[test]
fn places_count_in_the_units_of_the_client() {
    let line = MODEL.lines().nth(LINE as usize).unwrap();
    type Count = fn(&str) -> u64;
    let units: [(&str, Count); 2] =
        [("utf-16", |text| text.encode_utf16().count() as u64), ("utf-8", |text| text.len() as u64)];
    for (encoding, count) in units {
        let mut client = client(all(), encoding);
        client.open("untitled:a", MODEL);
        let end = count(line);
        let found = item(&list(&mut client, "untitled:a", LINE, end), "status");
        let range = json!({"start": position(LINE, end - 3), "end": position(LINE, end)});
        assert_eq!(found["textEdit"], json!({"newText": "status", "insert": range, "replace": range}), "{encoding}");
        // In the middle of the word it is told what is typed from the whole.
        let found = item(&list(&mut client, "untitled:a", LINE, end - 2), "status");
        assert_eq!(found["textEdit"]["insert"]["end"], position(LINE, end - 2), "{encoding}");
        assert_eq!(found["textEdit"]["replace"]["end"], position(LINE, end), "{encoding}");
        client.finish();
    }
}

#[test]
fn a_client_with_one_edit_replaces_the_whole_word() {
    let line = MODEL.lines().nth(LINE as usize).unwrap().encode_utf16().count() as u64;
    let mut client = client(without(&["insertReplaceSupport"]), "utf-16");
    client.open("untitled:a", MODEL);
    let found = item(&list(&mut client, "untitled:a", LINE, line - 2), "status");
    let range = json!({"start": position(LINE, line - 3), "end": position(LINE, line)});
    assert_eq!(found["textEdit"], json!({"newText": "status", "range": range}));
    client.finish();
}

#[test]
fn items_say_what_they_are_as_far_as_the_client_shows_it() {
    let line = MODEL.lines().nth(LINE as usize).unwrap().encode_utf16().count() as u64;
    let mut able = client(all(), "utf-16");
    able.open("untitled:a", MODEL);
    let all_items = list(&mut able, "untitled:a", LINE, line);
    assert_eq!(all_items["isIncomplete"], false);
    let found = item(&all_items, "status");
    assert_eq!((&found["kind"], &found["detail"]), (&json!(5), &json!("enum(open, paid)")));
    assert_eq!(found["labelDetails"], json!({"description": "Order"}));
    let sorted: Vec<&str> =
        all_items["items"].as_array().unwrap().iter().map(|item| item["sortText"].as_str().unwrap()).collect();
    assert!(sorted.is_sorted() && sorted.len() > 1, "{sorted:?}");
    let entity = item(&list(&mut able, "untitled:a", 13, 0), "entity");
    assert_eq!(
        (&entity["kind"], &entity["insertTextFormat"], &entity["insertTextMode"]),
        (&json!(15), &json!(2), &json!(2))
    );
    assert!(entity["textEdit"]["newText"].as_str().unwrap().contains("${1:Name}"), "{entity}");
    able.finish();

    let mut plain = client(
        without(&[
            "snippetSupport",
            "labelDetailsSupport",
            "insertTextModeSupport",
            "/completionItemKind",
            "commitCharactersSupport",
        ]),
        "utf-16",
    );
    plain.open("untitled:a", MODEL);
    let found = item(&list(&mut plain, "untitled:a", LINE, line), "status");
    assert!(found.get("labelDetails").is_none(), "{found}");
    let entity = item(&list(&mut plain, "untitled:a", 13, 0), "entity");
    for unknown in ["insertTextFormat", "insertTextMode", "commitCharacters"] {
        assert!(entity.get(unknown).is_none(), "{entity}");
    }
    assert_eq!(entity["textEdit"]["newText"], "entity Name {\n  id: uuid @id\n}");
    plain.change("untitled:a", 2, "entity A {\n  a: string\n}\ntable T {\n  item \n}\n");
    let found = item(&list(&mut plain, "untitled:a", 4, 7), "A");
    assert_eq!(found["kind"], 7, "a class: the first version of the protocol has no struct");
    plain.finish();
}

#[test]
fn commit_characters_are_told_to_a_client_that_knows_them() {
    let text = "entity A {\n  a: string\n}\npattern P {\n  reads \n}\n";
    for (completion, told) in [(all(), json!([",", "("])), (without(&["commitCharactersSupport"]), Value::Null)] {
        let mut client = client(completion, "utf-16");
        client.open("untitled:a", text);
        assert_eq!(item(&list(&mut client, "untitled:a", 4, 8), "A")["commitCharacters"], told);
        client.finish();
    }
}

#[test]
fn a_client_that_takes_texts_as_they_are_gets_them_indented() {
    let text = "table T {\n    \n}\n";
    for (completion, newline) in [
        (json!({"insertTextMode": 1, "completionItem": {"snippetSupport": true}}), "\n      partition key"),
        (json!({"insertTextMode": 2, "completionItem": {"snippetSupport": true}}), "\n  partition key"),
        (all(), "\n  partition key"),
    ] {
        let mut client = client(completion, "utf-16");
        client.open("untitled:a", text);
        let gsi = item(&list(&mut client, "untitled:a", 1, 4), "gsi");
        assert!(gsi["textEdit"]["newText"].as_str().unwrap().contains(newline), "{gsi}");
        client.finish();
    }
}

#[test]
fn documentation_comes_when_it_is_asked_for_or_at_once() {
    let line = MODEL.lines().nth(LINE as usize).unwrap().encode_utf16().count() as u64;
    let mut able = client(all(), "utf-16");
    able.open("untitled:a", MODEL);
    let found = item(&list(&mut able, "untitled:a", LINE, line), "status");
    assert!(found.get("documentation").is_none(), "{found}");
    let full = able.ask("completionItem/resolve", found.clone());
    assert_eq!(full["documentation"]["kind"], "markdown");
    assert!(full["documentation"]["value"].as_str().unwrap().contains("status"), "{full}");
    assert_eq!(full["textEdit"], found["textEdit"], "the rest stays");
    // The text goes on changing while the list is shown.
    able.change("untitled:a", 2, &MODEL.replace("sta\n", "stat\n"));
    assert_eq!(able.ask("completionItem/resolve", found.clone())["documentation"], full["documentation"]);
    // What is gone, and what is not ours, is given back as it came.
    able.change("untitled:a", 3, "entity A {\n}\n");
    assert_eq!(able.ask("completionItem/resolve", found.clone()), found);
    for data in [json!(null), json!({"uri": "untitled:a"}), json!("x"), json!([1])] {
        let strange = json!({"label": "x", "data": data});
        assert_eq!(able.ask("completionItem/resolve", strange)["label"], "x");
    }
    able.finish();

    let mut plain = client(without(&["resolveSupport", "documentationFormat"]), "utf-16");
    plain.open("untitled:a", MODEL);
    let all_items = list(&mut plain, "untitled:a", LINE, line);
    let found = item(&all_items, "status");
    assert_eq!(found["documentation"]["kind"], "plaintext");
    assert!(found.get("data").is_none(), "{found}");
    for item in all_items["items"].as_array().unwrap() {
        assert!(item["documentation"]["value"].as_str().unwrap_or("").len() <= 1_000, "{item}");
    }
    plain.finish();
}

#[test]
fn what_was_typed_is_told_from_what_was_asked_for() {
    let mut client = client(all(), "utf-16");
    client.open("untitled:a", "pattern P {");
    let mut at = json!({"textDocument": {"uri": "untitled:a"}, "position": position(0, 11)});
    assert!(!client.ask("textDocument/completion", at.clone())["items"].as_array().unwrap().is_empty());
    at["context"] = json!({"triggerKind": 2, "triggerCharacter": "{"});
    assert_eq!(client.ask("textDocument/completion", at)["items"], json!([]));
    client.finish();
}

#[test]
fn every_place_is_answered() {
    let mut client = client(json!({}), "utf-16");
    client.open("untitled:a", MODEL);
    for (line, character) in [(0, 0), (999, 0), (0, 999), (LINE, 33), (LINE, 32)] {
        assert!(list(&mut client, "untitled:a", line, character)["items"].is_array());
    }
    assert_eq!(list(&mut client, "untitled:unknown", 0, 0), Value::Null);
    client.finish();
}

#[test]
fn while_files_are_looked_for_no_list_is_called_whole() {
    let names: Vec<String> = (0..40).map(|number| format!("m{number:02}.dynamo")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "entity E {}\n")).collect();
    let folder = Folder::new(&files);
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW_DISK", "20")]);
    client.initialize(json!({"textDocument": {"completion": all()}}), &[&folder.root()]);
    let uri = folder.uri("own.dynamo");
    client.open(&uri, "import \"");
    let first = list(&mut client, &uri, 0, 8);
    assert_eq!(first["isIncomplete"], true, "{first}");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let found = list(&mut client, &uri, 0, 8);
        if found["isIncomplete"] == false {
            let items = found["items"].as_array().unwrap();
            assert_eq!(items.len(), names.len(), "all that there are: {found}");
            break;
        }
        assert!(std::time::Instant::now() < deadline, "the search has an end: {found}");
    }
    client.finish();
}
