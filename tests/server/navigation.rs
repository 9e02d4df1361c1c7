//! Going from place to place, over the real process: what each client can show,
//! and columns as it counts them.

use crate::support::client::*;
use serde_json::{Value, json};

/// A line for each declaration; what is asked for stands behind an emoji.
const SHOP: &[&str] = &[
    "entity User { user_id: uuid @without(\"é🙂\") @id }",
    "entity Order { order_id: ulid @id user_id: uuid @without(\"é🙂\") @of(User) status: enum(open, paid) }",
    "table Orders { boundary \"é🙂\" partition key user_id sort key sk: string item User { sk = \"é🙂\" } item Order { sk = \"O🙂#{order_id}\" } gsi ByStatus { purpose \"é🙂\" partition key status projection all } }",
    "pattern Find { external \"é🙂\" because \"🙂\" query Orders.ByStatus where status = \"open\" filter status <> \"paid\" }",
    "pattern Pay { external \"é🙂\" because \"🙂\" update Order in Orders set status }",
    "workflow Buy { Find, Pay }",
];

fn model() -> String {
    format!("// é🙂\r\n{}\r\n", SHOP.join("\r\n"))
}

/// How a client counts columns.
#[derive(Clone, Copy, PartialEq)]
enum Count {
    Utf8,
    Utf16,
}

impl Count {
    fn of(self, text: &str) -> usize {
        match self {
            Count::Utf8 => text.len(),
            Count::Utf16 => text.encode_utf16().count(),
        }
    }

    /// The range of the last word of a piece of the model, the first that there is.
    fn range(self, piece: &str) -> Value {
        let text = model();
        let at = text.find(piece).unwrap_or_else(|| panic!("`{piece}` is there"));
        let end = at + piece.len();
        let start = at + piece.rfind([' ', '(', '.', '"', '{']).map_or(0, |before| before + 1);
        let position = |at: usize| {
            let line = text[..at].matches('\n').count();
            let from = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            json!({"line": line, "character": self.of(&text[from..at])})
        };
        json!({"start": position(start), "end": position(end)})
    }

    fn at(self, uri: &str, piece: &str) -> Value {
        json!({"textDocument": {"uri": uri}, "position": self.range(piece)["start"]})
    }

    fn capabilities(self) -> Value {
        let mut capabilities = navigating();
        capabilities["general"]["positionEncodings"] = match self {
            Count::Utf8 => json!(["utf-8"]),
            Count::Utf16 => json!(["utf-16"]),
        };
        capabilities
    }
}

const BOTH: [Count; 2] = [Count::Utf8, Count::Utf16];

/// A client that can do everything here as well.
fn navigating() -> Value {
    let mut capabilities = able();
    for method in ["declaration", "typeDefinition", "implementation"] {
        capabilities["textDocument"][method] = json!({"linkSupport": true});
    }
    capabilities["textDocument"]["documentLink"] = json!({"tooltipSupport": true});
    capabilities["textDocument"]["callHierarchy"] = json!({});
    capabilities["workspace"]["symbol"] = json!({"symbolKind": {"valueSet": (1..=26).collect::<Vec<u8>>()}});
    capabilities
}

const URI: &str = "untitled:shop";

fn opened(capabilities: Value) -> Client {
    let mut client = Client::with(capabilities, &[]);
    client.open(URI, &model());
    client
}

#[test]
fn what_is_answered_is_announced() {
    let mut client = Client::start(&[]);
    let answer = client.initialize(json!({}), &[]);
    let capabilities = &answer["capabilities"];
    for provider in [
        "definitionProvider",
        "declarationProvider",
        "typeDefinitionProvider",
        "implementationProvider",
        "referencesProvider",
        "documentHighlightProvider",
        "documentSymbolProvider",
        "workspaceSymbolProvider",
        "callHierarchyProvider",
    ] {
        assert_eq!(capabilities[provider], json!(true), "{provider}");
    }
    assert_eq!(capabilities["documentLinkProvider"], json!({"resolveProvider": false}));
    client.finish();
}

/// Methods with what is asked and the name that it leads to.
const GOING: [(&str, &str, &str); 4] = [
    ("definition", "external \"é🙂\" because \"🙂\" update Order", "entity Order"),
    ("declaration", "where status", "partition key status"),
    ("typeDefinition", "#{order_id", "entity Order"),
    ("implementation", "{ Find", "gsi ByStatus"),
];

#[test]
fn places_are_links_where_the_client_has_them() {
    for count in BOTH {
        let mut client = opened(count.capabilities());
        for (method, from, to) in GOING {
            let links = client.ask(&format!("textDocument/{method}"), count.at(URI, from));
            assert_eq!(links.as_array().unwrap().len(), 1, "{method}: {links}");
            assert_eq!(links[0]["targetUri"], URI);
            assert_eq!(links[0]["targetSelectionRange"], count.range(to), "{method}");
            assert_eq!(links[0]["originSelectionRange"], count.range(from), "{method}");
        }
        client.finish();
    }
}

