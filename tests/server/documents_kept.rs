//! Documents that stand beside their models: refreshed around what people wrote,
//! and found to be stale.

mod standing;

use crate::support::client::*;
use serde_json::{Value, json};
use std::time::Duration;

const REQUIREMENT: &str = "dynamodb_requirement.md";
const DATA_MODEL: &str = "dynamodb_data_model.md";

const MODEL: &str = "application Shop {\n  domain \"selling\"\n  scale \"10 users\"\n}\n\nentity Thing {\n  id: string @id\n  count 10\n}\n\n\
    table Things {\n  partition key id\n  item Thing\n}\n\npattern Read {\n  get Thing from Things\n  rate 1/s\n}\n";

/// The model after a change that both documents tell of.
fn changed() -> String {
    MODEL.replace("selling", "renting")
}

fn command(uri: &str, kind: &str) -> Value {
    json!({"command": "keywright.generateDocument", "arguments": [{"uri": uri, "kind": kind, "isSaved": true}]})
}

/// A client that sees the documents that it has open, and shows questions.
fn seeing() -> Value {
    let mut able = able();
    able["textDocument"]["synchronization"] = json!({"dynamicRegistration": true});
    able["window"] = json!({"showMessage": {}});
    able
}

/// The same that pulls findings.
fn pulling_all() -> Value {
    let mut able = seeing();
    able["textDocument"]["diagnostic"] = json!({});
    able
}

/// The documents of a model, as the server makes them.
fn made(model: &str) -> [String; 2] {
    let folder = Folder::new(&[("shop.dynamo", model)]);
    let mut client = Client::with(able(), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, model);
    let made = ["requirement", "dataModel"].map(|kind| {
        client.ask("workspace/executeCommand", command(&uri, kind));
        let edit = client.next("workspace/applyEdit")["params"]["edit"].take();
        edit["documentChanges"][1]["edits"][0]["newText"].as_str().unwrap().to_owned()
    });
    client.finish();
    made
}

/// A folder with the model and its requirement document.
fn folder(document: &str) -> Folder {
    Folder::new(&[("shop.dynamo", MODEL), (REQUIREMENT, document)])
}

/// Offset of a position that counts in UTF-16.
fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut column = position["character"].as_u64().unwrap() as usize;
    let mut at = start;
    for c in text[start..].chars() {
        if column == 0 {
            break;
        }
        column -= c.len_utf16().min(column);
        at += c.len_utf8();
    }
    at
}

/// A text after the edits of one document.
fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<&Value> = edits.as_array().unwrap_or_else(|| panic!("{edits}")).iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(text, &edit["range"]["start"])));
    let mut text = text.to_owned();
    for edit in edits {
        let (start, end) = (offset(&text, &edit["range"]["start"]), offset(&text, &edit["range"]["end"]));
        text.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    text
}

/// The one document that an edit changes: its URI, version, and text edits.
fn change(edit: &Value) -> (String, Value, Value) {
    let changes = edit["documentChanges"].as_array().unwrap_or_else(|| panic!("{edit}"));
    assert_eq!(changes.len(), 1, "{edit}");
    let document = &changes[0]["textDocument"];
    (document["uri"].as_str().unwrap().to_owned(), document["version"].clone(), changes[0]["edits"].clone())
}

fn next_edit(client: &mut Client) -> Value {
    client.next("workspace/applyEdit")["params"]["edit"].take()
}

/// What a person wrote behind the title, in the first part that somebody could edit.
fn with_words_between(document: &str) -> String {
    let at = document.find("-->\n\n<!-- keywright:begin").unwrap() + "-->\n".len();
    format!("{}\nOur own words, 🙂 and all.\n{}", &document[..at], &document[at..])
}

/// The document with a word of the overview replaced by hand.
fn with_edit(document: &str) -> String {
    assert!(document.contains("selling"), "{document}");
    document.replacen("selling", "selling, as we say", 1)
}

fn stale(findings: &[Value]) -> Vec<&Value> {
    findings.iter().filter(|finding| finding["code"] == "stale-document").collect()
}

/// The actions at the beginning of the application's name.
fn actions(client: &mut Client, uri: &str, kind: &str) -> Vec<Value> {
    let at = json!({"line": 0, "character": 12});
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": {"diagnostics": [], "only": [kind]}});
    let actions = client.ask("textDocument/codeAction", params).as_array().unwrap().clone();
    actions.into_iter().filter(|action| action["title"].as_str().unwrap().contains("dynamodb_")).collect()
}

