//! An editor: its documents, what is on its disk, what it shows, and what it
//! waits for.

mod disk;
mod documents;
mod edits;
mod findings;
mod messages;

pub use disk::{path_of, uri_of_path};

use crate::session::clients::Habits;
use crate::session::random::Random;
use crate::session::text::Encoding;
use crate::session::wire::Wire;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many of the last things that happened are told with a failure.
const REMEMBERED: usize = 300;

pub struct Buffer {
    pub version: i32,
    pub text: Arc<str>,
    pub undo: Vec<Arc<str>>,
    /// The texts of former versions: findings for them may be under way.
    pub history: VecDeque<(i32, Arc<str>)>,
    pub tokens: Option<(String, Vec<u32>)>,
    pub result_id: Option<String>,
}

/// The documents that were open when something was asked.
pub type Open = BTreeMap<String, (i32, Arc<str>)>;

/// A request under way.
pub struct Pending {
    pub method: String,
    pub params: Value,
    pub open: Open,
    pub cancelled: bool,
    /// Whether somebody waits for the answer and takes it.
    awaited: bool,
}

/// What the editor shows of a document.
pub struct Shown {
    pub version: Option<i32>,
    pub items: Vec<Value>,
}

pub struct Editor {
    pub wire: Wire,
    pub habits: Habits,
    pub encoding: Encoding,
    /// What the server announced.
    pub server: Value,
    pub registered: BTreeMap<String, Value>,
    pub base: PathBuf,
    pub folders: Vec<String>,
    /// The files on disk.
    pub disk: BTreeMap<String, Arc<str>>,
    /// What files held before, since all was told: the server may not know better.
    pub past: BTreeMap<String, Vec<Arc<str>>>,
    /// Changes on disk that were not told yet.
    pub untold: Vec<Value>,
    pub buffers: BTreeMap<String, Buffer>,
    pub pending: BTreeMap<i64, Pending>,
    arrived: BTreeMap<i64, Value>,
    pub shown: BTreeMap<String, Shown>,
    /// The last versions of documents that were closed, since all was told.
    pub former: BTreeMap<String, i32>,
    /// Documents whose findings are to be asked for.
    pub unpulled: BTreeSet<String>,
    /// The question about the whole workspace: it may stay open for long.
    pub poll: Option<i64>,
    /// Findings of the workspace, with the names of the results.
    pub workspace: BTreeMap<String, (Option<String>, Vec<Value>)>,
    pub progress: BTreeMap<String, bool>,
    pub config: Value,
    pub random: Random,
    pub seed: u64,
    pub step: usize,
    pub said: BTreeMap<String, usize>,
    log: VecDeque<String>,
}

impl Editor {
    pub fn start(habits: Habits, base: &Path, folders: Vec<String>, seed: u64) -> Self {
        let mut editor = Self {
            wire: Wire::start(),
            habits,
            encoding: Encoding::Utf16,
            server: Value::Null,
            registered: BTreeMap::new(),
            base: base.to_owned(),
            folders,
            disk: BTreeMap::new(),
            past: BTreeMap::new(),
            untold: Vec::new(),
            buffers: BTreeMap::new(),
            pending: BTreeMap::new(),
            arrived: BTreeMap::new(),
            shown: BTreeMap::new(),
            former: BTreeMap::new(),
            unpulled: BTreeSet::new(),
            poll: None,
            workspace: BTreeMap::new(),
            progress: BTreeMap::new(),
            config: Value::Null,
            random: Random::new(seed),
            seed,
            step: 0,
            said: BTreeMap::new(),
            log: VecDeque::new(),
        };
        editor.initialize();
        editor
    }

    fn initialize(&mut self) {
        let params = self.habits.initialize(&self.folders, Some(std::process::id()));
        let answer = self.call("initialize", params);
        let answer = answer.unwrap_or_else(|error| self.fail(&format!("initialize: {error}")));
        self.server = answer["capabilities"].clone();
        self.encoding = match self.server["positionEncoding"].as_str() {
            Some("utf-8") => Encoding::Utf8,
            Some("utf-32") => Encoding::Utf32,
            _ => Encoding::Utf16,
        };
        self.notify("initialized", json!({}));
    }

    /// Whether the server announced what stands at a pointer of its capabilities,
    /// or registered the method.
    pub fn offers(&self, pointer: &str, method: &str) -> bool {
        let announced = self.server.pointer(pointer);
        announced.is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
            || self.registered.contains_key(method)
    }

    // What happens, for who has to understand a failure.

    pub fn note(&mut self, what: impl Into<String>) {
        if self.log.len() == REMEMBERED {
            self.log.pop_front();
        }
        self.log.push_back(format!("{}: {}", self.step, what.into()));
    }

    pub fn fail(&self, what: &str) -> ! {
        let log: Vec<&str> = self.log.iter().map(String::as_str).collect();
        let open: Vec<String> =
            self.buffers.iter().map(|(uri, buffer)| format!("{uri} {}:\n{}", buffer.version, buffer.text)).collect();
        panic!(
            "{}\n--- {what}\n--- {}, step {}; again with KEYWRIGHT_SEED={}\n--- {}",
            open.join("\n"),
            self.habits.name,
            self.step,
            self.seed,
            log.join("\n")
        )
    }
}
