//! Manners: progress, cancellation, what is logged and traced, and nothing that
//! the client did not announce.

use crate::support::client::*;
use crate::support::protocol::everything;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A client that shows progress.
fn watching(more: Value) -> Value {
    let mut capabilities = json!({"window": {"workDoneProgress": true}});
    capabilities.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    capabilities
}

fn at(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}})
}

#[test]
fn the_log_begins_with_who_works_for_whom_and_where() {
    let folder = Folder::new(&[]);
    let mut client = Client::start(&[]);
    let info = json!({"clientInfo": {"name": "Some Editor 🙂", "version": "1.2"}});
    let answer = client.initialize_with(able(), &[&folder.root()], info);
    assert_eq!(answer["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    let folder = folder.path("").to_str().unwrap().trim_end_matches('/').to_owned();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(client.first_words, format!("keywright {version} for Some Editor 🙂 1.2; columns in UTF-8; {folder}"));
    client.finish();
    let client = Client::with(json!({}), &[]);
    let expected = format!("keywright {version} for a client without a name; columns in UTF-16; no workspace folder");
    assert_eq!(client.first_words, expected);
    client.finish();
}

#[test]
fn nothing_is_logged_without_a_reason() {
    let folder = Folder::new(&[("a.dynamo", "pattern P { reads Nobody }\n")]);
    let mut client = Client::with(able(), &[&folder.root()]);
    let uri = folder.uri("a.dynamo");
    client.open(&uri, "pattern P { reads Nobody }\n");
    for version in 2..20 {
        client.change(&uri, version, &format!("pattern P {{ reads Nobody{version} }}\n"));
        client.ask("textDocument/hover", at(&uri));
    }
    client.close(&uri);
    client.assert_alive_pushed();
    assert_eq!(client.seen("window/logMessage") + client.seen("window/showMessage") + client.seen("$/logTrace"), 0);
    client.finish();
}

#[test]
fn a_trace_tells_what_is_asked_for_and_no_more() {
    let mut client = Client::start(&[]);
    client.initialize_with(pushed(), &[], json!({"trace": "messages"}));
    client.open("untitled:a", "pattern P { reads Nobody }\n");
    client.published("untitled:a", Some(1));
    client.ask("textDocument/hover", at("untitled:a"));
    let traced = client.wait("a trace of the hover", |message| {
        message["method"] == "$/logTrace"
            && message["params"]["message"].as_str().unwrap().starts_with("textDocument/hover")
    });
    let text = traced["params"]["message"].as_str().unwrap();
    assert!(text.contains("answered after") && text.ends_with("ms"), "{text}");
    assert!(traced["params"].get("verbose").is_none(), "{traced}");
    let round = |client: &mut Client| {
        client.wait("a trace of findings", |message| {
            message["method"] == "$/logTrace"
                && message["params"]["message"].as_str().unwrap().starts_with("findings of 1 file computed in")
        })
    };
    round(&mut client);

    client.notify("$/setTrace", json!({"value": "verbose"}));
    client.change("untitled:a", 2, "pattern P { reads Somebody }\n");
    client.published("untitled:a", Some(2));
    let traced = round(&mut client);
    let verbose = traced["params"]["verbose"].as_str().unwrap();
    assert!(verbose.contains("computed anew") && verbose.contains("lowered: "), "{verbose}");

    client.notify("$/setTrace", json!({"value": "off"}));
    client.ask("textDocument/hover", at("untitled:a"));
    let before = client.seen("$/logTrace");
    client.change("untitled:a", 3, "pattern P { reads Everybody }\n");
    client.published("untitled:a", Some(3));
    client.ask("textDocument/hover", at("untitled:a"));
    client.notify("$/setTrace", json!({"value": "loud"}));
    client.assert_alive_pushed();
    assert_eq!(client.seen("$/logTrace"), before);
    client.finish();
}

#[test]
fn a_request_that_is_cancelled_or_refused_is_traced_as_such() {
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW", "slowly")]);
    client.initialize_with(pulling(), &[], json!({"trace": "verbose"}));
    client.open("untitled:slow", "// slowly\n");
    let id = client.request("textDocument/hover", at("untitled:slow"));
    client.notify("$/cancelRequest", json!({"id": id}));
    client.response(id);
    let id = client.request("workspace/executeCommand", json!({"command": "none"}));
    client.response(id);
    let mut told = String::new();
    while !told.contains("executeCommand") {
        let message = client.next("$/logTrace");
        told += &format!("{} {}\n", message["params"]["message"], message["params"]["verbose"]);
    }
    assert!(told.contains("cancelled after"), "{told}");
    assert!(told.contains("refused after") && told.contains("there is no command none"), "{told}");
    client.change("untitled:slow", 2, "");
    client.finish();
}

/// Reads until progress of this token ends; returns its kinds.
fn progress(client: &mut Client, token: &Value) -> Vec<String> {
    let mut kinds = Vec::new();
    while kinds.last().map(String::as_str) != Some("end") {
        let message = client
            .wait("progress", |message| message["method"] == "$/progress" && message["params"]["token"] == *token);
        kinds.push(message["params"]["value"]["kind"].as_str().unwrap().to_owned());
    }
    kinds
}

#[test]
fn a_request_that_takes_long_shows_its_progress_under_the_token_of_the_client() {
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW_QUESTIONS", "untitled:slow")]);
    client.initialize(watching(pulling()), &[]);
    client.open("untitled:swift", "pattern P { reads Nobody }\n");
    for token in [json!("swift"), json!(7)] {
        let mut params = at("untitled:swift");
        params["workDoneToken"] = token;
        client.ask("textDocument/hover", params);
    }
    client.open("untitled:slow", "// é🙂 slowly\n");
    let mut params = at("untitled:slow");
    params["workDoneToken"] = json!(8);
    let begun = Instant::now();
    let id = client.request("textDocument/hover", params);
    let first = client.next("$/progress");
    assert!(begun.elapsed() >= Duration::from_millis(450), "what is done soon shows nothing");
    assert_eq!((&first["params"]["token"], &first["params"]["value"]["kind"]), (&json!(8), &json!("begin")));
    assert!(!first["params"]["value"]["title"].as_str().unwrap().is_empty());
    client.notify("$/cancelRequest", json!({"id": id}));
    let next = client.wait("the end", |message| message["method"] == "$/progress" || message["id"] == id);
    assert_eq!(next["params"]["value"]["kind"], "end", "the end comes before the answer: {next}");
    assert_eq!(client.response(id)["error"]["code"], -32800);
    assert_eq!(client.seen("$/progress"), 0, "the swift ones showed nothing");
    client.finish();
}

#[test]
fn progress_is_announced_to_those_who_show_it() {
    let mut client = Client::start(&[]);
    let mut capabilities = able();
    capabilities["window"] = json!({"workDoneProgress": true});
    capabilities["textDocument"]["diagnostic"] = json!({});
    let answer = client.initialize(capabilities.clone(), &[]);
    for provider in ["hoverProvider", "codeActionProvider", "executeCommandProvider", "diagnosticProvider"] {
        assert_eq!(answer["capabilities"][provider]["workDoneProgress"], true, "{provider}: {answer}");
    }
    assert_eq!(answer["capabilities"]["diagnosticProvider"]["interFileDependencies"], true, "the rest stays");
    client.finish();
    capabilities["window"]["workDoneProgress"] = json!(false);
    let mut client = Client::start(&[]);
    let answer = client.initialize(capabilities, &[]);
    assert!(!answer.to_string().contains("workDoneProgress"), "{answer}");
    client.finish();
}

#[test]
fn a_check_that_takes_long_shows_its_progress_and_ends_it_when_an_edit_does() {
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW", "slowly")]);
    client.initialize(watching(pushed()), &[]);
    client.open("untitled:swift", "pattern P { reads Nobody }\n");
    client.published("untitled:swift", Some(1));
    client.open("untitled:slow", "// slowly\n");
    let create = client.next("window/workDoneProgress/create");
    let token = create["params"]["token"].clone();
    let begin = client.next("$/progress");
    let value = &begin["params"]["value"];
    assert_eq!((&begin["params"]["token"], &value["kind"]), (&token, &json!("begin")));
    assert_eq!((&value["title"], &value["cancellable"]), (&json!("Checking models"), &json!(false)));
    assert!(value["percentage"].is_u64(), "{value}");
    client.change("untitled:slow", 2, "pattern P { reads Swift }\n");
    assert_eq!(progress(&mut client, &token).last().unwrap(), "end");
    client.published("untitled:slow", Some(2));
    client.finish();

    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW", "slowly")]);
    client.initialize(pushed(), &[]);
    client.open("untitled:slow", "// slowly\n");
    std::thread::sleep(Duration::from_millis(700));
    client.ask("textDocument/documentSymbol", at("untitled:swift"));
    client.change("untitled:slow", 2, "");
    client.published("untitled:slow", Some(2));
    assert_eq!(client.seen("window/workDoneProgress/create") + client.seen("$/progress"), 0);
    client.finish();
}

#[test]
fn the_reading_of_a_workspace_shows_its_progress_and_can_be_ended() {
    let folder = Folder::new(&[]);
    for number in 0..200 {
        folder.write(&format!("{number:03}.dynamo"), "pattern P { reads Nobody }\n");
    }
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW_DISK", "20")]);
    client.initialize(watching(pulling()), &[&folder.root()]);
    let waiting = client.request("workspace/diagnostic", json!({"previousResultIds": []}));
    let token = client.next("window/workDoneProgress/create")["params"]["token"].clone();
    let begin = client.next("$/progress");
    assert_eq!(begin["params"]["value"]["title"], "Reading models");
    assert_eq!(begin["params"]["value"]["cancellable"], true);
    let report = client.next("$/progress");
    assert_eq!(report["params"]["value"]["kind"], "report");
    assert!(report["params"]["value"]["message"].as_str().unwrap().ends_with("of 200 files"), "{report}");
    client.notify("window/workDoneProgress/cancel", json!({"token": "nonsense"}));
    client.notify("window/workDoneProgress/cancel", json!({"token": token}));
    assert_eq!(progress(&mut client, &token).last().unwrap(), "end");
    let told = client.next("window/logMessage");
    assert!(told["params"]["message"].as_str().unwrap().contains("was ended; some models may be missing"), "{told}");
    let report = client.response(waiting)["result"].take();
    let read = report["items"].as_array().unwrap().len();
    assert!(read > 0 && read < 200, "what was read is there: {read}");
    client.assert_alive();
    client.finish();
}

#[test]
fn what_a_watcher_tells_of_is_read_between_questions_and_shows_its_progress() {
    let folder = Folder::new(&[]);
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW_DISK", "20")]);
    client.initialize(watching(pulling()), &[&folder.root()]);
    for number in 0..100 {
        folder.write(&format!("{number:03}.dynamo"), "pattern P { reads Nobody }\n");
    }
    let events: Vec<Value> =
        (0..100).map(|number| json!({"uri": folder.uri(&format!("{number:03}.dynamo")), "type": 1})).collect();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": events}));
    let waiting = client.request("workspace/diagnostic", json!({"previousResultIds": []}));
    let begun = Instant::now();
    client.ask("textDocument/hover", at("untitled:none"));
    assert!(begun.elapsed() < Duration::from_millis(1_500), "two seconds are read; nobody waits for the end");
    let token = client.next("window/workDoneProgress/create")["params"]["token"].clone();
    assert_eq!(progress(&mut client, &token).first().unwrap(), "begin");
    let report = client.response(waiting)["result"].take();
    assert_eq!(report["items"].as_array().unwrap().len(), 100);
    client.finish();
}

/// The methods that handlers answer, as the first line of each says.
fn methods() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/handlers");
    let mut methods = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        if text.contains("-> impl Future") {
            let first = text.lines().next().unwrap();
            methods.push(first.split('`').nth(1).unwrap_or_else(|| panic!("no method in {first}")).to_owned());
        }
    }
    methods.sort();
    methods
}

