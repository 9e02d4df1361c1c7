//! `workspace/didChangeWorkspaceFolders`.

use crate::server::analyst::Job;
use crate::server::state::State;
use crate::vfs;
use tower_lsp::ls_types::DidChangeWorkspaceFoldersParams;

pub fn handle(state: &State, params: &DidChangeWorkspaceFoldersParams) {
    let removed: Vec<_> = params.event.removed.iter().map(|folder| vfs::key_of_uri(folder.uri.as_str())).collect();
    let added = params.event.added.iter().map(|folder| vfs::key_of_uri(folder.uri.as_str()));
    state.change_folders(|folders| {
        folders.retain(|folder| !removed.contains(folder));
        for folder in added {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    });
    state.analyst.put(Job::Folders(state.folders()));
}
