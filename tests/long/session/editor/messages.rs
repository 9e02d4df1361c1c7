//! The messages of an editor: what it asks and tells, and what it does with every
//! message of the server.

use super::{Editor, Open, Pending};
use crate::session::answers;
use crate::session::wire::PATIENCE;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Editor {
    pub fn notify(&mut self, method: &str, params: Value) {
        self.note(format!("> {method} {}", short(&params)));
        self.wire.notify(method, &params);
    }

    pub fn open_texts(&self) -> Open {
        self.buffers.iter().map(|(uri, buffer)| (uri.clone(), (buffer.version, Arc::clone(&buffer.text)))).collect()
    }

    /// Asks something; the answer is looked at when it comes.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        let id = self.wire.request(method, &params);
        self.note(format!("> {id} {method} {}", short(&params)));
        *self.said.entry(method.to_owned()).or_default() += 1;
        let open = self.open_texts();
        let pending = Pending { method: method.to_owned(), params, open, cancelled: false, awaited: false };
        self.pending.insert(id, pending);
        id
    }

    /// Asks something and waits for the answer, which is looked at, too.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.pending.get_mut(&id).expect("it was just asked").awaited = true;
        self.pump_until(&format!("the answer {id} to {method}"), |editor| editor.arrived.contains_key(&id));
        let mut response = self.arrived.remove(&id).expect("it arrived");
        match response.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(response["result"].take()),
        }
    }

    pub fn cancel(&mut self, id: i64) {
        if let Some(pending) = self.pending.get_mut(&id) {
            pending.cancelled = true;
            self.notify("$/cancelRequest", json!({"id": id}));
        }
    }

    /// Takes what has come, and waits so long for more. Whether something came.
    pub fn pump(&mut self, wait: Duration) -> bool {
        let mut any = false;
        let mut wait = wait;
        while let Some(message) = self.wire.next(wait) {
            self.take(message);
            (any, wait) = (true, Duration::ZERO);
        }
        any
    }

    pub fn pump_until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !done(self) {
            let Some(message) = self.wire.next(end.saturating_duration_since(Instant::now())) else {
                self.fail(&format!("{what} did not come"));
            };
            self.take(message);
        }
    }

    /// Waits until all is answered but what may stay open.
    pub fn quiet(&mut self) {
        self.pump_until("an answer", |editor| editor.pending.keys().all(|id| Some(*id) == editor.poll));
    }

    fn take(&mut self, mut message: Value) {
        let params = message["params"].take();
        match (message["method"].as_str().map(str::to_owned), message.get("id").cloned()) {
            (Some(method), Some(id)) => {
                self.note(format!("< {id} {method} {}", short(&params)));
                if let Err(error) = self.habits.may_be_asked(&method, &params) {
                    self.fail(&error);
                }
                let result = self.asked(&method, params);
                self.wire.answer(&id, &result);
            }
            (Some(method), None) => {
                self.note(format!("< {method} {}", short(&params)));
                self.told(&method, &params);
            }
            (None, _) => self.answered(message),
        }
    }

    /// Answers a request of the server.
    fn asked(&mut self, method: &str, params: Value) -> Value {
        match method {
            "workspace/configuration" => {
                let items = params["items"].as_array().cloned().unwrap_or_default();
                items.iter().map(|_| self.config.clone()).collect()
            }
            "client/registerCapability" => {
                for registration in params["registrations"].as_array().into_iter().flatten() {
                    let method = registration["method"].as_str().unwrap_or_default().to_owned();
                    self.registered.insert(method, registration["registerOptions"].clone());
                }
                Value::Null
            }
            "window/workDoneProgress/create" => {
                let token = params["token"].to_string();
                if self.progress.insert(token.clone(), false).is_some() {
                    self.fail(&format!("the progress {token} exists"));
                }
                Value::Null
            }
            "window/showDocument" => json!({"success": true}),
            "workspace/applyEdit" => {
                let open = self.open_texts();
                match self.apply(&params["edit"], &open) {
                    Ok(applied) => json!({"applied": applied}),
                    Err(error) => self.fail(&format!("{error} in {params}")),
                }
            }
            "workspace/diagnostic/refresh" => {
                self.unpulled.extend(self.buffers.keys().cloned());
                Value::Null
            }
            _ => Value::Null,
        }
    }

    fn told(&mut self, method: &str, params: &Value) {
        match method {
            "textDocument/publishDiagnostics" => self.published(params),
            "$/progress" => self.progressed(params),
            "window/logMessage" | "window/showMessage" if params["type"] == 1 => {
                self.fail(&format!("the server tells a fault: {params}"));
            }
            "window/logMessage" | "window/showMessage" | "$/logTrace" | "telemetry/event" => {}
            _ => self.fail(&format!("{method} is no notification of a server")),
        }
    }

    fn progressed(&mut self, params: &Value) {
        let token = params["token"].to_string();
        let kind = params["value"]["kind"].as_str().unwrap_or_default().to_owned();
        let owner = self.pending.values().find(|pending| pending.params["partialResultToken"] == params["token"]);
        if let Some(pending) = owner.filter(|_| kind.is_empty()) {
            let workspace = pending.method == "workspace/diagnostic";
            if workspace {
                self.workspace_report(&params["value"]);
            }
            return;
        }
        let running = match self.progress.get(&token).copied() {
            Some(running) => running,
            // The client's own tokens are begun by the server.
            None if self.pending.values().any(|pending| pending.params["workDoneToken"] == params["token"]) => false,
            None => self.fail(&format!("progress that nobody knows: {params}")),
        };
        match (kind.as_str(), running) {
            ("begin", false) => drop(self.progress.insert(token, true)),
            ("report", true) => {}
            ("end", true) => drop(self.progress.remove(&token)),
            _ => self.fail(&format!("progress out of order, running {running}: {params}")),
        }
    }

    fn answered(&mut self, message: Value) {
        let id = message["id"].as_i64().unwrap_or(-1);
        let Some(pending) = self.pending.remove(&id) else {
            self.fail(&format!("an answer to nothing: {message}"));
        };
        self.note(format!("< {id} {} {}", pending.method, short(message.get("error").unwrap_or(&message["result"]))));
        if self.poll == Some(id) {
            self.poll = None;
        }
        if let Some(error) = message.get("error") {
            let cancelled = pending.cancelled && error["code"] == -32800;
            // What an edit could not wait for is asked again.
            let outdated = error["code"] == -32801;
            let refused =
                answers::may_refuse(&pending) && error["message"].as_str().is_some_and(|said| !said.is_empty());
            if !cancelled && !outdated && !refused {
                self.fail(&format!("{} {}: {error}", pending.method, pending.params));
            }
            *self.said.entry(format!("{} {}", pending.method, error["code"])).or_default() += 1;
        } else if let Err(error) = answers::check(&pending, &message["result"], self) {
            let uri = answers::uri_of(&pending.params).unwrap_or_default();
            let text = pending.open.get(&uri).map(|(_, text)| text.to_string()).unwrap_or_default();
            self.fail(&format!("{} {}: {error}\n{}\nin {text}", pending.method, pending.params, message["result"]));
        } else {
            self.keep(&pending, &message["result"]);
        }
        if pending.awaited {
            self.arrived.insert(id, message);
        }
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
