//! Items of the call hierarchy, to the client and back.

use super::analyst::View;
use super::capabilities::ClientFlags;
use super::convert::{Lines, symbol_kind};
use super::state::State;
use crate::ide::{Answer, CallId, CallItem, SymbolKind};
use crate::model::files::FileKey;
use crate::vfs;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::CallHierarchyItem;

/// What the client hands back of an item: enough to find it again whatever was
/// edited since.
#[derive(Serialize, Deserialize)]
struct Data {
    kind: Kind,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    index: Option<String>,
    #[serde(default)]
    nth_index: usize,
    #[serde(default)]
    nth: usize,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Workflow,
    Pattern,
    Table,
    Index,
}

/// An item as this client may see it; `None` where its file is gone.
pub fn call_item(state: &State, view: &View, flags: &ClientFlags, item: &CallItem) -> Option<CallHierarchyItem> {
    let lines = view.lines(&item.place.file, flags.encoding)?;
    let kind = match item.id.kind {
        SymbolKind::Workflow => Kind::Workflow,
        SymbolKind::Pattern => Kind::Pattern,
        SymbolKind::Table => Kind::Table,
        SymbolKind::Index => Kind::Index,
        _ => return None,
    };
    let id = item.id.clone();
    let data = Data { kind, name: id.name, index: id.index, nth_index: id.nth_index, nth: id.nth };
    Some(CallHierarchyItem {
        name: item.name.clone(),
        kind: symbol_kind(item.id.kind, flags.symbol_kinds.as_deref()),
        tags: None,
        detail: Some(item.detail.clone()),
        uri: state.uri(&item.place.file)?,
        range: lines.range(item.place.range),
        selection_range: lines.range(item.place.selection),
        data: serde_json::to_value(data).ok(),
    })
}

/// The file of an item that the client hands back, with its lines, and what to find
/// the item by: where the client lost that, the place of its name serves.
pub fn called(view: &View, flags: &ClientFlags, item: &CallHierarchyItem) -> Answer<Option<(FileKey, Lines, CallId)>> {
    let key = vfs::key_of_uri(item.uri.as_str());
    let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
    let data = item.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
    let id = match data {
        Some(data) => {
            let kind = match data.kind {
                Kind::Workflow => SymbolKind::Workflow,
                Kind::Pattern => SymbolKind::Pattern,
                Kind::Table => SymbolKind::Table,
                Kind::Index => SymbolKind::Index,
            };
            Some(CallId { kind, name: data.name, index: data.index, nth_index: data.nth_index, nth: data.nth })
        }
        None => {
            let items = view.analysis.prepare_calls(&key, lines.offset(item.selection_range.start))?;
            items.into_iter().find(|found| found.place.file == key).map(|found| found.id)
        }
    };
    Ok(id.map(|id| (key, lines, id)))
}
