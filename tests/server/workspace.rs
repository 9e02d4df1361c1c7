//! Models over several files and folders: findings of files that nobody has
//! opened, shared files, folders of every kind, and what must not be changed.

use crate::support::client::*;
use serde_json::{Value, json};

const ROOT: &str = "import \"lib.dynamo\"\npattern P { reads Known }\n";
const LIB: &str = "entity Known { id: string @id }\npattern Q { reads Nobody }\n";

/// A client that pulls, and whose server can have it pull again.
fn pulling_again() -> Value {
    json!({"textDocument": {"diagnostic": {"relatedDocumentSupport": true}},
        "workspace": {"diagnostics": {"refreshSupport": true}}})
}

fn event(uri: &str, kind: u8) -> Value {
    json!({"changes": [{"uri": uri, "type": kind}]})
}

/// What a client knows by a report of the workspace: `previousResultIds`.
fn known(report: &Value, before: Value) -> Value {
    let mut ids: Vec<Value> = before.as_array().unwrap().clone();
    for item in report["items"].as_array().unwrap() {
        ids.retain(|id| id["uri"] != item["uri"]);
        if let Some(id) = item["resultId"].as_str() {
            ids.push(json!({"uri": item["uri"], "value": id}));
        }
    }
    json!(ids)
}

fn workspace(client: &mut Client, known: &Value) -> i64 {
    client.request("workspace/diagnostic", json!({"previousResultIds": known}))
}

fn of<'r>(report: &'r Value, uri: &str) -> Option<&'r Value> {
    let mut items = report["items"].as_array().unwrap().iter().filter(|item| item["uri"] == uri);
    let found = items.next();
    assert!(items.next().is_none(), "{uri} is reported once: {report}");
    found
}

