//! What an editor does with texts, positions and edits.

use crate::support::client::*;
use serde_json::{Value, json};

/// The ways to count columns.
pub const ENCODINGS: [&str; 3] = ["utf-8", "utf-16", "utf-32"];

fn width(c: char, encoding: &str) -> usize {
    match encoding {
        "utf-8" => c.len_utf8(),
        "utf-16" => c.len_utf16(),
        _ => 1,
    }
}

/// The position of a byte, as a client counts that knows LF and CRLF.
pub fn position(text: &str, offset: usize, encoding: &str) -> Value {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column: usize = before[start..].chars().map(|c| width(c, encoding)).sum();
    json!({"line": before.matches('\n').count(), "character": column})
}

/// The byte of a position.
pub fn offset(text: &str, position: &Value, encoding: &str) -> usize {
    let number = |name: &str| usize::try_from(position[name].as_u64().expect("a number")).unwrap();
    let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
    let line = text[start..].split('\n').next().unwrap();
    let mut column = number("character");
    let mut at = start;
    for c in line.chars() {
        if column == 0 {
            break;
        }
        column = column.checked_sub(width(c, encoding)).expect("a position is between characters");
        at += c.len_utf8();
    }
    assert_eq!(column, 0, "a position is inside its line: {position}");
    at
}

/// The range of the first place of a word.
pub fn range(text: &str, word: &str, encoding: &str) -> Value {
    let start = text.find(word).unwrap_or_else(|| panic!("there is {word}"));
    json!({"start": position(text, start, encoding), "end": position(text, start + word.len(), encoding)})
}

/// A text with edits applied, as an editor applies them: all at once.
pub fn edited(text: &str, edits: &Value, encoding: &str) -> String {
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap_or_else(|| panic!("edits: {edits}"))
        .iter()
        .map(|edit| {
            let at = |name: &str| offset(text, &edit["range"][name], encoding);
            (at("start"), at("end"), edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_by_key(|edit| (edit.0, edit.1));
    let mut result = String::new();
    let mut done = 0;
    for (start, end, new) in edits {
        assert!(start >= done && end >= start, "edits do not overlap");
        result.push_str(&text[done..start]);
        result.push_str(new);
        done = end;
    }
    result + &text[done..]
}

/// The same client, counting columns in this way.
pub fn counting(mut capabilities: Value, encoding: &str) -> Value {
    capabilities["general"] = json!({"positionEncodings": [encoding]});
    capabilities
}

/// The parameters of a question about a place.
pub fn at(uri: &str, position: Value) -> Value {
    json!({"textDocument": {"uri": uri}, "position": position})
}

/// The text of a document as it is formatted.
pub fn formatted(client: &mut Client, uri: &str, text: &str) -> String {
    let options = json!({"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": true}});
    edited(text, &client.ask("textDocument/formatting", options), "utf-16")
}