/// What cannot be read is told, and once, however often it is looked at: somebody
/// wonders why a model is not there.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_in_a_folder_is_logged_once() {
    let folder = Folder::new(&[("a.dynamo", "entity A { id: string @id }\n")]);
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, folder.path(name)).unwrap();
    link("nowhere.dynamo", "lost.dynamo");
    // It is a plain file to who looks, and cannot be read by anybody from its beginning.
    link("/proc/self/mem", "broken.dynamo");
    let mut client = Client::with(pushed(), &[&folder.root()]);
    let mut told = Vec::new();
    while told.len() < 2 {
        told.push(client.next("window/logMessage")["params"]["message"].as_str().unwrap().to_owned());
    }
    told.sort();
    assert!(told[0].contains("broken.dynamo is passed over: "), "{told:?}");
    assert!(told[1].contains("lost.dynamo is passed over: it is a link that leads nowhere"), "{told:?}");
    let event = |name: &str| json!({"uri": folder.uri(name), "type": 2});
    for _ in 0..3 {
        let changes = json!({"changes": [event("broken.dynamo"), event("lost.dynamo")]});
        client.notify("workspace/didChangeWatchedFiles", changes);
    }
    client.open("untitled:a", "pattern P { reads Nobody }\n");
    client.published_until("untitled:a", "a finding", |found| !found.is_empty());
    assert_eq!(client.seen("window/logMessage"), 0);
    client.finish();
}

