//! Names of files: keys, paths and URIs, each from the others. Equal files get
//! equal keys, however a client spells them.

use crate::model::files::FileKey;
use std::path::{Path, PathBuf};

/// The key of a path, made absolute first. `None` where the path is no UTF-8:
/// no import could name such a file.
pub fn key_of_path(path: &Path) -> Option<FileKey> {
    let path = std::path::absolute(path).ok()?;
    let text = path.to_str()?;
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    Some(FileKey::new(&normal(&text)))
}

/// The path of a key; `None` for documents that are no files.
pub fn path_of(key: &FileKey) -> Option<PathBuf> {
    key.is_path().then(|| PathBuf::from(key.as_str()))
}

/// The key of a URI, which need not be a legal one. What is no `file:` URI of
/// this machine is its own key.
pub fn key_of_uri(uri: &str) -> FileKey {
    let scheme_len = uri.find(':').unwrap_or(0);
    let rest = uri.get(scheme_len + 1..).unwrap_or("");
    if !uri[..scheme_len].eq_ignore_ascii_case("file") {
        return FileKey::new(&decoded(uri).unwrap_or_else(|| uri.to_owned()));
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return FileKey::new(uri);
            }
            path
        }
        None => rest,
    };
    // A query or a fragment names no other file.
    let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
    match decoded(path) {
        Some(path) if path.starts_with('/') => FileKey::new(&normal(&path)),
        // Bytes that are no UTF-8 have no path that a key could hold.
        _ => FileKey::new(uri),
    }
}

/// The URI of a key: every byte that might mean something else is encoded.
pub fn uri_of(key: &FileKey) -> String {
    if !key.is_path() {
        return key.as_str().to_owned();
    }
    let slash = if key.as_str().starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", encoded(key.as_str()))
}

/// A path as a part of a URI: every byte that might mean something else is
/// encoded.
pub fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A path without `.`, `..` and repeated slashes, a drive letter in lower case
/// and without the slash that URIs put before it.
fn normal(path: &str) -> String {
    let path = match path.as_bytes() {
        [b'/', letter, b':', ..] if letter.is_ascii_alphabetic() => &path[1..],
        _ => path,
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match joined.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() && !path.starts_with('/') => {
            format!("{}{}", joined[..1].to_ascii_lowercase(), &joined[1..])
        }
        _ => format!("/{joined}"),
    }
}

/// The text with every `%XX` replaced; `None` where that is no UTF-8.
fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let code = (bytes[i] == b'%').then(|| text.get(i + 1..i + 3)).flatten();
        match code.filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit())) {
            Some(code) => {
                out.push(u8::from_str_radix(code, 16).ok()?);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(uri: &str) -> String {
        key_of_uri(uri).to_string()
    }

    #[test]
    fn spellings_of_one_file_have_one_key() {
        for uri in
            ["file:///a/b%20c/%5Bid%5D.dynamo", "file:///a/b c/[id].dynamo", "FILE://localhost/a/x/../b c/[id].dynamo"]
        {
            assert_eq!(key(uri), "/a/b c/[id].dynamo", "{uri}");
        }
        for uri in ["file:///C:/a/x.dynamo", "file:///c%3A/a/x.dynamo", "file:///c%3a/a/./x.dynamo"] {
            assert_eq!(key(uri), "c:/a/x.dynamo", "{uri}");
        }
        assert_eq!(key("file:///caf%C3%A9"), key("file:///café"));
    }

    #[test]
    fn what_is_no_file_is_its_own_key() {
        assert_eq!(key("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(key("vscode-vfs://github/a/b%20c"), "vscode-vfs://github/a/b c");
        assert!(!key_of_uri("file://server/share/x.dynamo").is_path());
        assert!(!key_of_uri("file:///a/%FF.dynamo").is_path());
        assert_eq!(key("nonsense"), "nonsense");
    }

    #[test]
    fn a_key_has_a_uri_that_leads_back_to_it() {
        for path in ["/a/b c/[id] é.dynamo", "c:/a/x.dynamo", "/100%/#?.dynamo"] {
            let key = FileKey::new(path);
            let uri = uri_of(&key);
            assert!(uri.is_ascii() && !uri.contains([' ', '[', '#', '?']), "{uri}");
            assert_eq!(key_of_uri(&uri), key);
        }
    }
}
