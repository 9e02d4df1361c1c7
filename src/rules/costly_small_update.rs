//! Not built yet.

use super::check::Check;
use super::finding::Level;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "costly-small-update",
    group: Group::Cost,
    level: Level::Info,
    summary: "not built yet",
    thresholds: &[],
    check: Check::Planned,
};
