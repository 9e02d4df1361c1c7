//! `workspace/executeCommand`: a document for a client that cannot be handed an
//! edit with a code action, and for key bindings and menus of editors.

use crate::ide::DocumentKind;
use crate::server::generate::{self, Made, Moment, Wanted};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{Command, ExecuteCommandParams, LSPAny, MessageType, Uri};

/// Makes a document beside a model. Takes `{"uri", "kind"}`, the kind being
/// `requirement` or `dataModel`.
pub const GENERATE: &str = "keywright.generateDocument";

pub fn command(title: String, uri: &Uri, kind: DocumentKind) -> Command {
    let wanted = Wanted { uri: uri.clone(), kind: kind.into() };
    Command::new(title, GENERATE.to_owned(), serde_json::to_value(wanted).ok().map(|wanted| vec![wanted]))
}

pub fn handle(
    state: &Arc<State>,
    params: ExecuteCommandParams,
) -> impl Future<Output = Result<Option<LSPAny>>> + use<> {
    let wanted = wanted(params);
    let flags = state.flags();
    let can = flags.creates_files && flags.applies_edits;
    let asked = Arc::clone(state);
    let made = wanted.map(|wanted| {
        let key = vfs::key_of_uri(wanted.uri.as_str());
        can.then(|| {
            state.ask(move |view| generate::documents(&asked, view, &flags, &key, wanted.kind.into(), Moment::Chosen))
        })
    });
    let state = Arc::clone(state);
    async move {
        match made? {
            Some(made) => apply(&state, made.await?),
            None => state.outbox.show(
                MessageType::WARNING,
                "This editor cannot create files for a language server. `keywright docs` makes the documents.",
            ),
        }
        Ok(None)
    }
}

fn wanted(params: ExecuteCommandParams) -> Result<Wanted> {
    if params.command != GENERATE {
        return Err(Error::invalid_params(format!("there is no command {}", params.command)));
    }
    let wanted = params.arguments.into_iter().next().and_then(|wanted| serde_json::from_value(wanted).ok());
    wanted.ok_or_else(|| Error::invalid_params("expected {\"uri\", \"kind\": \"requirement\" or \"dataModel\"}"))
}

/// Sends the edit beside the handler: its answer may stand behind this one's.
fn apply(state: &State, made: Made) {
    let Some(edit) = made.edit else {
        state.outbox.show(MessageType::WARNING, "There is no model to make a document of. Is the file saved?");
        return;
    };
    generate::tell_renamed(state, &made.renamed);
    state.outbox.ask(|client| async move {
        let failed = match client.apply_edit(edit).await {
            Ok(answer) if answer.applied => return,
            Ok(answer) => answer.failure_reason.unwrap_or_else(|| "the editor gave no reason".to_owned()),
            Err(error) => error.to_string(),
        };
        client.show_message(MessageType::ERROR, format!("The document was not made: {failed}")).await;
    });
}
