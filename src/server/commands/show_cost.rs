//! `keywright.showCost`: what the models of a file cost.

use super::model_status::Findings;
use super::{argument, cost_page, no_model};
use crate::ide::cost_object;
use crate::server::state::State;
use crate::vfs;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{LSPAny, Uri};

/// Takes `{"uri"}`, a file of a model; returns `{"models": [{"root", "markdown",
/// "cost"}]}`, one for each model that the file belongs to. `cost` is what
/// `keywright cost --format json` prints.
pub const NAME: &str = "keywright.showCost";

#[derive(Deserialize)]
struct Wanted {
    uri: Uri,
}

#[derive(Serialize)]
struct Costs {
    models: Vec<Model>,
}

#[derive(Serialize)]
struct Model {
    root: Uri,
    markdown: String,
    cost: Value,
}

pub fn handle(
    state: &Arc<State>,
    arguments: Vec<Value>,
) -> impl Future<Output = Result<Option<LSPAny>>> + Send + use<> {
    let asked = Arc::clone(state);
    let costs = argument::<Wanted>(arguments, "{\"uri\": a file of a model}").map(|Wanted { uri }| {
        let key = vfs::key_of_uri(uri.as_str());
        let costs = state.ask(move |view| {
            let mut models = Vec::new();
            for report in view.analysis.costs(&key)? {
                // Numbers that depend on errors mean little.
                let errors = Findings::of(view, &report.files)?.errors;
                let Some(root) = asked.uri(&report.root) else { continue };
                let cost = serde_json::to_value(cost_object(&report, errors)).unwrap_or_default();
                models.push(Model { root, markdown: cost_page::render(&report, errors), cost });
            }
            Ok(models)
        });
        (uri, costs)
    });
    async move {
        let (uri, costs) = costs?;
        let models = costs.await?;
        if models.is_empty() {
            return Err(no_model(&uri));
        }
        Ok(serde_json::to_value(Costs { models }).ok())
    }
}
