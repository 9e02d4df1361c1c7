//! From a text to its TOML: everything that is wrong with it, and what can be
//! relied on nevertheless.

use super::entries::Faults;
use crate::syntax::TextRange;
use crate::syntax::lines::line_start;
use toml::de::DeTable;

/// A text as TOML.
pub struct Document<'t> {
    pub root: DeTable<'t>,
    /// What is no TOML.
    pub faults: Faults,
}

/// How often what stands above a fault is tried: a bracket or quote that is
/// open where it was cut is a fault of its own, higher up.
const MOST_TRIES: usize = 4;

/// Parses a text. Behind a fault nothing is certain (the header of a table that
/// is not closed would put its prices under another Region), so that only what
/// stands above the line of the first one is kept.
pub fn parse(text: &str) -> Document<'_> {
    let mut faults = Faults::default();
    let mut kept = text;
    for attempt in 0..MOST_TRIES {
        let (root, errors) = DeTable::parse_recoverable(kept);
        if errors.is_empty() {
            return Document { root: root.into_inner(), faults };
        }
        let mut first = kept.len();
        for error in &errors {
            let span = error.span().unwrap_or(0..0);
            first = first.min(floor(kept, span.start));
            if attempt == 0 {
                faults.add(TextRange::new(span.start, span.end), one_line(error.message()));
            }
        }
        kept = &kept[..line_start(kept, first)];
    }
    Document { root: DeTable::new(), faults }
}

/// The start of the character that a byte belongs to.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The parser's own words, which may take several lines.
fn one_line(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    format!("this is no TOML: {}", words.join(" "))
}
