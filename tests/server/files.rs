//! Files on disk: imports of every kind, folders, and what happens to them
//! while documents are open.

use crate::support::client::*;
use serde_json::{Value, json};

const A: &str = "import \"b.dynamo\"\npattern P { reads Known }\n";
const B: &str = "entity Known { id: string @id }\n";

fn is_clean(found: &[Value]) -> bool {
    !is_unknown(found, "Known")
}

fn event(uri: &str, kind: u8) -> Value {
    json!({"changes": [{"uri": uri, "type": kind}]})
}

#[test]
fn imports_are_read_from_anywhere() {
    let outside = Folder::new(&[("b.dynamo", "import \"sub/c.dynamo\"\n"), ("sub/c.dynamo", B)]);
    let text = format!("import \"{}\"\npattern P {{ reads Known }}\n", outside.path("b.dynamo").display());
    let folder = Folder::new(&[("a.dynamo", &text)]);
    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(&folder.uri("a.dynamo"), &text);
    assert!(is_clean(&client.pulled(&folder.uri("a.dynamo"))));
    client.finish();
}

#[cfg(unix)]
#[test]
fn imports_that_are_no_files_are_findings() {
    let folder = Folder::new(&[("b.dynamo", B), ("sub/x.dynamo", "")]);
    let pipe = folder.path("pipe.dynamo");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::write(folder.path("bad.dynamo"), b"entity X { \xff }").unwrap();
    std::fs::write(folder.path("nul.dynamo"), b"entity X { \0 }").unwrap();
    std::fs::File::create(folder.path("huge.dynamo")).unwrap().set_len(50 * 1024 * 1024).unwrap();
    let uri = folder.uri("a.dynamo");
    let mut client = Client::with(pulling(), &[]);
    client.open(&uri, "");
    let paths = [
        "sub",
        ".",
        "/dev/zero",
        "/dev/stdin",
        "pipe.dynamo",
        "none.dynamo",
        "b.dynamo/x.dynamo",
        "/proc/kmsg",
        "",
        "\\0",
    ];
    for (number, path) in paths.iter().enumerate() {
        client.change(
            &uri,
            number as i64 + 2,
            &format!("import \"{path}\"\nimport \"b.dynamo\"\npattern P {{ reads Known, Nobody }}\n"),
        );
        let found = client.pulled(&uri);
        assert!(found.iter().any(|finding| finding["range"]["start"]["line"] == 0), "{path}: {found:#?}");
        assert!(messages(&found).contains("Nobody"), "{path}: the rest is analysed: {found:#?}");
        assert!(is_clean(&found), "{path}: the other import works: {found:#?}");
    }
    client.change(
        &uri,
        90,
        "import \"bad.dynamo\"\nimport \"nul.dynamo\"\nimport \"huge.dynamo\"\npattern P { reads Nobody }\n",
    );
    assert!(messages(&client.pulled(&uri)).contains("Nobody"));
    for name in ["bad.dynamo", "nul.dynamo", "huge.dynamo"] {
        assert_eq!(rules(&client.pulled(&folder.uri(name))), ["unreadable-file"], "{name}");
    }
    client.finish();
}

#[test]
fn files_may_import_themselves_and_each_other() {
    let folder = Folder::new(&[("b.dynamo", "import \"a.dynamo\"\nentity Known { id: string @id }\n")]);
    let uri = folder.uri("a.dynamo");
    let mut client = Client::with(pulling(), &[]);
    client.open(&uri, "import \"a.dynamo\"\nimport \"b.dynamo\"\npattern P { reads Known }\n");
    assert!(is_clean(&client.pulled(&uri)));
    client.finish();
}

#[test]
fn an_open_document_wins_over_the_disk_and_the_disk_counts_after() {
    let folder = Folder::new(&[("a.dynamo", A), ("b.dynamo", "entity Other { id: string @id }\n")]);
    let (a, b) = (folder.uri("a.dynamo"), folder.uri("b.dynamo"));
    let mut client = Client::with(pushed(), &[]);
    client.open(&a, A);
    client.published_until(&a, "an unknown name", |found| !is_clean(found));
    client.open(&b, B);
    client.published_until(&a, "nothing unknown", is_clean);
    client.close(&b);
    client.published_until(&a, "an unknown name", |found| !is_clean(found));
    folder.write("b.dynamo", B);
    client.notify("workspace/didChangeWatchedFiles", event(&b, 2));
    client.published_until(&a, "nothing unknown", is_clean);
    client.finish();
}

