//! A model opened for questions that no rule answers yet.

use keywright::ide::{Analysis, Diagnostic};
use keywright::model::db::{Database, Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::model::layout::{TableLayout, layout};
use keywright::model::names::names;
use keywright::model::resolve::{Step, steps};

/// A model of one file.
pub struct Opened {
    host: Host,
    key: FileKey,
    pub root: SourceFile,
}

impl Opened {
    pub fn new(text: &str) -> Self {
        let mut host = Host::default();
        let key = FileKey::new("/model.dynamo");
        host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
        let root = Workspace::get(host.db()).files(host.db())[&key];
        Self { host, key, root }
    }

    pub fn db(&self) -> &Database {
        self.host.db()
    }

    /// All findings of the file.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        Analysis::new(self.host.snapshot()).diagnostics(&self.key).expect("nothing changes meanwhile")
    }

    pub fn layouts(&self) -> impl Iterator<Item = &TableLayout> {
        names(self.db(), self.root).all_tables().filter_map(|table| layout(self.db(), self.root, table).as_ref())
    }

    /// The steps of each pattern.
    pub fn patterns(&self) -> impl Iterator<Item = Vec<Step<'_>>> {
        names(self.db(), self.root).all_patterns().map(|pattern| steps(self.db(), self.root, pattern).collect())
    }
}
