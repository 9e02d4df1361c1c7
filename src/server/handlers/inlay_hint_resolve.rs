//! `inlayHint/resolve`: how the number of a hint comes about.

use super::inlay_hint::{Data, shown, tooltip};
use crate::server::state::State;
use crate::syntax::TextRange;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{InlayHint, InlayHintLabel};

pub fn handle(state: &Arc<State>, hint: InlayHint) -> impl Future<Output = Result<InlayHint>> + use<> {
    let data = hint.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
    let (flags, settings) = (state.flags(), state.settings());
    let wanted = hint.clone();
    let found = data.map(|Data { uri }| {
        let key = vfs::key_of_uri(uri.as_str());
        state.ask(move |view| {
            let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
            let place = TextRange::empty(lines.offset(wanted.position));
            let hints = view.analysis.inlay_hints(&key, place, settings.inlay_hints)?;
            // One that says something else by now has another derivation.
            let found = hints.iter().find(|hint| is_same(&shown(hint, &lines), &wanted));
            Ok(found.map(|hint| tooltip(hint, flags.markdown_hover)))
        })
    });
    async move {
        let tooltip = match found {
            Some(found) => found.await?,
            None => None,
        };
        Ok(InlayHint { tooltip: tooltip.or(hint.tooltip), ..hint })
    }
}

fn is_same(hint: &InlayHint, other: &InlayHint) -> bool {
    let label = |hint: &InlayHint| match &hint.label {
        InlayHintLabel::String(label) => Some(label.clone()),
        InlayHintLabel::LabelParts(_) => None,
    };
    hint.position == other.position && label(hint) == label(other)
}
