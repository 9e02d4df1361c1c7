//! Semantic tokens as the protocol has them: numbers relative to each other, what
//! of them the client was given, and the difference to that.

use super::analyst::View;
use super::capabilities::ClientFlags;
use super::convert::Lines;
use super::state::State;
use crate::ide::{Answer, SemanticToken, TokenKind};
use crate::model::files::FileKey;
use crate::syntax::TextRange;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tower_lsp::ls_types;

/// Ranges of a file that are remembered, as with hints.
const MOST_RANGES: usize = 16;

/// Tokens as they are sent.
pub type Encoded = Vec<ls_types::SemanticToken>;

/// The tokens that the client was given, file by file: for a whole file those of
/// its last answer only, as an editor asks for the difference to no other.
#[derive(Default)]
pub struct Tokens {
    given: Mutex<HashMap<FileKey, Given>>,
    answers: AtomicU64,
}

#[derive(Default)]
struct Given {
    /// Kept over a change: the difference to it is what the client asks for next.
    whole: Option<Whole>,
    /// The version that the ranges are of.
    version: Option<i32>,
    ranges: Ranges,
    /// The client was told to ask again, and has not yet.
    told: bool,
}

struct Whole {
    id: String,
    version: Option<i32>,
    tokens: Arc<Encoded>,
}

type Ranges = Vec<(TextRange, Arc<Encoded>)>;

impl Tokens {
    /// Notes the tokens of a whole file; returns the name of the answer.
    pub fn gave_whole(&self, key: &FileKey, version: Option<i32>, tokens: Encoded) -> String {
        let id = self.answers.fetch_add(1, Ordering::Relaxed).to_string();
        let whole = Whole { id: id.clone(), version, tokens: Arc::new(tokens) };
        self.note(key, |given| given.whole = Some(whole));
        id
    }

    /// Notes the tokens of a range.
    pub fn gave_range(&self, key: &FileKey, version: Option<i32>, range: TextRange, tokens: Encoded) {
        self.note(key, |given| {
            if given.version != version {
                given.version = version;
                given.ranges.clear();
            }
            given.ranges.retain(|(other, _)| *other != range);
            if given.ranges.len() == MOST_RANGES {
                given.ranges.remove(0);
            }
            given.ranges.push((range, Arc::new(tokens)));
        });
    }

    /// The tokens of the answer with this name, if it was the last.
    pub fn whole(&self, key: &FileKey, id: &str) -> Option<Arc<Encoded>> {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = given.get(key)?.whole.as_ref()?;
        (whole.id == id).then(|| Arc::clone(&whole.tokens))
    }

    fn note(&self, key: &FileKey, change: impl FnOnce(&mut Given)) {
        let mut all = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let given = all.entry(key.clone()).or_default();
        given.told = false;
        change(given);
    }

    /// Forgets all files but these.
    pub fn retain(&self, keep: impl Fn(&FileKey) -> bool) {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).retain(|key, _| keep(key));
    }

    /// What the client shows of this version of a file, as far as it was not told
    /// to ask again.
    fn shown(&self, key: &FileKey, version: i32) -> Vec<(Option<TextRange>, Arc<Encoded>)> {
        let all = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(given) = all.get(key).filter(|given| !given.told) else { return Vec::new() };
        let whole = given.whole.iter().filter(|whole| whole.version == Some(version));
        let whole = whole.map(|whole| (None, Arc::clone(&whole.tokens)));
        let ranges = given.ranges.iter().filter(|_| given.version == Some(version));
        whole.chain(ranges.map(|(range, tokens)| (Some(*range), Arc::clone(tokens)))).collect()
    }

    /// Notes that the client was told to ask again.
    fn tell(&self) {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).values_mut().for_each(|given| {
            given.told = true;
            given.ranges.clear();
        });
    }
}

/// The tokens of a file, or of a range of it, as this client reads them; `None`
/// for a file that is not known.
pub fn tokens(view: &View, flags: &ClientFlags, key: &FileKey, range: Option<TextRange>) -> Answer<Option<Encoded>> {
    let Some(lines) = view.lines(key, flags.encoding) else { return Ok(None) };
    let tokens = view.analysis.semantic_tokens(key, range)?;
    Ok(Some(encode(&tokens, &lines, flags)))
}

