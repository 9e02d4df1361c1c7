//! Links to pages. No public address exists yet: a link is a URI of our own,
//! which the VS Code extension opens as a virtual document.

/// The page of a rule.
pub fn rule_page(rule: &str) -> String {
    format!("keywright:rule/{rule}")
}
