//! `[levels]`: how much the findings of a rule, or of a group of rules, matter.

use super::entries::Faults;
use super::node::Entry;
use super::vocabulary::Vocabulary;
use std::collections::BTreeMap;

/// A level that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetLevel {
    /// The rule reports nothing.
    Off,
    Hint,
    Info,
    Warning,
    Error,
}

/// The levels that there are, as they are written.
pub const LEVELS: [(&str, SetLevel); 5] = [
    ("error", SetLevel::Error),
    ("warning", SetLevel::Warning),
    ("info", SetLevel::Info),
    ("hint", SetLevel::Hint),
    ("off", SetLevel::Off),
];

/// Reads `[levels]`. Groups are spelled out: what is returned names rules only,
/// and what is said of a rule counts more than what is said of its group.
pub fn read(table: &[Entry], vocabulary: &Vocabulary, faults: &mut Faults) -> BTreeMap<String, SetLevel> {
    let mut levels = BTreeMap::new();
    let mut own = BTreeMap::new();
    for entry in table {
        let name = entry.name.as_str();
        match (vocabulary.rule(name), vocabulary.group(name)) {
            (Some(rule), _) if !vocabulary.is_settable(rule) => faults.add(
                entry.key,
                format!(
                    "the level of `{name}` cannot be set: it reports a fault of the text itself; mend what it reports"
                ),
            ),
            (Some(rule), _) => {
                own.extend(entry.word(&LEVELS, faults).map(|level| (rule.name.to_owned(), level)));
            }
            (None, Some(group)) if !group.settable => faults.add(
                entry.key,
                format!("the levels of the group `{name}` cannot be set: it reports faults of the text itself"),
            ),
            (None, Some(group)) => {
                let Some(level) = entry.word(&LEVELS, faults) else { continue };
                let rules = vocabulary.rules.iter().filter(|rule| rule.group == group.name);
                levels.extend(rules.map(|rule| (rule.name.to_owned(), level)));
            }
            (None, None) => faults.unknown(entry, "rule or group of rules", &settable(vocabulary)),
        }
    }
    levels.extend(own);
    levels
}

/// What `[levels]` may name: groups, then rules.
pub fn settable(vocabulary: &Vocabulary) -> Vec<&'static str> {
    let groups = vocabulary.groups.iter().filter(|group| group.settable).map(|group| group.name);
    let rules = vocabulary.rules.iter().filter(|rule| vocabulary.is_settable(rule)).map(|rule| rule.name);
    groups.chain(rules).collect()
}