/// An action of somebody who says that everything is saved.
fn saved(mut action: Value) -> Value {
    action["data"]["isSaved"] = json!(true);
    action
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|action| action["title"].as_str().unwrap()).collect()
}

#[test]
fn a_document_is_refreshed_around_what_people_wrote() {
    let [old, _] = made(MODEL);
    let [new, _] = made(&changed());
    let folder = folder(&with_words_between(&old));
    let mut able = able();
    able["general"]["positionEncodings"] = json!(["utf-16"]);
    let mut client = Client::with(able, &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    let action = actions(&mut client, &uri, "source.keywright.requirement").remove(0);
    assert_eq!(action["title"], format!("Refresh {REQUIREMENT}"));
    let resolved = client.ask("codeAction/resolve", saved(action));
    let (document, version, edits) = change(&resolved["edit"]);
    assert_eq!((document, version), (folder.uri(REQUIREMENT), Value::Null));
    assert_eq!(edited(&with_words_between(&old), &edits), with_words_between(&new));
    assert_eq!(client.seen("window/showMessage"), 0);
    client.finish();
}

#[test]
fn the_open_text_counts_and_not_the_one_on_disk() {
    let [old, _] = made(MODEL);
    let [new, _] = made(&changed());
    let folder = folder(&old);
    let mut client = Client::with(seeing(), &[]);
    let (uri, document) = (folder.uri("shop.dynamo"), folder.uri(REQUIREMENT));
    client.open(&uri, &changed());
    client.open(&document, &old);
    client.change(&document, 2, &with_words_between(&old));
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let (made, version, edits) = change(&next_edit(&mut client));
    assert_eq!((made, version), (document.clone(), json!(2)));
    assert_eq!(edited(&with_words_between(&old), &edits), with_words_between(&new));
    // Nobody applied it: asked again, the same is made again.
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    assert_eq!(change(&next_edit(&mut client)).2, edits);
    client.change(&document, 3, &with_words_between(&new));
    let answer = client.ask("workspace/executeCommand", command(&uri, "requirement"));
    assert_eq!(answer, json!({"documents": [document]}), "it can be shown all the same");
    let told = client.next("window/showMessage");
    assert_eq!(told["params"]["message"], format!("{REQUIREMENT} is up to date."));
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    client.finish();
}

#[test]
fn line_ends_stay_as_they_are() {
    let [old, _] = made(MODEL);
    let [new, _] = made(&changed());
    let old = with_words_between(&old).replace('\n', "\r\n");
    let folder = folder(&old);
    let mut client = Client::with(able(), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let (_, _, edits) = change(&next_edit(&mut client));
    let after = edited(&old, &edits);
    // A column in UTF-8 is none of this test's: the emoji stands below the edits of its line.
    assert_eq!(after, with_words_between(&new).replace('\n', "\r\n"));
    client.finish();
}

/// A client that does not show what it has open may hold the first edit unsaved.
#[test]
fn a_document_that_is_not_seen_is_not_edited_twice() {
    let [old, _] = made(MODEL);
    let folder = folder(&old);
    let mut client = Client::with(able(), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let (_, _, edits) = change(&next_edit(&mut client));
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("not saved"), "{told}");
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    // It is saved, and the model changes again.
    std::thread::sleep(Duration::from_millis(20));
    folder.write(REQUIREMENT, &edited(&old, &edits));
    client.change(&uri, 2, MODEL);
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let (_, _, edits) = change(&next_edit(&mut client));
    assert_eq!(edited(&std::fs::read_to_string(folder.path(REQUIREMENT)).unwrap(), &edits), old);
    client.finish();
}

/// Helix lets no notification be registered, and its configuration can have it show the
/// documents all the same. One that it does not show is then not open in it.
#[test]
fn a_client_that_says_that_it_shows_documents_is_not_asked_whether_they_are_saved() {
    let [old, _] = made(MODEL);
    let [new, _] = made(&changed());
    let mut asked = able();
    asked["window"] = json!({"showMessage": {}});
    let mut command = command("", "requirement");
    command["arguments"][0].as_object_mut().unwrap().remove("isSaved");
    for option in [json!({"showsDocuments": true}), json!({"keywright": {"showsDocuments": true}})] {
        let folder = folder(&old);
        let mut client = Client::start(&[]);
        client.initialize_with(asked.clone(), &[], json!({"initializationOptions": option}));
        let (uri, document) = (folder.uri("shop.dynamo"), folder.uri(REQUIREMENT));
        client.open(&uri, &changed());
        command["arguments"][0]["uri"] = json!(uri);
        client.ask("workspace/executeCommand", command.clone());
        assert_eq!(edited(&old, &change(&next_edit(&mut client)).2), new);
        // What it shows counts, and not the disk.
        client.open(&document, &with_words_between(&old));
        client.ask("workspace/executeCommand", command.clone());
        let (_, _, edits) = change(&next_edit(&mut client));
        assert_eq!(edited(&with_words_between(&old), &edits), with_words_between(&new));
        assert_eq!(client.seen("window/showMessageRequest"), 0);
        client.finish();
    }
}

/// What is on disk is not what its reader sees: an edit of it would take their words.
#[test]
fn a_document_that_may_be_open_and_unsaved_is_asked_about_first() {
    let [old, _] = made(MODEL);
    let [new, _] = made(&changed());
    let mut asked = able();
    asked["window"] = json!({"showMessage": {}});
    let plainly = |uri: &str| {
        let mut command = command(uri, "requirement");
        command["arguments"][0].as_object_mut().unwrap().remove("isSaved");
        command
    };
    for (answer, is_done) in [("Everything is saved", true), ("Cancel", false)] {
        for resolves in [true, false] {
            let folder = folder(&old);
            let mut client = Client::start(&[]);
            client.answers = false;
            client.initialize(asked.clone(), &[]);
            let uri = folder.uri("shop.dynamo");
            client.open(&uri, &changed());
            if resolves {
                let action = actions(&mut client, &uri, "source.keywright.requirement").remove(0);
                assert_eq!(client.ask("codeAction/resolve", action)["edit"], Value::Null);
            } else {
                client.ask("workspace/executeCommand", plainly(&uri));
            }
            let question = client.next("window/showMessageRequest");
            assert!(question["params"]["message"].as_str().unwrap().contains("not saved"), "{question}");
            assert_eq!(client.seen("workspace/applyEdit"), 0, "asked first");
            client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"title": answer}}));
            if is_done {
                assert_eq!(edited(&old, &change(&next_edit(&mut client)).2), new);
            } else {
                client.assert_alive_pushed();
                assert_eq!(client.seen("workspace/applyEdit"), 0, "not wanted");
            }
            client.finish();
        }
    }
    // Who cannot be asked is sent to the command line.
    let folder = folder(&old);
    let mut client = Client::with(able(), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    client.ask("workspace/executeCommand", plainly(&uri));
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("keywright docs"), "{told}");
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    // Who opens it shows it.
    client.open(&folder.uri(REQUIREMENT), &with_words_between(&old));
    client.ask("workspace/executeCommand", plainly(&uri));
    let (_, version, edits) = change(&next_edit(&mut client));
    assert_eq!((version, edited(&with_words_between(&old), &edits)), (json!(1), with_words_between(&new)));
    client.finish();
}

