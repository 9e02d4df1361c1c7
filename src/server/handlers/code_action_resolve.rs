//! `codeAction/resolve`: the document of an action that was chosen.

use crate::server::generate::{self, Moment, Wanted};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::CodeAction;

pub fn handle(state: &Arc<State>, mut action: CodeAction) -> impl Future<Output = Result<CodeAction>> + use<> {
    let wanted = action.data.clone().and_then(|data| serde_json::from_value::<Wanted>(data).ok());
    let flags = state.flags();
    let asked = Arc::clone(state);
    let documents = wanted.map(|wanted| {
        let key = vfs::key_of_uri(wanted.uri.as_str());
        state.ask(move |view| generate::documents(&asked, view, &flags, &key, wanted.kind.into(), Moment::Chosen))
    });
    let state = Arc::clone(state);
    async move {
        // Other actions come with all that they have.
        let Some(documents) = documents else { return Ok(action) };
        let made = documents.await?;
        generate::tell_renamed(&state, &made.renamed);
        action.edit = made.edit;
        Ok(action)
    }
}
