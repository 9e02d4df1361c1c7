//! A rename means a symbol, wherever it is named.

use super::shared::*;
use crate::support::client::*;
use serde_json::{Value, json};

/// Words that are spelled like the entity and like its attribute, and mean
/// something else.
const SHOP: &str = "\
import \"user.dynamo\"

// User and nickname in a comment.
/// User has a nickname.
entity Shop {
  shop_id:  uuid @id
  nickname: string
  owner:    uuid @of(User)
}

table Users {
  partition key user_id
  item User { user_id = user_id }
}

/// User
pattern User {
  reads User(nickname), Shop(nickname) by user_id
  get User from Users
  external \"User nickname\" because \"User\"
}
";

const USER: &str = "/// User\nentity User {\n  user_id:  uuid @id\n  nickname: string // é🙂 nickname\n}\n";

fn rename(client: &mut Client, uri: &str, text: &str, place: usize, name: &str) -> Value {
    let mut params = at(uri, position(text, place, "utf-16"));
    params["newName"] = json!(name);
    client.ask("textDocument/rename", params)["changes"].take()
}

fn opened() -> (Folder, Client) {
    let folder = Folder::new(&[("shop.dynamo", SHOP), ("user.dynamo", USER)]);
    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(&folder.uri("shop.dynamo"), SHOP);
    (folder, client)
}

/// Both texts after a rename.
fn both(folder: &Folder, changes: &Value) -> (String, String) {
    let of = |name: &str, text: &str| match changes.get(folder.uri(name)) {
        Some(edits) => edited(text, edits, "utf-16"),
        None => text.to_owned(),
    };
    (of("shop.dynamo", SHOP), of("user.dynamo", USER))
}

fn of_entity() -> (String, String) {
    let shop = SHOP
        .replace("@of(User)", "@of(Member)")
        .replace("item User ", "item Member ")
        .replace("reads User(", "reads Member(")
        .replace("get User from", "get Member from");
    (shop, USER.replace("entity User", "entity Member"))
}

#[test]
fn a_rename_is_by_symbol_and_not_by_text() {
    let (folder, mut client) = opened();
    let uri = folder.uri("shop.dynamo");
    let entity = rename(&mut client, &uri, SHOP, SHOP.find("User from").unwrap(), "Member");
    assert_eq!(both(&folder, &entity), of_entity());
    let attribute = rename(&mut client, &uri, SHOP, SHOP.find("nickname), Shop").unwrap(), "alias");
    let expected = (SHOP.replace("User(nickname)", "User(alias)"), USER.replace("nickname: string", "alias: string"));
    let (shop, user) = both(&folder, &attribute);
    assert_eq!(shop, expected.0);
    assert_eq!(user.replace("alias:    ", "alias: "), expected.1, "white space apart");
    client.finish();
}

#[test]
fn every_occurrence_can_be_renamed_from() {
    let (folder, mut client) = opened();
    let (shop, user) = (folder.uri("shop.dynamo"), folder.uri("user.dynamo"));
    client.open(&user, USER);
    for before in ["@of(", "item ", "reads ", "get "] {
        let place = SHOP.find(&format!("{before}User")).unwrap() + before.len();
        // At its beginning, inside, and behind its end.
        for place in [place, place + 2, place + 4] {
            let changes = rename(&mut client, &shop, SHOP, place, "Member");
            assert_eq!(both(&folder, &changes), of_entity(), "from {before}");
        }
    }
    let changes = rename(&mut client, &user, USER, USER.find("entity User").unwrap() + 8, "Member");
    assert_eq!(both(&folder, &changes), of_entity(), "from the declaration");
    client.finish();
}

#[test]
fn closed_files_are_renamed_in() {
    let (folder, mut client) = opened();
    let (shop, user) = (folder.uri("shop.dynamo"), folder.uri("user.dynamo"));
    // Only the importing file is open; then only the imported one; then none.
    let from_use = SHOP.find("User from").unwrap();
    let changes = rename(&mut client, &shop, SHOP, from_use, "Member");
    assert_eq!(both(&folder, &changes), of_entity());
    client.close(&shop);
    client.open(&user, USER);
    let from_declaration = USER.find("entity User").unwrap() + 8;
    let changes = rename(&mut client, &user, USER, from_declaration, "Member");
    assert_eq!(both(&folder, &changes), of_entity());
    client.finish();
}
