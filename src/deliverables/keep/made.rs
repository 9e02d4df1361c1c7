//! The parts of a document as they are put between marks.

use super::super::parts::Part;
use super::lines::LF;
use super::marks::{Mark, begin, end, hash, hash_of_words, mark};
use std::collections::{HashMap, HashSet};

/// A part that the model makes, ready to be put between its marks.
pub(super) struct Made {
    pub name: String,
    /// What stands between the marks, with LF.
    pub inner: String,
    pub hash: String,
    /// The same without the numbers of lines: what is turned down by a reader who keeps
    /// another text.
    pub hash_of_words: String,
}

/// The parts made ready. Should two have one name, as two tables in a model that
/// is not sound yet, the later ones are counted.
pub(super) fn made(parts: &[Part]) -> Vec<Made> {
    let mut names: HashSet<String> = HashSet::new();
    let mut numbers: HashMap<&str, u64> = HashMap::new();
    let mut name_of = |name: &str, number: &mut u64| loop {
        *number += 1;
        let counted = if *number == 1 { name.to_owned() } else { format!("{name}~{number}") };
        if names.insert(counted.clone()) {
            return counted;
        }
    };
    let made = parts.iter().map(|part| {
        let name = name_of(&part.name, numbers.entry(&part.name).or_default());
        let inner = inner(&part.text);
        let (hash, hash_of_words) = (hash(&inner), hash_of_words(&inner));
        Made { name, inner, hash, hash_of_words }
    });
    made.collect()
}

/// A text between blank lines. What a user wrote may stand on a line of its own in
/// a block of code, and must not be read as a mark.
fn inner(text: &str) -> String {
    let mut inner = String::from(LF);
    for line in text.lines() {
        match mark(line) {
            None => inner.push_str(line),
            Some(Mark::Begin { .. } | Mark::End { .. } | Mark::Unreadable) => {
                inner.push_str(&line.replacen("<!--", "<! --", 1));
            }
        }
        inner.push_str(LF);
    }
    inner.push_str(LF);
    inner
}

impl Made {
    /// The part with its marks, without a line end behind it.
    pub fn block(&self, line_end: &str) -> String {
        let text = format!("{}{LF}{}{}", begin(&self.name), self.inner, end(&self.name, &self.hash));
        text.replace(LF, line_end)
    }
}

/// Parts with their marks and a blank line between each two, without a line end
/// behind the last.
pub(super) fn blocks<'m>(made: impl IntoIterator<Item = &'m Made>, line_end: &str) -> String {
    let blocks: Vec<String> = made.into_iter().map(|made| made.block(line_end)).collect();
    blocks.join(&line_end.repeat(2))
}
