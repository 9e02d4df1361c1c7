//! `textDocument/selectionRange`.

use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

pub fn handle(
    state: &Arc<State>,
    params: SelectionRangeParams,
) -> impl Future<Output = Result<Option<Vec<SelectionRange>>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let offsets: Vec<usize> = params.positions.iter().map(|position| lines.offset(*position)).collect();
        let found = view.analysis.selection_ranges(&key, &offsets)?;
        let nested = found.iter().zip(&params.positions).map(|(ranges, at)| {
            let parent = ranges
                .iter()
                .rev()
                .fold(None, |parent, range| Some(Box::new(SelectionRange { range: lines.range(*range), parent })));
            parent.map_or(SelectionRange { range: Range::new(*at, *at), parent: None }, |range| *range)
        });
        Ok(Some(nested.collect()))
    })
}
