//! Not built yet.

use super::check::Check;
use super::finding::Level;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "mutable-index-key",
    group: Group::Cost,
    level: Level::Warning,
    summary: "not built yet",
    thresholds: &[],
    check: Check::Planned,
};
