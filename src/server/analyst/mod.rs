//! The analyst: one thread that owns the analysis and works off a queue.
//!
//! Edits and questions stand in one queue, in the order of arrival. An edit is
//! applied when all questions before it are answered, so that none is answered
//! for a later text; meanwhile nothing but the queue grows. The computation of
//! findings is no question: an edit cancels it, and it begins anew.

mod configs;
mod disk;
mod documents;
mod question;
mod readers;
mod view;
mod worker;

use super::document::Document;
use super::state::State;
use crate::config::Settings;
use crate::model::files::FileKey;
use disk::Search;
use readers::Ask;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Weak};

pub use view::View;

/// Something for the analyst to do.
pub enum Job {
    /// A document was opened or changed.
    Document(Arc<Document>),
    Closed(FileKey),
    /// These files, or what lies below these folders, may have changed on disk.
    OnDisk(Vec<FileKey>),
    /// Files on disk may have changed: nobody watches them for us.
    LookAround,
    /// These are the workspace folders now.
    Folders(Vec<FileKey>),
    /// A search of a folder has ended, or some of what it found was read.
    Scanned(Found),
    /// What the editor sets for every model.
    Settings(Arc<Settings>),
    /// A client waits for the findings of the whole workspace.
    Pull,
    /// Everything is to be read and computed anew.
    Restart,
    Ask(Ask),
    /// A question that waits until all files are known.
    AskOfWhole(Ask),
}

/// What a search found and nobody has read yet.
pub struct Found {
    folder: FileKey,
    files: Vec<FileKey>,
    documents: Vec<FileKey>,
    /// The search that it belongs to.
    search: Arc<Search>,
}

/// Where jobs for the analyst are put.
#[derive(Clone)]
pub struct Analyst(Sender<Job>);

impl Analyst {
    /// Starts the thread, which lives as long as the process.
    pub fn start(state: Weak<State>) -> Self {
        let (sender, queue) = channel();
        let analyst = Self(sender);
        let runtime = tokio::runtime::Handle::current();
        let scanned = analyst.clone();
        std::thread::spawn(move || worker::Worker::new(state, queue, scanned, runtime).run());
        analyst
    }

    /// Puts a job at the end of the queue. Never waits.
    pub fn put(&self, job: Job) {
        // It fails only when the server ends.
        let _ = self.0.send(job);
    }
}
