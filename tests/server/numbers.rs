//! Inlay hints, code lenses and the settings that switch them, as a client asks
//! for them.

use crate::support::client::*;
use serde_json::{Value, json};

const ENTITY: &str = "entity Note {\n  user_id: uuid @id\n  text: string @size(400B)\n  count 1k\n}\n";
const REST: &str = "application A { region \"us-east-1\" }\ntable Notes { partition key user_id item Note }\n\
    pattern Read {\n  get Note from Notes\n  rate 10/s\n}\n";

fn hints_in(client: &mut Client, uri: &str, from: u32, to: u32) -> Vec<Value> {
    let range = json!({"start": {"line": from, "character": 0}, "end": {"line": to, "character": 0}});
    let hints = client.ask("textDocument/inlayHint", json!({"textDocument": {"uri": uri}, "range": range}));
    hints.as_array().unwrap_or_else(|| panic!("{hints}")).clone()
}

fn hints(client: &mut Client, uri: &str) -> Vec<Value> {
    hints_in(client, uri, 0, 1_000)
}

fn labels(hints: &[Value]) -> Vec<&str> {
    hints.iter().map(|hint| hint["label"].as_str().unwrap()).collect()
}

fn lenses(client: &mut Client, uri: &str) -> Vec<Value> {
    client.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}})).as_array().unwrap().clone()
}

fn resolved(client: &mut Client, lens: &Value) -> String {
    let lens = client.ask("codeLens/resolve", lens.clone());
    assert_eq!(lens["command"]["command"], "", "text, not something to run");
    lens["command"]["title"].as_str().unwrap().to_owned()
}

#[test]
fn hints_and_lenses_are_announced_with_what_the_client_resolves() {
    for (capabilities, resolves) in [(able(), true), (json!({}), false)] {
        let mut client = Client::start(&[]);
        let answer = client.initialize(capabilities, &[]);
        assert_eq!(answer["capabilities"]["inlayHintProvider"], json!({"resolveProvider": resolves}));
        assert_eq!(answer["capabilities"]["codeLensProvider"], json!({"resolveProvider": resolves}));
        client.finish();
    }
}

#[test]
fn hints_are_those_of_the_range() {
    let mut client = Client::with(able(), &[]);
    let uri = "untitled:a";
    client.open(uri, &format!("{ENTITY}{REST}"));
    let all = hints(&mut client, uri);
    assert_eq!(labels(&all), ["computed 447 B", "< 0.01 % of limit (computed)", "0.5 RU · $1.62/mo (computed)"]);
    assert_eq!(all[2]["position"], json!({"line": 8, "character": 21}), "behind the operation");
    assert_eq!(all[2]["paddingLeft"], true);
    assert_eq!(labels(&hints_in(&mut client, uri, 8, 9)), labels(&all[2..]));
    assert_eq!(labels(&hints_in(&mut client, uri, 1, 2)), Vec::<&str>::new());
    assert_eq!(
        client.ask(
            "textDocument/inlayHint",
            json!({"textDocument": {"uri": "untitled:other"},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}})
        ),
        Value::Null
    );
    client.finish();
}

#[test]
fn tooltips_come_when_they_are_asked_for_or_at_once() {
    let uri = "untitled:a";
    let text = format!("{ENTITY}{REST}");
    let mut client = Client::with(able(), &[]);
    client.open(uri, &text);
    let hint = hints(&mut client, uri)[2].clone();
    assert!(hint.get("tooltip").is_none());
    let full = client.ask("inlayHint/resolve", hint.clone());
    assert_eq!(full["tooltip"]["kind"], "markdown");
    let tooltip = full["tooltip"]["value"].clone();
    assert!(tooltip.as_str().unwrap().contains("447 B"), "{tooltip}");
    // Of a hint that is gone there is nothing to say, and no other is taken for it.
    client.change(uri, 2, &text.replace("rate 10/s", "rate 20/s"));
    assert!(client.ask("inlayHint/resolve", hint.clone()).get("tooltip").is_none());
    for data in [json!(null), json!({"uri": "untitled:other"}), json!("x")] {
        let mut foreign = hint.clone();
        foreign["data"] = data;
        assert!(client.ask("inlayHint/resolve", foreign).get("tooltip").is_none());
    }
    client.finish();
    let mut client = Client::with(json!({}), &[]);
    client.open(uri, &text);
    let hint = hints(&mut client, uri)[2].clone();
    let unmarked = tooltip.as_str().unwrap().replace('`', "");
    assert_eq!(hint["tooltip"], json!({"kind": "plaintext", "value": unmarked}));
    assert!(hint.get("data").is_none());
    client.finish();
}

