//! Files that are not open, over the real process: an answer that changes them is about
//! what is on the disk when it is asked for, and as an editor will open it.

use crate::support::client::*;
use serde_json::{Value, json};

const USER: &str = "entity User { user_id: uuid @id }\n";
const READER: &str = "import \"user.dynamo\"\npattern P { reads User }\n";

/// A client that takes edits of files that are not open, and watches none.
fn renaming() -> Value {
    json!({
        "general": {"positionEncodings": ["utf-16"]},
        "textDocument": {"rename": {"prepareSupport": true}},
        "workspace": {"workspaceEdit": {"documentChanges": true}, "fileOperations": {"willRename": true}}
    })
}

fn place(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

/// Asks for the entity in the first line of a file to be called `Member`.
fn rename(uri: &str) -> Value {
    let mut params = place(uri, 0, 8);
    params["newName"] = "Member".into();
    params
}

/// The edits, sorted: `file line:from-to text`.
fn told(edit: &Value) -> Vec<String> {
    let documents = edit["documentChanges"].as_array().unwrap_or_else(|| panic!("{edit:#}"));
    let of_document = |document: &Value| {
        let file = document["textDocument"]["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let tell = move |edit: &Value| {
            let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
            let text = edit["newText"].as_str().unwrap();
            format!("{file} {}:{}-{} {text}", start["line"], start["character"], end["character"])
        };
        document["edits"].as_array().unwrap().iter().map(tell).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = documents.iter().flat_map(of_document).collect();
    all.sort();
    all
}

#[test]
fn no_position_counts_a_byte_order_mark_on_the_disk() {
    let marked = |text: &str| format!("\u{feff}{text}");
    let folder = Folder::new(&[("user.dynamo", &marked(USER)), ("reader.dynamo", &marked(READER))]);
    let own = "import \"user.dynamo\"\npattern Q { reads User }\n";
    let (user, open) = (folder.uri("user.dynamo"), folder.uri("open.dynamo"));
    let mut client = Client::with(renaming(), &[&folder.root()]);
    client.open(&open, own);
    let mut params = place(&open, 1, 18);
    let definition = client.ask("textDocument/definition", params.clone());
    assert_eq!(definition[0]["range"]["start"], json!({"line": 0, "character": 7}), "{definition:#}");
    params["newName"] = "Member".into();
    let edit = client.ask("textDocument/rename", params);
    let wanted = ["open.dynamo 1:18-22 Member", "reader.dynamo 1:18-22 Member", "user.dynamo 0:7-11 Member"];
    assert_eq!(told(&edit), wanted);
    let moved = json!({"files": [{"oldUri": user, "newUri": folder.uri("u.dynamo")}]});
    let edit = client.ask("workspace/willRenameFiles", moved);
    assert_eq!(told(&edit), ["open.dynamo 0:7-20 \"u.dynamo\"", "reader.dynamo 0:7-20 \"u.dynamo\""]);
    // What the editor holds counts as it holds it.
    client.open(&user, &marked(USER));
    let mut params = place(&open, 1, 18);
    params["newName"] = "Member".into();
    assert!(told(&client.ask("textDocument/rename", params)).contains(&"user.dynamo 0:8-12 Member".to_owned()));
    client.finish();
}

/// A line more, so that the name in the next one stands elsewhere.
fn moved(text: &str) -> String {
    format!("// one line more\n{text}")
}

#[test]
fn a_rename_is_of_what_is_on_the_disk_though_nobody_told() {
    let folder = Folder::new(&[("user.dynamo", USER), ("a.dynamo", READER), ("b.dynamo", READER)]);
    let user = folder.uri("user.dynamo");
    let mut client = Client::with(renaming(), &[&folder.root()]);
    client.open(&user, USER);
    let before = ["a.dynamo 1:18-22 Member", "b.dynamo 1:18-22 Member", "user.dynamo 0:7-11 Member"];
    assert_eq!(told(&client.ask("textDocument/rename", rename(&user))), before);
    folder.write("a.dynamo", &moved(READER));
    std::fs::remove_file(folder.path("b.dynamo")).unwrap();
    let after = ["a.dynamo 2:18-22 Member", "user.dynamo 0:7-11 Member"];
    assert_eq!(told(&client.ask("textDocument/rename", rename(&user))), after);
    // What is open counts as it is open, and so does a file that is moved.
    folder.write("user.dynamo", &moved(USER));
    assert_eq!(told(&client.ask("textDocument/rename", rename(&user))), after);
    folder.write("a.dynamo", &moved(&moved(READER)));
    let files = json!({"files": [{"oldUri": user, "newUri": folder.uri("u.dynamo")}]});
    assert_eq!(told(&client.ask("workspace/willRenameFiles", files)), ["a.dynamo 2:7-20 \"u.dynamo\""]);
    client.finish();
}

#[test]
fn a_rename_waits_for_the_events_before_it_to_be_read() {
    let folder = Folder::new(&[("user.dynamo", USER)]);
    let names: Vec<String> = (0..20).map(|number| format!("{number:02}.dynamo")).collect();
    names.iter().for_each(|name| folder.write(name, READER));
    let user = folder.uri("user.dynamo");
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW_DISK", "20")]);
    client.initialize(renaming(), &[&folder.root()]);
    client.open(&user, USER);
    assert_eq!(told(&client.ask("textDocument/rename", rename(&user))).len(), 21);
    names.iter().for_each(|name| folder.write(name, &moved(READER)));
    folder.write("new.dynamo", &moved(READER));
    let changed = names.iter().map(|name| json!({"uri": folder.uri(name), "type": 2}));
    let new = json!({"uri": folder.uri("new.dynamo"), "type": 1});
    let changes: Vec<Value> = changed.chain([new]).collect();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    let edits = told(&client.ask("textDocument/rename", rename(&user)));
    let wanted = names.iter().map(String::as_str).chain(["new.dynamo"]).map(|name| format!("{name} 2:18-22 Member"));
    let wanted: Vec<String> = wanted.chain(["user.dynamo 0:7-11 Member".to_owned()]).collect();
    assert_eq!(edits, wanted);
    client.finish();
}

#[test]
fn what_is_read_outdates_no_rename_and_an_edit_does() {
    let folder = Folder::new(&[("user.dynamo", USER), ("a.dynamo", READER)]);
    let user = folder.uri("user.dynamo");
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW_QUESTIONS", "slow.dynamo")]);
    client.initialize(renaming(), &[&folder.root()]);
    client.open(&user, USER);
    let wanted = ["a.dynamo 1:18-22 Member", "user.dynamo 0:7-11 Member"];
    assert_eq!(told(&client.ask("textDocument/rename", rename(&user))), wanted);
    // From here on a question goes on until it is stopped.
    folder.write("slow.dynamo", "");
    let event = |kind: u32| json!({"changes": [{"uri": folder.uri("slow.dynamo"), "type": kind}]});
    client.notify("workspace/didChangeWatchedFiles", event(1));
    let asked = client.request("textDocument/rename", rename(&user));
    client.change(&user, 2, &format!("{USER}// more\n"));
    assert_eq!(client.response(asked)["error"]["code"], -32801, "the edit came behind it");
    let asked = client.request("textDocument/rename", rename(&user));
    // By now it is under way, and so it is until this is read: then it makes way, and is
    // answered behind it.
    std::thread::sleep(std::time::Duration::from_millis(500));
    std::fs::remove_file(folder.path("slow.dynamo")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", event(3));
    let answer = client.response(asked);
    assert!(answer["error"].is_null(), "{answer:#}");
    assert_eq!(told(&answer["result"]), wanted);
    client.finish();
}

/// Why a request is refused.
fn refusal(client: &mut Client, method: &str, params: Value) -> String {
    let id = client.request(method, params);
    let response = client.response(id);
    assert_eq!(response["error"]["code"], -32803, "{response:#}");
    response["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_declared_where_nothing_may_be_changed_is_not_prepared() {
    let outside = Folder::new(&[("shared.dynamo", USER)]);
    let text = format!("import \"{}\"\npattern Get {{ reads User }}\n", outside.path("shared.dynamo").display());
    let folder = Folder::new(&[("a.dynamo", &text)]);
    let uri = folder.uri("a.dynamo");
    let mut client = Client::with(renaming(), &[&folder.root()]);
    client.open(&uri, &text);
    let reason = refusal(&mut client, "textDocument/prepareRename", place(&uri, 1, 21));
    let path = outside.path("shared.dynamo");
    let wanted =
        format!("The name stands in {} as well, which is outside the workspace and only read.", path.display());
    assert_eq!(reason, wanted);
    assert_eq!(client.ask("textDocument/prepareRename", place(&uri, 1, 8))["range"]["start"]["character"], 8);
    client.finish();
}

#[cfg(unix)]
#[test]
fn one_file_under_two_names_is_not_changed_under_one() {
    let folder = Folder::new(&[("user.dynamo", USER), ("a.dynamo", READER), ("other.dynamo", "")]);
    let user = folder.uri("user.dynamo");
    let mut client = Client::with(renaming(), &[&folder.root()]);
    client.open(&user, USER);
    assert_eq!(told(&client.ask("textDocument/rename", rename(&user))).len(), 2);
    let link = |from: &str, to: &str| std::os::unix::fs::symlink(folder.path(from), folder.path(to)).unwrap();
    link("other.dynamo", "harmless.dynamo");
    link("a.dynamo", "b.dynamo");
    let event = |name: &str| json!({"changes": [{"uri": folder.uri(name), "type": 1}]});
    client.notify("workspace/didChangeWatchedFiles", event("harmless.dynamo"));
    assert_eq!(told(&client.ask("textDocument/rename", rename(&user))).len(), 2);
    client.notify("workspace/didChangeWatchedFiles", event("b.dynamo"));
    let reason = refusal(&mut client, "textDocument/rename", rename(&user));
    let path = |name: &str| folder.path(name).display().to_string();
    let wanted = "are one file: a change of it under one name would be lost under the other.";
    let names = [(path("a.dynamo"), path("b.dynamo")), (path("b.dynamo"), path("a.dynamo"))];
    assert!(names.iter().any(|(one, other)| reason == format!("{one} and {other} {wanted}")), "{reason}");
    client.finish();
}

#[test]
fn a_file_that_is_no_text_is_told_of_where_it_has_the_name() {
    let folder = Folder::new(&[("user.dynamo", USER), ("a.dynamo", READER)]);
    let broken = |text: &str| [text.as_bytes(), b"// \xff\n"].concat();
    std::fs::write(folder.path("latin.dynamo"), broken(READER)).unwrap();
    std::fs::write(folder.path("stranger.dynamo"), broken("pattern P { reads Nobody }\n")).unwrap();
    let user = folder.uri("user.dynamo");
    let mut client = Client::with(renaming(), &[&folder.root()]);
    client.open(&user, USER);
    assert_eq!(told(&client.ask("textDocument/rename", rename(&user))).len(), 2);
    assert_eq!(
        client.next("window/showMessage")["params"]["message"],
        "The old name also stands in text that cannot be read, and stays there: latin.dynamo."
    );
    client.finish();
}
