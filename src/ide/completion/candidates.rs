//! The proposals, gathered in the order in which they are to be shown.

use super::behind;
use super::cursor::{Cursor, Word};
use super::snippet;
use super::{CompletionItem, CompletionKind, CompletionList, Topic};
use crate::ide::changes::line_break;
use crate::syntax::strings::quote_name;
use std::collections::HashSet;

/// Proposals for one place; none of them twice.
pub(super) struct Candidates {
    word: Word,
    items: Vec<CompletionItem>,
    known: HashSet<String>,
    pub incomplete: bool,
    /// They are for the whole word, also where what follows the cursor is else kept.
    pub whole: bool,
}

impl CompletionItem {
    pub(super) fn new(kind: CompletionKind, label: impl Into<String>) -> Self {
        let label = label.into();
        Self {
            kind,
            detail: String::new(),
            owner: None,
            text: label.clone(),
            snippet: None,
            filter: None,
            commit: &[],
            topic: None,
            label,
        }
    }

    /// A name, in backticks where it needs them.
    pub(super) fn name(kind: CompletionKind, name: &str) -> Self {
        let text = quote_name(name);
        Self { text, ..Self::new(kind, name) }
    }

    pub(super) fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    pub(super) fn owner(self, owner: &str) -> Self {
        Self { owner: Some(owner.to_owned()), ..self }
    }

    pub(super) fn text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    pub(super) fn filter(self, filter: impl Into<String>) -> Self {
        Self { filter: Some(filter.into()), ..self }
    }

    pub(super) fn commit(self, commit: &'static [&'static str]) -> Self {
        Self { commit, ..self }
    }

    pub(super) fn topic(self, topic: Topic) -> Self {
        Self { topic: Some(topic), ..self }
    }

    /// A text with places to fill in, for clients that know them; for others, what
    /// of it stands by itself.
    pub(super) fn snippet(self, snippet: impl Into<String>) -> Self {
        let snippet = snippet.into();
        let text = snippet::plain(&snippet);
        let snippet = snippet::has_stops(&snippet).then_some(snippet);
        Self { text, snippet, ..self }
    }
}

impl Candidates {
    /// None yet, for what is typed of a word.
    pub fn new(word: Word) -> Self {
        Self { word, items: Vec::new(), known: HashSet::new(), incomplete: false, whole: false }
    }

    /// Adds a proposal, unless one with its label is there.
    pub fn add(&mut self, item: CompletionItem) {
        if self.known.insert(item.label.clone()) {
            self.items.push(item);
        }
    }

    /// Whether nothing is proposed so far.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Ends the lines of what is put in as those of the text end.
    pub fn end_lines_as(&mut self, text: &str) {
        let end = line_break(text);
        if end == "\n" {
            return;
        }
        for item in &mut self.items {
            item.text = item.text.replace('\n', end);
            item.snippet = item.snippet.take().map(|snippet| snippet.replace('\n', end));
        }
    }

    /// The proposals with the place that they are for.
    pub fn into_list(mut self, cursor: Cursor<'_>) -> CompletionList {
        if self.word.quoted {
            // A backtick is typed: the name keeps it, and is looked for with it.
            for item in &mut self.items {
                let quoted = format!("`{}`", item.label);
                item.text.clone_from(&quoted);
                item.filter = Some(quoted);
                item.snippet = None;
            }
        }
        let behind = cursor.text.get(self.word.end..).unwrap_or("");
        let behind = &behind[..behind.find(['\n', '\r']).unwrap_or(behind.len())];
        CompletionList {
            insert: if self.whole { self.word.replace() } else { self.word.insert(cursor.offset) },
            replace: self.word.replace(),
            items: self.items.into_iter().filter_map(|item| behind::fitted(item, behind)).collect(),
            incomplete: self.incomplete,
        }
    }
}
