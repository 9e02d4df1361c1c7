//! A client of the protocol over standard input and output that notes when
//! each message had arrived whole. What it says is read afterwards, so that
//! reading is in nobody's time.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// Nothing that is measured takes nearly as long.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server that runs.
pub struct Client {
    child: Child,
    input: ChildStdin,
    arriving: Receiver<(Instant, Vec<u8>)>,
    next_id: i64,
    /// What came while something else was waited for.
    kept: Vec<(Instant, Value)>,
}

/// What went wrong, in words.
type Fallible<T> = Result<T, String>;

impl Client {
    /// Starts a server in a folder. Its standard error is not listened to.
    pub fn start(command: &mut Command, folder: &Path) -> Fallible<Self> {
        let command = command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("cannot run {:?}: {error}", command.get_program()))?;
        let input = child.stdin.take().ok_or("it has no standard input")?;
        let mut output = BufReader::with_capacity(1 << 16, child.stdout.take().ok_or("it has no standard output")?);
        let (sender, arriving) = channel();
        std::thread::spawn(move || {
            while let Some(frame) = frame(&mut output) {
                if sender.send((Instant::now(), frame)).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, arriving, next_id: 0, kept: Vec::new() })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a message; returns when it was about to be written.
    fn send(&mut self, message: &Value) -> Fallible<Instant> {
        let text = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let begun = Instant::now();
        self.input
            .write_all(frame.as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|error| format!("the server takes no more: {error}"))?;
        Ok(begun)
    }

    pub fn notify(&mut self, method: &str, params: &Value) -> Fallible<Instant> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Asks, and waits for the answer; returns it with how long that took.
    pub fn ask(&mut self, method: &str, params: &Value) -> Fallible<(Duration, Value)> {
        self.next_id += 1;
        let id = self.next_id;
        let begun = self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let (at, mut answer) = self.wait(PATIENCE, &format!("the answer to {method}"), |message| {
            message["id"] == id && message.get("method").is_none()
        })?;
        match answer.get("error") {
            Some(error) => Err(format!("{method}: {error}")),
            None => Ok((at - begun, answer["result"].take())),
        }
    }

    /// The next diagnostics of a file that are as wanted, and when they had arrived.
    /// Those that came before are left out.
    pub fn diagnostics(&mut self, uri: &str, wanted: impl Fn(&Value) -> bool) -> Fallible<(Instant, Value)> {
        self.wait(PATIENCE, &format!("diagnostics of {uri}"), |message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"].as_str().is_some_and(|found| is_same(found, uri))
                && wanted(&message["params"])
        })
        .map(|(at, mut message)| (at, message["params"].take()))
    }

    /// Forgets what has arrived and was not asked for.
    pub fn forget(&mut self) -> Fallible<()> {
        while let Some((at, message)) = self.read(Duration::ZERO)? {
            self.keep(at, message)?;
        }
        self.kept.clear();
        Ok(())
    }

    fn wait(&mut self, patience: Duration, what: &str, is_it: impl Fn(&Value) -> bool) -> Fallible<(Instant, Value)> {
        if let Some(at) = self.kept.iter().position(|(_, message)| is_it(message)) {
            return Ok(self.kept.remove(at));
        }
        let end = Instant::now() + patience;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.read(left)? {
                None => return Err(format!("{what} did not come within {} s", patience.as_secs())),
                Some((at, message)) if is_it(&message) => return Ok((at, message)),
                Some((at, message)) => self.keep(at, message)?,
            }
        }
    }

    fn read(&mut self, patience: Duration) -> Fallible<Option<(Instant, Value)>> {
        match self.arriving.recv_timeout(patience) {
            Ok((at, frame)) => {
                let message = serde_json::from_slice(&frame).map_err(|error| format!("no JSON came: {error}"))?;
                Ok(Some((at, message)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the server has ended".to_owned()),
        }
    }

    /// Keeps a message, and answers it where the server asks something.
    fn keep(&mut self, at: Instant, message: Value) -> Fallible<()> {
        let asked = message.get("id").filter(|_| message.get("method").is_some());
        let Some(id) = asked else {
            self.kept.push((at, message));
            return Ok(());
        };
        // Every setting is at its default.
        let items = message["params"]["items"].as_array().map(|items| vec![Value::Null; items.len()]);
        let result = items.map_or(Value::Null, Value::Array);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
        Ok(())
    }

    /// The most memory that it has held, in kilobytes (`VmHWM` of the kernel).
    pub fn peak(&self) -> Option<u64> {
        self.status("VmHWM:")
    }

    /// What it holds now, in kilobytes.
    pub fn resident(&self) -> Option<u64> {
        self.status("VmRSS:")
    }

    pub fn threads(&self) -> Option<u64> {
        self.status("Threads:")
    }

    /// The time that it has computed since it began, in seconds.
    pub fn computed(&self) -> Option<f64> {
        /// The kernel counts in hundredths for every program (`USER_HZ`).
        const TICKS: f64 = 100.0;
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).ok()?;
        // The name may hold spaces; it ends at the last parenthesis.
        let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
        Some((ticks(11)? + ticks(12)?) / TICKS)
    }

    fn status(&self, of: &str) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(of))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Ends it as the protocol has it, and else by force.
    pub fn finish(mut self) {
        let asked = self.ask("shutdown", &Value::Null).and_then(|_| self.notify("exit", &Value::Null));
        let end = Instant::now() + Duration::from_secs(5);
        while asked.is_ok() && Instant::now() < end {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The content of the next message; `None` at the end.
fn frame(output: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let mut content = vec![0; length?];
    output.read_exact(&mut content).ok()?;
    Some(content)
}

/// Whether two URIs name one file; some servers encode what needs no encoding.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.replace("%2E", ".").replace("%2D", "-") == other
}
