//! Everything that can be asked, about places and files that there are not: an
//! answer comes, no request fails inside, and the server lives.

use crate::support::client::*;
use crate::support::protocol::{Asked, everything};
use keywright::server::methods;
use serde_json::{Value, json};

/// Errors that say something about the question: `InvalidParams`, and
/// `RequestFailed` with a reason.
const REFUSALS: [i64; 2] = [-32602, -32803];

const INTERNAL_ERROR: i64 = -32603;

/// Every request with parameters that it has an answer to.
fn questions(client: &mut Client, asked: &Asked) -> Vec<(&'static str, Value)> {
    let requests = methods::all().filter(|method| method.is_asked() && method.is_answered());
    let requests = requests.filter(|method| !["initialize", "shutdown"].contains(&method.name));
    requests.map(|method| (method.name, asked.question(client, method.name))).collect()
}

/// The same with every value changed that `change` changes.
fn changed(value: &Value, change: &impl Fn(&str, &Value) -> Option<Value>) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), change(name, value).unwrap_or_else(|| changed(value, change))))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(values) => values.iter().map(|value| changed(value, change)).collect(),
        _ => value.clone(),
    }
}

/// The question with every position in it moved to another, and every range
/// with it; `None` if it has none.
fn moved(question: &Value, start: &Value, end: &Value) -> Option<Value> {
    let result = changed(question, &|name, _| match name {
        "position" | "start" => Some(start.clone()),
        "end" => Some(end.clone()),
        "positions" => Some(json!([start, end, start])),
        _ => None,
    });
    (result != *question).then_some(result)
}

/// The question about another file.
fn about(question: &Value, uri: &str) -> Option<Value> {
    let result = changed(question, &|name, _| ["uri", "oldUri", "newUri"].contains(&name).then(|| json!(uri)));
    (result != *question).then_some(result)
}

/// Asks, and holds that an answer comes that is none of a fault inside.
#[track_caller]
fn answer(client: &mut Client, method: &str, question: &Value) -> Value {
    let id = client.request(method, question.clone());
    let mut response = client.response(id);
    if let Some(error) = response.get("error") {
        assert_ne!(error["code"], INTERNAL_ERROR, "{method}: {response} to {question}");
        let is_refusal = error["code"].as_i64().is_some_and(|code| REFUSALS.contains(&code));
        assert!(is_refusal, "{method}: {response} to {question}");
        assert!(error["message"].as_str().is_some_and(|text| text.len() > 10), "with a reason: {response}");
    }
    response["result"].take()
}

fn position(line: u32, character: u32) -> Value {
    json!({"line": line, "character": character})
}

/// Texts that have little room for positions.
const TEXTS: [&str; 7] =
    ["", "\n", "é🙂", "// 🙂\r\n", "entity", "entity E {\r\n  id: string @id // 🙂", "\u{FEFF}\u{0}"];

#[test]
fn positions_far_outside_are_answered() {
    let asked = Asked::default();
    let mut client = Client::with(everything(), &[&asked.folder.root()]);
    asked.open(&mut client);
    let questions = questions(&mut client, &asked);
    let small = "untitled:small";
    client.open(small, "");
    let far = [0, 1, 2, 5, 6, 500, u32::MAX - 1, u32::MAX];
    let places: Vec<Value> = far.iter().flat_map(|line| far.iter().map(|column| position(*line, *column))).collect();
    let mut count = 0;
    for (method, question) in &questions {
        for (number, start) in places.iter().enumerate() {
            // Every other range is inverted.
            let end = &places[(number * 7 + 3) % places.len()];
            let Some(question) = moved(question, start, end) else { continue };
            answer(&mut client, method, &question);
            count += 1;
        }
    }
    assert!(count > 1_000, "most questions are about places");
    for (version, text) in (2..).zip(TEXTS) {
        client.change(small, version, text);
        for (method, question) in &questions {
            for start in [&places[0], &places[3], &places[12], places.last().unwrap()] {
                let question = about(question, small).and_then(|question| moved(&question, start, &places[1]));
                let Some(question) = question else { continue };
                answer(&mut client, method, &question);
            }
        }
    }
    client.assert_alive_somehow();
    client.finish();
}

/// Whether an answer says that there is nothing.
fn says_nothing(answer: &Value) -> bool {
    match answer {
        Value::Null => true,
        Value::Array(values) => values.iter().all(says_nothing),
        Value::Object(fields) => {
            ["items", "data", "edits", "signatures"].iter().all(|name| fields.get(*name).is_none_or(says_nothing))
        }
        _ => false,
    }
}

/// Names of no model.
fn none(folder: &Folder) -> Vec<String> {
    vec![
        folder.uri("none.dynamo"),
        folder.uri("none/none.dynamo"),
        folder.root(),
        format!("{}/", folder.root()),
        folder.uri("keywright.toml"),
        folder.uri("notes.txt"),
        "untitled:never".to_owned(),
        "untitled:".to_owned(),
        "file:///".to_owned(),
        "file://".to_owned(),
        "file://host/share/x.dynamo".to_owned(),
        "file:///%00.dynamo".to_owned(),
        "file:///%ff%fe.dynamo".to_owned(),
        "file:///a/../../../b.dynamo".to_owned(),
        "http://example.com/x.dynamo?a#b".to_owned(),
        "git:/x.dynamo?%7B%22ref%22%3A%22HEAD%22%7D".to_owned(),
        "x:y".to_owned(),
        format!("file:///{}.dynamo", "long/".repeat(5_000)),
    ]
}

