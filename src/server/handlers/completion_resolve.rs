//! `completionItem/resolve`: the documentation of an item.

use super::completion::{Data, documentation};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::CompletionItem;

pub fn handle(state: &Arc<State>, item: CompletionItem) -> impl Future<Output = Result<CompletionItem>> + use<> {
    let data = item.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
    let flags = state.flags();
    let found = data.map(|data| {
        let key = vfs::key_of_uri(data.uri.as_str());
        let topic = data.topic();
        state.ask(move |view| view.analysis.completion_documentation(&key, &topic))
    });
    async move {
        let text = match found {
            Some(found) => found.await?,
            None => None,
        };
        let found = text.map(|text| documentation(&flags, text));
        Ok(CompletionItem { documentation: found.or(item.documentation), ..item })
    }
}
