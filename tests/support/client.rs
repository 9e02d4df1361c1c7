//! A client of the real server process, over its pipes. Every wait ends: after
//! a generous time with a failure that says what was waited for.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    pub child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Read and not asked for yet.
    pending: VecDeque<Value>,
    next_id: i64,
    /// Whether requests of the server are answered by themselves.
    pub answers: bool,
    /// What the server logged first.
    pub first_words: String,
}

impl Client {
    /// Starts the server; it is not initialized.
    pub fn start(variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
        command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.envs(variables.iter().copied()).spawn().expect("the server starts");
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, messages, pending: VecDeque::new(), next_id: 1, answers: true, first_words: String::new() }
    }

    /// A server with these capabilities of the client and these folders.
    pub fn with(capabilities: Value, folders: &[&str]) -> Self {
        let mut client = Self::start(&[]);
        client.initialize(capabilities, folders);
        client
    }

    /// Initializes the server; returns what it said.
    pub fn initialize(&mut self, capabilities: Value, folders: &[&str]) -> Value {
        self.initialize_with(capabilities, folders, json!({}))
    }

    /// The same with more parameters.
    pub fn initialize_with(&mut self, capabilities: Value, folders: &[&str], more: Value) -> Value {
        let folders: Vec<Value> = folders.iter().map(|uri| json!({"uri": uri, "name": "folder"})).collect();
        let mut params =
            json!({"processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = self.ask("initialize", params);
        self.notify("initialized", json!({}));
        let log = self.next("window/logMessage");
        self.first_words = log["params"]["message"].as_str().unwrap().to_owned();
        answer
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its number.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message);
        id
    }

    /// The whole response to a request.
    pub fn response(&mut self, id: i64) -> Value {
        self.wait(&format!("the response {id}"), |message| message["id"] == id && message.get("method").is_none())
    }

    /// Whether the response to a request has come by now, of what was read.
    pub fn has_answered(&self, id: i64) -> bool {
        self.pending.iter().any(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The result of a request; panics on an error.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let mut response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].take()
    }

    /// The next notification or request of the server with this method.
    pub fn next(&mut self, method: &str) -> Value {
        self.wait(method, |message| message["method"] == method)
    }

    /// The first message, of those that nobody has taken, that is wanted.
    pub fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.pending.iter().position(&wanted) {
            return self.pending.remove(at).unwrap();
        }
        let end = Instant::now() + PATIENCE;
        loop {
            match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) => {
                    self.answer(&message);
                    if wanted(&message) {
                        return message;
                    }
                    self.pending.push_back(message);
                }
                Err(RecvTimeoutError::Timeout) => panic!("{what} did not come; there is {:#?}", self.pending),
                Err(RecvTimeoutError::Disconnected) => panic!("the server ended before {what}; {:#?}", self.pending),
            }
        }
    }

    fn answer(&mut self, message: &Value) {
        if self.answers && message.get("method").is_some() && message.get("id").is_some() {
            let result = match message["method"].as_str() {
                Some("workspace/applyEdit") => json!({"applied": true}),
                // It has nothing to say about any of the sections.
                Some("workspace/configuration") => {
                    message["params"]["items"].as_array().map(|items| vec![Value::Null; items.len()]).into()
                }
                _ => Value::Null,
            };
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
        }
    }

    /// Messages that were read while others were waited for.
    pub fn seen(&self, method: &str) -> usize {
        self.pending.iter().filter(|message| message["method"] == method).count()
    }

    /// Messages that nobody has taken and that are such.
    pub fn unread(&self, is_such: impl Fn(&Value) -> bool) -> Vec<&Value> {
        self.pending.iter().filter(|message| is_such(message)).collect()
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "dynamo", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Puts another text in place of the whole.
    pub fn change(&mut self, uri: &str, version: i64, text: &str) {
        self.edit(uri, version, json!([{"text": text}]));
    }

    pub fn edit(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    /// The findings that are published next for a file, for this version where
    /// one is given.
    pub fn published(&mut self, uri: &str, version: Option<i64>) -> Vec<Value> {
        let message = self.wait(&format!("findings of {uri} {version:?}"), |message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && version.is_none_or(|version| message["params"]["version"] == version)
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Waits until the findings published for a file satisfy a condition.
    pub fn published_until(&mut self, uri: &str, what: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let message = self.wait(&format!("{what} in {uri}"), |message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && wanted(message["params"]["diagnostics"].as_array().unwrap())
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// The findings of a file, asked for.
    pub fn pulled(&mut self, uri: &str) -> Vec<Value> {
        let report = self.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
        report["items"].as_array().unwrap_or_else(|| panic!("{report}")).clone()
    }

    /// Proves that the server lives and works.
    pub fn assert_alive(&mut self) {
        self.open("untitled:alive", "pattern P { reads Alive }\n");
        let found = self.pulled("untitled:alive");
        assert!(messages(&found).contains("Alive"), "{found:#?}");
        self.close("untitled:alive");
    }

    /// The same for a client that is pushed findings.
    pub fn assert_alive_pushed(&mut self) {
        self.open("untitled:alive", "pattern P { reads Alive }\n");
        self.published_until("untitled:alive", "a finding", |found| messages(found).contains("Alive"));
        self.close("untitled:alive");
    }

    /// The same for a client that can do whatever it can.
    pub fn assert_alive_somehow(&mut self) {
        self.open("untitled:alive", "/// Alive.\nentity Alive { id: string @id }\n");
        let params = json!({"textDocument": {"uri": "untitled:alive"}, "position": {"line": 1, "character": 8}});
        let hover = self.ask("textDocument/hover", params);
        assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("Alive.")), "{hover}");
        self.close("untitled:alive");
    }

    /// Answers that were read and belong to no request.
    pub fn unanswerable(&self) -> usize {
        self.pending.iter().filter(|message| message.get("method").is_none()).count()
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Ends the session as the protocol has it; nothing was said on standard
    /// error.
    pub fn finish(mut self) {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let status = self.exit();
        assert_eq!(status.code(), Some(0), "after shutdown and exit");
        assert_eq!(self.stderr(), "", "standard error stays quiet");
    }

    pub fn stderr(&mut self) -> String {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Waits for the end of the process.
    pub fn exit(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the server did not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next frame of the server; nothing when its output has ended.
pub fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => length = line.strip_prefix("Content-Length: ").map(|n| n.parse().unwrap()).or(length),
        }
    }
    let mut body = vec![0; length.expect("nothing but frames on standard output")];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("frames hold JSON"))
}

/// What findings say, one a line.
pub fn messages(findings: &[Value]) -> String {
    let texts: Vec<&str> = findings.iter().filter_map(|finding| finding["message"].as_str()).collect();
    texts.join("\n")
}

/// Whether some name of this spelling means nothing.
pub fn is_unknown(findings: &[Value], name: &str) -> bool {
    let quoted = format!("`{name}`");
    findings
        .iter()
        .any(|finding| finding["code"] == "unknown-name" && finding["message"].as_str().unwrap_or("").contains(&quoted))
}

/// The rules of findings.
pub fn rules(findings: &[Value]) -> Vec<String> {
    findings.iter().map(|finding| finding["code"].as_str().unwrap_or("?").to_owned()).collect()
}

/// A client that pulls findings, and can do nothing else.
pub fn pulling() -> Value {
    json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}})
}

