//! What settings may name, made from the rules.

use super::registry;
use super::rule::{Group, Rule};
use super::stale_document;
use crate::config::{GroupWords, RuleWords, ThresholdWords, Vocabulary};
use std::sync::OnceLock;

/// The names of all rules, groups and thresholds.
pub fn vocabulary() -> &'static Vocabulary {
    static ALL: OnceLock<Vocabulary> = OnceLock::new();
    ALL.get_or_init(|| Vocabulary {
        rules: registry::all()
            .map(|rule| words(rule, rule.group.name()))
            .chain([words(&stale_document::RULE, DOCUMENTS)])
            .collect(),
        groups: Group::ALL
            .map(|group| GroupWords { name: group.name(), settable: group != Group::Language })
            .into_iter()
            .collect(),
    })
}

/// Of no group that can be set: how strict a team is with its models says nothing of
/// its documents.
const DOCUMENTS: &str = "documents";

fn words(rule: &Rule, group: &'static str) -> RuleWords {
    let thresholds = rule.thresholds.iter().map(|own| ThresholdWords {
        name: own.name,
        default: own.default,
        bounds: own.bounds,
        summary: own.summary,
    });
    RuleWords {
        name: rule.name,
        group,
        level: rule.level.word(),
        summary: rule.summary,
        thresholds: thresholds.collect(),
    }
}
