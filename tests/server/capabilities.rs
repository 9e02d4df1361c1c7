//! What a client did not announce is not used, one capability at a time.

use crate::support::client::*;
use serde_json::{Value, json};

const MODEL: &str = "/// A thing.\nentity Thing {\n  id: string @id\n}\n\npattern P {\n  reads Thing\n}\n";

/// A client that can do everything but what `without` takes from it.
fn without(pointers: &[&str]) -> Client {
    Client::with(able_without(pointers), &[])
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

#[test]
fn a_client_that_can_do_nothing_is_served() {
    let mut client = Client::with(json!({}), &[]);
    let uri = "untitled:a";
    client.open(uri, &format!("{MODEL}pattern Q {{ reads Nobody }}\n"));
    let found = client.published_until(uri, "a finding", |found| !found.is_empty());
    for finding in &found {
        for unknown in ["relatedInformation", "codeDescription", "tags", "data"] {
            assert!(finding.get(unknown).is_none(), "{finding}");
        }
    }
    let hover = client.ask("textDocument/hover", at(uri, 1, 8))["contents"].take();
    assert_eq!(hover["kind"], "plaintext");
    let said = hover["value"].as_str().unwrap();
    assert!(!said.contains("```") && !said.contains("**") && !said.trim().is_empty(), "no marks: {said}");
    assert_eq!(client.ask("textDocument/documentSymbol", at(uri, 0, 0))[0]["location"]["uri"], uri);
    assert_eq!(client.ask("textDocument/definition", at(uri, 6, 9))[0]["uri"], uri);
    client.assert_alive_pushed();
    assert_eq!(client.seen("client/registerCapability"), 0);
    assert_eq!(client.seen("workspace/diagnostic/refresh"), 0);
    client.finish();
}

#[test]
fn hovers_are_markdown_where_the_client_shows_it() {
    let mut client = without(&[]);
    client.open("untitled:a", MODEL);
    let hover = client.ask("textDocument/hover", at("untitled:a", 1, 8));
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("A thing."), "{hover}");
    assert_eq!(hover["range"], json!({"start": {"line": 1, "character": 7}, "end": {"line": 1, "character": 12}}));
    assert_eq!(client.ask("textDocument/hover", at("untitled:a", 4, 0)), Value::Null);
    assert_eq!(client.ask("textDocument/hover", at("untitled:none", 0, 0)), Value::Null);
    client.finish();
}

#[test]
fn symbols_are_a_tree_or_a_list() {
    let mut client = without(&[]);
    client.open("untitled:a", MODEL);
    let tree = client.ask("textDocument/documentSymbol", at("untitled:a", 0, 0));
    assert_eq!((&tree[0]["name"], &tree[0]["kind"]), (&json!("Thing"), &json!(23)), "a struct");
    assert_eq!(tree[0]["children"][0]["name"], "id");
    assert_eq!(tree[0]["selectionRange"]["start"], json!({"line": 1, "character": 7}));
    client.finish();
    let mut client = without(&["/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"]);
    client.open("untitled:a", MODEL);
    let list = client.ask("textDocument/documentSymbol", at("untitled:a", 0, 0));
    let names: Vec<_> = list.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert!(names.starts_with(&["Thing", "id"]), "{names:?}");
    assert_eq!(list[1]["containerName"], "Thing");
    client.finish();
    let mut client = without(&["/textDocument/documentSymbol/symbolKind"]);
    client.open("untitled:a", MODEL);
    let tree = client.ask("textDocument/documentSymbol", at("untitled:a", 0, 0));
    assert_eq!(tree[0]["kind"], 5, "a class: the first version of the protocol has no struct");
    client.finish();
}

#[test]
fn definitions_are_links_or_places() {
    let mut client = without(&[]);
    client.open("untitled:a", MODEL);
    let links = client.ask("textDocument/definition", at("untitled:a", 6, 10));
    assert_eq!(links[0]["targetUri"], "untitled:a");
    assert_eq!(links[0]["targetSelectionRange"]["start"], json!({"line": 1, "character": 7}));
    client.finish();
    let mut client = without(&["/textDocument/definition/linkSupport"]);
    client.open("untitled:a", MODEL);
    let places = client.ask("textDocument/definition", at("untitled:a", 6, 10));
    assert_eq!((&places[0]["uri"], &places[0]["range"]["start"]["line"]), (&json!("untitled:a"), &json!(1)));
    client.finish();
}

