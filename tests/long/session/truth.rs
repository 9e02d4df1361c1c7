//! What a server says that has been told everything at once: a session that has
//! come to the same state by many steps says the same.

use crate::session::editor::{Editor, Open};
use crate::session::requests;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long findings may take.
const SETTLES_WITHIN: Duration = Duration::from_secs(20);

/// Findings, and the version of the document that they are for.
type Findings = (Option<i32>, Vec<Value>);

/// So many questions are asked of both.
const QUESTIONS: usize = 6;

impl Editor {
    /// Waits until nothing is under way and holds all that is shown against what
    /// a fresh server says.
    pub fn settle(&mut self) {
        self.tell_disk();
        self.look_at_disk();
        self.quiet();
        let mut twin = self.twin();
        let end = Instant::now() + SETTLES_WITHIN;
        let mut looked = Instant::now();
        loop {
            if self.habits.pulls() {
                if !self.habits.can("/workspace/diagnostics/refreshSupport") {
                    // It is not told what another document changes, and asks anew.
                    self.unpulled.extend(self.buffers.keys().cloned());
                }
                twin.unpulled.extend(twin.buffers.keys().cloned());
            }
            for editor in [&mut *self, &mut twin] {
                editor.pull();
                editor.poll_workspace();
                editor.pump(Duration::from_millis(5));
                editor.quiet();
            }
            let (shown, wanted) = (self.findings(), twin.findings());
            // What is stale is looked for when nobody has done anything for a while: who
            // saves all the time never gets to know.
            if shown != wanted && looked.elapsed() > Duration::from_secs(1) {
                self.look_at_disk();
                looked = Instant::now();
            }
            if shown == wanted && self.progress.is_empty() {
                break;
            }
            if Instant::now() > end {
                self.fail(&differences(&shown, &wanted, &self.progress));
            }
        }
        self.compare(&mut twin);
        twin.finish();
        self.past.clear();
        self.former.clear();
        for buffer in self.buffers.values_mut() {
            buffer.history.clear();
        }
    }

    /// Has the server look at the disk, where nobody watches it: saving does.
    pub fn look_at_disk(&mut self) {
        if self.is_watching() {
            return;
        }
        // It looks for new files now and then.
        std::thread::sleep(Duration::from_millis(10));
        let open = self.buffers.keys().find(|uri| uri.starts_with("file:")).cloned();
        match open {
            Some(uri) => self.save_document(&uri),
            None => {
                if let Some((uri, text)) = self.disk.iter().next().map(|(uri, text)| (uri.clone(), text.clone())) {
                    self.open(&uri, &text);
                }
            }
        }
    }

    /// A fresh server in the same state.
    fn twin(&mut self) -> Self {
        let mut twin = Self::start(self.habits.clone(), &self.base, self.folders.clone(), self.random.number());
        twin.step = self.step;
        twin.disk = self.disk.clone();
        twin.config = self.config.clone();
        for (uri, (version, text)) in self.open_texts() {
            twin.habits.first_version = version;
            twin.open(&uri, &text);
        }
        twin
    }

    /// What is shown, but for files without findings.
    fn findings(&self) -> BTreeMap<String, Findings> {
        let mut findings = BTreeMap::new();
        for (uri, (_, items)) in self.workspace.iter().filter(|(uri, _)| !self.buffers.contains_key(*uri)) {
            findings.insert(uri.clone(), (None, items.clone()));
        }
        for (uri, shown) in &self.shown {
            findings.insert(uri.clone(), (shown.version, shown.items.clone()));
        }
        findings.retain(|uri, (_, items)| self.buffers.contains_key(uri) || !items.is_empty());
        findings
    }

    /// Asks both the same.
    fn compare(&mut self, twin: &mut Self) {
        let open: Open = self.open_texts();
        let uris: Vec<String> = open.keys().cloned().collect();
        let offered = requests::offered(self);
        for _ in 0..QUESTIONS {
            let Some(uri) = self.random.some(&uris).cloned() else { return };
            let method = *self.random.pick(&offered);
            let Some(params) = requests::params(self, method, &uri) else { continue };
            if method.ends_with("/delta") {
                continue;
            }
            let end = Instant::now() + SETTLES_WITHIN;
            loop {
                let (mut live, mut fresh) = (self.call(method, params.clone()), twin.call(method, params.clone()));
                for answer in [&mut live, &mut fresh] {
                    let answer = answer.as_mut().unwrap_or_else(|error| error);
                    comparable(answer);
                }
                if live == fresh {
                    break;
                }
                // What was searched for may not be found yet.
                if Instant::now() > end {
                    self.fail(&format!("{method} {params}\nis answered {live:?}\nand by a fresh server {fresh:?}"));
                }
                std::thread::sleep(Duration::from_millis(5));
                self.look_at_disk();
            }
        }
    }

    /// Ends the session; nothing is left unanswered.
    pub fn finish(mut self) {
        if let Some(id) = self.poll {
            self.cancel(id);
        }
        let is_quiet = |editor: &Self| editor.pending.is_empty() && !editor.progress.values().any(|running| *running);
        self.pump_until("an answer, or the end of some progress", is_quiet);
        self.wire.finish(|wire, message| {
            if message.get("id").is_some() {
                wire.answer(&message["id"], &Value::Null);
            }
        });
    }
}

/// Leaves out what depends on the session by design: the names of results, and
/// documents, which get another name where the session has made one before.
fn comparable(answer: &mut Value) {
    if let Some(members) = answer.as_object_mut() {
        members.remove("resultId");
    }
    if let Some(items) = answer.as_array_mut() {
        items.retain(|item| !item["kind"].as_str().is_some_and(|kind| kind.starts_with("source.keywright")));
    }
}

fn differences(
    shown: &BTreeMap<String, Findings>,
    wanted: &BTreeMap<String, Findings>,
    progress: &BTreeMap<String, bool>,
) -> String {
    let mut told = format!("what is shown is stale; progress {progress:?}");
    for uri in shown.keys().chain(wanted.keys().filter(|uri| !shown.contains_key(*uri))) {
        let none = (None, Vec::new());
        let (shown, wanted) = (shown.get(uri).unwrap_or(&none), wanted.get(uri).unwrap_or(&none));
        if shown != wanted {
            told.push_str(&format!("\n{uri}, {:?}, and should be {:?}", shown.0, wanted.0));
            let only = |of: &[Value], other: &[Value]| {
                let only = of.iter().filter(|item| !other.contains(item));
                only.map(|item| format!("\n    {item}")).collect::<String>()
            };
            told.push_str(&format!("\n  shown and stale:{}", only(&shown.1, &wanted.1)));
            told.push_str(&format!("\n  not shown:{}", only(&wanted.1, &shown.1)));
        }
    }
    told
}
