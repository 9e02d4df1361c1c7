//! `textDocument/documentLink`. A generated document is linked where it is there:
//! only the disk, or the editor that has it open, knows.

use crate::ide::{DocumentKind, DocumentLink, LinkTarget};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{self, DocumentLinkParams};

pub fn handle(
    state: &Arc<State>,
    params: DocumentLinkParams,
) -> impl Future<Output = Result<Option<Vec<ls_types::DocumentLink>>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    let uris = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let links = view.analysis.document_links(&key)?;
        let links = links.into_iter().filter(|link| is_there(&uris, link)).filter_map(|link| {
            Some(ls_types::DocumentLink {
                range: lines.range(link.range),
                target: Some(uris.uri(&link.file)?),
                tooltip: flags.navigation.link_tooltips.then(|| tooltip(&link)),
                data: None,
            })
        });
        Ok(Some(links.collect()))
    })
}

/// The analysis knows of imports, and nothing of documents.
fn is_there(state: &State, link: &DocumentLink) -> bool {
    match link.target {
        LinkTarget::Import => true,
        LinkTarget::Document(_) => {
            state.document(&link.file).is_some() || vfs::path_of(&link.file).is_some_and(|path| path.is_file())
        }
    }
}

fn tooltip(link: &DocumentLink) -> String {
    let name = link.file.file_name();
    match link.target {
        LinkTarget::Import => format!("Open {name}"),
        LinkTarget::Document(DocumentKind::Requirement) => format!("Open the requirement, {name}"),
        LinkTarget::Document(DocumentKind::DataModel) => format!("Open the data model, {name}"),
    }
}
