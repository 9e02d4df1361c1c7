//! All rules by name.

use super::check::Check;
use super::rule::Rule;

pub use super::BUILT;

/// Every rule of the catalogue, in its order.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    BUILT.iter().copied()
}

/// The rule with this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.name == name)
}

/// Whether the rule is more than a name yet.
pub fn is_built(rule: &Rule) -> bool {
    !matches!(rule.check, Check::Planned)
}
