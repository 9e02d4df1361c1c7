//! Documents that stand beside a model and are not as they should be: of a model that
//! does not parse, of another one, under another name, or edited by hand.

use super::*;
use crate::support::client::*;

const OTHER: &str = "application Tram {\n  domain \"trams\"\n  scale \"3 trams\"\n}\n";

#[test]
fn while_a_declaration_does_not_parse_nothing_is_stale_and_nothing_is_made() {
    let [old, _] = made(MODEL);
    let folder = folder(&old);
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    client.change(&uri, 2, &changed().replace("table Things {", "table Things "));
    client.published_until(&uri, "none", |found| stale(found).is_empty());
    for kind in ["requirement", "dataModel"] {
        client.ask("workspace/executeCommand", command(&uri, kind));
        let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
        assert!(told.starts_with("shop.dynamo, line 11, does not parse: "), "{told}");
    }
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    client.change(&uri, 3, &changed());
    client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    next_edit(&mut client);
    client.finish();
}

#[test]
fn a_document_under_its_former_name_is_found_and_no_second_one_is_made() {
    let [old, _] = made(MODEL);
    let folder = Folder::new(&[("shop.dynamo", MODEL), (REQUIREMENT, &old), ("notes.dynamo", "// nothing\n")]);
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let (uri, other) = (folder.uri("shop.dynamo"), folder.uri("tram.dynamo"));
    client.open(&uri, &changed());
    let found = client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    let message = stale(&found)[0]["message"].as_str().unwrap();
    assert!(message.starts_with(&format!("`{REQUIREMENT}` is out of date")), "{message}");
    // A second model comes, and each has documents of its own.
    client.open(&other, OTHER);
    let by_now = |found: &[Value]| messages(found).contains("by now: no one renews it");
    let found = client.published_until(&uri, "a former name", by_now);
    let message = stale(&found)[0]["message"].as_str().unwrap();
    let says = format!("`{REQUIREMENT}` stands beside the model, whose document is `shop.{REQUIREMENT}` by now");
    assert!(message.starts_with(&says), "{message}");
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains(&format!("Rename it to shop.{REQUIREMENT}")), "{told}");
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    // It is not the other's.
    client.ask("workspace/executeCommand", command(&other, "requirement"));
    let edit = next_edit(&mut client);
    let created = edit["documentChanges"][0]["uri"].as_str().unwrap();
    assert!(created.ends_with(&format!("/tram.{REQUIREMENT}")), "{created}");
    client.finish();
}

#[test]
fn a_document_of_another_model_is_not_made_this_ones() {
    let [theirs, _] = made(MODEL);
    let folder =
        Folder::new(&[("shop.dynamo", "// nothing any more\n"), ("tram.dynamo", OTHER), (REQUIREMENT, &theirs)]);
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let uri = folder.uri("tram.dynamo");
    client.open(&uri, OTHER);
    client.ask("workspace/executeCommand", command(&uri, "requirement"));
    let told = client.next("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(told.starts_with(&format!("{REQUIREMENT} is the document of another model, ")), "{told}");
    assert_eq!(client.seen("workspace/applyEdit"), 0);
    client.finish();
}

#[test]
fn an_edit_by_hand_is_told_as_that_while_the_model_says_what_it_said() {
    let [old, _] = made(MODEL);
    let folder = folder(&with_edit(&old));
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, MODEL);
    let found = client.published_until(&uri, "an edited document", |found| !stale(found).is_empty());
    let message = stale(&found)[0]["message"].as_str().unwrap();
    assert!(message.starts_with(&format!("`{REQUIREMENT}` is not as it was made: people edited ")), "{message}");
    assert!(message.contains("and the model still says what it said"), "{message}");
    client.change(&uri, 2, &changed());
    let found = client.published_until(&uri, "news", |found| messages(found).contains("something else by now"));
    assert_eq!(stale(&found).len(), 1);
    client.finish();
}

#[test]
fn a_sentence_that_changed_is_one_place_and_one_refresh_in_the_menu() {
    let [old, _] = made(MODEL);
    let folder = folder(&old);
    let mut client = Client::with(seeing(), &[&folder.root()]);
    let uri = folder.uri("shop.dynamo");
    client.open(&uri, &changed());
    let found = client.published_until(&uri, "a stale document", |found| !stale(found).is_empty());
    assert!(messages(&found).contains("out of date in 1 place:"), "{}", messages(&found));
    let at = json!({"line": 0, "character": 12});
    let params =
        json!({"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", params).as_array().unwrap().clone();
    let refresh = format!("Refresh {REQUIREMENT}");
    assert_eq!(titles(&actions).iter().filter(|title| **title == refresh).count(), 1, "{:?}", titles(&actions));
    // A line more in the model is no news.
    client.change(&uri, 2, &format!("// A comment.\n{MODEL}"));
    client.published_until(&uri, "none", |found| stale(found).is_empty());
    client.finish();
}
