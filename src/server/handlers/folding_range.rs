//! `textDocument/foldingRange`.

use crate::ide::{Fold, FoldKind};
use crate::server::capabilities::Folding;
use crate::server::convert::Lines;
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

pub fn handle(
    state: &Arc<State>,
    params: FoldingRangeParams,
) -> impl Future<Output = Result<Option<Vec<FoldingRange>>>> + use<> {
    let key = vfs::key_of_uri(params.text_document.uri.as_str());
    let flags = state.flags();
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        Ok(Some(shown(&view.analysis.folding(&key)?, &lines, &flags.reading.folding)))
    })
}

/// The folds that this client can show, as many as it takes, the outermost first to
/// be kept.
fn shown(folds: &[Fold], lines: &Lines, client: &Folding) -> Vec<FoldingRange> {
    let mut shown: Vec<(usize, FoldingRange)> = Vec::new();
    for fold in folds {
        let Some(range) = fold_range(fold, lines, client) else { continue };
        // Of those that begin on a line, a client that folds whole lines shows one.
        let is_second = shown.last().is_some_and(|(_, last)| last.start_line == range.start_line);
        if !(client.whole_lines_only && is_second) {
            shown.push((fold.depth, range));
        }
    }
    if let Some(most) = client.most.filter(|most| *most < shown.len()) {
        let mut depths: Vec<usize> = shown.iter().map(|(depth, _)| *depth).collect();
        depths.sort_unstable();
        let deepest = depths.get(most).copied().unwrap_or(0);
        let outer = depths.iter().filter(|depth| **depth < deepest).count();
        // Of the depth at which it is too many, the first ones.
        let mut rest = most - outer;
        shown.retain(|(depth, _)| {
            let keep = *depth < deepest || (*depth == deepest && rest > 0);
            rest -= usize::from(keep && *depth == deepest);
            keep
        });
    }
    shown.into_iter().map(|(_, range)| range).collect()
}

fn fold_range(fold: &Fold, lines: &Lines, client: &Folding) -> Option<FoldingRange> {
    let range = lines.range(fold.range);
    let mut end_line = range.end.line;
    if client.whole_lines_only && fold.closed {
        // The line of what closes it stays visible.
        end_line = end_line.checked_sub(1)?;
    }
    if end_line <= range.start.line {
        return None;
    }
    // A block has no kind: a region is what somebody marked as one.
    let kind = match fold.kind {
        FoldKind::Block => None,
        FoldKind::Comment => Some(FoldingRangeKind::Comment),
        FoldKind::Imports => Some(FoldingRangeKind::Imports),
    };
    let kind = kind.filter(|kind| client.kinds.as_ref().is_none_or(|known| known.contains(kind)));
    let column = |column: u32| (!client.whole_lines_only).then_some(column);
    Some(FoldingRange {
        start_line: range.start.line,
        start_character: column(range.start.character),
        end_line,
        end_character: column(range.end.character),
        kind,
        // Clients do not agree on what it replaces: the range, or its whole first line.
        collapsed_text: None,
    })
}
