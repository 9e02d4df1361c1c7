//! The two documents, in every way that a client can be given them.

use crate::support::client::*;
use serde_json::{Value, json};

const MODEL: &str = "application Shop {\n  domain \"x\"\n}\n\nentity Thing {\n  id: string @id\n}\n\ntable Things {\n  partition key id\n  item Thing\n}\n";

fn folder() -> Folder {
    Folder::new(&[("shop.dynamo", MODEL)])
}

/// The source actions of a model, for a client with all capabilities but one.
fn actions(client: &mut Client, folder: &Folder, only: &str) -> Vec<Value> {
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, MODEL);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let context = json!({"diagnostics": [], "only": [only]});
    let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
    client.ask("textDocument/codeAction", params).as_array().unwrap().clone()
}

/// Judges an edit that creates a file, and returns its URI.
fn created(edit: &Value) -> String {
    let changes = edit["documentChanges"].as_array().unwrap_or_else(|| panic!("{edit}"));
    assert_eq!(changes.len(), 2, "{edit}");
    assert_eq!(changes[0]["kind"], "create");
    assert_eq!(changes[0]["options"], json!({"overwrite": false, "ignoreIfExists": false}));
    assert_eq!(changes[1]["textDocument"], json!({"uri": changes[0]["uri"], "version": null}));
    assert!(changes[1]["edits"][0]["newText"].as_str().unwrap().contains("Thing"));
    changes[0]["uri"].as_str().unwrap().to_owned()
}

#[test]
fn a_document_is_computed_when_its_action_is_chosen() {
    let folder = folder();
    let mut client = Client::with(able(), &[]);
    for (kind, name) in [
        ("source.keywright.requirement", "dynamodb_requirement.md"),
        ("source.keywright.dataModel", "dynamodb_data_model.md"),
    ] {
        let actions = actions(&mut client, &folder, kind);
        assert_eq!(actions.len(), 1, "{actions:?}");
        assert_eq!(actions[0]["title"], format!("Generate {name}"));
        assert!(actions[0].get("edit").is_none());
        let resolved = client.ask("codeAction/resolve", actions[0].clone());
        assert_eq!(created(&resolved["edit"]), folder.uri(name));
    }
    assert_eq!(actions(&mut client, &folder, "source").len(), 2);
    assert_eq!(actions(&mut client, &folder, "source.keywright").len(), 2);
    assert_eq!(actions(&mut client, &folder, "source.keywrightX").len(), 0);
    client.finish();
}

#[test]
fn what_somebody_wrote_himself_is_never_written_over() {
    let folder = folder();
    folder.write("dynamodb_requirement.md", "mine");
    let mut client = Client::with(able(), &[]);
    let mut action = actions(&mut client, &folder, "source.keywright.requirement").remove(0);
    assert_eq!(action["title"], "Refresh dynamodb_requirement.md");
    action["data"]["isSaved"] = json!(true);
    let resolved = client.ask("codeAction/resolve", action);
    assert!(resolved.get("edit").is_none(), "{resolved}");
    let message = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("dynamodb_requirement.md was not made by Keywright"), "{message}");
    client.finish();
}

#[test]
fn a_client_that_does_not_resolve_gets_the_edit_at_once() {
    let folder = folder();
    for pointer in ["/textDocument/codeAction/resolveSupport", "/textDocument/codeAction/dataSupport"] {
        let mut client = Client::with(able_without(&[pointer]), &[]);
        let action = actions(&mut client, &folder, "source.keywright.dataModel").remove(0);
        assert_eq!(created(&action["edit"]), folder.uri("dynamodb_data_model.md"));
        assert_eq!(action["title"], "Generate dynamodb_data_model.md");
        assert_eq!(client.seen("window/showMessage"), 0, "a menu is no place for messages");
        // Of a document that is there nobody knows what it holds when the action is chosen.
        folder.write("dynamodb_data_model.md", "mine");
        let action = actions(&mut client, &folder, "source.keywright.dataModel").remove(0);
        assert!(action.get("edit").is_none(), "{action}");
        assert_eq!(action["command"]["command"], "keywright.generateDocument");
        assert_eq!(action["title"], "Refresh dynamodb_data_model.md");
        std::fs::remove_file(folder.path("dynamodb_data_model.md")).unwrap();
        client.finish();
    }
}

#[test]
fn a_client_that_cannot_create_files_is_told_so() {
    let folder = folder();
    for without in [&[][..], &["/textDocument/codeAction/resolveSupport"]] {
        let all = [&["/workspace/workspaceEdit/resourceOperations"], without].concat();
        let mut client = Client::with(able_without(&all), &[]);
        let action = actions(&mut client, &folder, "source.keywright.requirement").remove(0);
        assert!(action.get("edit").is_none());
        match action.get("command") {
            None => {
                let resolved = client.ask("codeAction/resolve", action);
                assert!(resolved.get("edit").is_none(), "{resolved}");
            }
            Some(command) => {
                let params = json!({"command": command["command"], "arguments": command["arguments"]});
                client.ask("workspace/executeCommand", params);
            }
        }
        let message = client.next("window/showMessage");
        assert!(message["params"]["message"].as_str().unwrap().contains("cannot create files"), "{message}");
        assert_eq!(client.seen("workspace/applyEdit"), 0);
        client.finish();
    }
}

