//! An `allow` that silences nothing.

use super::check::Check;
use super::finding::{Finding, FindingPlace, Level, Place};
use super::registry::find;
use super::rule::{Group, Rule};

pub static RULE: Rule = Rule {
    name: "unused-allow",
    group: Group::Language,
    level: Level::Warning,
    summary: "an `allow`, or one name in it, silences nothing",
    thresholds: &[],
    check: Check::Machinery,
};

/// The finding on the name of a rule that an `allow` names for nothing.
pub fn finding(place: Place, name: &str) -> Finding {
    let message = match find(name) {
        Some(rule) if rule.group == Group::Language => {
            format!("`{name}` cannot be allowed: it reports faults of the text itself; remove it and mend the fault")
        }
        _ => format!("`allow {name}` silences nothing here: no such finding is left; remove it"),
    };
    Finding {
        rule: &RULE,
        level: RULE.level,
        message,
        place: FindingPlace::In(place),
        related: Vec::new(),
        about: Vec::new(),
        tags: Vec::new(),
        fixes: Vec::new(),
    }
}