#[test]
fn findings_hold_what_the_client_understands() {
    let twice = "entity A { id: string @id }\nentity A { id: string @id }\n";
    let find = |client: &mut Client| {
        client.open("untitled:a", twice);
        let found = client.published("untitled:a", None);
        found.into_iter().find(|finding| finding["code"] == "duplicate-name").expect("the finding")
    };
    let mut client = without(&[]);
    let finding = find(&mut client);
    assert_eq!(finding["codeDescription"]["href"], "keywright:rule/duplicate-name");
    assert_eq!(finding["source"], "keywright");
    assert_eq!(finding["relatedInformation"][0]["location"]["uri"], "untitled:a");
    client.finish();
    let mut client = without(&["/textDocument/publishDiagnostics/codeDescriptionSupport"]);
    assert!(find(&mut client).get("codeDescription").is_none());
    client.finish();
    let mut client = without(&["/textDocument/publishDiagnostics/relatedInformation"]);
    assert!(find(&mut client).get("relatedInformation").is_none());
    client.finish();
    let mut client = without(&["/textDocument/publishDiagnostics/versionSupport"]);
    client.open("untitled:a", twice);
    assert!(client.next("textDocument/publishDiagnostics")["params"].get("version").is_none());
    client.finish();
}

#[test]
fn findings_are_pulled_or_pushed() {
    let mut client = Client::start(&[]);
    let answer = client.initialize(pulling(), &[]);
    assert_eq!(answer["capabilities"]["diagnosticProvider"]["interFileDependencies"], true);
    client.finish();
    let mut client = Client::start(&[]);
    let answer = client.initialize(pushed(), &[]);
    assert!(answer["capabilities"].get("diagnosticProvider").is_none());
    client.finish();
}

#[test]
fn files_are_watched_only_where_that_can_be_asked_for() {
    let mut client = without(&["/workspace/didChangeWatchedFiles"]);
    client.open("untitled:a", "pattern P { reads Nobody }\n");
    client.published("untitled:a", Some(1));
    assert_eq!(client.seen("client/registerCapability"), 0);
    client.finish();
}

/// The fixes at the beginning of the model's unknown name.
fn fixes(client: &mut Client, only: Value) -> Value {
    client.open("untitled:a", "entity Thing { id: string @id }\npattern P { reads Thign }\n");
    let found = client.published("untitled:a", None);
    let unknown: Vec<_> = found.iter().filter(|finding| finding["code"] == "unknown-name").cloned().collect();
    let range = unknown[0]["range"].clone();
    let mut context = json!({"diagnostics": unknown});
    if !only.is_null() {
        context["only"] = only;
    }
    client.ask(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": "untitled:a"}, "range": range, "context": context}),
    )
}

#[test]
fn fixes_are_versioned_edits_where_the_client_has_them() {
    let mut client = without(&[]);
    let actions = fixes(&mut client, json!(["quickfix"]));
    let fix = &actions[0];
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["diagnostics"][0]["code"], "unknown-name");
    let change = &fix["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": "untitled:a", "version": 1}));
    assert_eq!(change["edits"][0]["newText"], "Thing");
    client.finish();
    let mut client = without(&["/workspace/workspaceEdit/documentChanges"]);
    let actions = fixes(&mut client, json!(["quickfix"]));
    assert_eq!(actions[0]["edit"]["changes"]["untitled:a"][0]["newText"], "Thing");
    assert!(actions[0]["edit"].get("documentChanges").is_none());
    client.finish();
    let mut client = without(&["/textDocument/codeAction/isPreferredSupport"]);
    let actions = fixes(&mut client, Value::Null);
    assert!(actions.as_array().unwrap().iter().all(|action| action.get("isPreferred").is_none()));
    client.finish();
    let mut client = without(&["/textDocument/codeAction/codeActionLiteralSupport"]);
    let actions = fixes(&mut client, Value::Null);
    assert!(actions.as_array().unwrap().iter().all(|action| action["command"].is_string()), "commands only: {actions}");
    client.finish();
}

#[test]
fn only_the_kinds_that_are_asked_for_are_given() {
    for (only, quick) in
        [(json!(["source"]), false), (json!(["quickfix"]), true), (json!(["refactor"]), false), (json!([]), false)]
    {
        let mut client = without(&[]);
        let actions = fixes(&mut client, only.clone());
        let is_quick = actions.as_array().unwrap().iter().any(|action| action["kind"] == "quickfix");
        assert_eq!(is_quick, quick, "{only}: {actions}");
        client.finish();
    }
}
