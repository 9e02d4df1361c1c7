//! What the server takes of a machine.

use crate::support::client::*;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const SHOP: &str = include_str!("../../../examples/shop.dynamo");

/// How long the server has computed, in hundredths of a second.
#[cfg(target_os = "linux")]
fn computed(client: &Client) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", client.child.id())).unwrap();
    // The name in parentheses may hold spaces.
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Waits until the server is at rest, and returns what it computes in the three
/// seconds after that.
#[cfg(target_os = "linux")]
fn computed_at_rest(client: &Client) -> u64 {
    let end = Instant::now() + PATIENCE;
    let mut before = computed(client);
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let now = computed(client);
        if now == before {
            break;
        }
        assert!(Instant::now() < end, "the server comes to no rest");
        before = now;
    }
    std::thread::sleep(Duration::from_secs(3));
    computed(client) - before
}

fn workspace() -> Folder {
    let folder = Folder::new(&[("shop.dynamo", SHOP), ("keywright.toml", "")]);
    for number in 0..50 {
        folder.write(&format!("lib/{number}.dynamo"), &SHOP.replace("OnlineShop", &format!("Shop{number}")));
    }
    folder
}

/// Of three seconds, one part in a hundred.
#[cfg(target_os = "linux")]
const NEXT_TO_NOTHING: u64 = 3;

#[cfg(target_os = "linux")]
#[test]
fn a_server_at_rest_does_nothing() {
    let folder = workspace();
    let mut client = Client::start(&[]);
    // With a client to look after, and files that were asked about.
    let params = json!({
        "processId": std::process::id(), "rootUri": null, "capabilities": able(),
        "workspaceFolders": [{"uri": folder.root(), "name": "folder"}]
    });
    client.ask("initialize", params);
    client.notify("initialized", json!({}));
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, SHOP);
    client.published(&uri, Some(1));
    let computed = computed_at_rest(&client);
    assert!(computed <= NEXT_TO_NOTHING, "{computed} hundredths of a second in three");
    client.finish();
}

/// A client that pulls keeps a question of the whole workspace open.
#[cfg(target_os = "linux")]
#[test]
fn a_client_that_waits_for_findings_costs_nothing() {
    let folder = workspace();
    let mut client = Client::with(crate::support::protocol::everything(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, SHOP);
    client.pulled(&uri);
    let report = client.ask("workspace/diagnostic", json!({"previousResultIds": []}));
    let known: Vec<Value> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| json!({"uri": item["uri"], "value": item["resultId"]}))
        .collect();
    assert!(known.len() > 50, "all models of the workspace: {report:#}");
    let held = client.request("workspace/diagnostic", json!({"previousResultIds": known}));
    let computed = computed_at_rest(&client);
    assert!(computed <= NEXT_TO_NOTHING, "{computed} hundredths of a second in three");
    // It still is of use.
    client.change(&uri, 2, "pattern P { reads Nobody }\n");
    let report = client.response(held);
    assert!(report["error"].is_null(), "{report}");
    assert!(report["result"].to_string().contains("Nobody"), "{report}");
    client.finish();
}

/// Ten thousand events, at once and one by one, as a checkout of another branch
/// brings them: the server answers, and computes a few times only.
#[test]
fn a_storm_of_the_watcher_is_weathered() {
    let folder = workspace();
    let uri = folder.uri("root.dynamo");
    let text = "import \"lib/0.dynamo\"\npattern P { reads User, Nobody }\n";
    let mut client = Client::with(pushed(), &[&folder.root()]);
    client.notify("$/setTrace", json!({"value": "messages"}));
    client.open(&uri, text);
    client.published_until(&uri, "its findings", |found| is_unknown(found, "Nobody") && !is_unknown(found, "User"));
    let event = |number: usize| json!({"uri": folder.uri(&format!("lib/{}.dynamo", number % 50)), "type": 2});
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 20}});
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": (0..10_000).map(event).collect::<Vec<_>>()}));
    client.ask("textDocument/hover", at.clone());
    let begin = Instant::now();
    for number in 0..2_000 {
        folder.write("lib/0.dynamo", &format!("entity User {{ id: string @id }} // {number}\n"));
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": [event(0), event(number)]}));
        if number % 500 == 0 {
            client.ask("textDocument/hover", at.clone());
        }
    }
    folder.write("lib/0.dynamo", "entity Nobody { id: string @id }\n");
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [event(0)]}));
    client.published_until(&uri, "those of the newest files", |found| {
        !is_unknown(found, "Nobody") && is_unknown(found, "User")
    });
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    client.assert_alive_pushed();
    let is_round =
        |message: &Value| message["params"]["message"].as_str().is_some_and(|text| text.starts_with("findings"));
    let rounds = client.unread(is_round).len();
    assert!((1..=100).contains(&rounds), "of {rounds} rounds of the analysis for more than 2,000 changes");
    client.finish();
}
