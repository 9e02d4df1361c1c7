//! The server's process, and the frames between it and a client.

use crate::support::client::read;
use serde_json::{Value, json};
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long anything may take on a machine that has other things to do.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Wire {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    next_id: i64,
}

impl Wire {
    pub fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
        command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let mut output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, messages, next_id: 1 }
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let stdin = self.stdin.as_mut().expect("the input is open");
        let written = write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).and_then(|()| stdin.flush());
        written.expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn request(&mut self, method: &str, params: &Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params.clone();
        }
        self.send(&message);
        id
    }

    pub fn answer(&mut self, id: &Value, result: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    /// The next message, if one comes in this time.
    pub fn next(&mut self, wait: Duration) -> Option<Value> {
        self.messages.recv_timeout(wait).ok()
    }

    /// Kilobytes that the process holds, and its threads.
    #[cfg(target_os = "linux")]
    pub fn size(&self) -> (u64, usize) {
        let folder = format!("/proc/{}", self.child.id());
        let status = std::fs::read_to_string(format!("{folder}/status")).expect("the process lives");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its size is told");
        let threads = std::fs::read_dir(format!("{folder}/task")).expect("the process lives").count();
        (line.trim().trim_end_matches(" kB").parse().expect("a number of kilobytes"), threads)
    }

    /// Ends the process as the protocol has it: it says nothing on standard
    /// error, and ends by itself.
    pub fn finish(mut self, mut each: impl FnMut(&mut Self, Value)) {
        let id = self.request("shutdown", &Value::Null);
        let end = Instant::now() + PATIENCE;
        loop {
            let message = self.next(end.saturating_duration_since(Instant::now())).expect("shutdown is answered");
            if message["id"] == id && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "shutdown: {message}");
                break;
            }
            each(&mut self, message);
        }
        self.notify("exit", &Value::Null);
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                break status;
            }
            assert!(Instant::now() < end, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut said = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        assert_eq!((status.code(), said.as_str()), (Some(0), ""), "after shutdown and exit");
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
