//! `textDocument/codeLens`: where the lenses stand; what they say only for a
//! client that does not ask for it one by one.

use crate::ide::LensSubject;
use crate::server::state::State;
use crate::vfs;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CodeLens, CodeLensParams, Command, Uri};

/// What a lens is about.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Data {
    pub uri: Uri,
    subject: Subject,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Subject {
    Table(String),
    Index(String, String),
    Entity(String),
}

impl Data {
    fn new(uri: &Uri, subject: &LensSubject) -> Self {
        let subject = match subject {
            LensSubject::Table(name) => Subject::Table(name.clone()),
            LensSubject::Index { table, index } => Subject::Index(table.clone(), index.clone()),
            LensSubject::Entity(name) => Subject::Entity(name.clone()),
        };
        Self { uri: uri.clone(), subject }
    }

    /// What the lens is about, as the analysis has it.
    pub fn subject(&self) -> LensSubject {
        match &self.subject {
            Subject::Table(name) => LensSubject::Table(name.clone()),
            Subject::Index(table, index) => LensSubject::Index { table: table.clone(), index: index.clone() },
            Subject::Entity(name) => LensSubject::Entity(name.clone()),
        }
    }
}

pub fn handle(
    state: &Arc<State>,
    params: CodeLensParams,
) -> impl Future<Output = Result<Option<Vec<CodeLens>>>> + use<> {
    let uri = params.text_document.uri;
    let key = vfs::key_of_uri(uri.as_str());
    let (flags, settings) = (state.flags(), state.settings());
    let version = state.document(&key).map(|document| document.version);
    let asked = Arc::clone(state);
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let mut shown = Vec::new();
        for lens in view.analysis.code_lenses(&key, settings.code_lens)? {
            let range = lines.range(lens.range);
            if flags.code_lenses {
                let data = serde_json::to_value(Data::new(&uri, &lens.subject)).ok();
                shown.push(CodeLens { range, command: None, data });
            } else if let Some(title) = view.analysis.code_lens_title(&key, &lens.subject)? {
                asked.numbers.lens_shown(&key, version, &lens.subject, &title);
                shown.push(CodeLens { range, command: Some(text(title)), data: None });
            }
        }
        Ok(Some(shown))
    })
}

/// Text that nothing happens to when it is chosen: the usual way to say so is a
/// command without a name.
pub fn text(title: String) -> Command {
    Command::new(title, String::new(), None)
}