#[test]
fn damaged_marks_are_told_and_found() {
    let [old, _] = made(MODEL);
    let broken = old.replacen("<!-- keywright:begin title -->", "", 1);
    let folder = folder(&broken);
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, MODEL);
    let found = client.published_until(&uri, "damaged marks", |found| !stale(found).is_empty());
    let message = stale(&found)[0]["message"].as_str().unwrap();
    assert!(message.contains("part `title` ends here without a beginning"), "{message}");
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("part `title` ends here without a beginning"), "{told}");
    client.finish();
}

#[test]
fn a_part_that_the_model_no_longer_has_is_kept_or_removed() {
    let more = format!("{}\ntable Others {{\n  partition key id\n  item Thing\n}}\n", MODEL);
    let [_, old] = made(&more);
    let at = old.find("### Others Table").unwrap() + "### Others Table".len();
    let mine = format!("{} of ours{}", &old[..at], &old[at..]);
    let folder = Folder::new(&[("shop.dynamo", MODEL), (DATA_MODEL, &mine)]);
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, MODEL);
    client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    let fixes = actions(&mut client, &uri, "quickfix");
    let ways: Vec<&str> = titles(&fixes).iter().filter_map(|title| Some(title.split_once("`: ")?.1)).collect();
    assert_eq!(ways, ["keep it as mine", "remove it"]);
    client.finish();
}

