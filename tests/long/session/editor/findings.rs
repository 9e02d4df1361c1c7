//! What an editor shows: the findings that it is told or asks for, and the colours
//! that it has been given.

use super::{Buffer, Editor, Pending, Shown};
use crate::session::answers;
use serde_json::{Value, json};
use std::sync::Arc;

impl Editor {
    pub(super) fn published(&mut self, params: &Value) {
        let uri = params["uri"].as_str().unwrap_or_default().to_owned();
        let version = params["version"].as_i64().map(|version| version as i32);
        let items = params["diagnostics"].as_array().cloned().unwrap_or_default();
        if version.is_some() && !self.habits.can("/textDocument/publishDiagnostics/versionSupport") {
            self.fail(&format!("a version that nobody asked for: {params}"));
        }
        let is_former = |version: i32| {
            let knows =
                |buffer: &Buffer| buffer.version == version || buffer.history.iter().any(|(old, _)| *old == version);
            !self.buffers.get(&uri).is_some_and(knows) && self.former.get(&uri).is_some_and(|last| version <= *last)
        };
        if version.is_some_and(is_former) {
            // It was sent before the document was closed, and read when it was open
            // again: no client can tell.
            self.shown.insert(uri, Shown { version: None, items });
            return;
        }
        if let (Some(version), Some(buffer)) = (version, self.buffers.get(&uri)) {
            let before = self.shown.get(&uri).and_then(|shown| shown.version);
            if before.is_some_and(|before| before > version) {
                self.fail(&format!("findings for version {version} of {uri} after those for {before:?}"));
            }
            let text = match version == buffer.version {
                true => Some(&buffer.text),
                false => buffer.history.iter().rev().find(|(old, _)| *old == version).map(|(_, text)| text),
            };
            let Some(text) = text else {
                self.fail(&format!("findings for version {version} of {uri}, which is at {}", buffer.version));
            };
            if let Err(error) = answers::diagnostics(&items, &uri, text, self) {
                self.fail(&format!("{error}, published for version {version} of {uri}:\n{text}"));
            }
        }
        self.shown.insert(uri, Shown { version, items });
    }

    /// Remembers of an answer what an editor shows until the next.
    pub(super) fn keep(&mut self, pending: &Pending, result: &Value) {
        let uri = answers::uri_of(&pending.params).unwrap_or_default();
        // A document may have been closed and opened again meanwhile.
        let is_same =
            |buffer: &Buffer, (version, text): &(i32, Arc<str>)| buffer.version == *version && buffer.text == *text;
        let now = self.buffers.get(&uri);
        let asked = pending.open.get(&uri).filter(|asked| now.is_some_and(|buffer| is_same(buffer, asked)));
        let asked = asked.map(|(version, _)| *version);
        match pending.method.as_str() {
            "workspace/diagnostic" => self.workspace_report(result),
            "textDocument/diagnostic" => {
                let Some(buffer) = self.buffers.get_mut(&uri).filter(|_| asked.is_some()) else {
                    self.unpulled.insert(uri);
                    return;
                };
                buffer.result_id = result["resultId"].as_str().map(str::to_owned);
                let items = match result["kind"].as_str() {
                    Some("unchanged") => self.shown.remove(&uri).map(|shown| shown.items),
                    _ => result["items"].as_array().cloned(),
                };
                let Some(items) = items else { self.fail(&format!("nothing to leave unchanged: {result}")) };
                self.shown.insert(uri, Shown { version: asked, items });
            }
            "textDocument/semanticTokens/full" | "textDocument/semanticTokens/full/delta" => {
                let before = self.buffers.get(&uri).and_then(|buffer| buffer.tokens.clone());
                let data = answers::tokens(result, before.map(|(_, data)| data).unwrap_or_default());
                let id = result["resultId"].as_str();
                if let Some(buffer) = self.buffers.get_mut(&uri) {
                    buffer.tokens = id.map(|id| (id.to_owned(), data)).filter(|_| asked.is_some());
                }
            }
            _ => {}
        }
    }

    pub(super) fn workspace_report(&mut self, report: &Value) {
        for item in report["items"].as_array().into_iter().flatten() {
            let uri = item["uri"].as_str().unwrap_or_default().to_owned();
            let id = item["resultId"].as_str().map(str::to_owned);
            if item["kind"] == "unchanged" {
                match self.workspace.get_mut(&uri) {
                    Some(known) if known.0 == id => {}
                    known => {
                        let known = known.map(|known| known.0.clone());
                        self.fail(&format!("{known:?} is unchanged: {item}"))
                    }
                }
            } else {
                let items = item["items"].as_array().cloned().unwrap_or_default();
                self.workspace.insert(uri, (id, items));
            }
        }
    }

    /// Asks for the findings of what changed.
    pub fn pull(&mut self) {
        if !self.habits.pulls() || !self.offers("/diagnosticProvider", "textDocument/diagnostic") {
            self.unpulled.clear();
            return;
        }
        for uri in std::mem::take(&mut self.unpulled) {
            let Some(buffer) = self.buffers.get(&uri) else { continue };
            let mut params =
                json!({"textDocument": {"uri": uri}, "identifier": self.server["diagnosticProvider"]["identifier"]});
            if let Some(id) = &buffer.result_id {
                params["previousResultId"] = json!(id);
            }
            self.ask("textDocument/diagnostic", params);
        }
    }

    /// Keeps the question about the whole workspace open.
    pub fn poll_workspace(&mut self) {
        let offered = self.server.pointer("/diagnosticProvider/workspaceDiagnostics") == Some(&Value::Bool(true));
        if offered && self.habits.pulls_workspace() && self.poll.is_none() {
            let known = self.workspace.iter();
            let known: Vec<Value> =
                known.filter_map(|(uri, (id, _))| Some(json!({"uri": uri, "value": id.as_ref()?}))).collect();
            let token = format!("poll-{}", self.random.number());
            let params = json!({"previousResultIds": known, "partialResultToken": token,
                "identifier": self.server["diagnosticProvider"]["identifier"]});
            self.poll = Some(self.ask("workspace/diagnostic", params));
        }
    }
}
