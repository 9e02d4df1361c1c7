//! The three clients: what each really announces, and how it behaves.

use serde_json::{Value, json};

/// A client.
#[derive(Clone)]
pub struct Habits {
    pub name: &'static str,
    pub capabilities: Value,
    /// The version of a document that is opened.
    pub first_version: i32,
    /// Whether versions skip numbers, as Neovim's ticks do.
    pub ticks: bool,
}

impl Habits {
    pub fn vscode() -> Self {
        let capabilities = read(include_str!("../../data/clients/vscode.json"));
        Self { name: "Visual Studio Code", capabilities, first_version: 1, ticks: false }
    }

    pub fn neovim() -> Self {
        let capabilities = read(include_str!("../../data/clients/neovim.json"));
        Self { name: "Neovim", capabilities, first_version: 0, ticks: true }
    }

    pub fn helix() -> Self {
        let capabilities = read(include_str!("../../data/clients/helix.json"));
        Self { name: "helix", capabilities, first_version: 0, ticks: false }
    }

    /// Whether the client announced what stands at a JSON pointer.
    pub fn can(&self, pointer: &str) -> bool {
        self.capabilities.pointer(pointer).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
    }

    pub fn pulls(&self) -> bool {
        self.can("/textDocument/diagnostic")
    }

    /// Whether it asks for the findings of the whole workspace, again and again.
    pub fn pulls_workspace(&self) -> bool {
        self.name == "Visual Studio Code"
    }

    pub fn watches(&self) -> bool {
        self.can("/workspace/didChangeWatchedFiles/dynamicRegistration")
    }

    pub fn initialize(&self, folders: &[String], process: Option<u32>) -> Value {
        let folders: Vec<Value> = folders.iter().map(|uri| json!({"uri": uri, "name": "folder"})).collect();
        json!({
            "processId": process,
            "clientInfo": {"name": self.name, "version": "1"},
            "locale": "en",
            "rootUri": folders.first().map(|folder| folder["uri"].clone()),
            "capabilities": self.capabilities,
            "trace": "off",
            "workspaceFolders": if folders.is_empty() { Value::Null } else { folders.into() }
        })
    }

    /// The capability that the server needs to send a request.
    pub fn may_be_asked(&self, method: &str, params: &Value) -> Result<(), String> {
        let pointer = match method {
            "workspace/configuration" => "/workspace/configuration",
            "window/workDoneProgress/create" => "/window/workDoneProgress",
            "window/showDocument" => "/window/showDocument/support",
            "window/showMessageRequest" => return Ok(()),
            "workspace/applyEdit" => "/workspace/applyEdit",
            "workspace/workspaceFolders" => "/workspace/workspaceFolders",
            "workspace/diagnostic/refresh" => "/workspace/diagnostics/refreshSupport",
            "workspace/semanticTokens/refresh" => "/workspace/semanticTokens/refreshSupport",
            "workspace/inlayHint/refresh" => "/workspace/inlayHint/refreshSupport",
            "workspace/codeLens/refresh" => "/workspace/codeLens/refreshSupport",
            "workspace/foldingRange/refresh" => "/workspace/foldingRange/refreshSupport",
            "client/registerCapability" => {
                for registration in params["registrations"].as_array().into_iter().flatten() {
                    let method = registration["method"].as_str().unwrap_or_default();
                    // What is sent of open documents has one name among the capabilities.
                    let capability = match method {
                        "textDocument/didOpen" | "textDocument/didChange" | "textDocument/didClose" => {
                            "textDocument/synchronization"
                        }
                        other => other,
                    };
                    if !self.can(&format!("/{capability}/dynamicRegistration")) {
                        return Err(format!("{method} cannot be registered"));
                    }
                }
                return Ok(());
            }
            _ => return Err(format!("{method} is no request of a server")),
        };
        if self.can(pointer) { Ok(()) } else { Err(format!("{method} needs {pointer}")) }
    }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("what a client announces is JSON")
}
