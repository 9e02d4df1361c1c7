//! `textDocument/inlayHint`: the numbers in a range of the text.

use crate::ide;
use crate::server::convert::Lines;
use crate::server::plain::markup;
use crate::server::state::State;
use crate::syntax::TextRange;
use crate::vfs;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip, Uri};

/// What a hint is found again by, together with its place and its label.
#[derive(Serialize, Deserialize)]
pub struct Data {
    pub uri: Uri,
}

pub fn handle(
    state: &Arc<State>,
    params: InlayHintParams,
) -> impl Future<Output = Result<Option<Vec<InlayHint>>>> + use<> {
    let uri = params.text_document.uri;
    let key = vfs::key_of_uri(uri.as_str());
    let (flags, settings) = (state.flags(), state.settings());
    let version = state.document(&key).map(|document| document.version);
    let asked = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let range = TextRange::new(lines.offset(params.range.start), lines.offset(params.range.end));
        let hints = view.analysis.inlay_hints(&key, range, settings.inlay_hints)?;
        asked.numbers.hints_shown(&key, version, range, &hints);
        let data = || serde_json::to_value(Data { uri: uri.clone() }).ok();
        let shown = hints.iter().map(|hint| {
            let mut shown = shown(hint, &lines);
            if flags.resolves_hints {
                shown.data = data();
            } else {
                shown.tooltip = Some(tooltip(hint, flags.markdown_hover));
            }
            shown
        });
        Ok(Some(shown.collect()))
    })
}

/// A hint without its tooltip.
pub fn shown(hint: &ide::InlayHint, lines: &Lines) -> InlayHint {
    InlayHint {
        position: lines.position(hint.offset),
        label: InlayHintLabel::String(hint.label.clone()),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: Some(false),
        data: None,
    }
}

/// A tooltip as the client reads what a hover says.
pub fn tooltip(hint: &ide::InlayHint, markdown: bool) -> InlayHintTooltip {
    InlayHintTooltip::MarkupContent(markup(hint.tooltip.clone(), markdown))
}
