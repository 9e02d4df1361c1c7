//! Steps around the documents: files, folders and settings.

use crate::session::editor::{Editor, uri_of_path};
use crate::session::typing;
use serde_json::{Value, json};

impl Editor {
    /// Something else than the editor changes files.
    pub(super) fn touch_disk(&mut self, initial: &[(String, String)]) {
        let tell = self.random.chance(60);
        match self.random.below(4) {
            0 => {
                let (uri, text) = self.random.pick(initial).clone();
                self.write(&uri, &text, tell);
            }
            1 => {
                if let Some(uri) = self.some_file() {
                    self.delete(&uri, tell);
                }
            }
            _ => {
                if let Some(uri) = self.some_file() {
                    let mut text = self.disk[&uri].to_string();
                    let (start, end, new) = typing::edit(&mut self.random, &text);
                    text.replace_range(start..end, &new);
                    self.write(&uri, &text, tell);
                }
            }
        }
    }

    /// Moves a file in the editor's tree of files.
    pub(super) fn move_file(&mut self) {
        let Some(old) = self.some_file() else { return };
        let number = self.random.below(5);
        let folder = self.base.join(if self.random.chance(50) { "w" } else { "w/sub" });
        let new = uri_of_path(&folder.join(format!("moved{number}.dynamo")));
        if self.disk.contains_key(&new) || self.buffers.contains_key(&new) {
            return;
        }
        let files = json!({"files": [{"oldUri": old, "newUri": new}]});
        let pointer = "/workspace/fileOperations/willRename";
        if self.habits.can(pointer) && self.offers(pointer, "workspace/willRenameFiles") {
            let open = self.open_texts();
            if let Ok(edit) = self.call("workspace/willRenameFiles", files.clone()) {
                self.take_edit(&edit, &open, &edit);
            }
        }
        self.rename(&old, &new, true);
        let pointer = "/workspace/fileOperations/didRename";
        if self.habits.can(pointer) && self.offers(pointer, "workspace/didRenameFiles") {
            self.notify("workspace/didRenameFiles", files);
        }
    }

    pub(super) fn change_folders(&mut self) {
        if !self.offers("/workspace/workspaceFolders/changeNotifications", "workspace/didChangeWorkspaceFolders") {
            return;
        }
        let uri = uri_of_path(&self.base.join("other"));
        let folder = json!({"uri": uri, "name": "other"});
        let event = if self.folders.contains(&uri) {
            self.folders.retain(|known| *known != uri);
            json!({"added": [], "removed": [folder]})
        } else {
            self.folders.push(uri);
            json!({"added": [folder], "removed": []})
        };
        self.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
    }

    pub(super) fn change_config(&mut self) {
        self.config = match self.random.below(4) {
            0 => Value::Null,
            1 => json!({"inlayHints": {"keys": self.random.chance(50)}, "codeLens": self.random.chance(50)}),
            2 => json!({"levels": {"missing-rate": "off", "scan-pattern": "error"}}),
            _ => json!({"inlayHints": "nonsense", "levels": {"no-such-rule": "off"}}),
        };
        let settings = if self.random.chance(50) { Value::Null } else { json!({"keywright": self.config}) };
        self.notify("workspace/didChangeConfiguration", json!({"settings": settings}));
    }
}
