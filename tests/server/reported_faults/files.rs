//! Imports, configurations and drive letters.

use crate::support::client::*;
use serde_json::{Value, json};

const KNOWN: &str = "entity Known { id: string @id }\n";

#[test]
fn a_folder_with_the_name_of_a_model_is_no_model() {
    let folder = Folder::new(&[("lib.dynamo/inner.dynamo", KNOWN)]);
    let uri = folder.uri("a.dynamo");
    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(&uri, "import \"lib.dynamo\"\nimport \"lib.dynamo/inner.dynamo\"\npattern P { reads Known, Nobody }\n");
    let found = client.pulled(&uri);
    let of_imports: Vec<&Value> = found.iter().filter(|finding| finding["code"] == "import-not-found").collect();
    assert_eq!(of_imports.len(), 1, "{found:#?}");
    assert_eq!(of_imports[0]["range"]["start"]["line"], 0);
    assert!(!is_unknown(&found, "Known") && is_unknown(&found, "Nobody"), "{found:#?}");
    // The folder gives way to a file of its name.
    std::fs::remove_dir_all(folder.path("lib.dynamo")).unwrap();
    folder.write("lib.dynamo", KNOWN);
    let changes = json!({"changes": [{"uri": folder.uri("lib.dynamo"), "type": 3}, {"uri": folder.uri("lib.dynamo"), "type": 1}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let found = client.pulled(&uri);
    let of_imports: Vec<&Value> = found.iter().filter(|finding| finding["code"] == "import-not-found").collect();
    assert_eq!(of_imports[0]["range"]["start"]["line"], 1, "{found:#?}");
    assert!(!is_unknown(&found, "Known"), "{found:#?}");
    client.finish();
}

#[test]
fn a_missing_file_is_told_where_it_is_imported() {
    let folder = Folder::new(&[("b.dynamo", KNOWN)]);
    let uri = folder.uri("a.dynamo");
    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(&uri, "// é🙂\nimport \"none.dynamo\"\nimport \"b.dynamo\"\npattern P { reads Known, Nobody }\n");
    let found = client.pulled(&uri);
    let missing = found.iter().find(|finding| finding["code"] == "import-not-found").expect("it is told");
    assert_eq!(missing["range"]["start"]["line"], 1);
    assert!(missing["message"].as_str().unwrap().contains("none.dynamo"), "{missing}");
    assert!(!is_unknown(&found, "Known") && is_unknown(&found, "Nobody"), "the rest is judged: {found:#?}");
    client.finish();
}

/// The level of what a rule finds in a file; none where it is off.
fn level(client: &mut Client, uri: &str) -> Option<i64> {
    let found = client.pulled(uri);
    found.iter().find(|finding| finding["code"] == "missing-rate").and_then(|finding| finding["severity"].as_i64())
}

#[test]
fn the_nearest_configuration_holds() {
    const MODEL: &str =
        "entity E { id: uuid @id }\ntable Things { partition key id item E }\npattern P { get E from Things }\n";
    let set = |level: &str| format!("[levels]\nmissing-rate = \"{level}\"\n");
    let folder = Folder::new(&[
        ("keywright.toml", &set("error")),
        ("services/orders/keywright.toml", &set("off")),
        ("services/orders/deep/down/model.dynamo", MODEL),
        ("services/orders/model.dynamo", MODEL),
        ("services/users/model.dynamo", MODEL),
    ]);
    // The folder that is open may be the whole, a part, or none at all.
    for workspace in [vec![folder.root()], vec![folder.uri("services/orders"), folder.uri("services/users")], vec![]] {
        let workspace: Vec<&str> = workspace.iter().map(String::as_str).collect();
        let mut client = Client::with(pulling(), &workspace);
        let models =
            ["services/orders/deep/down/model.dynamo", "services/orders/model.dynamo", "services/users/model.dynamo"];
        let uris = models.map(|name| folder.uri(name));
        for uri in &uris {
            client.open(uri, MODEL);
        }
        let levels = uris.each_ref().map(|uri| level(&mut client, uri));
        assert_eq!(levels, [None, None, Some(1)], "{workspace:?}");
        // Another that is nearer, and away with it again.
        let nearest = "services/orders/deep/keywright.toml";
        folder.write(nearest, &set("hint"));
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": folder.uri(nearest), "type": 1}]}));
        let levels = uris.each_ref().map(|uri| level(&mut client, uri));
        assert_eq!(levels, [Some(4), None, Some(1)], "{workspace:?}");
        std::fs::remove_file(folder.path(nearest)).unwrap();
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": folder.uri(nearest), "type": 3}]}));
        assert_eq!(level(&mut client, &uris[0]), None, "{workspace:?}");
        client.finish();
    }
}

#[test]
fn imports_know_drive_letters_in_any_case() {
    let mut client = Client::with(pulling(), &["file:///c%3A/models"]);
    client.open("file:///C:/models/sub/b.dynamo", KNOWN);
    for (number, root) in
        ["file:///c%3A/models", "file:///C%3A/models", "file:///c:/models", "file:///C:/models"].iter().enumerate()
    {
        let uri = format!("{root}/a{number}.dynamo");
        client.open(&uri, "import \"sub/b.dynamo\"\npattern P { reads Known, Nobody }\n");
        let found = client.pulled(&uri);
        assert!(!is_unknown(&found, "Known") && is_unknown(&found, "Nobody"), "{uri}: {found:#?}");
        let place = json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 20}});
        let definition = client.ask("textDocument/definition", place);
        assert_eq!(definition[0]["uri"], "file:///C:/models/sub/b.dynamo", "as the client spells it");
    }
    client.finish();
}
