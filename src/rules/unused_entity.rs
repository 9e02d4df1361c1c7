//! Not built yet.

use super::check::Check;
use super::finding::Level;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "unused-entity",
    group: Group::Requirements,
    level: Level::Warning,
    summary: "not built yet",
    thresholds: &[],
    check: Check::Planned,
};
