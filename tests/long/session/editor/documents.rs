//! The documents of an editor: opened, edited and closed.

use super::{Buffer, Editor};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// Versions of a document whose findings may still arrive.
const VERSIONS: usize = 400;

impl Editor {
    pub fn open(&mut self, uri: &str, text: &str) {
        let version = self.habits.first_version;
        let document = json!({"uri": uri, "languageId": "dynamo", "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        let buffer = Buffer {
            version,
            text: text.into(),
            undo: Vec::new(),
            history: VecDeque::new(),
            tokens: None,
            result_id: None,
        };
        self.buffers.insert(uri.to_owned(), buffer);
        if !self.habits.pulls() {
            // What is published from now on is about this opening.
            if let Some(shown) = self.shown.get_mut(uri) {
                shown.version = None;
            }
        }
        self.unpulled.insert(uri.to_owned());
    }

    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        let Some(buffer) = self.buffers.remove(uri) else { return };
        self.unpulled.remove(uri);
        if self.habits.pulls() {
            self.shown.remove(uri);
        }
        self.past.entry(uri.to_owned()).or_default().push(buffer.text);
        let last = self.former.entry(uri.to_owned()).or_insert(buffer.version);
        *last = buffer.version.max(*last);
    }

    /// Tells a change, and what the text is after it.
    pub fn change(&mut self, uri: &str, changes: Value, text: &str) {
        let skipped = if self.habits.ticks { self.random.below(3) as i32 } else { 0 };
        let Some(buffer) = self.buffers.get_mut(uri) else { return };
        buffer.history.push_back((buffer.version, Arc::clone(&buffer.text)));
        if buffer.history.len() > VERSIONS {
            buffer.history.pop_front();
        }
        buffer.version += 1 + skipped;
        buffer.undo.push(std::mem::replace(&mut buffer.text, text.into()));
        if buffer.undo.len() > 20 {
            buffer.undo.remove(0);
        }
        let document = json!({"uri": uri, "version": buffer.version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
        self.unpulled.insert(uri.to_owned());
    }

    /// Puts another text in place of a document's, as one edit.
    pub fn replace(&mut self, uri: &str, text: &str) {
        let Some(buffer) = self.buffers.get(uri) else { return };
        let old = Arc::clone(&buffer.text);
        if *old == *text {
            return;
        }
        let (start, end, new) = crate::session::text::difference(&old, text);
        let range = crate::session::text::range(&old, start, end, self.encoding);
        self.change(uri, json!([{"range": range, "text": new}]), text);
    }

    /// What a document that is not open may hold, as far as the server can know.
    pub fn closed_texts(&self, uri: &str) -> Vec<Arc<str>> {
        self.disk.get(uri).into_iter().chain(self.past.get(uri).into_iter().flatten()).cloned().collect()
    }
}
