//! Hints, lenses and colours that the client shows and that another file has made
//! wrong: it does not know that it should ask again, and is told.

use super::analyst::View;
use super::diagnostics::Round;
use super::state::State;
use super::tokens;
use crate::ide::{Answer, HintKinds, InlayHint, LensSubject};
use crate::model::files::FileKey;
use crate::syntax::TextRange;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// Ranges of a file that are remembered: an editor asks for what it shows, and
/// for the rest as somebody scrolls.
const MOST_RANGES: usize = 64;

/// What the client has been answered, file by file.
#[derive(Default)]
pub struct Numbers(Mutex<HashMap<FileKey, Shown>>);

/// What was answered for one version of a file, as digests.
#[derive(Clone, Default)]
struct Shown {
    version: Option<i32>,
    hints: Vec<(TextRange, u64)>,
    lenses: HashMap<LensSubject, u64>,
}

impl Numbers {
    /// Notes which hints were answered for a range.
    pub fn hints_shown(&self, key: &FileKey, version: Option<i32>, range: TextRange, hints: &[InlayHint]) {
        self.note(key, version, |shown| {
            shown.hints.retain(|(other, _)| *other != range);
            if shown.hints.len() == MOST_RANGES {
                shown.hints.remove(0);
            }
            shown.hints.push((range, digest(hints)));
        });
    }

    /// Notes what was answered for a lens.
    pub fn lens_shown(&self, key: &FileKey, version: Option<i32>, subject: &LensSubject, title: &str) {
        self.note(key, version, |shown| {
            shown.lenses.insert(subject.clone(), hash(&title));
        });
    }

    fn note(&self, key: &FileKey, version: Option<i32>, change: impl FnOnce(&mut Shown)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = all.entry(key.clone()).or_default();
        if shown.version != version {
            *shown = Shown { version, ..Shown::default() };
        }
        change(shown);
    }

    /// What is shown of a version of a file; what is shown of others the client
    /// asks for by itself.
    fn of(&self, key: &FileKey, version: i32) -> Option<Shown> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(key).filter(|shown| shown.version == Some(version)).cloned()
    }

    fn forget_hints(&self) {
        self.each(|shown| shown.hints.clear());
    }

    fn forget_lenses(&self) {
        self.each(|shown| shown.lenses.clear());
    }

    fn each(&self, change: impl FnMut(&mut Shown)) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values_mut().for_each(change);
    }

    fn retain(&self, keep: impl Fn(&FileKey) -> bool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|key, _| keep(key));
    }
}

fn digest(hints: &[InlayHint]) -> u64 {
    let shown: Vec<_> = hints.iter().map(|hint| (hint.offset, &hint.label, &hint.tooltip)).collect();
    hash(&shown)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Compares what the client shows of the open files with what is so after a
/// change, and has it ask again where that differs.
pub fn compare(state: &Arc<State>, view: &View, round: &Round) {
    let flags = state.flags();
    let is_open = |key: &FileKey| state.document(key).is_some();
    state.numbers.retain(is_open);
    state.tokens.retain(is_open);
    if flags.reading.refreshes_tokens {
        compare_tokens(state, view, round);
    }
    if !flags.refreshes_hints && !flags.refreshes_lenses {
        return;
    }
    let kinds = state.settings().inlay_hints;
    let (mut hints, mut lenses) = (false, false);
    for (key, version) in round.versions() {
        let Some(shown) = state.numbers.of(key, *version) else { continue };
        let Some(outdated) = round.run(view, |view| outdated(view, key, &shown, kinds)) else { return };
        hints |= outdated.0;
        lenses |= outdated.1;
    }
    if round.is_stopped() {
        return;
    }
    if hints {
        state.refresh_hints();
    }
    if lenses {
        state.refresh_lenses();
    }
}

/// The same for colours, which are far cheaper, and first.
fn compare_tokens(state: &Arc<State>, view: &View, round: &Round) {
    for (key, version) in round.versions() {
        let Some(outdated) = round.run(view, |view| tokens::outdated(state, view, key, *version)) else { return };
        if outdated {
            // The client asks for those of all files again.
            return state.refresh_tokens();
        }
    }
}

/// Whether hints, and whether lenses of a file are others by now.
fn outdated(view: &View, key: &FileKey, shown: &Shown, kinds: HintKinds) -> Answer<(bool, bool)> {
    let (mut hints, mut lenses) = (false, false);
    for (range, before) in &shown.hints {
        hints = hints || digest(&view.analysis.inlay_hints(key, *range, kinds)?) != *before;
    }
    for (subject, before) in &shown.lenses {
        lenses = lenses || view.analysis.code_lens_title(key, subject)?.is_none_or(|title| hash(&&*title) != *before);
    }
    Ok((hints, lenses))
}

impl State {
    /// Has the client ask for its hints again, where it can be told. What it has
    /// been answered counts no more: until it asks it need not be told twice.
    pub fn refresh_hints(&self) {
        self.numbers.forget_hints();
        if self.flags().refreshes_hints {
            self.outbox.ask(|client| async move {
                let _ = client.inlay_hint_refresh().await;
            });
        }
    }

    /// The same for its lenses.
    pub fn refresh_lenses(&self) {
        self.numbers.forget_lenses();
        if self.flags().refreshes_lenses {
            self.outbox.ask(|client| async move {
                let _ = client.code_lens_refresh().await;
            });
        }
    }
}
