//! A model typed character by character, with everything asked for all along.

use crate::support::client::{Client, pulling};
use keywright::ide::Analysis;
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use keywright::syntax::{FileParse, TextRange};
use serde_json::json;
use std::sync::Arc;

fn shop() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/shop.dynamo")).unwrap()
}

#[test]
fn every_beginning_of_a_model_is_analysed_without_a_fault() {
    let text = shop();
    let key = FileKey::new("/typed.dynamo");
    let mut host = Host::default();
    let mut parse = FileParse::new("");
    for (offset, c) in text.char_indices() {
        let end = offset + c.len_utf8();
        let mut rope = parse.rope.clone();
        rope.replace(offset, offset, &text[offset..end]);
        parse = parse.edited(rope);
        host.set(key.clone(), FileContent::Parsed(Arc::new(parse.clone())));
        let analysis = Analysis::new(host.snapshot());
        analysis.diagnostics(&key).unwrap();
        analysis.hover(&key, end).unwrap();
        analysis.hover(&key, offset / 2).unwrap();
        analysis.symbols(&key).unwrap();
        analysis.definition(&key, end).unwrap();
        analysis.formatting(&key).unwrap();
        analysis.code_actions(&key, TextRange::empty(end)).unwrap();
    }
    assert_eq!(&*parse.text, text);
    let typed = Analysis::new(host.snapshot()).diagnostics(&key).unwrap();
    let mut fresh = Host::default();
    fresh.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    assert_eq!(typed, Analysis::new(fresh.snapshot()).diagnostics(&key).unwrap());
}

#[test]
fn a_server_follows_a_model_typed_character_by_character() {
    let text = shop();
    let mut client = Client::with(pulling(), &[]);
    let uri = "untitled:typed.dynamo";
    client.open(uri, "");
    let (mut line, mut column) = (0, 0);
    for (version, c) in (2..).zip(text.chars()) {
        let at = json!({ "line": line, "character": column });
        client.edit(uri, version, json!([{ "range": { "start": at, "end": at }, "text": c.to_string() }]));
        if c == '\n' {
            (line, column) = (line + 1, 0);
        } else {
            column += c.len_utf16();
        }
        // One of the four at each character, so that all follow all.
        let here = json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": column } });
        let document = json!({ "textDocument": { "uri": uri } });
        let options = json!({ "tabSize": 2, "insertSpaces": true });
        let (method, params) = match version % 4 {
            0 => ("textDocument/diagnostic", document),
            1 => ("textDocument/hover", here),
            2 => ("textDocument/documentSymbol", document),
            _ => ("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options })),
        };
        let id = client.request(method, params);
        let response = client.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
    }
    let typed = client.pulled(uri);
    let fresh = "untitled:fresh.dynamo";
    client.close(uri);
    client.open(fresh, &text);
    assert_eq!(typed, client.pulled(fresh));
    client.finish();
}
