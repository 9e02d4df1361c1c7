//! What the server sends on its own account, as the table of methods
//! (`docs/lsp.md`) has it: everything that the client announced is used, and
//! nothing else.

use crate::support::client::*;
use crate::support::protocol::{everything, everything_without, is_met};
use keywright::server::methods::{self, Kind, Method, Needs, Sender};
use serde_json::{Value, json};
use std::time::Duration;

const NOTE: &str = "entity Note {\n  user_id: uuid @id\n  text: string @size(400B)\n  count 1k\n}\n";
const REST: &str = "import \"note.dynamo\"\napplication A { region \"us-east-1\" }\n\
    table Notes { partition key user_id item Note }\npattern Read {\n  get Note from Notes\n  rate 10/s\n}\n";

/// What the server may ask of a client, and whether this one announced that.
fn requests(capabilities: &Value) -> impl Iterator<Item = (&'static str, bool)> {
    let requests = methods::all().filter(|method| method.sender == Sender::Server && method.kind == Kind::Request);
    requests.map(|method: &Method| (method.name, method.is_answered() && is_met(method.needs, capabilities)))
}

/// A session in which everything is due that the server sends.
fn eventful(capabilities: &Value) -> (Folder, Client) {
    let folder = Folder::new(&[("note.dynamo", NOTE), ("a.dynamo", REST)]);
    let (a, note) = (folder.uri("a.dynamo"), folder.uri("note.dynamo"));
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW", "takes long")]);
    client.initialize(capabilities.clone(), &[&folder.root()]);
    client.notify("$/setTrace", json!({"value": "verbose"}));
    client.open(&a, REST);
    client.open(&note, NOTE);
    let document = json!({"textDocument": {"uri": a}});
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let hints = client.ask("textDocument/inlayHint", json!({"textDocument": {"uri": a}, "range": whole}));
    assert_ne!(hints, json!([]));
    let lenses = client.ask("textDocument/codeLens", document.clone());
    // What is not advertised to it a client does not ask.
    let may_ask =
        |name: &str| methods::all().any(|method: &Method| method.name == name && is_met(method.needs, capabilities));
    for lens in lenses.as_array().expect("there are lenses").iter().filter(|_| may_ask("codeLens/resolve")) {
        client.ask("codeLens/resolve", lens.clone());
    }
    for name in ["textDocument/semanticTokens/full", "textDocument/diagnostic"] {
        if may_ask(name) {
            client.ask(name, document.clone());
        }
    }
    // Names, numbers and findings of the one file are others by the other's.
    client.change(&note, 2, &NOTE.replace("entity Note", "entity Other"));
    let wanted = json!({"uri": a, "kind": "dataModel"});
    client.ask("workspace/executeCommand", json!({"command": "keywright.generateDocument", "arguments": [wanted]}));
    // What somebody wrote himself is asked about.
    folder.write("dynamodb_requirement.md", "# Ours\n");
    let wanted = json!({"uri": a, "kind": "requirement"});
    client.ask("workspace/executeCommand", json!({"command": "keywright.generateDocument", "arguments": [wanted]}));
    for (method, is_due) in requests(capabilities) {
        if is_due && method != "window/workDoneProgress/create" {
            client.next(method);
        }
    }
    client.change(&note, 3, &format!("// takes long\n{NOTE}"));
    if is_met(Needs::All(&["window.workDoneProgress"]), capabilities) {
        client.next("window/workDoneProgress/create");
        client.next("$/progress");
    } else {
        std::thread::sleep(Duration::from_secs(1));
    }
    client.change(&note, 4, NOTE);
    client.assert_alive_somehow();
    (folder, client)
}

/// Nothing was asked that the client cannot answer.
fn assert_not_asked_too_much(client: &Client, capabilities: &Value) {
    for (method, is_due) in requests(capabilities) {
        assert!(is_due || client.seen(method) == 0, "{method}");
    }
}

#[test]
fn a_client_that_can_do_everything_is_asked_for_all_of_it() {
    let (_folder, mut client) = eventful(&everything());
    assert_not_asked_too_much(&client, &everything());
    client.next("$/logTrace");
    client.close("untitled:never");
    client.wait("a word about what is not open", |message| {
        message["method"] == "window/logMessage" && message["params"]["message"].to_string().contains("never")
    });
    client.finish();
}

#[test]
fn a_client_that_can_do_nothing_is_asked_nothing() {
    let (folder, mut client) = eventful(&json!({}));
    assert_not_asked_too_much(&client, &json!({}));
    client.next("window/showMessage");
    client.published_until(&folder.uri("a.dynamo"), "findings", |found| !found.is_empty());
    client.finish();
}

/// Takes one capability from a client that has them all.
fn assert_does_without(way: &str) {
    let capabilities = everything_without(&[way]);
    let (_folder, client) = eventful(&capabilities);
    assert_not_asked_too_much(&client, &capabilities);
    client.finish();
}

#[test]
fn each_capability_is_done_without() {
    for (method, _) in requests(&json!({})) {
        let method = methods::all().find(|listed| listed.name == method).unwrap();
        match method.needs {
            Needs::Nothing | Needs::Any(_) => {}
            Needs::All(ways) => ways.iter().for_each(|way| assert_does_without(way)),
        }
    }
}
