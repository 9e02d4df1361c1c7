//! Links to pages. No public address exists yet: a link is a URI of our own,
//! which the VS Code extension opens as a virtual document.

use crate::pages;

/// The page of what a finding is called: a rule, or one that is found beside the rules.
pub fn page(name: &str) -> String {
    let kind = if pages::rule(name).is_some() { "rule" } else { "concept" };
    format!("keywright:{kind}/{name}")
}
