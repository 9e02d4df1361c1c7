//! Not built yet.

use super::check::Check;
use super::finding::Level;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "reserved-word",
    group: Group::Names,
    level: Level::Hint,
    summary: "not built yet",
    thresholds: &[],
    check: Check::Planned,
};
