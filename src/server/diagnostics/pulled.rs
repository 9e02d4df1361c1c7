//! What a client is answered that asks for the findings of a file.

use super::{digest, of_file};
use crate::ide::Cancelled;
use crate::model::files::FileKey;
use crate::server::analyst::View;
use crate::server::capabilities::ClientFlags;
use crate::server::state::State;
use std::collections::BTreeSet;
use tower_lsp::ls_types::Diagnostic;

/// The findings of a file, and of those that the client does not ask for.
pub struct Pulled {
    pub items: Vec<Diagnostic>,
    /// Files of the same models that are not open, where the client takes them: an
    /// empty list takes away what it was told before.
    pub related: Vec<(FileKey, Vec<Diagnostic>)>,
    own: u64,
    others: u64,
    /// The name of the file's own findings.
    name: String,
}

impl Pulled {
    /// Tells all of this from others.
    pub fn digest(&self) -> u64 {
        self.own ^ self.others
    }

    /// The name that this answer has between the client and us: that of the file's
    /// own findings, and where there are others that of them.
    pub fn result_id(&self) -> String {
        if self.others == 0 { self.name.clone() } else { format!("{}{AND}{:016x}", self.name, self.others) }
    }
}

/// Stands between two names.
const AND: char = '-';

/// Whether a name that a client gave says that it has these findings of a file,
/// whatever it knows of others besides.
pub fn is_known(given: &str, result_id: &str) -> bool {
    given.split(AND).next() == Some(result_id)
}

/// The name of findings between the client and us. It is the file's own, and holds
/// for as long as the document stays open: some clients throw away what they showed
/// when they close it and keep the name, or take the name along when it moves.
pub fn result_id(state: &State, key: &FileKey, digest: u64) -> String {
    let opening = state.document(key).map_or(0, |document| document.opening);
    format!("{:016x}", digest ^ super::hash(&(key.as_str(), opening)))
}

/// The findings of a file as a client is answered that asks for them.
pub fn pulled(state: &State, view: &View, flags: &ClientFlags, key: &FileKey) -> Result<Pulled, Cancelled> {
    let items = of_file(state, view, flags, key)?;
    let own = digest(&items);
    let name = result_id(state, key, own);
    if !flags.workspace.related_documents {
        return Ok(Pulled { own, others: 0, name, items, related: Vec::new() });
    }
    let mut related = Vec::new();
    for other in view.models_of([key]) {
        if other != *key && state.document(&other).is_none() {
            let found = of_file(state, view, flags, &other)?;
            if !found.is_empty() {
                related.push((other, found));
            }
        }
    }
    let everything: Vec<Diagnostic> = related.iter().flat_map(|(_, found)| found).cloned().collect();
    let names: Vec<&str> = related.iter().map(|(key, _)| key.as_str()).collect();
    let others = if related.is_empty() { 0 } else { digest(&everything) ^ super::hash(&names) };
    let now: BTreeSet<&FileKey> = related.iter().map(|(key, _)| key).collect();
    let gone = state.shown.related(key).into_iter();
    let gone: Vec<FileKey> = gone.filter(|before| !now.contains(before) && state.document(before).is_none()).collect();
    related.extend(gone.into_iter().map(|key| (key, Vec::new())));
    Ok(Pulled { own, others, name, items, related })
}