/// Proves that a request is not answered: a later one is, more than once.
fn assert_held(client: &mut Client, id: i64) {
    for _ in 0..3 {
        let nowhere = json!({"textDocument": {"uri": "untitled:none"}, "position": {"line": 0, "character": 0}});
        client.ask("textDocument/hover", nowhere);
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(!client.has_answered(id), "it is held");
}

#[test]
fn the_workspace_is_reported_open_or_not() {
    let folder = Folder::new(&[
        ("root.dynamo", ROOT),
        ("lib.dynamo", LIB),
        ("sub/other.dynamo", "pattern O { reads Nobody }\n"),
        ("clean.dynamo", "// 🙂\n"),
    ]);
    let mut client = Client::start(&[]);
    let answer = client.initialize(pulling(), &[&folder.root()]);
    assert_eq!(answer["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"], true);
    let (root, other) = (folder.uri("root.dynamo"), folder.uri("sub/other.dynamo"));
    client.open(&root, "pattern P { reads Somebody }\n");
    let id = workspace(&mut client, &json!([]));
    let report = client.response(id)["result"].take();
    let items = |uri: &str| of(&report, uri).map(|item| (item["kind"].clone(), item["version"].clone()));
    assert_eq!(items(&root), Some((json!("full"), json!(1))), "open: the text of the editor, with its version");
    assert!(messages(of(&report, &root).unwrap()["items"].as_array().unwrap()).contains("Somebody"));
    assert_eq!(items(&other), Some((json!("full"), Value::Null)), "closed");
    assert!(messages(of(&report, &other).unwrap()["items"].as_array().unwrap()).contains("Nobody"));
    assert_eq!(items(&folder.uri("sub/none.dynamo")), None);
    client.finish();
}

#[test]
fn what_lies_beside_a_document_from_outside_is_not_reported() {
    let workspace_folder = Folder::new(&[("own.dynamo", "import \"closed.dynamo\"\n")]);
    let elsewhere = Folder::new(&[
        ("opened.dynamo", "pattern O { reads Nobody }\n"),
        ("importer.dynamo", "import \"opened.dynamo\"\npattern I { reads Nobody }\n"),
        ("beside.dynamo", "pattern B { reads Nobody }\n"),
    ]);
    let mut client = Client::with(pulling(), &[&workspace_folder.root()]);
    let opened = elsewhere.uri("opened.dynamo");
    client.open(&opened, "pattern O { reads Nobody }\n");
    let mut ids = json!([]);
    let is_known = |ids: &Value, uri: &str| ids.as_array().unwrap().iter().any(|id| id["uri"] == *uri);
    // The model of an open file is found by the same search as what lies beside it.
    while !is_known(&ids, &elsewhere.uri("importer.dynamo")) {
        let id = workspace(&mut client, &ids);
        ids = known(&client.response(id)["result"].take(), ids);
    }
    assert!(is_known(&ids, &opened) && is_known(&ids, &workspace_folder.uri("own.dynamo")), "{ids}");
    assert!(!is_known(&ids, &elsewhere.uri("beside.dynamo")), "{ids}");
    // Nor is what was of the model of an open file, when that is closed.
    let id = workspace(&mut client, &ids);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": opened}}));
    let report = client.response(id)["result"].take();
    assert_eq!(of(&report, &elsewhere.uri("importer.dynamo")).unwrap()["items"], json!([]), "{report}");
    client.finish();
}

#[test]
fn what_is_known_is_unchanged_and_a_request_without_news_is_held() {
    let folder = Folder::new(&[("root.dynamo", ROOT), ("lib.dynamo", LIB)]);
    let (root, lib) = (folder.uri("root.dynamo"), folder.uri("lib.dynamo"));
    let mut client = Client::with(pulling(), &[&folder.root()]);
    let id = workspace(&mut client, &json!([]));
    let report = client.response(id)["result"].take();
    assert!(messages(of(&report, &lib).unwrap()["items"].as_array().unwrap()).contains("Nobody"));
    let ids = known(&report, json!([]));
    let id = workspace(&mut client, &ids);
    assert_held(&mut client, id);
    folder.write("root.dynamo", &format!("{ROOT}pattern R {{ reads Somebody }}\n"));
    client.notify("workspace/didChangeWatchedFiles", event(&root, 2));
    let report = client.response(id)["result"].take();
    assert_eq!(of(&report, &root).unwrap()["kind"], "full", "{report}");
    assert!(messages(of(&report, &root).unwrap()["items"].as_array().unwrap()).contains("Somebody"));
    assert_eq!(of(&report, &lib).unwrap()["kind"], "unchanged", "{report}");
    let ids = known(&report, ids);
    let id = workspace(&mut client, &ids);
    std::fs::remove_file(folder.path("lib.dynamo")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", event(&lib, 3));
    let report = client.response(id)["result"].take();
    assert_eq!(of(&report, &lib).unwrap()["items"], json!([]), "what is gone has no findings: {report}");
    assert!(of(&report, &lib).unwrap().get("resultId").is_none());
    assert!(!known(&report, ids).to_string().contains("lib.dynamo"));
    client.finish();
}

#[test]
fn a_request_that_is_held_hears_of_edits() {
    let folder = Folder::new(&[("root.dynamo", ROOT), ("lib.dynamo", LIB)]);
    let (root, lib) = (folder.uri("root.dynamo"), folder.uri("lib.dynamo"));
    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(&lib, LIB);
    let id = workspace(&mut client, &json!([]));
    let ids = known(&client.response(id)["result"], json!([]));
    let id = workspace(&mut client, &ids);
    client.change(&lib, 2, &LIB.replace("entity Known", "entity 🙂\nentity Other"));
    let report = client.response(id)["result"].take();
    assert!(
        is_unknown(of(&report, &root).unwrap()["items"].as_array().unwrap(), "Known"),
        "in a closed file: {report}"
    );
    assert_eq!(of(&report, &lib).unwrap()["version"], 2);
    client.finish();
}

#[test]
fn a_held_request_ends_when_it_is_cancelled_replaced_or_the_session_ends() {
    let mut client = Client::with(pulling(), &[]);
    let first = workspace(&mut client, &json!([]));
    assert_eq!(client.response(first)["result"], json!({"items": []}), "the first is answered at once");
    let cancelled = workspace(&mut client, &json!([]));
    client.notify("$/cancelRequest", json!({"id": cancelled}));
    assert_eq!(client.response(cancelled)["error"]["code"], -32800);
    let replaced = workspace(&mut client, &json!([]));
    let held = workspace(&mut client, &json!([]));
    assert_eq!(client.response(replaced)["result"], json!({"items": []}));
    assert_held(&mut client, held);
    let shutdown = client.request("shutdown", Value::Null);
    client.response(shutdown);
    assert_eq!(client.response(held)["result"], json!({"items": []}));
    client.notify("exit", Value::Null);
    assert_eq!(client.exit().code(), Some(0));

    let mut client = Client::with(pulling(), &[]);
    let first = workspace(&mut client, &json!([]));
    client.response(first);
    let held = workspace(&mut client, &json!([]));
    assert_held(&mut client, held);
    let begun = std::time::Instant::now();
    client.close_input();
    assert_eq!(client.exit().code(), Some(1));
    assert!(begun.elapsed() < std::time::Duration::from_secs(2), "nobody waits for what is held");
}

#[test]
fn a_client_that_takes_parts_gets_them_before_the_answer() {
    let folder = Folder::new(&[]);
    for number in 0..120 {
        folder.write(&format!("{number}.dynamo"), &format!("pattern P{number} {{ reads Nobody }} // é🙂\n"));
    }
    let mut client = Client::with(pulling(), &[&folder.root()]);
    let params = json!({"previousResultIds": [], "partialResultToken": "parts"});
    let id = client.request("workspace/diagnostic", params);
    let mut reported = Vec::new();
    loop {
        let message =
            client.wait("a part, or the answer", |message| message["method"] == "$/progress" || message["id"] == id);
        if message["id"] == id {
            assert_eq!(message["result"], json!({"items": []}), "all was said before");
            break;
        }
        assert_eq!(message["params"]["token"], "parts");
        let items = message["params"]["value"]["items"].as_array().unwrap();
        assert!(items.len() <= 60, "in parts: {}", items.len());
        reported.extend(items.iter().map(|item| item["uri"].as_str().unwrap().to_owned()));
    }
    let count = reported.len();
    reported.sort();
    reported.dedup();
    assert_eq!((reported.len(), count), (120, 120), "each once");
    client.finish();
}

#[test]
fn related_documents_come_with_a_file_for_those_who_take_them() {
    let folder = Folder::new(&[("root.dynamo", ROOT), ("lib.dynamo", LIB)]);
    let (root, lib) = (folder.uri("root.dynamo"), folder.uri("lib.dynamo"));
    let pull = |client: &mut Client, known: &Value| {
        let mut params = json!({"textDocument": {"uri": root}});
        if !known.is_null() {
            params["previousResultId"] = known.clone();
        }
        client.ask("textDocument/diagnostic", params)
    };
    let mut client = Client::with(pulling_again(), &[&folder.root()]);
    client.open(&root, ROOT);
    let report = pull(&mut client, &Value::Null);
    let related = &report["relatedDocuments"][&lib];
    assert_eq!(related["kind"], "full");
    assert!(messages(related["items"].as_array().unwrap()).contains("Nobody"), "{report}");
    // That name is good for the whole workspace too: this client knows all there is.
    let id = workspace(&mut client, &json!([]));
    let ids = known(&client.response(id)["result"], json!([]));
    let mixed: Vec<Value> = ids.as_array().unwrap().iter().filter(|id| id["uri"] != root).cloned().collect();
    let mixed = [mixed, vec![json!({"uri": root, "value": report["resultId"]})]].concat();
    let id = workspace(&mut client, &json!(mixed));
    assert_held(&mut client, id);
    client.notify("$/cancelRequest", json!({"id": id}));
    let again = pull(&mut client, &report["resultId"]);
    assert_eq!((&again["kind"], &again["resultId"]), (&json!("unchanged"), &report["resultId"]));
    // What changes in the other file is worth another pull of this one.
    folder.write("lib.dynamo", "entity Known { id: string @id }\n");
    client.notify("workspace/didChangeWatchedFiles", event(&lib, 2));
    client.next("workspace/diagnostic/refresh");
    let mended = pull(&mut client, &report["resultId"]);
    let items = &mended["relatedDocuments"][&lib]["items"];
    assert!(!messages(items.as_array().unwrap()).contains("Nobody"), "{mended}");
    // One that is open is asked for by itself.
    client.open(&lib, LIB);
    assert!(pull(&mut client, &Value::Null)["relatedDocuments"].get(&lib).is_none());
    client.close(&lib);
    // What leaves the model takes its findings along.
    folder.write("lib.dynamo", LIB);
    client.notify("workspace/didChangeWatchedFiles", event(&lib, 2));
    assert!(
        messages(pull(&mut client, &Value::Null)["relatedDocuments"][&lib]["items"].as_array().unwrap())
            .contains("Nobody")
    );
    client.change(&root, 2, "pattern P { reads Known }\n");
    assert_eq!(pull(&mut client, &Value::Null)["relatedDocuments"][&lib]["items"], json!([]));
    assert!(pull(&mut client, &Value::Null)["relatedDocuments"].is_null(), "told once");
    client.finish();

    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(&root, ROOT);
    assert!(pull(&mut client, &Value::Null).get("relatedDocuments").is_none(), "nobody announced them");
    client.finish();
}

#[test]
fn a_shared_file_has_the_findings_of_every_model_once() {
    let root = |name: &str, known: &str| (format!("{name}.dynamo"), format!("import \"lib.dynamo\"\n{known}"));
    let a = "entity A { id: string @id }\n";
    // `A` is unknown in two models, `Nobody` in three, `Own` in none.
    let lib = "entity Own { id: string @id }\npattern Q { reads A, Nobody, Own } // 🙂\n";
    let files =
        [root("one", a), root("two", "// two\n"), root("three", "// three\n"), ("lib.dynamo".into(), lib.into())];
    let folder = Folder::new(&files.each_ref().map(|(name, text)| (name.as_str(), text.as_str())));
    let uri = folder.uri("lib.dynamo");
    let unknown = |found: &[Value]| {
        let unknown = found.iter().filter(|finding| finding["code"] == "unknown-name");
        let mut columns: Vec<u64> = unknown.map(|f| f["range"]["start"]["character"].as_u64().unwrap()).collect();
        columns.sort_unstable();
        columns
    };
    let mut client = Client::with(pushed(), &[&folder.root()]);
    client.open(&uri, lib);
    client.published_until(&uri, "each name once", |found| unknown(found) == [18, 21]);
    client.open(&folder.uri("one.dynamo"), &files[0].1);
    client.change(&uri, 2, &lib.replace("Nobody", "Nobodi"));
    assert_eq!(unknown(&client.published(&uri, Some(2))), [18, 21]);
    client.finish();
    let mut client = Client::with(pulling(), &[&folder.root()]);
    let id = workspace(&mut client, &json!([]));
    let report = client.response(id)["result"].take();
    assert_eq!(unknown(of(&report, &uri).unwrap()["items"].as_array().unwrap()), [18, 21]);
    client.finish();
}

#[test]
fn folders_come_and_go_with_their_findings() {
    let [one, two] = [1, 2].map(|_| Folder::new(&[("sub/a.dynamo", "pattern P { reads Nobody }\n")]));
    let (in_one, in_two) = (one.uri("sub/a.dynamo"), two.uri("sub/a.dynamo"));
    // A folder in a folder, and one with a slash at its end, are the same files.
    let folders = [one.root(), one.uri("sub"), format!("{}/", one.root())];
    let mut client = Client::with(pulling(), &folders.each_ref().map(String::as_str));
    let id = workspace(&mut client, &json!([]));
    let report = client.response(id)["result"].take();
    assert!(of(&report, &in_one).is_some() && of(&report, &in_two).is_none(), "{report}");
    let list = |uris: &[&str]| uris.iter().map(|uri| json!({"uri": uri, "name": "x"})).collect::<Vec<_>>();
    let change = |added: &[&str], removed: &[&str]| json!({"event": {"added": list(added), "removed": list(removed)}});
    let ids = known(&report, json!([]));
    let id = workspace(&mut client, &ids);
    client.notify("workspace/didChangeWorkspaceFolders", change(&[&two.root()], &[&folders[0]]));
    let report = client.response(id)["result"].take();
    assert_eq!(of(&report, &in_two).unwrap()["kind"], "full", "{report}");
    let ids = known(&report, ids);
    assert!(ids.to_string().contains(&in_one), "the folder in it is there still");
    let id = workspace(&mut client, &ids);
    client.notify("workspace/didChangeWorkspaceFolders", change(&[], &[&folders[1]]));
    let report = client.response(id)["result"].take();
    assert_eq!(of(&report, &in_one).unwrap()["items"], json!([]), "no folder holds it: {report}");
    let ids = known(&report, ids);
    let id = workspace(&mut client, &ids);
    client.notify("workspace/didChangeWorkspaceFolders", change(&[], &[&two.root()]));
    let report = client.response(id)["result"].take();
    assert_eq!(of(&report, &in_two).unwrap()["items"], json!([]));
    assert_eq!(known(&report, ids), json!([]), "nothing is left");
    client.finish();
}

/// The titles of the fixes and refactorings at the name `Knwon` in line 1.
fn titles(client: &mut Client, uri: &str) -> Vec<String> {
    let range = json!({"start": {"line": 1, "character": 18}, "end": {"line": 1, "character": 23}});
    let context = json!({"diagnostics": [], "only": ["quickfix", "source"]});
    let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
    let actions = client.ask("textDocument/codeAction", params);
    actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_outside_the_workspace_is_read_only() {
    const TEXT: &str = "entity Known { id: string @id }\npattern P { reads Knwon }\n";
    let inside = Folder::new(&[("a.dynamo", TEXT)]);
    let outside = Folder::new(&[("a.dynamo", TEXT)]);
    let mut client = Client::with(able(), &[&inside.root()]);
    for (uri, is_offered) in
        [(inside.uri("a.dynamo"), true), (outside.uri("a.dynamo"), false), ("untitled:a".into(), true)]
    {
        client.open(&uri, TEXT);
        let titles = titles(&mut client, &uri);
        assert_eq!(titles.iter().any(|title| title.contains("Known")), is_offered, "{uri}: {titles:?}");
        let documents = titles.iter().any(|title| title.starts_with("Generate"));
        assert_eq!(documents, is_offered && uri != "untitled:a", "{uri}: {titles:?}");
    }
    client.finish();
    let mut client = Client::with(able(), &[]);
    let uri = outside.uri("a.dynamo");
    client.open(&uri, TEXT);
    assert!(titles(&mut client, &uri).iter().any(|title| title.contains("Known")), "no workspace: nothing is outside");
    client.finish();
}

#[test]
fn a_document_is_not_made_outside_the_workspace() {
    let inside = Folder::new(&[]);
    let outside = Folder::new(&[("a.dynamo", "entity Known { id: string @id }\n")]);
    let mut client = Client::with(able(), &[&inside.root()]);
    client.open(&outside.uri("a.dynamo"), "entity Known { id: string @id }\n");
    let argument = json!([{"uri": outside.uri("a.dynamo"), "kind": "requirement"}]);
    client.ask("workspace/executeCommand", json!({"command": "keywright.generateDocument", "arguments": argument}));
    let told = client.next("window/showMessage");
    assert!(told["params"]["message"].as_str().unwrap().contains("outside the workspace"), "{told}");
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    client.finish();
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_holds_what_it_leads_to() {
    const TEXT: &str = "import \"lib.dynamo\"\npattern P { reads Knwon }\n";
    let real = Folder::new(&[("models/a.dynamo", TEXT), ("models/lib.dynamo", "entity Known { id: string @id }\n")]);
    std::os::unix::fs::symlink(real.path("models"), real.path("link")).unwrap();
    let mut client = Client::with(able(), &[&real.uri("link")]);
    for uri in [real.uri("link/a.dynamo"), real.uri("models/a.dynamo")] {
        client.open(&uri, TEXT);
        assert!(titles(&mut client, &uri).iter().any(|title| title.contains("Known")), "{uri}");
    }
    client.finish();
}

/// How often findings were computed, by what the trace tells until `last`.
fn rounds(client: &mut Client, last: &str) -> usize {
    let mut rounds = 0;
    loop {
        let message = client.next("$/logTrace")["params"]["message"].as_str().unwrap().to_owned();
        rounds += usize::from(message.starts_with("findings"));
        if message.starts_with(last) {
            return rounds;
        }
    }
}

#[test]
fn a_storm_of_events_costs_few_computations() {
    let folder = Folder::new(&[("a.dynamo", "import \"b.dynamo\"\npattern P { reads Known }\n")]);
    let a = folder.uri("a.dynamo");
    let mut client = Client::start(&[]);
    client.initialize_with(pushed(), &[&folder.root()], json!({"trace": "messages"}));
    client.open(&a, "import \"b.dynamo\"\npattern P { reads Known }\n");
    client.published_until(&a, "an unknown name", |found| is_unknown(found, "Known"));
    for number in 0..1_000 {
        folder.write(&format!("f{number}.dynamo"), "pattern Q { reads Nobody }\n");
    }
    folder.write("b.dynamo", "entity Known { id: string @id }\n");
    let kinds = |uris: Vec<String>| uris.iter().map(|uri| json!({"uri": uri, "type": 1})).collect::<Vec<_>>();
    // As one, of which most are told several times and some are no models.
    let storm: Vec<String> = (0..10_000).map(|number| folder.uri(&format!("f{}.dynamo", number % 2_000))).collect();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": kinds(storm)}));
    // And one by one.
    for number in 0..1_000 {
        let uris = vec![folder.uri(&format!("f{number}.dynamo")), folder.uri("b.dynamo")];
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": kinds(uris)}));
    }
    client.published_until(&a, "nothing unknown", |found| !is_unknown(found, "Known"));
    client.ask("textDocument/hover", json!({"textDocument": {"uri": a}, "position": {"line": 0, "character": 0}}));
    let rounds = rounds(&mut client, "textDocument/hover");
    assert!(rounds <= 10, "{rounds} computations for a thousand messages");
    client.finish();
}

#[test]
fn columns_of_closed_files_count_as_the_client_counts() {
    let text = "application A { domain \"é🙂\" } pattern Q { reads Nobody }\r\n";
    let folder = Folder::new(&[("root.dynamo", "import \"lib.dynamo\"\r\n"), ("lib.dynamo", text)]);
    let (root, lib) = (folder.uri("root.dynamo"), folder.uri("lib.dynamo"));
    for (encoding, column) in [("utf-16", 49), ("utf-8", 52)] {
        let mut capabilities = pulling_again();
        capabilities["general"] = json!({"positionEncodings": [encoding]});
        let mut client = Client::with(capabilities, &[&folder.root()]);
        let id = workspace(&mut client, &json!([]));
        let report = client.response(id)["result"].take();
        client.open(&root, "import \"lib.dynamo\"\r\n");
        let pulled = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": root}}));
        for found in [&of(&report, &lib).unwrap()["items"], &pulled["relatedDocuments"][&lib]["items"]] {
            let unknown = found.as_array().unwrap().iter().find(|finding| finding["code"] == "unknown-name").unwrap();
            assert_eq!(unknown["range"]["start"], json!({"line": 0, "character": column}), "{encoding}");
        }
        client.finish();
    }
}

#[test]
fn a_document_that_is_opened_again_or_moved_is_told_its_findings_again() {
    let folder = Folder::new(&[("a.dynamo", "pattern P { reads Nobody }\n")]);
    let mut client = Client::with(pulling_again(), &[&folder.root()]);
    let text = "pattern P { reads Nobody }\n";
    let pull = |client: &mut Client, uri: &str, known: Value| {
        client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}, "previousResultId": known}))
    };
    let uri = folder.uri("a.dynamo");
    client.open(&uri, text);
    let first = pull(&mut client, &uri, Value::Null);
    let known = first["resultId"].clone();
    assert_eq!(pull(&mut client, &uri, known.clone())["kind"], "unchanged");

    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    client.open(&uri, text);
    let again = pull(&mut client, &uri, known);
    assert_eq!((&again["kind"], &again["items"]), (&json!("full"), &first["items"]));

    let moved = folder.uri("moved.dynamo");
    client.open(&moved, text);
    assert_eq!(pull(&mut client, &moved, again["resultId"].clone())["kind"], "full");
    client.finish();
}

#[test]
fn who_cannot_be_told_to_pull_again_is_pushed_to() {
    let alone = json!({"textDocument": {"diagnostic": {}}});
    for (capabilities, name) in [(alone, "some editor"), (pulling_again(), "Neovim")] {
        let mut client = Client::start(&[]);
        let params = json!({"processId": null, "capabilities": capabilities, "clientInfo": {"name": name}});
        let answer = client.ask("initialize", params);
        assert!(answer["capabilities"].get("diagnosticProvider").is_none(), "{name}");
        client.notify("initialized", json!({}));
        client.open("untitled:a", "pattern P { reads Nobody }\n");
        assert!(!client.published("untitled:a", None).is_empty(), "{name}");
        client.finish();
    }
}
