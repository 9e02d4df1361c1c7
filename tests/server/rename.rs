//! Renaming over the real process: names over open and closed files, what clients can
//! and cannot take, and files that are moved.

use crate::support::client::*;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const ENTITIES: &str = "/* 🙂 */ // 🙂é\r\nentity User {\r\n  user_id: uuid @id @example(\"🙂\")\r\n}\r\n";
const TABLES: &str = "import \"entities.dynamo\"\ntable Users {\n  partition key user_id // 🙂\n  item User { allow unused-entity because \"🙂\" }\n}\npattern Get { get User from Users }\n";

/// What a client says that can do all that a rename may use.
fn renaming(encodings: &[&str]) -> Value {
    json!({
        "general": {"positionEncodings": encodings},
        "textDocument": {"diagnostic": {}, "rename": {"prepareSupport": true, "honorsChangeAnnotations": true}},
        "workspace": {
            "workspaceEdit": {"documentChanges": true, "changeAnnotationSupport": {"groupsOnLabel": true}},
            "fileOperations": {"willRename": true}
        }
    })
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

fn rename(client: &mut Client, uri: &str, (line, character): (u32, u32), new: &str) -> Value {
    let mut params = at(uri, line, character);
    params["newName"] = new.into();
    client.ask("textDocument/rename", params)
}

/// Why a request was refused.
fn refusal(client: &mut Client, method: &str, params: Value) -> String {
    let id = client.request(method, params);
    let response = client.response(id);
    assert_eq!(response["error"]["code"], -32803, "{response}");
    response["error"]["message"].as_str().unwrap().to_owned()
}

/// Asks until the files of the folder have been read that the answer needs.
fn eventually(
    client: &mut Client,
    mut ask: impl FnMut(&mut Client) -> Value,
    wanted: impl Fn(&Value) -> bool,
) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        let answer = ask(client);
        if wanted(&answer) {
            return answer;
        }
        assert!(Instant::now() < end, "{answer:#}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The edits of a file in document changes: `line:from-to text`.
fn edits(edit: &Value, uri: &str) -> Vec<String> {
    let documents = edit["documentChanges"].as_array().unwrap_or_else(|| panic!("{edit:#}"));
    let document = documents.iter().find(|document| document["textDocument"]["uri"] == uri);
    document.map(|document| told(&document["edits"])).unwrap_or_default()
}

fn told(edits: &Value) -> Vec<String> {
    let tell = |edit: &Value| {
        let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
        assert_eq!(start["line"], end["line"]);
        format!("{}:{}-{} {}", start["line"], start["character"], end["character"], edit["newText"].as_str().unwrap())
    };
    edits.as_array().unwrap().iter().map(tell).collect()
}

#[test]
fn open_and_closed_files_are_renamed_with_their_versions() {
    let folder = Folder::new(&[("entities.dynamo", ENTITIES), ("tables.dynamo", TABLES)]);
    let (entities, tables) = (folder.uri("entities.dynamo"), folder.uri("tables.dynamo"));
    let mut client = Client::with(renaming(&["utf-16"]), &[&folder.root()]);
    client.open(&entities, ENTITIES);
    client.change(&entities, 7, &format!("// one line more\r\n{ENTITIES}"));
    let ask = |client: &mut Client| rename(client, &entities, (2, 8), "Member");
    let edit = eventually(&mut client, ask, |edit| !edits(edit, &tables).is_empty());
    assert_eq!(edits(&edit, &entities), ["2:7-11 Member"]);
    assert_eq!(edits(&edit, &tables), ["3:7-11 Member", "5:18-22 Member"]);
    let documents = edit["documentChanges"].as_array().unwrap();
    let version = |uri: &str| {
        let document = documents.iter().find(|document| document["textDocument"]["uri"] == uri).unwrap();
        document["textDocument"]["version"].clone()
    };
    assert_eq!((version(&entities), version(&tables)), (json!(7), Value::Null));
    assert!(edit["changeAnnotations"].is_null(), "an entity is one with nothing else: {edit:#}");
    client.finish();
}

#[test]
fn columns_behind_an_emoji_are_those_of_the_encoding() {
    // Behind the emoji on its line: 1 letter, 2 units of UTF-16, 4 of UTF-8.
    let line = "table Ta { item A { allow unused-index because \"🙂\" } partition key id }";
    let text = format!("entity A {{ id: uuid @id }}\n{line}\n");
    let bytes = line.find("id }").unwrap();
    for (encoding, column) in [("utf-16", bytes - 2), ("utf-8", bytes)] {
        let mut client = Client::with(renaming(&[encoding]), &[]);
        client.open("untitled:a", &text);
        let column = column as u32;
        let prepared = client.ask("textDocument/prepareRename", at("untitled:a", 1, column));
        assert_eq!(
            prepared,
            json!({
                "range": {
                    "start": {"line": 1, "character": column}, "end": {"line": 1, "character": column + 2}
                },
                "placeholder": "id"
            }),
            "{encoding}"
        );
        let edit = rename(&mut client, "untitled:a", (1, column), "key");
        let wanted = ["0:11-13 key".to_owned(), format!("1:{column}-{} key", column + 2)];
        assert_eq!(edits(&edit, "untitled:a"), wanted, "{encoding}");
        client.finish();
    }
}

#[test]
fn what_goes_along_is_asked_about_where_the_client_can() {
    let text = "entity A { id: uuid @id }\ntable Ta { partition key id item A }\n";
    let mut client = Client::with(renaming(&["utf-8"]), &[]);
    client.open("untitled:a", text);
    let edit = rename(&mut client, "untitled:a", (1, 25), "key");
    assert_eq!(edits(&edit, "untitled:a"), ["0:11-13 key", "1:25-27 key"]);
    let annotated = &edit["documentChanges"][0]["edits"];
    let note = |index: usize| edit["changeAnnotations"][annotated[index]["annotationId"].as_str().unwrap()].clone();
    assert_eq!(note(1)["label"], "Rename key `id` of table `Ta` to `key`");
    assert_eq!(note(1)["needsConfirmation"], false);
    assert_eq!(note(0)["label"], "Rename attribute `id` of entity `A` to `key`");
    assert_eq!(note(0)["needsConfirmation"], true);
    assert!(note(0)["description"].as_str().unwrap().starts_with("It is one with key `id` of table `Ta`"));
    client.finish();
}

#[test]
fn a_client_that_cannot_be_asked_has_all_of_it_renamed() {
    let text = "entity A { id: uuid @id }\ntable Ta { partition key id item A }\n";
    for lacking in [
        "/workspace/workspaceEdit/changeAnnotationSupport",
        "/textDocument/rename/honorsChangeAnnotations",
        "/workspace/workspaceEdit/documentChanges",
        "/workspace/workspaceEdit",
    ] {
        let mut capabilities = renaming(&["utf-8"]);
        let (parent, name) = lacking.rsplit_once('/').unwrap();
        capabilities.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name).unwrap();
        let mut client = Client::with(capabilities.clone(), &[]);
        client.open("untitled:a", text);
        let edit = rename(&mut client, "untitled:a", (1, 25), "key");
        assert!(edit["changeAnnotations"].is_null(), "{lacking}: {edit:#}");
        let both = ["0:11-13 key", "1:25-27 key"];
        let has_changes = capabilities["workspace"]["workspaceEdit"]["documentChanges"] == true;
        let told = if has_changes { edits(&edit, "untitled:a") } else { told(&edit["changes"]["untitled:a"]) };
        assert_eq!(told, both, "{lacking}");
        assert_eq!(edit["documentChanges"].is_null(), !has_changes, "{lacking}");
        client.finish();
    }
}

#[test]
fn a_refusal_is_an_error_that_says_why() {
    let text = "import \"b.dynamo\"\nentity A { id: uuid @id other: string }\n";
    let mut client = Client::with(renaming(&["utf-8"]), &[]);
    client.open("untitled:a", text);
    let prepare = "textDocument/prepareRename";
    assert_eq!(refusal(&mut client, prepare, at("untitled:a", 0, 10)), "An import follows its file: rename the file.");
    assert_eq!(refusal(&mut client, prepare, at("untitled:a", 1, 2)), "There is no name here that could be renamed.");
    let mut clash = at("untitled:a", 1, 11);
    clash["newName"] = "other".into();
    assert_eq!(
        refusal(&mut client, "textDocument/rename", clash.clone()),
        "There is an attribute `other` of entity `A` already, and an item has one value a name."
    );
    clash["newName"] = "".into();
    assert_eq!(refusal(&mut client, "textDocument/rename", clash), "A name needs at least one character.");
    // Nothing changes: an edit without edits.
    assert_eq!(rename(&mut client, "untitled:a", (1, 11), "id")["documentChanges"], json!([]));
    assert!(client.ask(prepare, at("untitled:unknown", 0, 0)).is_null());
    client.assert_alive();
    client.finish();
}

#[test]
fn files_outside_the_workspace_are_only_read() {
    let outside = Folder::new(&[("shared.dynamo", "entity User { user_id: uuid @id }\n")]);
    let text = format!("import \"{}\"\npattern Get {{ reads User }}\n", outside.path("shared.dynamo").display());
    let folder = Folder::new(&[("a.dynamo", &text)]);
    let uri = folder.uri("a.dynamo");
    let mut client = Client::with(renaming(&["utf-8"]), &[&folder.root()]);
    client.open(&uri, &text);
    let mut params = at(&uri, 1, 21);
    params["newName"] = "Member".into();
    let reason = refusal(&mut client, "textDocument/rename", params);
    let path = outside.path("shared.dynamo");
    assert_eq!(
        reason,
        format!("The name stands in {} as well, which is outside the workspace and only read.", path.display())
    );
    // What stands in the workspace alone is renamed.
    assert_eq!(edits(&rename(&mut client, &uri, (1, 8), "Find"), &uri), ["1:8-11 Find"]);
    client.finish();
    // Without a folder nothing is outside.
    let mut client = Client::with(renaming(&["utf-8"]), &[]);
    client.open(&uri, &text);
    let edit = rename(&mut client, &uri, (1, 21), "Member");
    assert_eq!(edits(&edit, &outside.uri("shared.dynamo")), ["0:7-11 Member"]);
    client.finish();
}

#[test]
fn what_is_announced_is_what_the_client_takes() {
    let server = |capabilities: Value| {
        let mut client = Client::start(&[]);
        let answer = client.initialize(capabilities, &[]);
        client.finish();
        answer["capabilities"].clone()
    };
    let able = server(renaming(&["utf-8"]));
    assert_eq!(able["renameProvider"], json!({"prepareProvider": true}));
    assert_eq!(
        able["workspace"]["fileOperations"]["willRename"]["filters"],
        json!([
            {"scheme": "file", "pattern": {"glob": "**/*.dynamo", "matches": "file"}},
            {"scheme": "file", "pattern": {"glob": "**/*", "matches": "folder"}}
        ])
    );
    let plain = server(json!({}));
    assert_eq!(plain["renameProvider"], true);
    assert!(plain["workspace"].get("fileOperations").is_none(), "{plain:#}");
}

fn moved(client: &mut Client, files: &[(&str, &str)]) -> Value {
    let files: Vec<Value> = files.iter().map(|(old, new)| json!({"oldUri": old, "newUri": new})).collect();
    client.ask("workspace/willRenameFiles", json!({"files": files}))
}

#[test]
fn a_file_that_moves_takes_its_imports_along() {
    let folder = Folder::new(&[
        ("a.dynamo", "import \"./lib/b.dynamo\"\n"),
        ("lib/b.dynamo", "// 🙂\r\nimport \"c d.dynamo\"\r\n"),
        ("lib/c d.dynamo", "entity C { id: uuid @id }\n"),
    ]);
    let (a, b) = (folder.uri("a.dynamo"), folder.uri("lib/b.dynamo"));
    let c = folder.uri("lib/c%20d.dynamo");
    let mut client = Client::with(renaming(&["utf-16"]), &[&folder.root()]);
    client.open(&a, "import \"./lib/b.dynamo\"\n");
    let edit = moved(&mut client, &[(&b, &folder.uri("b%20%C3%A9.dynamo"))]);
    assert_eq!(edits(&edit, &a), ["0:7-23 \"./b é.dynamo\""]);
    assert_eq!(edits(&edit, &b), ["1:7-19 \"lib/c d.dynamo\""]);
    // Both ends at once, with their folder: what is inside it stays.
    let edit = moved(&mut client, &[(&folder.uri("lib"), &folder.uri("models"))]);
    assert_eq!(edits(&edit, &a), ["0:7-23 \"./models/b.dynamo\""]);
    assert!(edits(&edit, &b).is_empty());
    let edit = moved(&mut client, &[(&c, &folder.uri("lib/c.dynamo"))]);
    assert_eq!(edits(&edit, &b), ["1:7-19 \"c.dynamo\""]);
    assert!(moved(&mut client, &[(&folder.uri("other.txt"), &folder.uri("more.txt"))]).is_null());
    client.finish();
}

#[test]
fn imports_in_files_outside_the_workspace_stay() {
    let folder = Folder::new(&[("b.dynamo", "entity B { id: uuid @id }\n")]);
    let import = format!("import \"{}\"\n", folder.path("b.dynamo").display());
    let outside = Folder::new(&[("a.dynamo", &import)]);
    let (inside, own) = (folder.uri("c.dynamo"), "import \"b.dynamo\"\n");
    let mut client = Client::with(renaming(&["utf-8"]), &[&folder.root()]);
    client.open(&outside.uri("a.dynamo"), &import);
    client.open(&inside, own);
    let edit = moved(&mut client, &[(&folder.uri("b.dynamo"), &folder.uri("d.dynamo"))]);
    assert_eq!(edits(&edit, &inside), ["0:7-17 \"d.dynamo\""]);
    assert_eq!(edit["documentChanges"].as_array().unwrap().len(), 1, "{edit:#}");
    let told = client.wait("a word about the other import", |message| {
        let text = message["params"]["message"].as_str().unwrap_or("");
        message["method"] == "window/logMessage" && text.contains("keeps its imports")
    });
    assert!(told["params"]["message"].as_str().unwrap().contains(outside.path("a.dynamo").to_str().unwrap()));
    client.finish();
}

#[test]
fn a_name_in_text_that_cannot_be_read_is_told_of() {
    let text = "entity User { id: uuid @id }\nUser User\npattern P { reads User }\n";
    let mut client = Client::with(renaming(&["utf-8"]), &[]);
    client.open("untitled:a", text);
    let edit = rename(&mut client, "untitled:a", (0, 8), "Member");
    assert_eq!(edits(&edit, "untitled:a"), ["0:7-11 Member", "2:18-22 Member"]);
    let told = client.next("window/showMessage");
    assert_eq!(
        told["params"]["message"],
        "The old name also stands in text that cannot be read, and stays there: line 2 of untitled:a and 1 more."
    );
    client.finish();
}

#[test]
fn a_rename_waits_until_all_files_are_known() {
    let folder = Folder::new(&[("entities.dynamo", "entity User { user_id: uuid @id }\n")]);
    for number in 0..40 {
        let text = format!("import \"entities.dynamo\"\nworkflow Flow{number} {{ }}\naggregate User, User {{ }}\n");
        folder.write(&format!("{number:02}.dynamo"), &text);
    }
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW_DISK", "20")]);
    client.initialize(renaming(&["utf-16"]), &[&folder.root()]);
    let entities = folder.uri("entities.dynamo");
    client.open(&entities, "entity User { user_id: uuid @id }\n");
    let mut params = at(&entities, 0, 8);
    params["newName"] = "Person".into();
    let edit = client.ask("textDocument/rename", params.clone());
    assert_eq!(edit["documentChanges"].as_array().unwrap().len(), 41);

    // An edit in between makes it a question about another text.
    let other = Folder::new(&[]);
    for number in 0..40 {
        other.write(&format!("{number:02}.dynamo"), "import \"entities.dynamo\"\n");
    }
    let added = json!({"event": {"added": [{"uri": other.root(), "name": "other"}], "removed": []}});
    client.notify("workspace/didChangeWorkspaceFolders", added);
    let asked = client.request("textDocument/rename", params);
    client.change(&entities, 2, "entity  User { user_id: uuid @id }\n");
    assert_eq!(client.response(asked)["error"]["code"], -32801);
    client.finish();
}
