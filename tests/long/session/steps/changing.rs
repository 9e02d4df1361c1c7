//! Steps that have the server change something.

use crate::session::editor::{Editor, Open};
use crate::session::requests;
use crate::session::text::edited;
use serde_json::{Value, json};

impl Editor {
    /// Chooses something from the menu of actions.
    pub(super) fn act(&mut self) {
        let Some(uri) = self.some_open() else { return };
        let Some(params) = requests::params(self, "textDocument/codeAction", &uri) else { return };
        let open = self.open_texts();
        let Ok(answer) = self.call("textDocument/codeAction", params) else { return };
        let actions = answer.as_array().cloned().unwrap_or_default();
        let Some(mut action) = self.random.some(&actions).cloned() else { return };
        if action.get("edit").is_none()
            && action.get("data").is_some()
            && self.offers("/codeActionProvider/resolveProvider", "codeAction/resolve")
        {
            match self.call("codeAction/resolve", action) {
                Ok(resolved) => action = resolved,
                Err(_) => return,
            }
        }
        if let Some(edit) = action.get("edit") {
            self.take_edit(edit, &open, &action);
        }
        let command = if action["command"].is_object() { &action["command"] } else { &action };
        if let Some(name) = command["command"].as_str() {
            let _ = self.call("workspace/executeCommand", json!({"command": name, "arguments": command["arguments"]}));
        }
    }

    pub(super) fn take_edit(&mut self, edit: &Value, open: &Open, why: &Value) {
        match self.apply(edit, open) {
            Ok(true) => {}
            Ok(false) => self.fail(&format!("an edit for another text: {why}")),
            // The disk may know more than the server.
            Err(_) if !self.untold.is_empty() || !self.habits.watches() => {}
            Err(error) => self.fail(&format!("{error}: {why}")),
        }
    }

    pub(super) fn rename_name(&mut self) {
        let Some(uri) = self.some_open() else { return };
        if !self.offers("/renameProvider", "textDocument/rename") {
            return;
        }
        let Some(mut params) = requests::params(self, "textDocument/rename", &uri) else { return };
        if self.offers("/renameProvider/prepareProvider", "textDocument/prepareRename") && self.random.chance(60) {
            let prepare = json!({"textDocument": params["textDocument"], "position": params["position"]});
            match self.call("textDocument/prepareRename", prepare) {
                Ok(Value::Null) | Err(_) => return,
                Ok(_) => params["newName"] = json!(format!("fresh_{}", self.random.below(10_000))),
            }
        }
        let open = self.open_texts();
        let Ok(edit) = self.call("textDocument/rename", params) else { return };
        if self.random.chance(70) {
            self.take_edit(&edit, &open, &edit);
        }
    }

    pub(super) fn format(&mut self) {
        let Some(uri) = self.some_open() else { return };
        let methods = ["textDocument/formatting", "textDocument/rangeFormatting", "textDocument/onTypeFormatting"];
        let method = *self.random.pick(&methods);
        if !requests::offered(self).contains(&method) {
            return;
        }
        let Some(params) = requests::params(self, method, &uri) else { return };
        let Ok(answer) = self.call(method, params.clone()) else { return };
        let edits = answer.as_array().cloned().unwrap_or_default();
        let text = edited(&self.buffers[&uri].text, &edits, self.encoding);
        let text = text.unwrap_or_else(|error| self.fail(&error));
        self.replace(&uri, &text);
        if method == "textDocument/formatting" {
            let again = self.call(method, params);
            if let Ok(again) = again
                && again.as_array().is_some_and(|edits| !edits.is_empty())
            {
                self.fail(&format!("formatted again, the text changes again: {again}"));
            }
        }
    }
}