#[test]
fn lenses_say_what_they_have_to_when_asked_or_at_once() {
    let uri = "untitled:a";
    let text = format!("{ENTITY}{REST}");
    let mut client = Client::with(able(), &[]);
    client.open(uri, &text);
    let all = lenses(&mut client, uri);
    assert_eq!(all.len(), 2, "{all:#?}");
    assert!(all.iter().all(|lens| lens.get("command").is_none()));
    assert_eq!(all[0]["range"], json!({"start": {"line": 0, "character": 7}, "end": {"line": 0, "character": 11}}));
    assert_eq!(resolved(&mut client, &all[0]), "in Notes · 1 pattern: Read");
    let table = resolved(&mut client, &all[1]);
    assert!(table.starts_with("1 pattern · $1.62/mo · hottest key {user_id}: < 0.01 % of limit"), "{table}");
    // What is gone by then has nothing to say.
    client.change(uri, 2, ENTITY);
    assert_eq!(resolved(&mut client, &all[1]), "");
    assert_eq!(client.ask("codeLens/resolve", json!({"range": all[0]["range"], "data": 7}))["data"], 7);
    client.finish();
    let mut client = Client::with(json!({}), &[]);
    client.open(uri, &text);
    let all = lenses(&mut client, uri);
    assert_eq!(all[1]["command"], json!({"title": table, "command": ""}));
    client.finish();
}

#[test]
fn positions_count_as_the_client_counts() {
    let uri = "untitled:a";
    let text = format!("{ENTITY}{REST}");
    let wide = text
        .replace("entity Note {", "entity Note { // 📚")
        .replace("table Notes { ", "table Notes { boundary \"é📚\" ")
        .replace('\n', "\r\n");
    let at = |encodings: Value| {
        let mut client = Client::with(json!({"general": {"positionEncodings": encodings}}), &[]);
        client.open(uri, &wide);
        let all = hints(&mut client, uri);
        client.finish();
        all.iter()
            .map(|hint| (hint["position"]["line"].clone(), hint["position"]["character"].clone()))
            .collect::<Vec<_>>()
    };
    let before = "table Notes { boundary \"é📚\" partition key user_id";
    let places = |column: usize| vec![(json!(0), json!(13)), (json!(6), json!(column)), (json!(8), json!(21))];
    assert_eq!(at(json!(["utf-16"])), places(before.encode_utf16().count()));
    assert_eq!(at(json!(["utf-8"])), places(before.len()));
}

#[test]
fn another_file_that_changes_a_number_has_the_client_ask_again() {
    let folder = Folder::new(&[("note.dynamo", ENTITY)]);
    let (a, note) = (folder.uri("a.dynamo"), folder.uri("note.dynamo"));
    let mut client = Client::with(able(), &[&folder.root()]);
    client.open(&a, &format!("import \"note.dynamo\"\n{REST}"));
    client.open(&note, ENTITY);
    let before = hints(&mut client, &a);
    assert_eq!(labels(&before)[1], "0.5 RU · $1.62/mo (computed)");
    let lens = lenses(&mut client, &a)[0].clone();
    let title = resolved(&mut client, &lens);
    // A comment changes no number, and nobody is disturbed.
    client.change(&note, 2, &format!("// A note.\n{ENTITY}"));
    client.published(&note, Some(2));
    client.published(&a, Some(1));
    client.change(&note, 3, &ENTITY.replace("400B", "9000B"));
    client.next("workspace/inlayHint/refresh");
    client.next("workspace/codeLens/refresh");
    assert_eq!((client.seen("workspace/inlayHint/refresh"), client.seen("workspace/codeLens/refresh")), (0, 0));
    assert_eq!(labels(&hints(&mut client, &a))[1], "1.5 RU · $4.86/mo (computed)");
    assert_ne!(resolved(&mut client, &lens), title);
    client.finish();
}

#[test]
fn a_client_that_cannot_be_told_is_not() {
    let folder = Folder::new(&[("note.dynamo", ENTITY)]);
    let (a, note) = (folder.uri("a.dynamo"), folder.uri("note.dynamo"));
    let unable = able_without(&["/workspace/inlayHint", "/workspace/codeLens"]);
    let mut client = Client::with(unable, &[&folder.root()]);
    client.open(&a, &format!("import \"note.dynamo\"\n{REST}"));
    client.open(&note, ENTITY);
    let before = hints(&mut client, &a);
    let lens = lenses(&mut client, &a)[0].clone();
    resolved(&mut client, &lens);
    client.change(&note, 2, &ENTITY.replace("400B", "9000B"));
    client.published(&note, Some(2));
    assert_ne!(labels(&hints(&mut client, &a)), labels(&before));
    assert_eq!((client.seen("workspace/inlayHint/refresh"), client.seen("workspace/codeLens/refresh")), (0, 0));
    client.finish();
}