#[test]
fn places_are_names_where_it_has_no_links() {
    let mut lacking = Count::Utf16.capabilities();
    for (method, ..) in GOING {
        lacking["textDocument"].as_object_mut().unwrap().remove(method);
    }
    for capabilities in [json!({}), lacking] {
        let mut client = opened(capabilities);
        for (method, from, to) in GOING {
            let places = client.ask(&format!("textDocument/{method}"), Count::Utf16.at(URI, from));
            assert_eq!(places, json!([{"uri": URI, "range": Count::Utf16.range(to)}]), "{method}");
        }
        client.finish();
    }
}

#[test]
fn one_method_with_links_is_not_all() {
    let mut capabilities = Count::Utf16.capabilities();
    capabilities["textDocument"]["implementation"] = json!({"linkSupport": false});
    let mut client = opened(capabilities);
    let ask = |client: &mut Client, at: usize| {
        let (method, from, _) = GOING[at];
        client.ask(&format!("textDocument/{method}"), Count::Utf16.at(URI, from))
    };
    assert!(ask(&mut client, 2)[0].get("targetUri").is_some());
    assert!(ask(&mut client, 3)[0].get("uri").is_some());
    client.finish();
}

#[test]
fn references_come_with_and_without_declarations() {
    for count in BOTH {
        let mut client = opened(count.capabilities());
        let mut ask = |with: bool| {
            let mut params = count.at(URI, "{ Find, Pay");
            params["context"] = json!({"includeDeclaration": with});
            client.ask("textDocument/references", params)
        };
        let use_of_it = json!({"uri": URI, "range": count.range("{ Find, Pay")});
        assert_eq!(ask(true), json!([{"uri": URI, "range": count.range("pattern Pay")}, use_of_it]));
        assert_eq!(ask(false), json!([use_of_it]));
        client.finish();
    }
}

#[test]
fn references_reach_files_that_are_not_open() {
    let folder = Folder::new(&[
        (
            "shop.dynamo",
            "import \"lib/é 🙂.dynamo\"\npattern P { external \"é🙂\" because \"🙂\" reads User }\nentity Extra { id: string @id }\n",
        ),
        ("lib/é 🙂.dynamo", "entity User { id: string @id }\n"),
    ]);
    let mut client = Client::with(able(), &[&folder.root()]);
    let lib = folder.uri("lib/é 🙂.dynamo");
    client.open(&lib, "entity User { id: string @id }\npattern Q { reads User, Extra }\n");
    client.published_until(&lib, "its model", |found| !is_unknown(found, "Extra"));
    let mut params = json!({"textDocument": {"uri": lib}, "position": {"line": 0, "character": 8}});
    params["context"] = json!({"includeDeclaration": false});
    let found = client.ask("textDocument/references", params);
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!((&found[0]["uri"], &found[0]["range"]["start"]["line"]), (&json!(lib), &json!(1)));
    assert_eq!(found[1]["uri"], folder.uri("shop.dynamo"));
    let column = "pattern P { external \"é🙂\" because \"🙂\" reads ".len();
    assert_eq!(found[1]["range"]["start"], json!({"line": 1, "character": column}));
    client.finish();
}

#[test]
fn highlights_tell_reads_from_writes() {
    for count in BOTH {
        let mut client = opened(count.capabilities());
        let found = client.ask("textDocument/documentHighlight", count.at(URI, "set status"));
        let kind = |piece: &str, kind: u8| json!({"range": count.range(piece), "kind": kind});
        let expected = json!([
            kind("@of(User) status", 1),
            kind("partition key status", 1),
            kind("where status", 2),
            kind("filter status", 2),
            kind("set status", 3),
        ]);
        assert_eq!(found, expected);
        client.finish();
    }
}

#[test]
fn workspace_symbols_are_of_kinds_that_the_client_knows() {
    for count in BOTH {
        let mut client = opened(count.capabilities());
        let found = client.ask("workspace/symbol", json!({"query": "status"}));
        let symbol = |name: &str, kind: u8, container: &str, piece: &str| {
            let location = json!({"uri": URI, "range": count.range(piece)});
            json!({"name": name, "kind": kind, "containerName": container, "location": location})
        };
        let expected =
            json!(
                [symbol("status", 8, "Order", "@of(User) status"), symbol("ByStatus", 10, "Orders", "gsi ByStatus"),]
            );
        assert_eq!(found, expected);
        assert_eq!(client.ask("workspace/symbol", json!({"query": "Order"}))[0]["kind"], 23, "a struct");
        client.finish();
    }
    let mut client = opened(able());
    assert_eq!(client.ask("workspace/symbol", json!({"query": "Order"}))[0]["kind"], 5, "a class");
    client.finish();
    let mut client = Client::with(json!({}), &[]);
    assert_eq!(client.ask("workspace/symbol", json!({"query": ""})), json!([]));
    client.finish();
}