/// Neovim announces what it does with files, and nothing of document changes.
#[test]
fn a_client_that_creates_files_is_sent_document_changes_for_them() {
    let folder = folder();
    let mut able = able_without(&["/workspace/workspaceEdit/documentChanges"]);
    able["textDocument"]["codeAction"].as_object_mut().unwrap().remove("resolveSupport");
    let mut client = Client::with(able, &[]);
    let action = actions(&mut client, &folder, "source.keywright.requirement").remove(0);
    assert_eq!(created(&action["edit"]), folder.uri("dynamodb_requirement.md"));
    client.finish();
}

/// Neovim's buffer is a list of lines: a line break at the end of what is put into a
/// new one is an empty line there, and in the file that is saved.
#[test]
fn a_made_file_ends_with_its_last_line_in_every_editor() {
    let folder = folder();
    for (name, ends_lines_itself) in [("Neovim", true), ("helix", false)] {
        let mut client = Client::start(&[]);
        client.initialize_with(able(), &[], json!({"clientInfo": {"name": name}}));
        let action = actions(&mut client, &folder, "source.keywright.requirement").remove(0);
        let resolved = client.ask("codeAction/resolve", action);
        created(&resolved["edit"]);
        let text = &resolved["edit"]["documentChanges"][1]["edits"][0]["newText"];
        let text = text.as_str().unwrap();
        assert_eq!(text.ends_with('\n'), !ends_lines_itself, "{name}");
        assert!(!text.ends_with("\n\n"), "{name}");
        client.finish();
    }
}

#[test]
fn the_command_applies_the_same_edit() {
    let folder = folder();
    let mut client = Client::with(able(), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, MODEL);
    let command =
        |kind: &str| json!({"command": "keywright.generateDocument", "arguments": [{"uri": uri, "kind": kind}]});
    // An editor shows what it is told of.
    let answer = client.ask("workspace/executeCommand", command("requirement"));
    assert_eq!(answer, json!({"documents": [folder.uri("dynamodb_requirement.md")]}));
    assert_eq!(created(&client.next("workspace/applyEdit")["params"]["edit"]), folder.uri("dynamodb_requirement.md"));
    client.ask("workspace/executeCommand", command("dataModel"));
    assert_eq!(created(&client.next("workspace/applyEdit")["params"]["edit"]), folder.uri("dynamodb_data_model.md"));
    for params in [
        command("novel"),
        json!({"command": "keywright.generateDocument", "arguments": []}),
        json!({"command": "keywright.no"}),
    ] {
        let id = client.request("workspace/executeCommand", params);
        assert_eq!(client.response(id)["error"]["code"], -32602);
    }
    client.finish();
}

#[test]
fn an_edit_that_is_refused_is_told() {
    let folder = folder();
    let mut client = Client::start(&[]);
    client.answers = false;
    client.initialize(able(), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, MODEL);
    let arguments = json!([{"uri": uri, "kind": "requirement"}]);
    client.ask("workspace/executeCommand", json!({"command": "keywright.generateDocument", "arguments": arguments}));
    let request = client.next("workspace/applyEdit");
    let result = json!({"applied": false, "failureReason": "read-only"});
    client.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    let message = client.next("window/showMessage");
    assert!(message["params"]["message"].as_str().unwrap().contains("read-only"), "{message}");
    client.finish();
}

#[test]
fn a_document_without_a_file_has_no_place_for_others() {
    let mut client = Client::with(able(), &[]);
    client.open("untitled:a", MODEL);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let params = json!({"textDocument": {"uri": "untitled:a"}, "range": range, "context": {"diagnostics": []}});
    assert_eq!(client.ask("textDocument/codeAction", params), json!([]));
    let arguments = json!([{"uri": "untitled:a", "kind": "requirement"}]);
    client.ask("workspace/executeCommand", json!({"command": "keywright.generateDocument", "arguments": arguments}));
    assert!(client.next("window/showMessage")["params"]["message"].as_str().unwrap().contains("saved"));
    // What is no model is refused, by this command as by the others.
    for none in ["untitled:none", "file:///no/such.dynamo"] {
        let arguments = json!([{"uri": none, "kind": "requirement"}]);
        let params = json!({"command": "keywright.generateDocument", "arguments": arguments});
        let id = client.request("workspace/executeCommand", params);
        let error = &client.response(id)["error"];
        assert_eq!(
            (&error["code"], &error["message"]),
            (&json!(-32602), &json!(format!("{none} is no file of a model")))
        );
    }
    assert_eq!(client.seen("window/showMessage"), 0);
    client.finish();
}

