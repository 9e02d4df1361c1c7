//! Figures in the documents, in the words that `keywright cost` and the hovers
//! have for them: what is known is a number, what is bounded says so, and what is
//! unknown is never a number.

use super::markdown::{inline, prose};
use crate::capacity::figure::{Figure, Input};
use crate::capacity::show;
use std::collections::BTreeSet;

/// Dollars: `$126`, `at least $3.20`, `unknown`.
pub(super) fn dollars(figure: &Figure) -> String {
    show::figure(figure, show::dollars)
}

/// Units, items, calls a second, or gigabytes: `6.5`, `≤ 21`, `unknown`.
pub(super) fn number(figure: &Figure) -> String {
    show::figure(figure, show::number)
}

/// Bytes of an item: `105 B`, `2.3 KB`.
pub(super) fn bytes(figure: &Figure) -> String {
    show::figure(figure, show::bytes)
}

/// Units of a call, where nothing is a dash.
pub(super) fn units(figure: &Figure) -> String {
    if *figure == Figure::ZERO { String::from("–") } else { number(figure) }
}

/// What the label of a row adds where any of its figures depends on a size that
/// nobody declared.
pub(super) fn mark<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> &'static str {
    if figures.into_iter().all(|figure| figure.computed().is_empty()) { "" } else { " (computed)" }
}

/// Figures that are shown somewhere, and what has to be said below them: what is
/// missing for those that are not known, and which sizes were computed.
#[derive(Default)]
pub(super) struct Footnotes {
    missing: BTreeSet<Input>,
    computed: BTreeSet<String>,
}

impl Footnotes {
    /// Takes note of figures that are shown.
    pub fn add<'f>(&mut self, figures: impl IntoIterator<Item = &'f Figure>) {
        for figure in figures {
            self.missing.extend(figure.missing().iter().cloned());
            self.computed.extend(figure.computed().iter().cloned());
        }
    }

    /// What would have to be declared, one a line.
    pub fn missing(&self) -> Vec<String> {
        self.missing.iter().map(|input| prose(&input.to_string())).collect()
    }

    /// The sentence about the sizes that were computed; `None` where none was.
    pub fn computed(&self) -> Option<String> {
        let names: Vec<String> = self.computed.iter().map(|name| inline(name)).collect();
        let of = names.join(", ");
        (!names.is_empty())
            .then(|| format!("*Computed*: no size is declared of {of}; it is computed from the attributes."))
    }
}

/// ` (needs …)` where a figure is not known; nothing where it is.
pub(super) fn needs(figure: &Figure) -> String {
    match figure.missing().is_empty() {
        true => String::new(),
        false => format!(" (needs {})", prose(&crate::capacity::figure::list(figure.missing()))),
    }
}
