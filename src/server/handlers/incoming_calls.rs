//! `callHierarchy/incomingCalls`.

use crate::server::calls::{call_item, called};
use crate::server::state::State;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams};

pub fn handle(
    state: &Arc<State>,
    params: CallHierarchyIncomingCallsParams,
) -> impl Future<Output = Result<Option<Vec<CallHierarchyIncomingCall>>>> + use<> {
    let flags = state.flags();
    let uris = Arc::clone(state);
    state.ask(move |view| {
        let Some((key, _, id)) = called(view, &flags, &params.item)? else { return Ok(None) };
        let calls = view.analysis.incoming_calls(&key, &id)?;
        let calls = calls.into_iter().filter_map(|call| {
            // The places are in the file of the one that calls.
            let lines = view.lines(&call.item.place.file, flags.encoding)?;
            Some(CallHierarchyIncomingCall {
                from: call_item(&uris, view, &flags, &call.item)?,
                from_ranges: call.ranges.iter().map(|range| lines.range(*range)).collect(),
            })
        });
        Ok(Some(calls.collect()))
    })
}