#[test]
fn files_that_come_and_go_are_followed() {
    let folder = Folder::new(&[("a.dynamo", A)]);
    let (a, b) = (folder.uri("a.dynamo"), folder.uri("b.dynamo"));
    let mut client = Client::with(able(), &[&folder.root()]);
    let registration = client.next("client/registerCapability");
    assert_eq!(registration["params"]["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
    client.open(&a, A);
    client.published_until(&a, "an unknown name", |found| !is_clean(found));
    folder.write("b.dynamo", "entity Known { id: string @id }\npattern Q { reads Nobody }\n");
    client.notify("workspace/didChangeWatchedFiles", event(&b, 1));
    client.published_until(&a, "nothing unknown", is_clean);
    client.published_until(&b, "a finding of its own", |found| messages(found).contains("Nobody"));
    std::fs::remove_file(folder.path("b.dynamo")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", event(&b, 3));
    client.published_until(&b, "nothing", |found| found.is_empty());
    client.published_until(&a, "an unknown name", |found| !is_clean(found));
    client.finish();
}

#[test]
fn a_deleted_folder_takes_its_files_along() {
    let folder = Folder::new(&[("sub/b.dynamo", B)]);
    let text = A.replace("b.dynamo", "sub/b.dynamo");
    let a = folder.uri("a.dynamo");
    let mut client = Client::with(pushed(), &[]);
    client.open(&a, &text);
    client.published_until(&a, "nothing unknown", is_clean);
    std::fs::remove_dir_all(folder.path("sub")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", event(&folder.uri("sub"), 3));
    client.published_until(&a, "an unknown name", |found| !is_clean(found));
    client.finish();
}

#[test]
fn where_nobody_watches_saving_is_a_moment_to_look() {
    let folder = Folder::new(&[]);
    let a = folder.uri("a.dynamo");
    let mut client = Client::with(pushed(), &[]);
    client.open(&a, A);
    client.published_until(&a, "an unknown name", |found| !is_clean(found));
    folder.write("b.dynamo", B);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": a}}));
    client.published_until(&a, "nothing unknown", is_clean);
    client.finish();
}

#[test]
fn a_file_that_vanishes_while_it_is_open_stays_open() {
    let folder = Folder::new(&[("a.dynamo", B)]);
    let a = folder.uri("a.dynamo");
    let mut client = Client::with(pushed(), &[&folder.root()]);
    client.open(&a, "pattern P { reads Nobody }\n");
    client.published_until(&a, "a finding", |found| messages(found).contains("Nobody"));
    std::fs::remove_file(folder.path("a.dynamo")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", event(&a, 3));
    client.change(&a, 2, "pattern P { reads Somebody }\n");
    client.published_until(&a, "a finding", |found| messages(found).contains("Somebody"));
    client.close(&a);
    client.published_until(&a, "nothing", |found| found.is_empty());
    client.finish();
}

#[test]
fn findings_go_when_files_are_closed_or_leave_the_model() {
    let folder = Folder::new(&[("b.dynamo", "entity Known { id: string @id }\npattern Q { reads Nobody }\n")]);
    let (a, b) = (folder.uri("a.dynamo"), folder.uri("b.dynamo"));
    let mut client = Client::with(pushed(), &[]);
    client.open(&a, A);
    client.published_until(&b, "a finding", |found| messages(found).contains("Nobody"));
    client.change(&a, 2, "pattern P { reads Known }\n");
    client.published_until(&b, "nothing", |found| found.is_empty());
    client.change(&a, 3, A);
    client.published_until(&b, "a finding", |found| messages(found).contains("Nobody"));
    client.close(&a);
    client.published_until(&b, "nothing", |found| found.is_empty());
    client.published_until(&a, "nothing", |found| found.is_empty());
    client.finish();
}

#[test]
fn models_are_found_in_all_folders_and_in_those_that_come_later() {
    let [one, two] = [1, 2].map(|_| Folder::new(&[("lib.dynamo", "pattern Lib { reads Nobody }\n")]));
    let root = |folder: &Folder| format!("import \"lib.dynamo\"\nentity E {{ id: string @id }} // {}\n", folder.root());
    for folder in [&one, &two] {
        folder.write("sub/../root.dynamo", &root(folder));
    }
    let mut client = Client::with(pushed(), &[&one.root()]);
    // The shared file is judged in the model that imports it: it is known by
    // then that there is one, as both are in the folder.
    client.open(&one.uri("lib.dynamo"), "pattern Lib { reads E }\n");
    client.published_until(&one.uri("lib.dynamo"), "its model", |found| !is_unknown(found, "E"));
    let folders = |added: &[&str], removed: &[&str]| {
        let list = |uris: &[&str]| uris.iter().map(|uri| json!({"uri": uri, "name": "x"})).collect::<Vec<_>>();
        json!({"event": {"added": list(added), "removed": list(removed)}})
    };
    client.notify("workspace/didChangeWorkspaceFolders", folders(&[&two.root()], &[&one.root()]));
    client.open(&two.uri("lib.dynamo"), "pattern Lib { reads E }\n");
    client.published_until(&two.uri("lib.dynamo"), "its model", |found| !is_unknown(found, "E"));
    client.finish();
}

#[test]
fn without_a_workspace_the_folder_of_the_file_is_searched() {
    let folder = Folder::new(&[("root.dynamo", "import \"lib.dynamo\"\nentity E { id: string @id }\n")]);
    let mut client = Client::with(pushed(), &[]);
    client.open(&folder.uri("lib.dynamo"), "pattern Lib { reads E }\n");
    client.published_until(&folder.uri("lib.dynamo"), "its model", |found| !is_unknown(found, "E"));
    client.finish();
}

#[test]
fn a_document_too_large_is_refused_and_can_be_made_smaller() {
    let mut client = Client::with(pulling(), &[]);
    let line = format!("// {}\n", "x".repeat(1_000));
    client.open("untitled:large", &line.repeat(40 * 1024));
    let found = client.pulled("untitled:large");
    assert_eq!(rules(&found), ["unreadable-file"]);
    assert!(messages(&found).contains("32 MB"), "{found:#?}");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 40_000, "character": 0}});
    client.edit("untitled:large", 2, json!([{"range": range, "text": "pattern P { reads Nobody }\n"}]));
    assert!(messages(&client.pulled("untitled:large")).contains("Nobody"));
    client.finish();
}

#[test]
fn a_nul_in_a_document_is_a_finding_at_its_place() {
    let mut client = Client::with(pulling(), &[]);
    client.open("untitled:nul", "// é🙂\n// 🙂\0\n");
    let found = client.pulled("untitled:nul");
    assert_eq!(rules(&found), ["unreadable-file"]);
    assert_eq!(found[0]["range"]["start"], json!({"line": 1, "character": 5}), "in UTF-16");
    client.change("untitled:nul", 2, "pattern P { reads Nobody }\n");
    assert!(messages(&client.pulled("untitled:nul")).contains("Nobody"));
    client.finish();
}

#[test]
fn of_many_findings_the_first_thousand_are_shown() {
    let mut client = Client::with(pulling(), &[]);
    let many: String = (0..1_500).map(|number| format!("pattern P{number} {{ reads Nobody }}\n")).collect();
    client.open("untitled:many", &many);
    let found = client.pulled("untitled:many");
    assert_eq!(found.len(), 1_000);
    assert!(found[999]["message"].as_str().unwrap().ends_with("more findings are not shown"), "{}", found[999]);
    assert!(found[..999].iter().all(|finding| finding["severity"] == 1), "errors come first");
    client.finish();
}

#[test]
fn files_made_elsewhere_are_found_by_who_is_told_of_none() {
    let folder = Folder::new(&[("b.dynamo", B)]);
    let uri = folder.uri("b.dynamo");
    let mut client = Client::with(able_without(&["/workspace/didChangeWatchedFiles"]), &[&folder.root()]);
    client.open(&uri, B);
    client.published(&uri, Some(1));
    // A root that uses what it imports otherwise: its findings stand in both.
    folder.write("root.dynamo", "import \"b.dynamo\"\nentity Known { id: string @id }\n");
    let doubled = |found: &[Value]| rules(found).contains(&"duplicate-name".to_owned());
    let end = std::time::Instant::now() + PATIENCE;
    loop {
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
        client
            .ask("textDocument/hover", json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}));
        let found = client.ask("textDocument/codeAction", json!({"textDocument": {"uri": uri},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "context": {"diagnostics": []}}));
        if client.seen("textDocument/publishDiagnostics") > 0 {
            client.published_until(&uri, "the other declaration", doubled);
            break;
        }
        assert!(std::time::Instant::now() < end, "{found}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    client.finish();
}

#[test]
fn a_file_that_the_editor_made_is_still_there_when_it_is_closed() {
    let folder = Folder::new(&[("b.dynamo", B)]);
    let (uri, root) = (folder.uri("b.dynamo"), folder.uri("root.dynamo"));
    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(&uri, B);
    let text = "import \"b.dynamo\"\nentity Known { id: string @id }\n";
    client.open(&root, text);
    folder.write("root.dynamo", text);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": root}}));
    assert!(rules(&client.pulled(&uri)).contains(&"duplicate-name".to_owned()));
    client.close(&root);
    assert!(rules(&client.pulled(&uri)).contains(&"duplicate-name".to_owned()), "the root imports it still");
    client.finish();
}
