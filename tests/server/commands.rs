//! The commands of the server: what they take, what they return, and what they
//! refuse.

use crate::support::client::*;
use serde_json::{Value, json};
use std::process::Command;

const MODEL: &str = r#"application Notes { domain "notes" scale "few" region "us-east-1" }
entity Note {
  user_id: uuid @id @distinct(10k)
  note_id: ulid @id
  body:    string @size(avg 400B, max 20KB)
  count 1M
}
table Notes {
  partition key user_id because "People see their own notes only."
  sort key note_id
  item Note
}
pattern WriteNote { put Note into Notes rate avg 2/s, peak 20/s }
pattern LatestNotes { query Notes where user_id = :user_id descending limit 20 rate avg 10/s, peak 80/s latency 50ms }
"#;

fn run(client: &mut Client, command: &str, arguments: Value) -> Value {
    client.ask("workspace/executeCommand", json!({"command": command, "arguments": arguments}))
}

/// The message that a command is refused with.
fn refused(client: &mut Client, command: &str, arguments: Value) -> String {
    let id = client.request("workspace/executeCommand", json!({"command": command, "arguments": arguments}));
    let response = client.response(id);
    assert_eq!(response["error"]["code"], -32602, "{command} {arguments}: {response}");
    response["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn every_command_is_announced_and_answers() {
    let mut client = Client::start(&[]);
    let answer = client.initialize(json!({}), &[]);
    let commands = &answer["capabilities"]["executeCommandProvider"]["commands"];
    let expected = [
        "keywright.generateDocument",
        "keywright.explain",
        "keywright.showCost",
        "keywright.modelStatus",
        "keywright.restartAnalysis",
    ];
    assert_eq!(*commands, json!(expected));
    client.open("untitled:a", MODEL);
    for command in expected {
        let arguments = match command {
            "keywright.explain" => json!([{"name": "unknown-name"}]),
            "keywright.restartAnalysis" => json!([]),
            _ => json!([{"uri": "untitled:a", "kind": "requirement"}]),
        };
        run(&mut client, command, arguments);
    }
    client.finish();
}

#[test]
fn what_cannot_be_meant_is_refused_with_what_is_expected() {
    let mut client = Client::with(json!({}), &[]);
    for (command, arguments, words) in [
        ("keywright.nothing", json!([]), "there is no command keywright.nothing"),
        ("keywright.explain", json!([]), "expected one argument"),
        ("keywright.explain", json!([{"name": 7}]), "expected {\"name\""),
        ("keywright.explain", json!([{"name": "x"}, 1]), "expected one argument"),
        ("keywright.explain", json!([{"name": "unknwon-name"}]), "did you mean unknown-name"),
        ("keywright.explain", json!([{"name": ""}]), "nothing is called"),
        ("keywright.showCost", json!([{"url": "untitled:a"}]), "expected {\"uri\""),
        ("keywright.showCost", json!([{"uri": "untitled:none"}]), "untitled:none is no file of a model"),
        ("keywright.showCost", json!(["untitled:a"]), "expected {\"uri\""),
        ("keywright.modelStatus", json!([{"url": "untitled:a"}]), "expected {\"uri\""),
        ("keywright.modelStatus", json!([{"uri": "untitled:none"}]), "untitled:none is no file of a model"),
        (
            "keywright.generateDocument",
            json!([{"uri": "untitled:a", "kind": "poem"}]),
            "\"requirement\" or \"dataModel\"",
        ),
        ("keywright.generateDocument", json!([]), "expected one argument"),
        ("keywright.restartAnalysis", json!([1]), "expected no arguments"),
    ] {
        let told = refused(&mut client, command, arguments.clone());
        assert!(told.contains(words), "{command} {arguments}: {told}");
    }
    client.assert_alive_pushed();
    client.finish();
}

#[test]
fn a_page_is_explained_by_every_name_that_it_has() {
    let mut client = Client::with(json!({}), &[]);
    let page = |client: &mut Client, name: &str| run(client, "keywright.explain", json!([{"name": name}]));
    let rule = page(&mut client, "unknown-name");
    assert!(rule.as_str().unwrap().starts_with("# "), "{rule}");
    assert_eq!(page(&mut client, "keywright:rule/unknown-name"), rule, "as a finding's link has it");
    let printed = Command::new(env!("CARGO_BIN_EXE_keywright")).args(["explain", "gsi"]).output().unwrap();
    assert_eq!(page(&mut client, "gsi"), String::from_utf8(printed.stdout).unwrap(), "as the command line prints it");
    client.finish();
}

#[test]
fn the_cost_is_that_of_the_command_line_for_each_model() {
    let lib = "import \"lib.dynamo\"\n";
    let folder = Folder::new(&[("lib.dynamo", MODEL), ("one.dynamo", lib), ("two.dynamo", lib)]);
    let mut client = Client::with(json!({}), &[&folder.root()]);
    // 🙂: columns play no part, the text of the editor does.
    client.open(&folder.uri("one.dynamo"), &format!("// 🙂\n{lib}"));
    let cost = run(&mut client, "keywright.showCost", json!([{"uri": folder.uri("one.dynamo")}]));
    assert_eq!(cost["models"].as_array().unwrap().len(), 1);
    let model = &cost["models"][0];
    assert_eq!(model["root"], folder.uri("one.dynamo"));
    let path = folder.path("one.dynamo");
    let printed = Command::new(env!("CARGO_BIN_EXE_keywright"))
        .args(["cost", "--format", "json", path.to_str().unwrap()])
        .output()
        .unwrap();
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(model["cost"], printed);
    let page = model["markdown"].as_str().unwrap();
    assert!(page.starts_with("# `one.dynamo` in us-east-1: $"), "{page}");
    for line in [
        "## Patterns, the dearest first",
        "| `LatestNotes` |",
        "## Tables and indexes",
        "| `Notes` |",
        "## Hottest keys",
    ] {
        assert!(page.contains(line), "{line} in {page}");
    }
    // The shared file belongs to both.
    let both = run(&mut client, "keywright.showCost", json!([{"uri": folder.uri("lib.dynamo")}]));
    let mut roots: Vec<&str> =
        both["models"].as_array().unwrap().iter().map(|model| model["root"].as_str().unwrap()).collect();
    roots.sort_unstable();
    assert_eq!(roots, [folder.uri("one.dynamo"), folder.uri("two.dynamo")]);
    client.finish();
}

#[test]
fn the_status_is_that_of_all_files_of_each_model_and_follows_the_text() {
    let root = "import \"lib.dynamo\"\n";
    let folder = Folder::new(&[("lib.dynamo", MODEL), ("one.dynamo", root), ("two.dynamo", root)]);
    let mut client = Client::with(json!({}), &[&folder.root()]);
    let status = |client: &mut Client, file: &str| {
        run(client, "keywright.modelStatus", json!([{"uri": folder.uri(file)}]))["models"].clone()
    };
    let clean = json!({"errors": 0, "warnings": 0, "infos": 0, "hints": 0});
    client.open(&folder.uri("one.dynamo"), root);
    let models = status(&mut client, "one.dynamo");
    assert_eq!(models.as_array().unwrap().len(), 1, "{models}");
    assert_eq!(models[0]["root"], folder.uri("one.dynamo"));
    assert_eq!(models[0]["findings"], clean, "{models}");
    let cost = run(&mut client, "keywright.showCost", json!([{"uri": folder.uri("one.dynamo")}]));
    let total = cost["models"][0]["cost"]["total_monthly_usd"].as_f64().unwrap();
    assert_eq!(models[0]["monthly"], format!("${total:.2}/mo"), "{total}");
    // 🙂: a fault in another file of the model, which nobody has saved.
    client.open(&folder.uri("lib.dynamo"), &format!("// 🙂\n{}", MODEL.replace("where user_id", "where note_id")));
    let models = status(&mut client, "one.dynamo");
    assert!(models[0]["findings"]["errors"].as_u64().unwrap() > 0, "{models}");
    // A rate that nobody gave is no number.
    client.change(&folder.uri("lib.dynamo"), 2, &MODEL.replace(" rate avg 10/s, peak 80/s", ""));
    let models = status(&mut client, "lib.dynamo");
    let roots: Vec<&Value> = models.as_array().unwrap().iter().map(|model| &model["root"]).collect();
    assert_eq!(roots, [&json!(folder.uri("one.dynamo")), &json!(folder.uri("two.dynamo"))]);
    assert!(models[1]["monthly"].as_str().unwrap().starts_with("at least $"), "{models}");
    client.finish();
}

#[test]
fn a_cell_of_the_page_is_never_broken_by_a_name() {
    let mut client = Client::with(json!({}), &[]);
    client.open("untitled:a", "pattern `P|Q` { rate avg 1/s, peak 2/s }\ntable T { partition key pk item X { pk = \"A|{id}\" } }\nentity X { id: string @id count 5 }\n");
    let cost = run(&mut client, "keywright.showCost", json!([{"uri": "untitled:a"}]));
    let page = cost["models"][0]["markdown"].as_str().unwrap();
    assert!(page.contains("The model has "), "its errors are told: {page}");
    let mut columns = None;
    for line in page.lines() {
        if !line.starts_with('|') {
            columns = None;
            continue;
        }
        let bars = line.replace("\\|", "").matches('|').count();
        assert_eq!(*columns.get_or_insert(bars), bars, "{line}");
    }
    client.finish();
}

#[test]
fn a_restart_reads_everything_anew_and_tells_it_anew() {
    let folder = Folder::new(&[("lib.dynamo", "entity Known { id: string @id }\n"), ("keywright.toml", "[levels]\n")]);
    let text = "import \"lib.dynamo\"\npattern P { reads Known, Nobody }\n";
    let uri = folder.uri("a.dynamo");
    let mut capabilities = able();
    capabilities["textDocument"]["semanticTokens"] =
        json!({"requests": {"full": true}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]});
    capabilities["workspace"]["semanticTokens"] = json!({"refreshSupport": true});
    let mut client = Client::with(capabilities, &[&folder.root()]);
    client.open(&uri, text);
    let before = client.published_until(&uri, "a finding", |found| is_unknown(found, "Nobody"));
    // Nobody tells of this change.
    folder.write("lib.dynamo", "entity Known { id: string @id }\nentity Nobody { id: string @id }\n");
    folder.write("keywright.toml", "[levels]\nunsolved-pattern = \"off\"\n");
    run(&mut client, "keywright.restartAnalysis", json!([]));
    for refreshed in ["workspace/inlayHint/refresh", "workspace/codeLens/refresh", "workspace/semanticTokens/refresh"] {
        client.next(refreshed);
    }
    let after = client.published_until(&uri, "what is on disk", |found| !is_unknown(found, "Nobody"));
    assert!(rules(&before).contains(&"unsolved-pattern".to_owned()), "{before:#?}");
    assert!(!rules(&after).contains(&"unsolved-pattern".to_owned()), "{after:#?}");
    // The text of the editor and its version are as they were.
    client.change(&uri, 2, &text.replace("Nobody", "Somebody"));
    client.published_until(&uri, "the next edit", |found| is_unknown(found, "Somebody"));
    // Nothing has changed, and it is told all the same.
    run(&mut client, "keywright.restartAnalysis", json!([]));
    assert!(is_unknown(&client.published(&uri, Some(2)), "Somebody"));
    client.finish();
}
