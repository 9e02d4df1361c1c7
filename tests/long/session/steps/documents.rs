//! Steps with whole documents, and with their texts.

use super::MOST_OPEN;
use crate::session::editor::Editor;
use crate::session::text::{position, range};
use crate::session::typing;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// A text that has grown longer than this is put back.
const LONGEST: usize = 12_000;

impl Editor {
    pub(super) fn open_one(&mut self) {
        if self.buffers.len() >= MOST_OPEN {
            self.close_one();
        }
        if let Some(uri) = self.some_file().filter(|uri| !self.buffers.contains_key(uri)) {
            let text = Arc::clone(&self.disk[&uri]);
            self.open(&uri, &text);
        }
    }

    /// A document that is no file.
    pub(super) fn scratch(&mut self) {
        let uri = format!("untitled:Untitled-{}", 1 + self.random.below(2));
        if self.buffers.contains_key(&uri) {
            self.close(&uri);
        } else if self.buffers.len() < MOST_OPEN {
            self.open(&uri, "entity Scratch { scratch_id: string @id }\npattern P { reads Scratch, Nobody }\n");
        }
    }

    pub(super) fn close_one(&mut self) {
        if let Some(uri) = self.some_open() {
            if self.random.chance(50) {
                self.save_document(&uri);
            }
            self.close(&uri);
        }
    }

    pub(super) fn change_one(&mut self) {
        let Some(uri) = self.some_open() else { return self.open_one() };
        let mut text = self.buffers[&uri].text.to_string();
        if self.random.chance(3) {
            // The whole text, as some clients send it now and then.
            let (start, end, new) = typing::edit(&mut self.random, &text);
            text.replace_range(start..end, &new);
            return self.change(&uri, json!([{"text": text}]), &text);
        }
        let many = if self.random.chance(25) { 2 + self.random.below(3) } else { 1 };
        let mut changes = Vec::new();
        for _ in 0..many {
            let (start, end, new) = typing::edit(&mut self.random, &text);
            let mut place = range(&text, start, end, self.encoding);
            if self.random.chance(5) {
                let start = place["start"].take();
                place["start"] = place["end"].take();
                place["end"] = start;
            }
            text.replace_range(start..end, &new);
            changes.push(json!({"range": place, "text": new}));
        }
        self.change(&uri, changes.into(), &text);
    }

    /// A phrase, letter by letter, with what editors ask meanwhile.
    pub(super) fn type_phrase(&mut self) {
        let Some(uri) = self.some_open() else { return };
        let phrase = typing::phrase(&mut self.random);
        let text = Arc::clone(&self.buffers[&uri].text);
        let mut at = typing::place(&mut self.random, &text);
        for letter in phrase.chars() {
            let mut text = self.buffers[&uri].text.to_string();
            let place = range(&text, at, at, self.encoding);
            text.insert(at, letter);
            at += letter.len_utf8();
            self.change(&uri, json!([{"range": place, "text": letter}]), &text);
            if self.random.chance(30) && self.offers("/completionProvider", "textDocument/completion") {
                let cursor = position(&text, at, self.encoding);
                self.ask("textDocument/completion", json!({"textDocument": {"uri": uri}, "position": cursor}));
            }
            if self.random.chance(10) {
                self.pull();
            }
            self.pump(Duration::ZERO);
        }
    }

    pub(super) fn undo(&mut self) {
        let Some(uri) = self.some_open() else { return };
        let former = self.buffers.get_mut(&uri).and_then(|buffer| buffer.undo.pop());
        if let Some(text) = former {
            self.replace(&uri, &text);
            // What an undo makes is no step to undo again.
            if let Some(buffer) = self.buffers.get_mut(&uri) {
                buffer.undo.pop();
            }
        }
    }

    pub(super) fn save(&mut self) {
        if let Some(uri) = self.some_open() {
            self.save_document(&uri);
        }
    }

    /// Writes a document to the disk, and says so.
    pub fn save_document(&mut self, uri: &str) {
        let Some(buffer) = self.buffers.get(uri).filter(|_| uri.starts_with("file:")) else { return };
        let text = Arc::clone(&buffer.text);
        self.write(uri, &text, false);
        self.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
        self.tell_disk();
    }

    /// Puts a document back that has become too long, or some document.
    pub(super) fn restore(&mut self, initial: &[(String, String)]) {
        let long = self.buffers.iter().find(|(_, buffer)| buffer.text.len() > LONGEST).map(|(uri, _)| uri.clone());
        let Some(uri) = long.or_else(|| self.some_open()) else { return };
        let first = initial.iter().find(|(other, _)| *other == uri).map(|(_, text)| text.clone());
        let text = first.unwrap_or_else(|| "import \"b.dynamo\"\nentity Moved { moved_id: string @id }\n".to_owned());
        if self.random.chance(30) {
            self.change(&uri, json!([{"text": text}]), &text);
        } else {
            self.replace(&uri, &text);
        }
    }
}