#[test]
fn documents_follow_the_clients_spelling_of_the_folder() {
    let folder = Folder::new(&[("[id] é/shop.dynamo", MODEL)]);
    let mut client = Client::with(able(), &[]);
    let uri = folder.uri("[id] é/shop.dynamo");
    client.open(&uri, MODEL);
    let arguments = json!([{"uri": uri, "kind": "requirement"}]);
    client.ask("workspace/executeCommand", json!({"command": "keywright.generateDocument", "arguments": arguments}));
    let made = created(&client.next("workspace/applyEdit")["params"]["edit"]);
    assert_eq!(
        made,
        folder.uri("%5Bid%5D%20%C3%A9/dynamodb_requirement.md"),
        "a new file has no spelling yet: a legal one"
    );
    client.finish();
}

/// Neovim makes the file at once, and leaves it empty when nobody saves.
#[test]
fn an_empty_file_is_filled_and_not_passed_by() {
    let folder = folder();
    let name = "dynamodb_requirement.md";
    folder.write(name, "");
    let resolved = |client: &mut Client| {
        let action = actions(client, &folder, "source.keywright.requirement").remove(0);
        client.ask("codeAction/resolve", action)["edit"].take()
    };
    let mut client = Client::with(able(), &[]);
    let edit = resolved(&mut client);
    let changes = edit["documentChanges"].as_array().unwrap();
    assert_eq!(changes[0]["options"], json!({"overwrite": false, "ignoreIfExists": true}), "{edit}");
    assert_eq!(changes[0]["uri"], folder.uri(name));
    let nothing = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    assert_eq!(changes[1]["edits"][0]["range"], nothing, "it takes nothing away");
    // The editor may hold that text unsaved: a second time it would stand there twice.
    assert_eq!(resolved(&mut client), Value::Null);
    is_told_to_save(&mut client);
    client.finish();

    // Given in this session, then made by the editor and not saved.
    std::fs::remove_file(folder.path(name)).unwrap();
    let mut client = Client::with(able(), &[]);
    assert_eq!(created(&resolved(&mut client)), folder.uri(name));
    folder.write(name, "");
    assert_eq!(resolved(&mut client), Value::Null);
    is_told_to_save(&mut client);
    // Whoever does not want it deletes it.
    std::fs::remove_file(folder.path(name)).unwrap();
    assert_eq!(created(&resolved(&mut client)), folder.uri(name));
    client.finish();

    // A menu that holds the edits cannot know which was chosen.
    folder.write(name, "");
    let mut client = Client::with(able_without(&["/textDocument/codeAction/resolveSupport"]), &[]);
    let action = actions(&mut client, &folder, "source.keywright.requirement").remove(0);
    assert!(action.get("edit").is_none() && action.get("command").is_some(), "{action}");
    client.finish();
}

fn is_told_to_save(client: &mut Client) {
    let message = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("is not saved"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_backslash_in_a_name_is_no_folder() {
    for names in [&["back\\slash.dynamo"][..], &["back\\slash.dynamo", "..\\other.dynamo"]] {
        let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, MODEL)).collect();
        let folder = Folder::new(&files);
        let mut client = Client::with(able(), &[&folder.root()]);
        let uri = |name: &str| folder.uri(&name.replace('\\', "%5C"));
        names.iter().for_each(|name| client.open(&uri(name), MODEL));
        for name in names {
            let argument = json!([{"uri": uri(name), "kind": "requirement"}]);
            let params = json!({"command": "keywright.generateDocument", "arguments": argument});
            client.ask("workspace/executeCommand", params);
            let made = created(&client.next("workspace/applyEdit")["params"]["edit"]);
            let stem = name.strip_suffix(".dynamo").unwrap().replace('\\', "%5C");
            let beside = if names.len() == 1 { String::new() } else { format!("{stem}.") };
            assert_eq!(made, folder.uri(&format!("{beside}dynamodb_requirement.md")));
        }
        client.finish();
    }
}

/// A refactoring that takes an imported file in deletes it.
#[test]
fn a_file_that_is_taken_in_is_deleted() {
    let folder = folder();
    folder.write("part.dynamo", "consideration \"So.\"\n");
    let uri = folder.uri("shop.dynamo");
    for (able, offered) in [(able(), true), (able_without(&["/workspace/workspaceEdit/resourceOperations"]), false)] {
        let mut client = Client::with(able, &[]);
        client.open(&uri, "import \"part.dynamo\"\n\nconsideration \"Well.\"\n");
        let range = json!({"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 9}});
        let context = json!({"diagnostics": [], "only": ["refactor.inline"]});
        let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        let actions = client.ask("textDocument/codeAction", params).as_array().unwrap().clone();
        assert_eq!(actions.len(), usize::from(offered), "{actions:?}");
        if let Some(action) = actions.first() {
            assert_eq!(action["title"], "Inline `part.dynamo`");
            let changes = action["edit"]["documentChanges"].as_array().unwrap();
            assert_eq!(changes[0]["textDocument"]["uri"], uri);
            assert_eq!(changes[1], json!({"kind": "delete", "uri": folder.uri("part.dynamo")}));
        }
        client.finish();
    }
}
