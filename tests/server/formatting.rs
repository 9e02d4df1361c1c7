//! Formatting over the real process: a document, a range, and what was typed.

use crate::support::client::*;
use serde_json::{Value, json};

const URI: &str = "untitled:a";

/// A client that counts columns in this encoding.
fn client(encoding: &str) -> Client {
    let mut capabilities = pulling();
    capabilities["general"] = json!({"positionEncodings": [encoding]});
    Client::with(capabilities, &[])
}

fn options() -> Value {
    json!({"tabSize": 8, "insertSpaces": false, "trimTrailingWhitespace": false, "insertFinalNewline": false})
}

fn at(line: u32, character: u32) -> Value {
    json!({"line": line, "character": character})
}

fn document(client: &mut Client, uri: &str) -> Value {
    client.ask("textDocument/formatting", json!({"textDocument": {"uri": uri}, "options": options()}))
}

fn range(client: &mut Client, uri: &str, start: Value, end: Value) -> Value {
    let range = json!({"start": start, "end": end});
    let params = json!({"textDocument": {"uri": uri}, "range": range, "options": options()});
    client.ask("textDocument/rangeFormatting", params)
}

fn typed(client: &mut Client, uri: &str, position: Value, ch: &str) -> Value {
    let params = json!({"textDocument": {"uri": uri}, "position": position, "ch": ch, "options": options()});
    client.ask("textDocument/onTypeFormatting", params)
}

/// Edits as `line:column-line:column text`.
fn shown(edits: &Value) -> Vec<String> {
    let place = |at: &Value| format!("{}:{}", at["line"], at["character"]);
    let edits = edits.as_array().unwrap_or_else(|| panic!("edits, not {edits}")).iter();
    edits
        .map(|edit| {
            let range = &edit["range"];
            format!("{}-{} {:?}", place(&range["start"]), place(&range["end"]), edit["newText"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn what_is_answered_is_advertised() {
    let mut client = Client::start(&[]);
    let answer = client.initialize(pulling(), &[]);
    let server = &answer["capabilities"];
    assert_eq!(server["documentFormattingProvider"], true);
    assert_eq!(server["documentRangeFormattingProvider"], true);
    let on_type = json!({"firstTriggerCharacter": "}", "moreTriggerCharacter": ["\n"]});
    assert_eq!(server["documentOnTypeFormattingProvider"], on_type);
    client.finish();
}

#[test]
fn edits_stand_where_the_client_counts_them() {
    let before = "pattern P { external \"é🙂\" because";
    let utf16 = before.encode_utf16().count();
    for (encoding, behind) in [("utf-16", utf16), ("utf-8", before.len()), ("utf-32", before.chars().count())] {
        let mut client = client(encoding);
        let behind = behind as u32;
        client.open(URI, &format!("// é🙂\r\n{before}   \"x\" }}\r\nentity A {{  }}\r\n"));
        let expected = format!("1:{}-1:{} \"\"", behind + 1, behind + 3);
        assert_eq!(
            shown(&range(&mut client, URI, at(1, 0), at(1, behind))),
            std::slice::from_ref(&expected),
            "{encoding}"
        );
        assert_eq!(
            shown(&range(&mut client, URI, at(1, behind), at(2, 0))),
            std::slice::from_ref(&expected),
            "{encoding}"
        );
        assert_eq!(
            shown(&typed(&mut client, URI, at(1, behind + 8), "}")),
            std::slice::from_ref(&expected),
            "{encoding}"
        );
        assert_eq!(shown(&document(&mut client, URI)), [expected, "2:10-2:12 \"\"".to_owned()], "{encoding}");
        client.finish();
    }
}

#[test]
fn what_is_typed_is_formatted_in_text_that_does_not_parse() {
    let mut client = client("utf-16");
    client.open(URI, "entity {\r\n\r\ntable  T { // 🙂\r\n\r\npattern Q { %%\r\n");
    assert_eq!(shown(&typed(&mut client, URI, at(3, 0), "\n")), ["2:6-2:7 \"\"", "3:0-3:0 \"  \""]);
    client.edit(
        URI,
        2,
        json!([{"range": {"start": at(3, 0), "end": at(3, 0)}, "text": "item A {\r\n K  = \"🙂\"\r\n }"}]),
    );
    assert_eq!(
        shown(&typed(&mut client, URI, at(5, 2), "}")),
        ["3:0-3:0 \"  \"", "4:1-4:1 \"   \"", "4:3-4:4 \"\"", "5:1-5:1 \" \""]
    );
    assert_eq!(typed(&mut client, URI, at(99, 99), "}"), json!([]));
    client.finish();
}

#[test]
fn a_document_that_is_formatted_has_no_edits_and_one_that_nobody_knows_none_either() {
    let mut client = client("utf-16");
    client.open(URI, "entity A {\n  a: string // 🙂\n}\n");
    assert_eq!(document(&mut client, URI), json!([]));
    assert_eq!(range(&mut client, URI, at(0, 0), at(9, 0)), json!([]));
    assert_eq!(typed(&mut client, URI, at(2, 1), "}"), json!([]));
    let other = "untitled:nobody";
    assert_eq!(document(&mut client, other), Value::Null);
    assert_eq!(range(&mut client, other, at(0, 0), at(9, 0)), Value::Null);
    assert_eq!(typed(&mut client, other, at(2, 1), "\n"), Value::Null);
    client.close(URI);
    assert_eq!(document(&mut client, URI), Value::Null);
    client.finish();
}

#[test]
fn the_server_and_the_command_make_the_same_of_a_file() {
    let text = "entity A {\r\n a :string\r\n  b: %%  x\r\n}";
    let folder = Folder::new(&[("a.dynamo", text)]);
    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(URI, text);
    let mut lines: Vec<String> = text.split("\r\n").map(str::to_owned).collect();
    let edits = document(&mut client, URI);
    for edit in edits.as_array().unwrap().iter().rev() {
        let place = |end: &str, part: &str| edit["range"][end][part].as_u64().unwrap() as usize;
        let line = place("start", "line");
        assert_eq!(line, place("end", "line"));
        lines[line]
            .replace_range(place("start", "character")..place("end", "character"), edit["newText"].as_str().unwrap());
    }
    client.finish();
    let command =
        std::process::Command::new(env!("CARGO_BIN_EXE_keywright")).arg("fmt").arg(folder.path("a.dynamo")).output();
    assert_eq!(command.unwrap().status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(folder.path("a.dynamo")).unwrap(), lines.join("\r\n"));
    assert_eq!(lines.join("\r\n"), "entity A {\r\n  a: string\r\n  b: %%  x\r\n}\r\n");
}
