//! The disk of an editor, and the names of its files.

use super::Editor;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Editor {
    pub fn write(&mut self, uri: &str, text: &str, tell: bool) {
        let path = path_of(uri);
        if path.is_dir() {
            // Where a file is gone an import may have had another made below its name.
            let below = format!("{uri}/");
            for file in self.disk.keys().filter(|file| file.starts_with(&below)).cloned().collect::<Vec<_>>() {
                self.delete(&file, tell);
            }
            std::fs::remove_dir_all(&path).expect("folders can be deleted");
        }
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders can be made");
        std::fs::write(path, text).expect("files can be written");
        let old = self.disk.insert(uri.to_owned(), text.into());
        let kind = if old.is_some() { 2 } else { 1 };
        self.past.entry(uri.to_owned()).or_default().extend(old);
        self.happened(uri, kind, tell);
    }

    pub fn delete(&mut self, uri: &str, tell: bool) {
        if let Some(old) = self.disk.remove(uri) {
            std::fs::remove_file(path_of(uri)).expect("files can be deleted");
            self.past.entry(uri.to_owned()).or_default().push(old);
            self.happened(uri, 3, tell);
        }
    }

    /// Moves a file, and the document with it where it is open.
    pub fn rename(&mut self, old: &str, new: &str, tell: bool) {
        let Some(text) = self.disk.get(old).cloned() else { return };
        let open = self.buffers.get(old).map(|buffer| Arc::clone(&buffer.text));
        if open.is_some() {
            self.close(old);
        }
        self.delete(old, tell);
        self.write(new, &text, tell);
        if let Some(text) = open {
            self.open(new, &text);
        }
    }

    fn happened(&mut self, uri: &str, kind: u8, tell: bool) {
        self.note(format!("disk: {kind} {uri}"));
        if self.is_watching() {
            self.untold.push(json!({"uri": uri, "type": kind}));
            if tell {
                self.tell_disk();
            }
        }
    }

    pub fn is_watching(&self) -> bool {
        self.registered.contains_key("workspace/didChangeWatchedFiles")
    }

    /// Tells what happened on disk.
    pub fn tell_disk(&mut self) {
        let changes = std::mem::take(&mut self.untold);
        if !changes.is_empty() {
            self.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
        }
    }
}

/// The path of a `file:` URI that this client made.
pub fn path_of(uri: &str) -> PathBuf {
    let path = uri.strip_prefix("file://").expect("it is a file");
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        match (first, behind) {
            (b'%', [a, b, ..]) => {
                let code = [*a, *b];
                let code = std::str::from_utf8(&code).expect("ASCII");
                bytes.push(u8::from_str_radix(code, 16).expect("a hexadecimal number"));
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    PathBuf::from(String::from_utf8(bytes).expect("UTF-8"))
}

/// The URI of a path, as this client spells it.
pub fn uri_of_path(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.to_str().expect("UTF-8").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
