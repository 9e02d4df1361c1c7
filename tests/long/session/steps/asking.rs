//! Steps that ask something, and look no further than at the answer.

use crate::session::editor::Editor;
use crate::session::requests;
use crate::session::text::edited;
use serde_json::{Value, json};
use std::time::Duration;

impl Editor {
    pub(super) fn ask_one(&mut self) {
        let Some(uri) = self.some_open() else { return };
        let offered = requests::offered(self);
        let method = *self.random.pick(&offered);
        let Some(params) = requests::params(self, method, &uri) else { return };
        if self.random.chance(50) {
            let _ = self.call(method, params);
        } else {
            self.ask(method, params);
        }
    }

    /// A question whose answer leads to another.
    pub(super) fn follow(&mut self) {
        let Some(uri) = self.some_open() else { return };
        let method = *self.random.pick(&[
            "textDocument/completion",
            "textDocument/codeLens",
            "textDocument/inlayHint",
            "textDocument/prepareCallHierarchy",
            "textDocument/documentLink",
        ]);
        if !requests::offered(self).contains(&method) {
            return;
        }
        let Some(params) = requests::params(self, method, &uri) else { return };
        let Ok(answer) = self.call(method, params) else { return };
        let items = answer.as_array().or_else(|| answer["items"].as_array()).cloned().unwrap_or_default();
        let Some(item) = self.random.some(&items).cloned() else { return };
        let resolve = match method {
            "textDocument/completion" => ("/completionProvider/resolveProvider", "completionItem/resolve"),
            "textDocument/codeLens" => ("/codeLensProvider/resolveProvider", "codeLens/resolve"),
            "textDocument/inlayHint" => ("/inlayHintProvider/resolveProvider", "inlayHint/resolve"),
            "textDocument/documentLink" => ("/documentLinkProvider/resolveProvider", "documentLink/resolve"),
            _ => {
                for method in ["callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"] {
                    let _ = self.call(method, json!({"item": item}));
                }
                return;
            }
        };
        if !self.offers(resolve.0, resolve.1) {
            return;
        }
        let resolved = self.call(resolve.1, item.clone());
        if let Ok(resolved) = resolved
            && method == "textDocument/completion"
        {
            self.insert(&uri, &resolved);
        }
    }

    /// Puts a proposal into the text, where the text is the one it is for.
    fn insert(&mut self, uri: &str, item: &Value) {
        let edit = &item["textEdit"];
        let place = if edit.get("range").is_some() { &edit["range"] } else { &edit["replace"] };
        if let Some(new) = edit["newText"].as_str()
            && let Some(buffer) = self.buffers.get(uri)
        {
            let edit = json!({"range": place, "newText": new});
            match edited(&buffer.text, &[edit], self.encoding) {
                Ok(text) => self.replace(uri, &text),
                Err(error) => self.fail(&format!("{error} in {item}")),
            }
        }
    }

    pub(super) fn cancel_one(&mut self) {
        let Some(uri) = self.some_open() else { return };
        let offered = requests::offered(self);
        let method = *self.random.pick(&offered);
        let Some(params) = requests::params(self, method, &uri) else { return };
        let id = self.ask(method, params);
        if self.random.chance(20) {
            self.pump(Duration::from_millis(3));
        }
        self.cancel(id);
    }
}
