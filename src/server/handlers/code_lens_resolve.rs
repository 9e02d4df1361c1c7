//! `codeLens/resolve`: what a lens says.

use super::code_lens::{Data, text};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::CodeLens;

pub fn handle(state: &Arc<State>, lens: CodeLens) -> impl Future<Output = Result<CodeLens>> + use<> {
    let data = lens.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
    let asked = Arc::clone(state);
    let title = data.map(|data| {
        let key = vfs::key_of_uri(data.uri.as_str());
        let version = state.document(&key).map(|document| document.version);
        state.ask(move |view| {
            let title = view.analysis.code_lens_title(&key, &data.subject())?;
            if let Some(title) = &title {
                asked.numbers.lens_shown(&key, version, &data.subject(), title);
            }
            Ok(title)
        })
    });
    async move {
        let title = match title {
            // Editors cannot show a lens that stays without a command; of what is
            // gone there is nothing to say.
            Some(title) => title.await?.unwrap_or_default(),
            None => return Ok(lens),
        };
        Ok(CodeLens { command: Some(text(title)), ..lens })
    }
}
