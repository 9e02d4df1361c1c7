//! What settings may name, made from the rules.

use super::registry;
use super::rule::Group;
use crate::config::{GroupWords, RuleWords, ThresholdWords, Vocabulary};
use std::sync::OnceLock;

/// The names of all rules, groups and thresholds.
pub fn vocabulary() -> &'static Vocabulary {
    static ALL: OnceLock<Vocabulary> = OnceLock::new();
    ALL.get_or_init(|| Vocabulary {
        rules: registry::all()
            .map(|rule| RuleWords {
                name: rule.name,
                group: rule.group.name(),
                level: rule.level.word(),
                summary: rule.summary,
                thresholds: rule
                    .thresholds
                    .iter()
                    .map(|own| ThresholdWords {
                        name: own.name,
                        default: own.default,
                        bounds: own.bounds,
                        summary: own.summary,
                    })
                    .collect(),
            })
            .collect(),
        groups: Group::ALL
            .map(|group| GroupWords { name: group.name(), settable: group != Group::Language })
            .into_iter()
            .collect(),
    })
}
