//! All rules by name.

use super::rule::Rule;
use super::stale_document;
use crate::model::defs::Style;

pub use super::BUILT;

/// Every rule of the catalogue, in its order.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    BUILT.iter().copied()
}

/// The rule with this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.name == name)
}

/// What a finding is called by: a rule of the catalogue, or what is found beside them.
pub fn named(name: &str) -> Option<&'static Rule> {
    find(name).or_else(|| Some(&stale_document::RULE).filter(|rule| rule.name == name))
}

/// The school of design under which alone a rule speaks; `None` for the rules that
/// hold for both.
pub fn style_of(name: &str) -> Option<Style> {
    match name {
        "generic-key-name" | "unrelated-entities" | "loose-collection" => Some(Style::Aggregate),
        "natural-key-name" | "multiple-tables" | "missing-entity-type" | "missing-timestamps" => {
            Some(Style::SingleTable)
        }
        _ => None,
    }
}