/// Tokens relative to each other, of the types that the client knows.
fn encode(tokens: &[SemanticToken], lines: &Lines, flags: &ClientFlags) -> Encoded {
    let legend = &flags.reading.legend;
    let mut encoded = Vec::with_capacity(tokens.len());
    let mut last = ls_types::Position::default();
    for token in tokens {
        if flags.reading.augments_syntax_tokens && is_plain(token) {
            continue;
        }
        let Some(token_type) = legend.kind(token.kind) else { continue };
        let range = lines.range(token.range);
        let same_line = range.start.line == last.line;
        encoded.push(ls_types::SemanticToken {
            delta_line: range.start.line.saturating_sub(last.line),
            delta_start: range.start.character.saturating_sub(if same_line { last.character } else { 0 }),
            length: range.end.character.saturating_sub(range.start.character),
            token_type,
            token_modifiers_bitset: legend.modifiers(token.modifiers),
        });
        last = range.start;
    }
    encoded
}

/// Whether a highlighter that sees the text alone colours it as well.
fn is_plain(token: &SemanticToken) -> bool {
    use TokenKind::*;
    matches!(token.kind, Keyword | Comment | String | Number | Operator | Decorator)
}

/// The one edit that makes `new` of `old`; none where they are equal.
pub fn difference(
    old: &[ls_types::SemanticToken],
    new: &[ls_types::SemanticToken],
) -> Vec<ls_types::SemanticTokensEdit> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[prefix..], &new[prefix..]);
    let suffix = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - suffix], &new[..new.len() - suffix]);
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    vec![ls_types::SemanticTokensEdit {
        start: (prefix * NUMBERS) as u32,
        delete_count: (old.len() * NUMBERS) as u32,
        data: (!new.is_empty()).then(|| new.to_vec()),
    }]
}

/// A token is so many numbers, and an edit counts in numbers.
const NUMBERS: usize = 5;

/// Whether the client shows tokens of this version of a file that are others by
/// now, because another file has changed.
pub fn outdated(state: &State, view: &View, key: &FileKey, version: i32) -> Answer<bool> {
    let flags = state.flags();
    for (range, shown) in state.tokens.shown(key, version) {
        if tokens(view, &flags, key, range)?.is_some_and(|now| now != *shown) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl State {
    /// Has the client ask for its tokens again, where it can be told. Until it asks
    /// it need not be told twice.
    pub fn refresh_tokens(&self) {
        self.tokens.tell();
        self.outbox.ask(|client| async move {
            let _ = client.semantic_tokens_refresh().await;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn token(number: u32) -> ls_types::SemanticToken {
        ls_types::SemanticToken { delta_start: number, ..ls_types::SemanticToken::default() }
    }

    fn flat(tokens: &[ls_types::SemanticToken]) -> Vec<u32> {
        let numbers = |t: &ls_types::SemanticToken| {
            [t.delta_line, t.delta_start, t.length, t.token_type, t.token_modifiers_bitset]
        };
        tokens.iter().flat_map(numbers).collect()
    }

    proptest! {
        /// An edit that is applied as the protocol says gives what a full answer does.
        #[test]
        fn a_difference_makes_the_new_of_the_old(
            old in prop::collection::vec(0_u32..3, 0..12),
            new in prop::collection::vec(0_u32..3, 0..12),
        ) {
            let old: Encoded = old.into_iter().map(token).collect();
            let new: Encoded = new.into_iter().map(token).collect();
            let edits = difference(&old, &new);
            prop_assert_eq!(edits.is_empty(), old == new);
            let mut numbers = flat(&old);
            for edit in edits {
                let start = edit.start as usize;
                let data = flat(&edit.data.unwrap_or_default());
                numbers.splice(start..start + edit.delete_count as usize, data);
            }
            prop_assert_eq!(numbers, flat(&new));
        }
    }
}
