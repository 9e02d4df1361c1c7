//! `codeAction/resolve`: the document of an action that was chosen.

use crate::server::generate::{self, Wanted};
use crate::server::state::State;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::CodeAction;

pub fn handle(state: &Arc<State>, mut action: CodeAction) -> impl Future<Output = Result<CodeAction>> + use<> {
    let wanted = action.data.clone().and_then(|data| serde_json::from_value::<Wanted>(data).ok());
    let flags = state.flags();
    let asked = Arc::clone(state);
    let documents = wanted.map(|wanted| {
        let again = wanted.clone();
        (wanted, state.ask(move |view| generate::documents(&asked, view, &flags, &again)))
    });
    let state = Arc::clone(state);
    async move {
        // Other actions come with all that they have.
        let Some((wanted, documents)) = documents else { return Ok(action) };
        let mut made = documents.await?;
        generate::deliver_with_action(&state, wanted, &mut made);
        action.edit = made.edit;
        Ok(action)
    }
}
