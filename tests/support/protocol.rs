//! A client that announces all that LSP 3.17 has, and a sensible question for
//! every request of it.

use super::client::{Client, Folder};
use keywright::server::methods::Needs;
use serde_json::{Value, json};

const SHOP: &str = include_str!("../../examples/shop.dynamo");

/// Text that the formatter has something to do with.
const BADLY: &str = "entity A {\nid: string @id\n    }\n";

/// Everything that a client can announce.
pub fn everything() -> Value {
    serde_json::from_str(include_str!("../data/everything.json")).expect("it is JSON")
}

/// What stands at the end of a way.
pub fn value<'v>(capabilities: &'v Value, way: &str) -> &'v Value {
    way.split('.').fold(capabilities, |value, name| &value[name])
}

/// Whether a capability says yes: `false`, nothing, and no synchronisation say no.
pub fn is_so(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false)) && value != &json!(0)
}

/// The same but for these capabilities.
pub fn everything_without(ways: &[&str]) -> Value {
    let mut capabilities = everything();
    for way in ways {
        let (parent, name) = way.rsplit_once('.').unwrap();
        let parent = capabilities.pointer_mut(&format!("/{}", parent.replace('.', "/"))).unwrap();
        parent.as_object_mut().unwrap().remove(name).unwrap_or_else(|| panic!("a client can announce {way}"));
    }
    capabilities
}

/// Whether a client announced what a method needs.
pub fn is_met(needs: Needs, capabilities: &Value) -> bool {
    let has = |way: &&str| is_so(value(capabilities, way));
    match needs {
        Needs::Nothing => true,
        Needs::All(ways) => ways.iter().all(has),
        Needs::Any(ways) => ways.iter().any(has),
    }
}

/// A model of two files with something to say to every request.
pub struct Asked {
    pub folder: Folder,
    text: String,
}

impl Default for Asked {
    fn default() -> Self {
        let text = format!("import \"other.dynamo\"\n{SHOP}");
        let folder = Folder::new(&[("shop.dynamo", &text), ("other.dynamo", "// Nothing yet.\n")]);
        Self { folder, text }
    }
}

impl Asked {
    pub fn uri(&self) -> String {
        self.folder.uri("shop.dynamo")
    }

    pub fn open(&self, client: &mut Client) {
        client.open(&self.uri(), &self.text);
        client.open("untitled:badly", BADLY);
    }

    /// The place behind the first letter of what stands after `before`.
    fn behind(&self, before: &str) -> Value {
        let end = self.text.find(before).unwrap_or_else(|| panic!("there is {before}")) + before.len() + 1;
        let line = self.text[..end].matches('\n').count();
        json!({"line": line, "character": end - self.text[..end].rfind('\n').map_or(0, |at| at + 1)})
    }

