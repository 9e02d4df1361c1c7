//! Columns behind `é` and emoji, in every way to count them.

use super::shared::*;
use crate::support::client::*;
use serde_json::json;

const URI: &str = "untitled:columns";

/// `Person` and what is wrong stand behind characters of every width.
const TEXT: &str = "// é🙂 Person\r\nentity Person {\r\n  id: string @id\r\n}\r\n\
    pattern P { external \"é🙂\" because \"🙂é𝒳\" reads Person, Persom }\r\n";

fn client(encoding: &str) -> Client {
    let mut client = Client::with(counting(pulling(), encoding), &[]);
    client.open(URI, TEXT);
    client
}

#[test]
fn a_hover_covers_its_name() {
    for encoding in ENCODINGS {
        let mut client = client(encoding);
        let name = range(&TEXT.replace("entity Person", "entity ______"), "Person,", encoding);
        let mut end = name["end"].clone();
        end["character"] = json!(end["character"].as_u64().unwrap() - 1);
        for place in [&name["start"], &end] {
            let hover = client.ask("textDocument/hover", at(URI, place.clone()));
            assert_eq!(hover["range"], json!({"start": name["start"], "end": end}), "{encoding}");
        }
        client.finish();
    }
}

#[test]
fn a_rename_edits_names_and_nothing_else() {
    for encoding in ENCODINGS {
        let mut client = client(encoding);
        let from = position(TEXT, TEXT.find("Person,").unwrap(), encoding);
        let mut params = at(URI, from);
        params["newName"] = json!("Human");
        let edit = client.ask("textDocument/rename", params);
        let expected = TEXT.replace("entity Person", "entity Human").replace("reads Person,", "reads Human,");
        assert_eq!(edited(TEXT, &edit["changes"][URI], encoding), expected, "{encoding}");
        client.finish();
    }
}

#[test]
fn a_fix_edits_the_name_that_it_mends() {
    for encoding in ENCODINGS {
        let mut capabilities = able_without(&["/workspace/workspaceEdit/documentChanges"]);
        capabilities["workspace"]["workspaceEdit"] = json!({});
        let mut client = Client::with(counting(capabilities, encoding), &[]);
        client.open(URI, TEXT);
        let params = json!({
            "textDocument": {"uri": URI}, "range": range(TEXT, "Persom", encoding),
            "context": {"diagnostics": [], "only": ["quickfix"]}
        });
        let actions = client.ask("textDocument/codeAction", params);
        let expected = TEXT.replace("Persom", "Person");
        let results = actions.as_array().unwrap().iter().filter_map(|action| {
            let edits = &action["edit"]["changes"][URI];
            edits.is_array().then(|| edited(TEXT, edits, encoding))
        });
        let results: Vec<String> = results.collect();
        assert!(results.contains(&expected), "{encoding}: {actions:#}");
        client.finish();
    }
}

/// The client's edits stand behind the emoji too, and across the end of a line
/// of two characters.
#[test]
fn an_edit_of_the_client_lands_where_it_says() {
    for encoding in ENCODINGS {
        let mut client = client(encoding);
        let start = TEXT.find("Persom").unwrap();
        let to = range(TEXT, "Persom", encoding);
        client.edit(URI, 2, json!([{"range": to, "text": "Pers🙂n"}]));
        let text = format!("{}Pers🙂n{}", &TEXT[..start], &TEXT[start + "Persom".len()..]);
        let across = json!({
            "start": position(&text, text.find("\r\n").unwrap(), encoding),
            "end": position(&text, text.find("entity").unwrap(), encoding)
        });
        client.edit(URI, 3, json!([{"range": across, "text": "\r\n\r\n"}]));
        let expected = text.replacen("\r\n", "\r\n\r\n", 1);
        client.open("untitled:fresh", &expected);
        assert_eq!(client.pulled(URI), client.pulled("untitled:fresh"), "{encoding}");
        client.finish();
    }
}
