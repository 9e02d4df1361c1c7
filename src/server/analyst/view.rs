//! A view of everything at one moment, for a thread that answers a question.

use crate::config::ConfigFile;
use crate::ide::{Analysis, Cancelled};
use crate::model::db::{Database, SourceFile, Workspace};
use crate::model::files::{FileContent, FileKey};
use crate::model::imports;
use crate::model::settings::{config_file, configs_of};
use crate::syntax::{FileParse, Text};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

pub struct View {
    db: Database,
    pub analysis: Analysis,
    token: salsa::CancellationToken,
    /// Of the open documents, the versions that it has the texts of.
    versions: Arc<BTreeMap<FileKey, i32>>,
    /// Whether files are still looked for or read: there may be more of them.
    pub is_reading: bool,
}

impl View {
    pub fn new(db: Database, versions: Arc<BTreeMap<FileKey, i32>>, is_reading: bool) -> Self {
        let for_analysis = db.clone();
        let token = salsa::Database::cancellation_token(&for_analysis);
        Self { db, analysis: Analysis::new(for_analysis), token, versions, is_reading }
    }

    /// The same view, with a token of its own.
    pub fn again(&self) -> Self {
        Self::new(self.db.clone(), Arc::clone(&self.versions), self.is_reading)
    }

    /// Stops what is computed through `analysis`.
    pub fn token(&self) -> salsa::CancellationToken {
        self.token.clone()
    }

    /// Runs a computation; one that is stopped by unwinding gives [`Cancelled`].
    /// A panic goes on.
    pub fn catch<T>(&self, question: impl FnOnce(&View) -> Result<T, Cancelled>) -> Result<T, Cancelled> {
        match catch_unwind(AssertUnwindSafe(|| question(self))) {
            Ok(answer) => answer,
            Err(payload) if payload.is::<salsa::Cancelled>() => Err(Cancelled),
            Err(payload) => resume_unwind(payload),
        }
    }

    /// Goes on until the question is withdrawn or an edit waits no longer.
    #[cfg(debug_assertions)]
    pub fn wait_until_stopped<T>(&self) -> Result<T, Cancelled> {
        while !self.token.is_cancelled() {
            salsa::Database::unwind_if_revision_cancelled(&self.db);
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Err(Cancelled)
    }

    fn file(&self, key: &FileKey) -> Option<SourceFile> {
        Workspace::get(&self.db).files(&self.db).get(key).copied()
    }

    /// The version of an open document that it has the text of. The client may have a
    /// later one by now: what is computed here is for this one.
    pub fn version(&self, key: &FileKey) -> Option<i32> {
        self.versions.get(key).copied()
    }

    pub fn content(&self, key: &FileKey) -> Option<FileContent> {
        self.file(key).map(|file| file.content(&self.db).clone())
    }

    /// The parse of a file, if it is known and a text.
    pub fn parse(&self, key: &FileKey) -> Option<Arc<FileParse>> {
        self.content(key)?.parse().cloned()
    }

    pub fn text(&self, key: &FileKey) -> Option<Text> {
        self.parse(key).map(|parse| parse.rope.clone())
    }

    /// Every file that is there and may be a model.
    pub fn models(&self) -> BTreeSet<FileKey> {
        let files = Workspace::get(&self.db).files(&self.db).iter();
        let there = files.filter(|(_, file)| !matches!(file.content(&self.db), FileContent::Absent(_)));
        there.map(|(key, _)| key.clone()).collect()
    }

    /// What is known of a `keywright.toml`.
    pub fn config(&self, key: &FileKey) -> Option<Arc<ConfigFile>> {
        config_file(&self.db, key).cloned()
    }

    /// Every `keywright.toml` that holds for a model with one of these files.
    pub fn configs_of<'k>(&self, keys: impl IntoIterator<Item = &'k FileKey>) -> BTreeSet<FileKey> {
        configs_of(&self.db, keys)
    }

    /// The files of all models that hold one of these files.
    pub fn models_of<'k>(&self, keys: impl IntoIterator<Item = &'k FileKey>) -> BTreeSet<FileKey> {
        let mut files = BTreeSet::new();
        for key in keys {
            let Some(file) = self.file(key) else { continue };
            files.insert(key.clone());
            for root in imports::models_of(&self.db, file) {
                files.extend(imports::model_files(&self.db, *root).iter().map(|file| file.key(&self.db).clone()));
            }
        }
        files
    }
}