    /// Parameters that a request has an answer to. What is resolved is asked for
    /// first.
    pub fn question(&self, client: &mut Client, method: &str) -> Value {
        let uri = self.uri();
        let document = json!({"uri": uri});
        let at = |before: &str| json!({"textDocument": document, "position": self.behind(before)});
        let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 400, "character": 0}});
        let options = json!({"tabSize": 2, "insertSpaces": true});
        let with = |mut params: Value, name: &str, value: Value| {
            params[name] = value;
            params
        };
        let in_range = with(json!({"textDocument": document}), "range", whole.clone());
        let files = json!({"files": [{
            "uri": self.folder.uri("other.dynamo"), "oldUri": self.folder.uri("other.dynamo"),
            "newUri": self.folder.uri("renamed.dynamo")
        }]});
        match method {
            "shutdown" => Value::Null,
            "textDocument/typeDefinition" => at("order_id:      ulid @id\n  "),
            "textDocument/implementation" => at("pattern "),
            "textDocument/completion" => with(at("get User from "), "context", json!({"triggerKind": 1})),
            "textDocument/signatureHelp" => at("get User from "),
            "textDocument/references" => with(at("get "), "context", json!({"includeDeclaration": true})),
            "textDocument/prepareCallHierarchy" => at("query "),
            "textDocument/rename" => with(at("get "), "newName", json!("Customer")),
            "textDocument/onTypeFormatting" => json!({
                "textDocument": {"uri": "untitled:badly"}, "position": {"line": 2, "character": 5}, "ch": "}",
                "options": options
            }),
            "textDocument/formatting" => json!({"textDocument": {"uri": "untitled:badly"}, "options": options}),
            "textDocument/rangeFormatting" => {
                json!({"textDocument": {"uri": "untitled:badly"}, "range": whole, "options": options})
            }
            "textDocument/codeAction" => with(in_range, "context", json!({"diagnostics": []})),
            "textDocument/inlayHint" | "textDocument/semanticTokens/range" => in_range,
            "textDocument/inlineValue" => with(in_range, "context", json!({"frameId": 1, "stoppedLocation": whole})),
            "textDocument/selectionRange" => json!({"textDocument": document, "positions": [self.behind("get ")]}),
            "textDocument/willSaveWaitUntil" => json!({"textDocument": document, "reason": 1}),
            "textDocument/colorPresentation" => {
                with(in_range, "color", json!({"red": 1.0, "green": 1.0, "blue": 1.0, "alpha": 1.0}))
            }
            "textDocument/semanticTokens/full/delta" => {
                // Not every client has it.
                let full = client.request("textDocument/semanticTokens/full", json!({"textDocument": document}));
                let full = client.response(full);
                with(at("get "), "previousResultId", json!(full["result"]["resultId"].as_str().unwrap_or("none")))
            }
            "callHierarchy/incomingCalls" => {
                json!({"item": self.first(client, "textDocument/prepareCallHierarchy", item(&uri))})
            }
            "callHierarchy/outgoingCalls" => {
                let pattern = client.ask("textDocument/prepareCallHierarchy", at("pattern "));
                json!({"item": pattern.get(0).cloned().unwrap_or_else(|| item(&uri))})
            }
            "typeHierarchy/supertypes" | "typeHierarchy/subtypes" => json!({"item": item(&uri)}),
            "completionItem/resolve" => self.first(client, "textDocument/completion", json!({"label": "x"})),
            "codeAction/resolve" => {
                let actions = self.answer(client, "textDocument/codeAction");
                let with_data =
                    actions.as_array().and_then(|all| all.iter().find(|action| action.get("data").is_some()));
                with_data.cloned().unwrap_or_else(|| json!({"title": "x"}))
            }
            "codeLens/resolve" => self.first(client, "textDocument/codeLens", json!({"range": whole})),
            "inlayHint/resolve" => {
                self.first(client, "textDocument/inlayHint", json!({"position": whole["start"], "label": "x"}))
            }
            "documentLink/resolve" => self.first(client, "textDocument/documentLink", json!({"range": whole})),
            "workspace/symbol" => json!({"query": "User"}),
            "workspaceSymbol/resolve" => {
                let symbol = json!({"name": "User", "kind": 5, "location": {"uri": uri, "range": whole}});
                self.first(client, "workspace/symbol", symbol)
            }
            "workspace/diagnostic" => json!({"previousResultIds": []}),
            "workspace/executeCommand" => {
                json!({"command": "keywright.generateDocument", "arguments": [{"uri": uri, "kind": "dataModel"}]})
            }
            "workspace/willCreateFiles" | "workspace/willRenameFiles" | "workspace/willDeleteFiles" => files,
            _ => at("get "),
        }
    }

    /// The answer to a request.
    pub fn answer(&self, client: &mut Client, method: &str) -> Value {
        let question = self.question(client, method);
        client.ask(method, question)
    }

    /// The first of what a request answers with.
    fn first(&self, client: &mut Client, method: &str, otherwise: Value) -> Value {
        let answer = self.answer(client, method);
        let list = answer.get("items").unwrap_or(&answer);
        list.get(0).cloned().unwrap_or(otherwise)
    }
}

/// An entry of a hierarchy that nobody has made.
fn item(uri: &str) -> Value {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}});
    json!({"name": "User", "kind": 5, "uri": uri, "range": range, "selectionRange": range})
}
