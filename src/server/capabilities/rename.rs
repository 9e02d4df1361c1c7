//! What the client and the server can do about renaming, of names and of files.

use super::ClientFlags;
use tower_lsp::ls_types::*;

/// What the client announced.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// It asks what is at a place before it renames it.
    pub prepares: bool,
    /// It asks about the parts of a rename that say so.
    pub annotations: bool,
    /// It tells of files before it renames them, and makes the edits that they need.
    pub renames_files: bool,
}

impl Flags {
    pub fn new(client: &ClientCapabilities) -> Self {
        let rename = client.text_document.as_ref().and_then(|text| text.rename.clone()).unwrap_or_default();
        let workspace = client.workspace.clone().unwrap_or_default();
        let edit = workspace.workspace_edit.unwrap_or_default();
        Self {
            prepares: rename.prepare_support == Some(true),
            annotations: rename.honors_change_annotations == Some(true) && edit.change_annotation_support.is_some(),
            renames_files: workspace.file_operations.is_some_and(|files| files.will_rename == Some(true)),
        }
    }
}

/// Adds what the server can do.
pub fn announce(server: &mut ServerCapabilities, client: &ClientFlags) {
    server.rename_provider = Some(match client.rename.prepares {
        true => OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        false => OneOf::Left(true),
    });
    if client.rename.renames_files {
        let operations = server.workspace.get_or_insert_default().file_operations.get_or_insert_default();
        operations.will_rename = Some(FileOperationRegistrationOptions { filters: vec![models(), folders()] });
    }
}

fn models() -> FileOperationFilter {
    filter("**/*.dynamo", FileOperationPatternKind::File)
}

/// Any folder may hold models.
fn folders() -> FileOperationFilter {
    filter("**/*", FileOperationPatternKind::Folder)
}

fn filter(glob: &str, matches: FileOperationPatternKind) -> FileOperationFilter {
    FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern { glob: glob.to_owned(), matches: Some(matches), options: None },
    }
}
