//! `workspace/willRenameFiles`: the imports that files and folders need which are about
//! to be renamed or moved.

use crate::model::files::FileKey;
use crate::server::convert::workspace_edit;
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{MessageType, RenameFilesParams, WorkspaceEdit};

pub fn handle(
    state: &Arc<State>,
    params: RenameFilesParams,
) -> impl Future<Output = Result<Option<WorkspaceEdit>>> + use<> {
    let key = |uri: &str| vfs::key_of_uri(uri);
    let renamed: Vec<(FileKey, FileKey)> =
        params.files.iter().map(|file| (key(&file.old_uri), key(&file.new_uri))).collect();
    let flags = state.flags();
    let asked = Arc::clone(state);
    state.ask_of_whole(move |view| {
        let mut change = view.analysis.rename_files(&renamed)?;
        change.edits.retain(|(file, _)| {
            let is_ours = asked.is_writable(file);
            if !is_ours {
                let told = format!("{file} is outside the workspace and keeps its imports, one of which is renamed");
                asked.outbox.log(MessageType::WARNING, told);
            }
            is_ours
        });
        if change.edits.is_empty() {
            return Ok(None);
        }
        Ok(workspace_edit(&asked, view, &flags, &change))
    })
}