/// Answers the question of the server, and returns the edit that follows.
fn decided(client: &mut Client, answer: Value) -> Value {
    let question = client.next("window/showMessageRequest");
    let buttons: Vec<&str> =
        question["params"]["actions"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!(buttons, ["Keep mine", "Take the new one", "Show both"]);
    let words = question["params"]["message"].as_str().unwrap();
    assert!(words.contains(REQUIREMENT) && words.contains("was edited"), "{words}");
    assert_eq!(client.seen("workspace/applyEdit"), 0, "asked first");
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
    let request = client.next("workspace/applyEdit");
    client.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"applied": true}}));
    request["params"]["edit"].clone()
}

#[test]
fn whoever_generates_decides_about_an_edited_part() {
    let [old, _] = made(MODEL);
    for (way, has_mine, has_new) in
        [("Keep mine", true, false), ("Take the new one", false, true), ("Show both", true, true)]
    {
        let mine = with_edit(&old);
        let folder = folder(&mine);
        let mut client = Client::start(&[]);
        client.answers = false;
        client.initialize(seeing(), &[]);
        let (uri, document) = (folder.uri("shop.dynamo"), folder.uri(REQUIREMENT));
        client.open(&uri, &changed());
        client.open(&document, &mine);
        client.ask("workspace/executeCommand", command(&uri, "requirement"));
        let edit = decided(&mut client, json!({"title": way}));
        let (_, version, edits) = change(&edit);
        assert_eq!(version, 1);
        let after = edited(&mine, &edits);
        assert_eq!(after.contains("selling, as we say"), has_mine, "{way}: {after}");
        assert_eq!(after.contains("renting"), has_new, "{way}: {after}");
        // What was decided is not asked again.
        client.change(&document, 2, &after);
        client.ask("workspace/executeCommand", command(&uri, "requirement"));
        assert!(client.next("window/showMessage")["params"]["message"].as_str().unwrap().contains("up to date"));
        client.finish();
    }
}

#[test]
fn a_question_that_nobody_answers_changes_nothing_of_what_people_wrote() {
    let [old, _] = made(MODEL);
    let mine = with_edit(&old);
    // A second part is out of date as well, and nobody's.
    let model = changed().replace("count 10", "count 20");
    let folder = folder(&mine);
    let mut client = Client::start(&[]);
    client.answers = false;
    client.initialize(seeing(), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &model);
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let question = client.next("window/showMessageRequest");
    client.assert_alive_pushed();
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": null}));
    client.assert_alive_pushed();
    if client.seen("workspace/applyEdit") > 0 {
        let after = edited(&mine, &change(&next_edit(&mut client)).2);
        assert!(after.contains("selling, as we say") && !after.contains("renting"), "{after}");
    }
    client.finish();
}

#[test]
fn what_was_decided_holds_for_the_text_that_was_asked_about() {
    let [old, _] = made(MODEL);
    let mine = with_edit(&old);
    let folder = folder(&mine);
    let mut client = Client::start(&[]);
    client.answers = false;
    client.initialize(seeing(), &[]);
    let (uri, document) = (folder.uri("shop.dynamo"), folder.uri(REQUIREMENT));
    client.open(&uri, &changed());
    client.open(&document, &mine);
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let question = client.next("window/showMessageRequest");
    // Meanwhile somebody writes on.
    client.change(&document, 2, &mine.replace("as we say", "as all say"));
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"title": "Take the new one"}}));
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("changed meanwhile"), "{told}");
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    client.finish();
}