#[test]
fn every_request_can_be_cancelled() {
    let folder = Folder::new(&[("slow.dynamo", "entity Thing { id: string @id }\npattern P { reads Thign }\n")]);
    let uri = folder.uri("slow.dynamo");
    let variables = [("KEYWRIGHT_TEST_SLOW_QUESTIONS", "slow.dynamo"), ("KEYWRIGHT_TEST_SLOW", "Thign")];
    let mut client = Client::start(&variables);
    client.initialize(everything(), &[&folder.root()]);
    client.open(&uri, "entity Thing { id: string @id }\npattern P { reads Thign }\n");
    let place = json!({"line": 1, "character": 20});
    let range = json!({"start": place, "end": place});
    // What all methods together want; each takes what it knows.
    let mut params = json!({
        "textDocument": {"uri": uri}, "position": place, "positions": [place], "range": range,
        "context": {"diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false}, "previousResultIds": [], "previousResultId": "1",
        "newName": "Other", "query": "Thing", "ch": "}", "options": {"tabSize": 2, "insertSpaces": true},
        "files": [{"oldUri": uri, "newUri": folder.uri("new.dynamo")}],
        "arguments": [{"uri": uri}],
        "item": {"name": "P", "kind": 12, "uri": uri, "range": range, "selectionRange": range},
        "label": "Thing"
    });
    let methods = methods();
    assert!(methods.len() >= 30 && methods.contains(&"textDocument/hover".to_owned()), "{methods:?}");
    for method in &methods {
        params["title"] = json!("x");
        params["command"] =
            if method == "workspace/executeCommand" { json!("keywright.showCost") } else { Value::Null };
        params["data"] = match method.as_str() {
            "codeAction/resolve" => json!({"uri": uri, "kind": "requirement"}),
            "codeLens/resolve" => json!({"uri": uri, "subject": {"entity": "Thing"}}),
            _ => json!({"uri": uri}),
        };
        let id = client.request(method, params.clone());
        client.notify("$/cancelRequest", json!({"id": id}));
        let response = client.response(id);
        // What is resolved may hold nothing that anybody has to be asked about.
        let is_complete = method == "completionItem/resolve" && response.get("result").is_some();
        assert!(is_complete || response["error"]["code"] == -32800, "{method}: {response}");
    }
    client.finish();
}

#[test]
fn capabilities_are_registered_one_by_one_where_that_was_announced() {
    for (pointer, method) in [
        ("/workspace/didChangeWatchedFiles", "workspace/didChangeWatchedFiles"),
        ("/workspace/didChangeConfiguration", "workspace/didChangeConfiguration"),
    ] {
        let mut capabilities = json!({"workspace": {
            "didChangeWatchedFiles": {"dynamicRegistration": true},
            "didChangeConfiguration": {"dynamicRegistration": true}
        }});
        *capabilities.pointer_mut(pointer).unwrap() = json!({"dynamicRegistration": false});
        let mut client = Client::with(capabilities, &[]);
        let registered = client.next("client/registerCapability");
        let registrations = registered["params"]["registrations"].as_array().unwrap();
        assert!(registrations.iter().all(|registration| registration["method"] != method), "{registered}");
        client.assert_alive_pushed();
        assert_eq!(client.seen("client/registerCapability"), 0, "not {method}");
        client.finish();
    }
}