/// A client that is pushed findings, with versions.
pub fn pushed() -> Value {
    json!({"textDocument": {"publishDiagnostics": {"versionSupport": true, "relatedInformation": true}}})
}

/// A client that can do everything.
pub fn able() -> Value {
    json!({
        "general": {"positionEncodings": ["utf-8", "utf-16"]},
        "textDocument": {
            "publishDiagnostics": {
                "versionSupport": true, "relatedInformation": true, "codeDescriptionSupport": true,
                "tagSupport": {"valueSet": [1, 2]}
            },
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "definition": {"linkSupport": true},
            "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
            "codeLens": {},
            "documentSymbol": {
                "hierarchicalDocumentSymbolSupport": true,
                "symbolKind": {"valueSet": (1..=26).collect::<Vec<u8>>()}
            },
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}},
                "isPreferredSupport": true, "dataSupport": true, "resolveSupport": {"properties": ["edit"]}
            }
        },
        "workspace": {
            "applyEdit": true,
            "workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]},
            "didChangeWatchedFiles": {"dynamicRegistration": true},
            "diagnostics": {"refreshSupport": true},
            "inlayHint": {"refreshSupport": true},
            "codeLens": {"refreshSupport": true}
        }
    })
}

/// The same but for the capabilities at these JSON pointers.
pub fn able_without(pointers: &[&str]) -> Value {
    let mut capabilities = able();
    for pointer in pointers {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        capabilities.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name).unwrap();
    }
    capabilities
}

/// A folder for one test, and the URIs of what is in it.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).to_str().unwrap())
    }

    pub fn root(&self) -> String {
        format!("file://{}", self.0.path().to_str().unwrap())
    }
}
