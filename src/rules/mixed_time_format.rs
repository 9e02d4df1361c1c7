//! Not built yet.

use super::check::Check;
use super::finding::Level;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "mixed-time-format",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "not built yet",
    thresholds: &[],
    check: Check::Planned,
};
