//! Not built yet.

use super::check::Check;
use super::finding::Level;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "batch-invalid",
    group: Group::Correctness,
    level: Level::Error,
    summary: "not built yet",
    thresholds: &[],
    check: Check::Planned,
};
