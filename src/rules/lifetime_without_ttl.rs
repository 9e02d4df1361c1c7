//! Not built yet.

use super::check::Check;
use super::finding::Level;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "lifetime-without-ttl",
    group: Group::Cost,
    level: Level::Warning,
    summary: "not built yet",
    thresholds: &[],
    check: Check::Planned,
};
