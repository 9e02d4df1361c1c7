//! What must hold of every answer, whatever was asked: it is about the text
//! that was asked about, and about the thing that was asked for.

mod edits;
mod names;
mod reading;
mod tokens;

pub use tokens::tokens;

use crate::session::editor::{Editor, Pending};
use crate::session::text::{Encoding, offset, offsets};
use serde_json::Value;
use std::sync::Arc;

type Checked = Result<(), String>;

pub fn uri_of(params: &Value) -> Option<String> {
    let places = ["/textDocument/uri", "/item/uri", "/data/uri"];
    places.iter().find_map(|place| params.pointer(place)?.as_str()).map(str::to_owned)
}

/// Whether a request may be refused for a reason that a person is told.
pub fn may_refuse(pending: &Pending) -> bool {
    ["textDocument/rename", "textDocument/prepareRename", "workspace/executeCommand"].contains(&pending.method.as_str())
}

/// Holds an answer against what was asked.
pub fn check(pending: &Pending, result: &Value, editor: &Editor) -> Checked {
    let asked = Asked { pending, editor, uri: uri_of(&pending.params).unwrap_or_default() };
    if pending.method == "textDocument/semanticTokens/full/delta" {
        return asked.delta(result);
    }
    // What is resolved need not say which document it is of.
    let names_document = !asked.uri.is_empty() || !pending.method.ends_with("/resolve");
    if pending.method != "codeAction/resolve" && pending.method != "workspace/diagnostic" && names_document {
        asked.places(result, &asked.uri)?;
    }
    match pending.method.as_str() {
        "textDocument/hover" => asked.holds_cursor(&result["range"]),
        "textDocument/definition" | "textDocument/declaration" => asked.same_names(result, true),
        "textDocument/references" => asked.same_names(result, false),
        "textDocument/documentHighlight" => asked.same_names(result, false),
        "textDocument/prepareRename" => {
            asked.holds_cursor(if result.get("range").is_some() { &result["range"] } else { result })
        }
        "textDocument/rename" => asked.renames(result),
        "textDocument/formatting" | "textDocument/rangeFormatting" | "textDocument/onTypeFormatting" => {
            asked.only_space(result)
        }
        "textDocument/semanticTokens/full" | "textDocument/semanticTokens/range" => {
            asked.tokens(&tokens(result, Vec::new()))
        }
        "textDocument/foldingRange" => asked.folds(result),
        "textDocument/selectionRange" => asked.selections(result),
        "textDocument/inlayHint" => asked.hints(result),
        "textDocument/completion" => asked.proposals(result),
        "textDocument/signatureHelp" => reading::signatures(result),
        "textDocument/documentSymbol" => reading::symbols(result),
        "textDocument/codeAction" => asked.actions(result),
        "codeLens/resolve" if result["command"]["title"].as_str().is_none_or(str::is_empty) => {
            Err("no title".to_owned())
        }
        "textDocument/diagnostic" => match result["items"].as_array() {
            Some(items) => diagnostics(items, &asked.uri, asked.text()?, editor),
            None if result["kind"] == "unchanged" => Ok(()),
            None => Err("neither findings nor none".to_owned()),
        },
        _ => Ok(()),
    }
}

/// Holds findings against the text that they are for.
pub fn diagnostics(items: &[Value], uri: &str, text: &str, editor: &Editor) -> Checked {
    for item in items {
        offsets(text, &item["range"], editor.encoding).ok_or_else(|| format!("no such place in {uri}: {item}"))?;
        if item["message"].as_str().is_none_or(str::is_empty) {
            return Err(format!("a finding without words: {item}"));
        }
    }
    for (at, item) in items.iter().enumerate() {
        if items[..at].contains(item) {
            return Err(format!("the finding is there twice: {item}"));
        }
    }
    Ok(())
}

/// A question and who asked it.
struct Asked<'a> {
    pending: &'a Pending,
    editor: &'a Editor,
    uri: String,
}

impl Asked<'_> {
    fn encoding(&self) -> Encoding {
        self.editor.encoding
    }

    /// The text that was asked about.
    fn text(&self) -> Result<&str, String> {
        let open = self.pending.open.get(&self.uri);
        open.map(|(_, text)| &**text).ok_or_else(|| format!("{} was not open", self.uri))
    }

    /// What a document may have held when it was asked about: one text for one
    /// that was open.
    fn texts(&self, uri: &str) -> Vec<Arc<str>> {
        match self.pending.open.get(uri) {
            Some((_, text)) => vec![Arc::clone(text)],
            None => self.editor.closed_texts(uri),
        }
    }

    /// All ranges and positions in a part of an answer, which is about a
    /// document: its text has them.
    fn places(&self, value: &Value, uri: &str) -> Checked {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.places(item, uri)),
            Value::Object(members) => {
                let named = ["uri", "targetUri"].iter().find_map(|name| members.get(*name)?.as_str());
                let named = named.or_else(|| value.pointer("/textDocument/uri")?.as_str());
                let inner = named.unwrap_or(uri);
                if members.contains_key("start") && members.contains_key("end") {
                    return self.in_text(uri, |text| offsets(text, value, self.encoding()).is_some(), value);
                }
                if members.contains_key("line") && members.contains_key("character") {
                    return self.in_text(uri, |text| offset(text, value, self.encoding()).is_some(), value);
                }
                for (name, member) in members {
                    match name.as_str() {
                        // What an item carries for the server is its own affair.
                        "data" => {}
                        // An action names the findings that it mends as the client told them,
                        // who may not have been told those of the newest text yet.
                        "diagnostics" => {
                            let given = self.pending.params.pointer("/context/diagnostics").and_then(Value::as_array);
                            let is_given = |finding: &&Value| given.is_some_and(|given| given.contains(finding));
                            let mut others =
                                member.as_array().into_iter().flatten().filter(|finding| !is_given(finding));
                            others.try_for_each(|finding| self.places(finding, inner))?;
                        }
                        "changes" => {
                            for (uri, edits) in member.as_object().into_iter().flatten() {
                                self.places(edits, uri)?;
                            }
                        }
                        "originSelectionRange" => self.places(member, &self.uri)?,
                        "fromRanges" => {
                            let from = members.get("from").and_then(|from| from["uri"].as_str());
                            self.places(member, from.unwrap_or(&self.uri))?;
                        }
                        _ => self.places(member, inner)?,
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn in_text(&self, uri: &str, holds: impl Fn(&str) -> bool, place: &Value) -> Checked {
        let texts = self.texts(uri);
        // The start of a file that cannot be read is a place to go to.
        let start = texts.is_empty()
            && *place == serde_json::json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
        if start || texts.iter().any(|text| holds(text)) {
            return Ok(());
        }
        let other: Vec<&str> = texts.iter().map(|text| &**text).filter(|_| uri != self.uri).collect();
        Err(format!("no such place in {uri}: {place} {other:#?}"))
    }

    fn cursor(&self) -> Option<usize> {
        offset(self.text().ok()?, &self.pending.params["position"], self.encoding())
    }
}
