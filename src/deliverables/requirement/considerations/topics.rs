//! The topics that a design review goes through, and the rules that speak to each.

use crate::deliverables::heat::LOAD;

/// A topic of the scratchpad.
pub(super) struct Topic {
    pub title: &'static str,
    /// The rules that speak to it.
    pub rules: &'static [&'static str],
}

/// The topics in order. Each is there whether a rule has found something or not.
pub(super) const TOPICS: [Topic; 6] = [
    Topic { title: "Hot Partition Concerns", rules: &LOAD },
    Topic {
        title: "GSI Projections",
        rules: &[
            "attribute-not-projected",
            "over-projection",
            "projection-invalid",
            "lsi-fetch",
            "mutable-index-key",
            "unused-index",
            "redundant-index",
            "gsi-quota",
            "index-limit",
            "consistent-read-on-gsi",
            "read-your-write-on-gsi",
        ],
    },
    Topic {
        title: "Sparse GSI Opportunities",
        rules: &["low-selectivity-filter", "scan-pattern", "limit-with-filter"],
    },
    Topic {
        title: "Item Collection Opportunities",
        rules: &[
            "collection-candidate",
            "embed-candidate",
            "replaceable-gsi",
            "small-collection-index",
            "loose-collection",
            "unrelated-entities",
            "oversized-aggregate",
            "unbounded-item",
            "lsi-collection-size",
            "multiple-tables",
            "decision-contradicted",
        ],
    },
    Topic {
        title: "Multi-Entity Query Patterns",
        rules: &[
            "over-read",
            "chatty-workflow",
            "get-instead-of-query",
            "prefix-collision",
            "open-ended-prefix",
            "unbounded-read",
            "one-way-many-to-many",
            "missing-entity-type",
        ],
    },
    Topic {
        title: "Denormalization Ideas",
        rules: &["stale-copy", "costly-copy", "embedded-write-amplification", "costly-small-update"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::registry::{all, find};
    use std::collections::BTreeSet;

    #[test]
    fn every_topic_names_rules_that_there_are_each_once() {
        let named: Vec<&str> = TOPICS.iter().flat_map(|topic| topic.rules).copied().collect();
        assert!(named.iter().all(|name| find(name).is_some()), "{named:?}");
        assert_eq!(named.iter().collect::<BTreeSet<_>>().len(), named.len());
    }

    /// What the catalogue holds under capacity and design is about one of the topics,
    /// but for these.
    #[test]
    fn no_rule_about_capacity_or_design_is_without_a_topic() {
        use crate::rules::rule::Group;
        let elsewhere = ["generic-key-name", "natural-key-name", "missing-timestamps"];
        let asked = all().filter(|rule| matches!(rule.group, Group::Capacity | Group::Design));
        let without = asked.filter(|rule| !TOPICS.iter().any(|topic| topic.rules.contains(&rule.name)));
        let without: Vec<&str> = without.map(|rule| rule.name).filter(|name| !elsewhere.contains(name)).collect();
        assert_eq!(without, [""; 0]);
    }
}