#[test]
fn a_client_that_cannot_be_asked_is_told_and_has_quick_fixes() {
    let [old, _] = made(MODEL);
    let mine = with_edit(&old);
    let folder = folder(&mine);
    let mut client = Client::with(able(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("was edited") && told.contains("quick fix"), "{told}");
    assert_eq!(client.seen("window/showMessageRequest"), 0);
    let found = client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    assert!(stale(&found)[0]["message"].as_str().unwrap().contains("people edited"), "{found:#?}");
    let fixes = actions(&mut client, &uri, "quickfix");
    let titles = titles(&fixes);
    let ways = ["keep mine", "take the new one", "show both"];
    assert_eq!(titles.len(), 3, "{titles:?}");
    for ((title, way), fix) in titles.iter().zip(ways).zip(&fixes) {
        assert!(title.starts_with(&format!("{REQUIREMENT}, `")) && title.ends_with(way), "{title}");
        // Each would be the first edit of a document that is not seen.
        let mut client = Client::with(able_without(&["/workspace/applyEdit"]), &[]);
        client.open(&uri, &changed());
        let resolved = client.ask("codeAction/resolve", saved(fix.clone()));
        let after = edited(&mine, &change(&resolved["edit"]).2);
        assert_eq!(after.contains("as we say"), way != "take the new one", "{title}: {after}");
        assert_eq!(after.contains("renting"), way != "keep mine", "{title}: {after}");
        client.finish();
    }
    client.finish();
}

#[test]
fn a_document_is_stale_after_an_edit_of_the_model_until_it_is_refreshed() {
    let [requirement, data_model] = made(MODEL);
    let folder = folder(&requirement);
    folder.write(DATA_MODEL, &data_model);
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let (uri, document) = (folder.uri("shop.dynamo"), folder.uri(REQUIREMENT));
    client.open(&uri, MODEL);
    let found = client.published(&uri, Some(1));
    assert_eq!(stale(&found), [&Value::Null; 0]);
    // Both documents tell of it.
    client.change(&uri, 2, &changed().replace("rate 1/s", "rate 2/s"));
    let found = client.published(&uri, Some(2));
    assert_eq!(stale(&found), [&Value::Null; 0], "whoever types is told all else first");
    let found = client.published_until(&uri, "stale documents", |found| stale(found).len() == 2);
    let own = stale(&found)[0];
    assert_eq!((&own["severity"], &own["source"]), (&json!(3), &json!("keywright")));
    assert_eq!(own["range"], json!({"start": {"line": 0, "character": 12}, "end": {"line": 0, "character": 16}}));
    assert!(own["message"].as_str().unwrap().contains(REQUIREMENT), "{own}");
    let fixes = actions(&mut client, &uri, "quickfix");
    let index = titles(&fixes).iter().position(|title| *title == format!("Refresh {REQUIREMENT}")).unwrap();
    let resolved = client.ask("codeAction/resolve", fixes[index].clone());
    let (_, _, edits) = change(&resolved["edit"]);
    // The editor shows the text and has not saved it.
    client.open(&document, &requirement);
    client.change(&document, 2, &edited(&requirement, &edits));
    let is_about = |found: &[Value]| stale(found).iter().any(|one| one["message"].to_string().contains(REQUIREMENT));
    client.published_until(&uri, "no stale requirement", |found| stale(found).len() == 1 && !is_about(found));
    // Closed without having been saved.
    client.close(&document);
    client.published_until(&uri, "a stale requirement", is_about);
    for name in [REQUIREMENT, DATA_MODEL] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let events = [REQUIREMENT, DATA_MODEL].map(|name| json!({"uri": folder.uri(name), "type": 3}));
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": events}));
    client.published_until(&uri, "no stale document", |found| stale(found).is_empty());
    client.finish();
}

/// The findings of a file once a stale document is among them. A client that was
/// answered before is told to ask again.
fn pulled_stale(client: &mut Client, uri: &str) -> Vec<Value> {
    loop {
        let found = client.pulled(uri);
        if !stale(&found).is_empty() {
            return found;
        }
        client.next("workspace/diagnostic/refresh");
    }
}

#[test]
fn whoever_pulls_is_told_to_ask_again() {
    let [requirement, _] = made(MODEL);
    let folder = folder(&requirement);
    let mut client = Client::with(pulling_all(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    pulled_stale(&mut client, &uri);
    client.finish();
}

#[test]
fn where_nobody_watches_the_disk_is_looked_at_when_somebody_saves() {
    let [requirement, _] = made(MODEL);
    let folder = Folder::new(&[("shop.dynamo", MODEL)]);
    let mut client = Client::with(able_without(&["/workspace/didChangeWatchedFiles"]), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    assert_eq!(stale(&client.published(&uri, Some(1))), [&Value::Null; 0]);
    folder.write(REQUIREMENT, &requirement);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
    client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    std::fs::remove_file(folder.path(REQUIREMENT)).unwrap();
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
    client.published_until(&uri, "no stale document", |found| stale(found).is_empty());
    client.finish();
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    let [requirement, _] = made(MODEL);
    let folder = Folder::new(&[("shop.dynamo", MODEL)]);
    let mut bytes = requirement.into_bytes();
    bytes.push(0xff);
    std::fs::write(folder.path(REQUIREMENT), bytes).unwrap();
    std::fs::create_dir(folder.path(DATA_MODEL)).unwrap();
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    for (kind, why) in [("requirement", "not valid UTF-8"), ("dataModel", "a folder")] {
        client.ask("workspace/executeCommand", command(&uri, kind));
        let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
        assert!(told.contains(why), "{told}");
    }
    std::thread::sleep(Duration::from_secs(1));
    client.assert_alive_pushed();
    let spoken = client.unread(|message| message.to_string().contains("stale-document"));
    assert!(spoken.is_empty(), "{spoken:#?}");
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    client.finish();
}

#[test]
fn a_document_that_somebody_wrote_himself_is_asked_about_and_is_not_stale() {
    let folder = folder("# Ours\n\nNot from a model.\n");
    let mut client = Client::start(&[]);
    client.answers = false;
    client.initialize(seeing(), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, MODEL);
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let question = client.next("window/showMessageRequest");
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"title": "Show both"}}));
    let (_, _, edits) = change(&next_edit(&mut client));
    let after = edited("# Ours\n\nNot from a model.\n", &edits);
    assert!(after.starts_with("# Ours\n\nNot from a model.\n\n") && after.contains("keywright:begin"), "{after}");
    std::thread::sleep(Duration::from_secs(1));
    client.assert_alive_pushed();
    assert!(client.unread(|message| message.to_string().contains("stale-document")).is_empty());
    client.finish();
}

