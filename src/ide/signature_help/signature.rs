//! Putting signatures together.

use super::{Signature, SignatureParameter};
use crate::pages;
use crate::syntax::TextRange;

/// A signature that is being put together, each of its parts with what it is to the
/// one who asks.
pub(super) struct Builder<S> {
    label: String,
    parameters: Vec<(S, SignatureParameter)>,
}

impl<S: PartialEq> Builder<S> {
    /// A signature that begins so.
    pub fn new(label: &str) -> Self {
        Self { label: label.to_owned(), parameters: Vec::new() }
    }

    /// Text that is no parameter.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.label.push_str(text);
        self
    }

    /// A part that is written in the place of `slot`.
    pub fn parameter(&mut self, slot: S, text: &str, documentation: impl Into<String>) -> &mut Self {
        let start = self.label.len();
        self.label.push_str(text);
        let range = TextRange::new(start, self.label.len());
        self.parameters.push((slot, SignatureParameter { range, documentation: documentation.into() }));
        self
    }

    /// The signature, with the parameter active that is in this place; the first
    /// where it has no such place.
    pub fn finish(self, documentation: String, slot: &S) -> Signature {
        let active = self.parameters.iter().position(|(own, _)| own == slot).unwrap_or(0);
        let parameters = self.parameters.into_iter().map(|(_, parameter)| parameter).collect();
        Signature { label: self.label, documentation, parameters, active }
    }

    /// This place, or, where nothing is written in it, the next that there is.
    pub fn from(&self, slot: &S) -> Option<&S>
    where
        S: Ord,
    {
        let slots = || self.parameters.iter().map(|(own, _)| own);
        slots().find(|own| *own == slot).or_else(|| slots().filter(|own| *own > slot).min())
    }
}

/// What the page of a keyword says first.
pub(super) fn page(word: &str) -> String {
    pages::keyword(word).map(|concept| concept.summary().to_owned()).unwrap_or_default()
}

/// Names in code, as a sentence.
pub(super) fn code_list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names = names.into_iter().take(MOST_NAMES + 1).map(|name| format!("`{}`", name.as_ref()));
    let mut names: Vec<String> = names.collect();
    if names.len() > MOST_NAMES {
        names[MOST_NAMES] = "…".to_owned();
    }
    names.join(", ")
}

/// A longer list helps nobody while typing.
const MOST_NAMES: usize = 24;

/// A sentence about names, or nothing where there are none.
pub(super) fn naming(lead: &str, names: &str) -> String {
    if names.is_empty() { String::new() } else { format!("{lead}: {names}.") }
}
