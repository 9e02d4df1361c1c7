//! `workspace/didChangeWatchedFiles`: files were made, changed or deleted.

use crate::server::analyst::Job;
use crate::server::state::State;
use crate::vfs;
use tower_lsp::ls_types::DidChangeWatchedFilesParams;

pub fn handle(state: &State, params: &DidChangeWatchedFilesParams) {
    // Whatever is said to have happened, the disk is asked what is there now:
    // events arrive late, twice, and in an order of their own.
    let mut keys: Vec<_> = params.changes.iter().map(|event| vfs::key_of_uri(event.uri.as_str())).collect();
    keys.sort();
    keys.dedup();
    state.analyst.put(Job::OnDisk(keys));
}