/// A file of two models, beside which the documents have the names of both.
#[test]
fn a_shared_file_refreshes_the_documents_of_both_models() {
    let a = "import \"part.dynamo\"\napplication A { domain \"first\" scale \"1 user\" }\n";
    let b = "import \"part.dynamo\"\napplication B { domain \"second\" scale \"1 user\" }\n";
    let part = "entity Part {\n  id: string @id\n  count 5\n}\n";
    let folder = Folder::new(&[("a.dynamo", a), ("b.dynamo", b), ("part.dynamo", part)]);
    folder.write("a.dynamodb_requirement.md", "");
    let mut client = Client::with(able(), &[&folder.root()]);
    let uri = folder.uri("part.dynamo");
    client.open(&uri, part);
    client.open(&folder.uri("a.dynamo"), a);
    client.open(&folder.uri("b.dynamo"), b);
    client.published_until(&uri, "findings", |_| true);
    let made = actions(&mut client, &uri, "source.keywright.requirement");
    assert_eq!(titles(&made), [format!("Generate {REQUIREMENT} for 2 models")]);
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let edit = next_edit(&mut client);
    let made: Vec<&Value> =
        edit["documentChanges"].as_array().unwrap().iter().filter(|one| one["kind"] == "create").collect();
    let uris: Vec<&str> = made.iter().map(|one| one["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, [folder.uri("a.dynamodb_requirement.md"), folder.uri("b.dynamodb_requirement.md")]);
    client.finish();
}

#[test]
fn a_client_that_cannot_create_files_refreshes_those_that_are_there() {
    let [old, _] = made(MODEL);
    let [new, _] = made(&changed());
    let folder = folder(&old);
    let without = ["/workspace/workspaceEdit/resourceOperations", "/workspace/workspaceEdit/documentChanges"];
    let mut client = Client::with(able_without(&without), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let edit = next_edit(&mut client);
    let edits = &edit["changes"][folder.uri(REQUIREMENT)];
    assert_eq!(edited(&old, edits), new);
    client.ask("workspace/executeCommand", command(&uri, "dataModel"));
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("cannot create files") && told.contains(DATA_MODEL), "{told}");
    // An empty file is filled as it is.
    folder.write(DATA_MODEL, "");
    client.ask("workspace/executeCommand", command(&uri, "dataModel"));
    let edit = next_edit(&mut client);
    assert_eq!(edited("", &edit["changes"][folder.uri(DATA_MODEL)]), made(&changed())[1]);
    client.finish();
}

#[test]
fn a_client_that_takes_no_edits_is_told_so() {
    let [old, _] = made(MODEL);
    let folder = folder(&old);
    let without = ["/workspace/applyEdit", "/textDocument/codeAction/resolveSupport"];
    let mut client = Client::with(able_without(&without), &[]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    // The edit of a document that is there would be for a text of now: it is no part of a menu.
    let refresh = actions(&mut client, &uri, "source.keywright.requirement").remove(0);
    assert!(refresh.get("edit").is_none(), "{refresh}");
    client.ask(
        "workspace/executeCommand",
        json!({"command": refresh["command"]["command"], "arguments": refresh["command"]["arguments"]}),
    );
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("does not let"), "{told}");
    // One that is not there can be made.
    let generate = actions(&mut client, &uri, "source.keywright.dataModel").remove(0);
    assert_eq!(generate["edit"]["documentChanges"][0]["kind"], "create", "{generate}");
    client.finish();
}

#[test]
fn the_level_is_set_as_that_of_a_rule() {
    let [old, _] = made(MODEL);
    let folder = folder(&old);
    folder.write("keywright.toml", "[levels]\nstale-document = \"warning\"\n");
    let mut client = Client::with(able(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    let found = client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    assert_eq!(stale(&found)[0]["severity"], 2);
    folder.write("keywright.toml", "[levels]\nstale-document = \"off\"\n");
    let events = json!([{"uri": folder.uri("keywright.toml"), "type": 2}]);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": events}));
    client.published_until(&uri, "silence", |found| stale(found).is_empty());
    client.finish();
}

#[test]
fn open_documents_are_asked_for_where_the_client_shows_them() {
    let mut client = Client::with(seeing(), &[]);
    let mut methods = Vec::new();
    while methods.len() < 3 {
        let request = client.next("client/registerCapability");
        let registrations = request["params"]["registrations"].as_array().unwrap().clone();
        let own = registrations.into_iter().filter(|one| one["id"].as_str().unwrap().contains("documents"));
        methods.extend(own.map(|one| {
            let patterns: Vec<&str> = one["registerOptions"]["documentSelector"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["pattern"].as_str().unwrap())
                .collect();
            assert_eq!(patterns, ["**/*dynamodb_requirement.md", "**/*dynamodb_data_model.md"]);
            one["method"].as_str().unwrap().to_owned()
        }));
    }
    assert_eq!(methods, ["textDocument/didChange", "textDocument/didClose", "textDocument/didOpen"]);
    // Markdown is no model.
    client.open("file:///no/such/dynamodb_requirement.md", "entity A {\n");
    client.assert_alive_pushed();
    assert!(client.unread(|message| message.to_string().contains("syntax-error")).is_empty());
    client.finish();
}

#[test]
fn columns_count_in_the_clients_units() {
    let model = MODEL.replace("application Shop", "application `🙂 Shop`");
    let [old, _] = made(&model);
    // Without its last part, and without a line end behind what stands there instead.
    let last = old.rfind("<!-- keywright:begin").unwrap();
    let mine = format!("{}The end 🙂", &old[..last]);
    let folder = folder(&mine);
    let mut able = able();
    able["general"]["positionEncodings"] = json!(["utf-16"]);
    let mut client = Client::with(able, &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &model);
    let found = client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    assert_eq!(stale(&found)[0]["range"]["end"], json!({"line": 0, "character": 12 + "` Shop`".len() + 2}));
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let (_, _, edits) = change(&next_edit(&mut client));
    assert_eq!(edits[0]["range"]["start"]["character"], "The end ".len() + 2, "{edits}");
    let after = edited(&mine, &edits);
    assert!(after.starts_with(&mine) && after.contains(old[last..].trim_end()), "{after}");
    client.finish();
}

/// What the editor says of a model `keywright check` says as well.
#[test]
fn the_command_line_finds_the_same() {
    let [old, _] = made(MODEL);
    let folder = folder(&with_edit(&old));
    folder.write("shop.dynamo", &changed());
    let mut client = Client::with(pulling_all(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    let found = pulled_stale(&mut client, &uri);
    client.finish();
    for (more, code) in [(&[][..], 0), (&["--fail-on", "info"], 1)] {
        let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_keywright"));
        let path = folder.path("shop.dynamo");
        let output = check.args(["check", "--format", "json"]).arg(path).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = report.to_string();
        let message = stale(&found)[0]["message"].clone();
        assert!(text.contains("\"stale-document\"") && text.contains(&message.to_string()), "{text}");
    }
    let sarif = std::process::Command::new(env!("CARGO_BIN_EXE_keywright"))
        .args(["check", "--format", "sarif"])
        .arg(folder.path("shop.dynamo"))
        .output()
        .unwrap();
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let own = rules.iter().find(|rule| rule["id"] == "stale-document").unwrap();
    assert!(own["help"]["text"].as_str().unwrap().contains("keywright:begin"), "{own}");
    let explained = std::process::Command::new(env!("CARGO_BIN_EXE_keywright"))
        .args(["explain", "stale-document"])
        .output()
        .unwrap();
    assert!(String::from_utf8(explained.stdout).unwrap().starts_with("# Generated documents"));
}

#[test]
fn a_hover_on_the_name_explains_the_finding() {
    let [old, _] = made(MODEL);
    let folder = folder(&old);
    let mut client = Client::with(able(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    let params = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 13}});
    let hover = client.ask("textDocument/hover", params);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("# Generated documents"), "{hover}");
    client.finish();
}

/// A finding shows where its model says what it is, be it in another file, and at the
/// start of the root where nothing does.
#[test]
fn a_model_without_an_application_shows_it_at_its_start() {
    let model = "entity Thing {\n  id: string @id\n  count 10\n}\n";
    let [old, _] = made(model);
    let folder = Folder::new(&[("shop.dynamo", ""), (REQUIREMENT, &old)]);
    let mut client = Client::with(able(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &model.replace("count 10", "count 11"));
    let found = client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    let start = json!({"line": 0, "character": 0});
    assert_eq!(stale(&found)[0]["range"], json!({"start": start, "end": start}));
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": start, "end": start}, "context": {"diagnostics": stale(&found)}});
    let actions = client.ask("textDocument/codeAction", params).as_array().unwrap().clone();
    let fix = actions
        .iter()
        .find(|action| action["kind"] == "quickfix" && action["title"] == format!("Refresh {REQUIREMENT}"));
    assert_eq!(fix.unwrap()["diagnostics"].as_array().unwrap().len(), 1, "{actions:#?}");
    client.finish();
}

#[test]
fn the_report_of_the_workspace_has_it_too() {
    let [old, _] = made(MODEL);
    let folder = folder(&old);
    folder.write("shop.dynamo", &changed());
    let mut client = Client::with(pulling_all(), &[&folder.root()]);
    let mut known = json!([]);
    loop {
        let report = client.ask("workspace/diagnostic", json!({"previousResultIds": known}));
        let items = report["items"].as_array().unwrap();
        let Some(own) = items.iter().find(|item| item["uri"] == folder.uri("shop.dynamo")) else { continue };
        if own["items"].as_array().is_some_and(|found| !stale(found).is_empty()) {
            break;
        }
        // Asked again, it is held until there is something new.
        known = json!([{"uri": own["uri"], "value": own["resultId"]}]);
    }
    client.finish();
}

#[test]
fn a_command_may_say_beforehand_what_becomes_of_edited_parts() {
    let [old, _] = made(MODEL);
    let [new, _] = made(&changed());
    let mine = with_edit(&old);
    for way in ["mine", "new", "both"] {
        let folder = folder(&mine);
        let mut client = Client::with(seeing(), &[]);
        let (uri, document) = (folder.uri("shop.dynamo"), folder.uri(REQUIREMENT));
        client.open(&uri, &changed());
        client.open(&document, &mine);
        let argument = json!({"uri": uri, "kind": "requirement", "conflicts": way});
        client
            .ask("workspace/executeCommand", json!({"command": "keywright.generateDocument", "arguments": [argument]}));
        let after = edited(&mine, &change(&next_edit(&mut client)).2);
        assert_eq!(after == new, way == "new", "{after}");
        assert_eq!(after.contains("as we say"), way != "new", "{after}");
        assert_eq!(client.seen("window/showMessageRequest"), 0);
        client.finish();
    }
}

/// Two models beside each other: each has its own documents, and its own findings.
#[test]
fn a_stale_document_is_told_of_its_own_model() {
    let other = MODEL.replace("Shop", "Other");
    let [old, _] = made(MODEL);
    let folder = Folder::new(&[("shop.dynamo", MODEL), ("other.dynamo", &other)]);
    folder.write("shop.dynamodb_requirement.md", &old);
    // Under this name stands no document of two models.
    folder.write(REQUIREMENT, &old);
    let mut client = Client::with(able(), &[&folder.root()]);
    let uris = ["shop.dynamo", "other.dynamo"].map(|name| folder.uri(name));
    client.open(&uris[0], &changed());
    client.open(&uris[1], &other.replace("selling", "lending"));
    let found = client.published_until(&uris[0], "a stale document", |found| !stale(found).is_empty());
    assert_eq!(stale(&found).len(), 1);
    assert!(stale(&found)[0]["message"].to_string().contains("`shop.dynamodb_requirement.md`"), "{found:#?}");
    std::thread::sleep(Duration::from_secs(1));
    client.assert_alive_pushed();
    let of_other =
        client.unread(|message| message["params"]["uri"] == uris[1] && message.to_string().contains("stale-document"));
    assert!(of_other.is_empty(), "{of_other:#?}");
    client.finish();
}