#[test]
fn settings_come_with_initialize_and_change_while_it_runs() {
    let mut client = Client::start(&[]);
    let params = json!({"processId": null, "rootUri": null, "capabilities": able(),
        "initializationOptions": {"inlayHints": {"keys": false}, "codeLens": {"tables": "never"}}});
    client.ask("initialize", params);
    client.notify("initialized", json!({}));
    let first = client.next("window/logMessage");
    assert!(first["params"]["message"].as_str().unwrap().starts_with("keywright "), "a log begins with who: {first}");
    let told = client.next("window/logMessage");
    assert!(told["params"]["message"].as_str().unwrap().contains("`keywright.codeLens.tables`"), "{told}");
    let uri = "untitled:a";
    client.open(uri, &format!("{ENTITY}{REST}"));
    assert_eq!(hints(&mut client, uri).len(), 2, "no key");
    assert_eq!(lenses(&mut client, uri).len(), 2, "what cannot be meant is not used");
    let change = |client: &mut Client, settings: Value| {
        client.notify("workspace/didChangeConfiguration", json!({"settings": settings}));
    };
    change(&mut client, json!({"keywright": {"inlayHints": {"operations": false}, "codeLens": {"entities": false}}}));
    client.next("workspace/inlayHint/refresh");
    client.next("workspace/codeLens/refresh");
    assert_eq!(labels(&hints(&mut client, uri)), ["computed 447 B"]);
    assert_eq!(lenses(&mut client, uri).len(), 1, "the table");
    // What the configuration says no more is again as it was at the start.
    change(&mut client, json!({}));
    client.next("workspace/inlayHint/refresh");
    client.next("workspace/codeLens/refresh");
    assert_eq!(hints(&mut client, uri).len(), 2);
    // Nothing changes: nobody is asked to look again.
    change(&mut client, json!({"other": {"inlayHints": 1}}));
    change(&mut client, Value::Null);
    assert_eq!(hints(&mut client, uri).len(), 2);
    assert_eq!(client.seen("workspace/inlayHint/refresh"), 0);
    client.finish();
}

#[test]
fn a_client_that_can_be_asked_is() {
    let mut capabilities = able();
    capabilities["workspace"]["configuration"] = json!(true);
    capabilities["workspace"]["didChangeConfiguration"] = json!({"dynamicRegistration": true});
    let mut client = Client::start(&[]);
    client.answers = false;
    client.initialize(capabilities, &[]);
    let asked = client.next("workspace/configuration");
    assert_eq!(asked["params"]["items"], json!([{"section": "keywright"}]));
    let registered = client.wait("a registration", |message| {
        message["params"]["registrations"][0]["method"] == "workspace/didChangeConfiguration"
    });
    assert_eq!(registered["params"]["registrations"][0]["registerOptions"], json!({"section": "keywright"}));
    client.send(
        &json!({"jsonrpc": "2.0", "id": asked["id"], "result": [{"inlayHints": {"sizes": false, "keys": false}}]}),
    );
    client.next("workspace/inlayHint/refresh");
    let uri = "untitled:a";
    client.open(uri, &format!("{ENTITY}{REST}"));
    assert_eq!(hints(&mut client, uri).len(), 1);
    // It has changed, and changes again before the first answer: the newest counts.
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    let first = client.next("workspace/configuration");
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    let second = client.next("workspace/configuration");
    client.send(&json!({"jsonrpc": "2.0", "id": second["id"], "result": [{"inlayHints": {"sizes": false}}]}));
    client.next("workspace/inlayHint/refresh");
    client.send(&json!({"jsonrpc": "2.0", "id": first["id"], "result": [{"inlayHints": {"operations": false}}]}));
    assert_eq!(hints(&mut client, uri).len(), 2);
    // Nothing is set there: then what came with the notification holds.
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"keywright": {"inlayHints": {"keys": false}}}}),
    );
    let asked = client.next("workspace/configuration");
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": [null]}));
    client.next("workspace/inlayHint/refresh");
    assert_eq!(hints(&mut client, uri).len(), 2);
    assert_eq!(labels(&hints(&mut client, uri))[0], "computed 447 B");
    client.finish();
}

#[test]
fn half_typed_text_is_answered() {
    let mut client = Client::with(able(), &[]);
    let uri = "untitled:a";
    let text = format!("{ENTITY}{REST}");
    client.open(uri, "");
    for (version, cut) in (0..text.len()).step_by(7).enumerate() {
        client.change(uri, version as i64 + 2, &text[..cut]);
        let lines = text[..cut].lines().map(str::len).collect::<Vec<_>>();
        for hint in hints(&mut client, uri) {
            let (line, column) =
                (hint["position"]["line"].as_u64().unwrap(), hint["position"]["character"].as_u64().unwrap());
            assert!(column > 0 && column as usize <= lines[line as usize], "{hint} in\n{}", &text[..cut]);
        }
        lenses(&mut client, uri);
    }
    client.finish();
}
