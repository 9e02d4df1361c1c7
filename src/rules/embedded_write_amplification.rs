//! Not built yet.

use super::check::Check;
use super::finding::Level;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "embedded-write-amplification",
    group: Group::Design,
    level: Level::Warning,
    summary: "not built yet",
    thresholds: &[],
    check: Check::Planned,
};
