//! URIs that are none: `file:///a/[id]/é x.dynamo`. Clients send them, and the
//! protocol's types refuse the whole message. What is illegal is encoded on the
//! way in, and on the way out the client gets its own spelling back.

use serde_json::{Map, Value};
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::RwLock;
use std::time::Instant;
use tower_lsp::ls_types::Uri;

/// Members that hold a URI.
const URIS: [&str; 8] = ["uri", "rootUri", "targetUri", "oldUri", "newUri", "scopeUri", "baseUri", "previousUri"];

/// Members that are maps from URIs.
const MAPS: [&str; 2] = ["changes", "relatedDocuments"];

/// The client's spellings, by what they were encoded as.
#[derive(Default)]
pub struct Spellings(RwLock<HashMap<String, Spelling>>);

struct Spelling {
    uri: String,
    /// When the client named it last.
    named: Instant,
}

impl Spellings {
    /// Makes the URIs of a message from the client legal.
    pub fn incoming(&self, message: &mut Value) {
        walk(message, &|uri| {
            let legal = legal(uri);
            let mut known = self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            match &legal {
                Some(legal) => {
                    known.insert(legal.clone(), Spelling { uri: uri.to_owned(), named: Instant::now() });
                }
                // It may have used another spelling before; the last one counts.
                None if known.is_empty() => {}
                None => {
                    known.remove(uri);
                }
            }
            legal
        });
    }

    /// Whether the client spells this URI in a way of its own.
    pub fn has(&self, legal: &str) -> bool {
        self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner).contains_key(legal)
    }

    /// Forgets the client's spelling of a URI that it has not named since then.
    pub fn forget(&self, legal: &str, since: Instant) {
        let mut known = self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if known.get(legal).is_some_and(|spelling| spelling.named <= since) {
            known.remove(legal);
        }
    }

    /// Gives a message to the client its own spellings.
    pub fn outgoing(&self, message: &mut Value) {
        let known = self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !known.is_empty() {
            walk(message, &|uri| known.get(uri).map(|spelling| spelling.uri.clone()));
        }
    }
}

/// Replaces every URI for which `change` gives another.
fn walk(value: &mut Value, change: &impl Fn(&str) -> Option<String>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, change)),
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match member {
                    Value::String(uri) if URIS.contains(&name.as_str()) => {
                        if let Some(other) = change(uri) {
                            *uri = other;
                        }
                    }
                    Value::Object(map) if MAPS.contains(&name.as_str()) => rename(map, change),
                    _ => {}
                }
                walk(member, change);
            }
        }
        _ => {}
    }
}

fn rename(map: &mut Map<String, Value>, change: &impl Fn(&str) -> Option<String>) {
    *map = std::mem::take(map).into_iter().map(|(uri, value)| (change(&uri).unwrap_or(uri), value)).collect();
}

/// The legal form of a URI, where it has none itself.
fn legal(uri: &str) -> Option<String> {
    if Uri::from_str(uri).is_ok() {
        return None;
    }
    let authority = match uri.find("://") {
        Some(at) => at + 3..uri[at + 3..].find('/').map_or(uri.len(), |end| at + 3 + end),
        None => 0..0,
    };
    let mut out = String::with_capacity(uri.len() + 16);
    let mut fragment = false;
    for (at, byte) in uri.bytes().enumerate() {
        let keep = match byte {
            b'[' | b']' => authority.contains(&at),
            b'%' => uri.get(at + 1..at + 3).is_some_and(|code| code.bytes().all(|b| b.is_ascii_hexdigit())),
            b'#' => !std::mem::replace(&mut fragment, true),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => true,
            byte => b"-._~:/?@!$&'()*+,;=".contains(&byte),
        };
        if keep {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    // What is no URI at all, such as a bare path, gets a scheme of its own: the
    // document works, as one that has no file.
    Some(if Uri::from_str(&out).is_ok() { out } else { format!("invalid:{}", out.replace(['[', ']', '#'], "_")) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn illegal_uris_become_legal_and_come_back() {
        let spellings = Spellings::default();
        for uri in [
            "file:///a/[id]/x.dynamo",
            "file:///a b.dynamo",
            "file:///é🙂.dynamo",
            "file:///100%.dynamo",
            "file:///a|b^c`{}<>\"\\",
            "file:///a#b#c",
            "untitled:Untitled 1",
            "/a/b",
            "C:\\a\\b",
            "",
            "[",
            "file://[/x",
            "http://[::1]/[x]",
        ] {
            let message =
                json!({"params": {"textDocument": {"uri": uri, "text": "uri é"}}, "changes": {uri: [{"uri": uri}]}});
            let mut changed = message.clone();
            spellings.incoming(&mut changed);
            let legal = changed["params"]["textDocument"]["uri"].as_str().unwrap().to_owned();
            assert!(Uri::from_str(&legal).is_ok(), "{uri} became {legal}");
            assert!(changed["changes"].get(&legal).is_some());
            assert_eq!(changed["params"]["textDocument"]["text"], "uri é");
            spellings.outgoing(&mut changed);
            assert_eq!(changed, message);
        }
    }

    #[test]
    fn the_last_spelling_counts() {
        let spellings = Spellings::default();
        let mut illegal = json!({"uri": "file:///a b"});
        spellings.incoming(&mut illegal);
        let mut legal = json!({"uri": "file:///a%20b"});
        spellings.incoming(&mut legal);
        spellings.outgoing(&mut legal);
        assert_eq!(legal, json!({"uri": "file:///a%20b"}));
    }

    #[test]
    fn a_spelling_is_forgotten_that_was_not_named_since() {
        let spellings = Spellings::default();
        let before = Instant::now();
        spellings.incoming(&mut json!({"uri": "file:///a b"}));
        spellings.forget("file:///a%20b", before);
        assert!(spellings.has("file:///a%20b"), "it was named later");
        spellings.forget("file:///a%20b", Instant::now());
        assert!(!spellings.has("file:///a%20b"));
    }
}
