//! `keywright.modelStatus`: what is found in the models of a file and what they
//! cost, in a few words for a status line that asks after each pause in typing.

use super::{argument, no_model};
use crate::ide::Answer;
use crate::model::files::FileKey;
use crate::rules::finding::Level;
use crate::server::analyst::View;
use crate::server::state::State;
use crate::vfs;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{LSPAny, Uri};

/// Takes `{"uri"}`, a file of a model; returns `{"models": [{"root", "findings",
/// "monthly"}]}`, one for each model that the file belongs to.
pub const NAME: &str = "keywright.modelStatus";

#[derive(Deserialize)]
struct Wanted {
    uri: Uri,
}

#[derive(Serialize)]
struct Statuses {
    models: Vec<Status>,
}

#[derive(Serialize)]
struct Status {
    root: Uri,
    findings: Findings,
    /// Dollars a month, as hints have them.
    monthly: String,
}

/// How many findings a model has of each level.
#[derive(Default, Serialize)]
pub struct Findings {
    pub errors: usize,
    pub warnings: usize,
    pub infos: usize,
    pub hints: usize,
}

impl Findings {
    /// Those of all files of a model.
    pub fn of(view: &View, files: &[FileKey]) -> Answer<Self> {
        let mut all = Self::default();
        for file in files {
            for finding in view.analysis.diagnostics(file)? {
                match finding.level {
                    Level::Error => all.errors += 1,
                    Level::Warning => all.warnings += 1,
                    Level::Info => all.infos += 1,
                    Level::Hint => all.hints += 1,
                }
            }
        }
        Ok(all)
    }
}

pub fn handle(
    state: &Arc<State>,
    arguments: Vec<Value>,
) -> impl Future<Output = Result<Option<LSPAny>>> + Send + use<> {
    let asked = Arc::clone(state);
    let statuses = argument::<Wanted>(arguments, "{\"uri\": a file of a model}").map(|Wanted { uri }| {
        let key = vfs::key_of_uri(uri.as_str());
        let statuses = state.ask(move |view| {
            let mut models = Vec::new();
            for report in view.analysis.costs(&key)? {
                let findings = Findings::of(view, &report.files)?;
                let Some(root) = asked.uri(&report.root) else { continue };
                models.push(Status { root, findings, monthly: report.monthly() });
            }
            Ok(models)
        });
        (uri, statuses)
    });
    async move {
        let (uri, statuses) = statuses?;
        let models = statuses.await?;
        if models.is_empty() {
            return Err(no_model(&uri));
        }
        Ok(serde_json::to_value(Statuses { models }).ok())
    }
}
