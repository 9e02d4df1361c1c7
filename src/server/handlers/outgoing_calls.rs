//! `callHierarchy/outgoingCalls`.

use crate::server::calls::{call_item, called};
use crate::server::state::State;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams};

pub fn handle(
    state: &Arc<State>,
    params: CallHierarchyOutgoingCallsParams,
) -> impl Future<Output = Result<Option<Vec<CallHierarchyOutgoingCall>>>> + use<> {
    let flags = state.flags();
    let uris = Arc::clone(state);
    state.ask(move |view| {
        let Some((key, lines, id)) = called(view, &flags, &params.item)? else { return Ok(None) };
        let calls = view.analysis.outgoing_calls(&key, &id)?;
        let calls = calls.into_iter().filter_map(|call| {
            Some(CallHierarchyOutgoingCall {
                to: call_item(&uris, view, &flags, &call.item)?,
                from_ranges: call.ranges.iter().map(|range| lines.range(*range)).collect(),
            })
        });
        Ok(Some(calls.collect()))
    })
}
