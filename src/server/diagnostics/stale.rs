//! What is known of documents beside models that are stale. To find out costs the
//! making of documents: it is done when all else is told and nobody types, and what
//! was known before counts until then.

use super::guarded;
use super::round::Round;
use crate::ide::StaleDocument;
use crate::model::files::FileKey;
use crate::server::analyst::View;
use crate::server::state::State;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Whoever rests for so long may want to know.
const PAUSE: Duration = Duration::from_millis(300);

/// The stale documents that are known.
#[derive(Default)]
pub struct Stale(Mutex<Arc<Vec<StaleDocument>>>);

impl Stale {
    /// Those of all models that were looked at.
    pub fn known(&self) -> Arc<Vec<StaleDocument>> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts others in their place; whether they are others.
    fn put(&self, stale: Vec<StaleDocument>) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = **known != stale;
        if is_news {
            *known = Arc::new(stale);
        }
        is_news
    }
}

/// Looks at the documents of the models that the client is told of; whether that
/// changes what it is to be told.
pub fn look(state: &State, view: &View, round: &Round) -> bool {
    guarded(state, || looked(state, view, round)).flatten().unwrap_or(false)
}

fn looked(state: &State, view: &View, round: &Round) -> Option<bool> {
    let has_some = round.run(view, |view| view.analysis.has_documents())?;
    if !has_some && state.stale.known().is_empty() || !round.rest(PAUSE) {
        return None;
    }
    let all = state.flags().pulls_diagnostics;
    let roots: BTreeSet<FileKey> = round.run(view, |view| match all {
        true => view.analysis.models_with_documents(None::<std::iter::Empty<&FileKey>>),
        false => view.analysis.models_with_documents(Some(round.versions().keys())),
    })?;
    let mut stale = Vec::new();
    for root in &roots {
        // Where one document cannot be made, what is known of it stays unknown.
        let own = guarded(state, || round.run(view, |view| view.analysis.stale_documents(root)));
        stale.extend(own.unwrap_or_else(|| Some(Vec::new()))?);
    }
    (!round.is_stopped()).then(|| state.stale.put(stale))
}
