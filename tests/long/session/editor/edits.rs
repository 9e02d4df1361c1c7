//! Edits of the server, as editors apply them.

use super::{Editor, Open};
use crate::session::text::edited;
use serde_json::{Value, json};

impl Editor {
    /// Applies a workspace edit as editors do; false where it was made for other
    /// versions than there are.
    pub fn apply(&mut self, edit: &Value, asked: &Open) -> Result<bool, String> {
        let changes: Vec<Value> = match (edit["documentChanges"].as_array(), edit["changes"].as_object()) {
            (Some(changes), None) => changes.clone(),
            (None, Some(changes)) => {
                changes.iter().map(|(uri, edits)| json!({"textDocument": {"uri": uri}, "edits": edits})).collect()
            }
            (None, None) => Vec::new(),
            (Some(_), Some(_)) => return Err("both kinds of changes".to_owned()),
        };
        // All or nothing: what is outdated is found before anything is done.
        for change in changes.iter().filter(|change| change.get("kind").is_none()) {
            let uri = change["textDocument"]["uri"].as_str().unwrap_or_default();
            let version = change["textDocument"]["version"].as_i64();
            let now = self.buffers.get(uri).map(|buffer| i64::from(buffer.version));
            let then = asked.get(uri).map(|(version, _)| i64::from(*version));
            if version.is_some() && version != then {
                return Err(format!("the edit is for version {version:?} of {uri}; it was asked about {then:?}"));
            }
            if now != then {
                return Ok(false);
            }
        }
        for change in &changes {
            match change["kind"].as_str() {
                Some(kind) => self.apply_operation(kind, change)?,
                None => self.apply_edits(change)?,
            }
        }
        Ok(true)
    }

    fn apply_edits(&mut self, change: &Value) -> Result<(), String> {
        let uri = change["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        let edits = change["edits"].as_array().cloned().unwrap_or_default();
        if !self.buffers.contains_key(&uri) {
            let Some(text) = self.disk.get(&uri).cloned() else { return Err(format!("{uri} is edited and not there")) };
            if !uri.ends_with(".dynamo") {
                // Its language is another, and no document of this server.
                let new = self.ended(edited(&text, &edits, self.encoding)?);
                self.write(&uri, &new, true);
                return Ok(());
            }
            // An editor opens what it changes, and does not save it by itself.
            self.open(&uri, &text);
        }
        let new = self.ended(edited(&self.buffers[&uri].text, &edits, self.encoding)?);
        self.replace(&uri, &new);
        Ok(())
    }

    /// A text as the editor has it: in Neovim every line has an end.
    fn ended(&self, mut text: String) -> String {
        if self.habits.name == "Neovim" && !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    fn apply_operation(&mut self, kind: &str, operation: &Value) -> Result<(), String> {
        let announced = self.habits.capabilities.pointer("/workspace/workspaceEdit/resourceOperations");
        if !announced.and_then(Value::as_array).is_some_and(|known| known.iter().any(|known| known == kind)) {
            return Err(format!("{kind} was not announced"));
        }
        let uri = |name: &str| operation[name].as_str().unwrap_or_default().to_owned();
        match kind {
            "create" => {
                let uri = uri("uri");
                let there = self.disk.contains_key(&uri) || self.buffers.contains_key(&uri);
                let may = operation["options"]["overwrite"] == true || operation["options"]["ignoreIfExists"] == true;
                if there && !may {
                    return Err(format!("{uri} exists"));
                }
                if !there {
                    self.write(&uri, "", true);
                }
            }
            "delete" => {
                let uri = uri("uri");
                if self.buffers.contains_key(&uri) {
                    self.close(&uri);
                }
                self.delete(&uri, true);
            }
            "rename" => self.rename(&uri("oldUri"), &uri("newUri"), true),
            _ => return Err(format!("{kind} is no operation")),
        }
        Ok(())
    }
}