#[test]
fn files_that_are_none_have_nothing_to_say() {
    let asked = Asked::default();
    let folder = &asked.folder;
    folder.write("keywright.toml", "[levels]\ncost = \"info\"\n");
    folder.write("notes.txt", "entity User { id: string @id }\n");
    let mut client = Client::with(everything(), &[&folder.root()]);
    asked.open(&mut client);
    let questions = questions(&mut client, &asked);
    let none = none(folder);
    for uri in &none {
        for (method, question) in &questions {
            let Some(question) = about(question, uri) else { continue };
            let answer = answer(&mut client, method, &question);
            if method.starts_with("textDocument/") {
                assert!(says_nothing(&answer), "{method} of {uri:.100}: {answer}");
            }
        }
    }
    client.assert_alive_somehow();
    client.finish();
}

/// A file that was never opened is on disk all the same; one that is no model is
/// open all the same.
#[test]
fn files_that_are_not_open_and_those_that_are_no_models_are_answered() {
    let asked = Asked::default();
    let folder = &asked.folder;
    let mut client = Client::with(everything(), &[&folder.root()]);
    let closed = questions(&mut client, &asked);
    for (method, question) in &closed {
        answer(&mut client, method, question);
    }
    asked.open(&mut client);
    let questions = questions(&mut client, &asked);
    for (name, text) in
        [("keywright.toml", "[levels]\ncost = 1\n"), ("package.json", "{\"a\": [1, 2, {}]}"), ("x.rs", "fn main() {}")]
    {
        let uri = folder.uri(name);
        client.open(&uri, text);
        for (method, question) in &questions {
            let Some(question) = about(question, &uri) else { continue };
            answer(&mut client, method, &question);
            for start in [position(0, 3), position(9, 9)] {
                let Some(question) = moved(&question, &start, &start) else { continue };
                answer(&mut client, method, &question);
            }
        }
        client.close(&uri);
    }
    client.assert_alive_somehow();
    client.finish();
}

/// Results of a request that come back changed, or made by nobody, as an editor
/// keeps them over edits.
#[test]
fn what_is_resolved_may_be_gone() {
    let asked = Asked::default();
    let mut client = Client::with(everything(), &[&asked.folder.root()]);
    asked.open(&mut client);
    let questions = questions(&mut client, &asked);
    let resolving = |method: &str| method.ends_with("/resolve") || method.starts_with("callHierarchy/");
    let values = [
        Value::Null,
        json!(0),
        json!("x"),
        json!([]),
        json!({}),
        json!({"uri": asked.uri(), "kind": "x", "name": "Nobody", "subject": {}, "index": 99_999}),
    ];
    // The model is another by now.
    client.change(&asked.uri(), 2, "entity Other { id: string @id }\n");
    for (method, question) in questions.iter().filter(|(method, _)| resolving(method)) {
        answer(&mut client, method, question);
        for value in &values {
            let question = changed(question, &|name, _| (name == "data").then(|| value.clone()));
            answer(&mut client, method, &question);
        }
    }
    for (method, question) in questions.iter().filter(|(method, _)| *method == "workspace/executeCommand") {
        for value in &values {
            let changed = changed(question, &|name, _| (name == "arguments").then(|| json!([value])));
            answer(&mut client, method, &changed);
        }
        let unknown = changed(question, &|name, _| (name == "command").then(|| json!("keywright.none")));
        answer(&mut client, method, &unknown);
    }
    client.assert_alive_somehow();
    client.finish();
}

/// The same names opened, changed at places that there are not, saved, watched,
/// made folders of the workspace, and closed.
#[test]
fn what_is_told_of_them_ends_nothing() {
    let asked = Asked::default();
    let folder = &asked.folder;
    let mut client = Client::with(everything(), &[&folder.root()]);
    asked.open(&mut client);
    let far = [position(0, 0), position(0, u32::MAX), position(u32::MAX, 0), position(u32::MAX, u32::MAX)];
    for uri in none(folder) {
        client.open(&uri, "entity A { id: string @id }\n");
        for (version, start) in (2..).zip(&far) {
            let changes: Vec<Value> =
                far.iter().map(|end| json!({"range": {"start": start, "end": end}, "text": "🙂\r\n"})).collect();
            client.edit(&uri, version, json!(changes));
        }
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
        let events: Vec<Value> = [1, 2, 3, 99].iter().map(|kind| json!({"uri": uri, "type": kind})).collect();
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": events}));
        // A folder above everything is not one to search in a test.
        if !["file:///", "file://"].contains(&uri.as_str()) {
            let added = json!([{"uri": uri, "name": "x"}]);
            client.notify("workspace/didChangeWorkspaceFolders", json!({"event": {"added": added, "removed": []}}));
            client.notify("workspace/didChangeWorkspaceFolders", json!({"event": {"added": [], "removed": added}}));
        }
        client.close(&uri);
        // Once more is one time too many.
        client.close(&uri);
        client.change(&uri, 9, "entity B { id: string @id }\n");
        client.assert_alive_somehow();
    }
    assert!(
        client.pulled(&asked.uri()).iter().all(|finding| finding["code"] != "unknown-name"),
        "the model is as it was"
    );
    client.finish();
}
