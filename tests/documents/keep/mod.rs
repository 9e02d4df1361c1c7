//! How documents live with the people who write into them: what a merge does to
//! a text, and that it loses no byte of a person, whatever the model and the
//! edits are.

mod damage;
mod merging;
mod of_models;
mod person;
mod random;
mod versions;

use keywright::deliverables::Part;

/// Parts from names and texts.
fn parts(of: &[(&str, &str)]) -> Vec<Part> {
    of.iter().map(|(name, text)| Part { name: (*name).to_owned(), text: format!("{text}\n") }).collect()
}