#[test]
fn document_symbols_are_counted_as_the_client_counts() {
    for count in BOTH {
        let mut client = opened(count.capabilities());
        let tree = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}}));
        assert_eq!(tree[2]["name"], "Orders");
        let index = tree[2]["children"].as_array().unwrap().iter().find(|child| child["name"] == "ByStatus").unwrap();
        assert_eq!(index["selectionRange"], count.range("gsi ByStatus"));
        client.finish();
    }
    let mut client = opened(json!({}));
    let list = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}}));
    let index = list.as_array().unwrap().iter().find(|symbol| symbol["name"] == "ByStatus").unwrap();
    assert_eq!(index["containerName"], "Orders");
    client.finish();
}

#[test]
fn links_lead_to_what_is_there() {
    let text = "import \"é🙂.dynamo\" import \"nowhere.dynamo\"\napplication Shop { domain \"x\" }\n";
    let folder = Folder::new(&[
        ("shop.dynamo", text),
        ("é🙂.dynamo", "entity A { id: string @id }\n"),
        ("dynamodb_requirement.md", "# Made before\n"),
    ]);
    let uri = folder.uri("shop.dynamo");
    let links = |capabilities: Value| {
        let mut client = Client::with(capabilities, &[&folder.root()]);
        client.open(&uri, text);
        let links = client.ask("textDocument/documentLink", json!({"textDocument": {"uri": uri}}));
        client.finish();
        links
    };
    let range = |line: u32, start: usize, end: usize| json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}});
    let with = links(navigating());
    let end = 8 + "é🙂.dynamo".len();
    assert_eq!(with[0]["range"], range(0, 8, end));
    assert_eq!(with[0]["tooltip"], "Open é🙂.dynamo");
    assert_eq!(with[1]["range"], range(1, 12, 16));
    assert_eq!(with[1]["tooltip"], "Open the requirement, dynamodb_requirement.md");
    assert!(with[1]["target"].as_str().unwrap().ends_with("/dynamodb_requirement.md"), "{with}");
    assert_eq!(with.as_array().unwrap().len(), 2, "the data model was not made");
    let without = links(json!({}));
    assert_eq!(without[0]["range"], range(0, 8, 8 + "é🙂.dynamo".encode_utf16().count()));
    assert!(without[0].get("tooltip").is_none(), "{without}");
    assert_eq!(without[0]["target"], with[0]["target"]);
}

#[test]
fn calls_are_followed_there_and_back() {
    for count in BOTH {
        let mut client = opened(count.capabilities());
        let items = client.ask("textDocument/prepareCallHierarchy", count.at(URI, "{ Find, Pay"));
        let pay = &items[0];
        assert_eq!((&pay["name"], &pay["kind"], &pay["uri"]), (&json!("Pay"), &json!(12), &json!(URI)));
        assert_eq!(pay["selectionRange"], count.range("pattern Pay"));
        let used = client.ask("callHierarchy/outgoingCalls", json!({"item": pay}));
        assert_eq!((&used[0]["to"]["name"], &used[0]["to"]["detail"]), (&json!("Orders"), &json!("table")));
        assert_eq!(used[0]["fromRanges"], json!([count.range("update Order in Orders")]));
        let users = client.ask("callHierarchy/incomingCalls", json!({"item": pay}));
        assert_eq!((&users[0]["from"]["name"], &users[0]["from"]["kind"]), (&json!("Buy"), &json!(24)));
        assert_eq!(users[0]["fromRanges"], json!([count.range("{ Find, Pay")]));
        assert_eq!(client.ask("textDocument/prepareCallHierarchy", count.at(URI, "entity User")), Value::Null);
        client.finish();
    }
}

#[test]
fn items_of_the_call_hierarchy_outlive_edits() {
    let mut client = opened(json!({}));
    let items = client.ask("textDocument/prepareCallHierarchy", Count::Utf16.at(URI, "gsi ByStatus"));
    let index = &items[0];
    let users = |client: &mut Client, item: &Value| client.ask("callHierarchy/incomingCalls", json!({"item": item}));
    assert_eq!(users(&mut client, index)[0]["from"]["name"], "Find");
    // A client that loses what was given to it names the place.
    let mut lost = index.clone();
    lost.as_object_mut().unwrap().remove("data");
    assert_eq!(users(&mut client, &lost)[0]["from"]["name"], "Find");
    lost["data"] = json!({"kind": "nonsense"});
    assert_eq!(users(&mut client, &lost)[0]["from"]["name"], "Find");
    client.change(URI, 2, &format!("// a line\nentity Other {{ id: string @id }}\n{}", model()));
    let found = users(&mut client, index);
    assert_eq!((&found[0]["from"]["name"], &found[0]["fromRanges"][0]["start"]["line"]), (&json!("Find"), &json!(6)));
    client.change(URI, 3, &model().replace("ByStatus", "Other"));
    assert_eq!(users(&mut client, index), json!([]));
    client.close(URI);
    assert!(matches!(users(&mut client, index), Value::Null | Value::Array(_)));
    client.assert_alive_pushed();
    client.finish();
}
