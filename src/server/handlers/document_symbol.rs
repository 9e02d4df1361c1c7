//! `textDocument/documentSymbol`: a tree, or a list where the client has none.

use crate::ide::Symbol;
use crate::server::capabilities::ClientFlags;
use crate::server::convert::{Lines, symbol_kind};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, Uri,
};

pub fn handle(
    state: &Arc<State>,
    params: DocumentSymbolParams,
) -> impl Future<Output = Result<Option<DocumentSymbolResponse>>> + use<> {
    let uri = params.text_document.uri;
    let key = vfs::key_of_uri(uri.as_str());
    let flags = state.flags();
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let symbols = view.analysis.symbols(&key)?;
        Ok(Some(if flags.symbol_tree {
            DocumentSymbolResponse::Nested(symbols.iter().map(|symbol| nested(symbol, &lines, &flags)).collect())
        } else {
            let mut list = Vec::new();
            flatten(&symbols, None, &uri, &lines, &flags, &mut list);
            DocumentSymbolResponse::Flat(list)
        }))
    })
}

#[allow(deprecated)]
fn nested(symbol: &Symbol, lines: &Lines, flags: &ClientFlags) -> DocumentSymbol {
    let children: Vec<_> = symbol.children.iter().map(|child| nested(child, lines, flags)).collect();
    DocumentSymbol {
        name: shown_name(symbol),
        detail: Some(symbol.detail.clone()).filter(|detail| !detail.is_empty()),
        kind: symbol_kind(symbol.kind, flags.symbol_kinds.as_deref()),
        tags: None,
        deprecated: None,
        range: lines.range(symbol.range),
        selection_range: lines.range(symbol.selection),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

#[allow(deprecated)]
fn flatten(
    symbols: &[Symbol],
    parent: Option<&Symbol>,
    uri: &Uri,
    lines: &Lines,
    flags: &ClientFlags,
    list: &mut Vec<SymbolInformation>,
) {
    for symbol in symbols {
        list.push(SymbolInformation {
            name: shown_name(symbol),
            kind: symbol_kind(symbol.kind, flags.symbol_kinds.as_deref()),
            tags: None,
            deprecated: None,
            location: Location::new(uri.clone(), lines.range(symbol.range)),
            container_name: parent.map(shown_name),
        });
        flatten(&symbol.children, Some(symbol), uri, lines, flags, list);
    }
}

/// Clients refuse the whole list for one empty name.
fn shown_name(symbol: &Symbol) -> String {
    if symbol.name.trim().is_empty() { "?".to_owned() } else { symbol.name.clone() }
}
