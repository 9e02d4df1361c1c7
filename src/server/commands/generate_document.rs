//! `keywright.generateDocument`: a document for a client that cannot be handed an
//! edit with a code action, and for key bindings and menus of editors.

use super::{argument, no_model};
use crate::server::generate::{self, Wanted};
use crate::server::state::State;
use crate::vfs;
use serde_json::{Value, json};
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Command, LSPAny, MessageType};

/// Makes or refreshes a document beside a model. Takes `{"uri", "kind"}`, the kind
/// being `requirement` or `dataModel`; `"conflicts"`, which is `mine`, `new` or
/// `both`, says what becomes of texts that people wrote where the model says
/// something else, and is asked where it is left out. `"isSaved": true` says that nothing of the documents
/// is unsaved: else a client that does not show what it has open is asked. Returns
/// `{"documents"}`, where they are or will be, for an editor that shows them.
pub const NAME: &str = "keywright.generateDocument";

/// The command as an editor is given it to be chosen.
pub fn command(title: String, wanted: &Wanted) -> Command {
    Command::new(title, NAME.to_owned(), serde_json::to_value(wanted).ok().map(|wanted| vec![wanted]))
}

pub fn handle(state: &Arc<State>, arguments: Vec<Value>) -> impl Future<Output = Result<Option<LSPAny>>> + use<> {
    let wanted = argument::<Wanted>(arguments, "{\"uri\", \"kind\": \"requirement\" or \"dataModel\"}");
    let flags = state.flags();
    let asked = Arc::clone(state);
    let made = wanted.map(|wanted| {
        let key = vfs::key_of_uri(wanted.uri.as_str());
        let again = wanted.clone();
        let made = flags.applies_edits.then(|| {
            state.ask(move |view| {
                let made = generate::documents(&asked, view, &flags, &again)?;
                let is_unsaved = !key.is_path() && view.lines(&key, flags.encoding).is_some();
                Ok((made, is_unsaved))
            })
        });
        (wanted, made)
    });
    let state = Arc::clone(state);
    async move {
        let (wanted, made) = made?;
        let warn = |text: &str| state.outbox.show(MessageType::WARNING, text);
        let Some(made) = made else {
            warn(
                "This editor does not let a language server change or create files. `keywright docs` makes the documents.",
            );
            return Ok(None);
        };
        match made.await? {
            (_, true) => warn("Documents stand beside their model, which has to be saved first."),
            (made, false) if made.documents == 0 => return Err(no_model(&wanted.uri)),
            (made, false) => {
                let documents: Vec<_> = made.places.iter().filter_map(|key| state.uri(key)).collect();
                generate::deliver(&state, wanted, made);
                return Ok(Some(json!({ "documents": documents })));
            }
        }
        Ok(None)
    }
}
