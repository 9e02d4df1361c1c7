//! The open findings of a model, by what they are about.

use super::markdown::{code, prose};
use super::numbers::count;
use super::outline::Outline;
use crate::model::imports::model_files;
use crate::rules::finding::{Finding, FindingPlace, Level};
use crate::rules::judge::file_findings;

/// Findings under a heading of the scratchpad.
pub(super) struct Topic {
    pub title: &'static str,
    pub lines: Vec<String>,
}

/// The topics that a design review asks about, with the rules that speak to each.
const TOPICS: &[(&str, &[&str])] = &[
    (
        "Hot Partition Concerns",
        &[
            "hot-partition-key",
            "hot-index-key",
            "rising-sort-key",
            "time-bucketed-partition-key",
            "low-cardinality-key",
            "throughput-quota",
            "transaction-contention",
            "useless-shard",
            "needless-sharding",
        ],
    ),
    ("GSI Projections", &["attribute-not-projected", "over-projection", "projection-invalid", "lsi-fetch"]),
    ("Sparse GSI Opportunities", &["low-selectivity-filter"]),
    (
        "Item Collection Opportunities",
        &[
            "collection-candidate",
            "replaceable-gsi",
            "embed-candidate",
            "loose-collection",
            "unrelated-entities",
            "oversized-aggregate",
            "multiple-tables",
            "decision-contradicted",
        ],
    ),
    ("Multi-Entity Query Patterns", &["over-read", "chatty-workflow", "prefix-collision", "get-instead-of-query"]),
    ("Denormalization Ideas", &["stale-copy", "costly-copy", "embedded-write-amplification"]),
];

/// Every open finding of the model, file by file in the order of the text.
pub(super) fn open<'db>(outline: &Outline<'db>) -> Vec<&'db Finding> {
    let files = model_files(outline.db, outline.root).iter();
    files.flat_map(|file| file_findings(outline.db, outline.root, *file)).collect()
}

/// The findings by topic; those of no topic come last.
pub(super) fn topics(outline: &Outline<'_>) -> Vec<Topic> {
    let open = open(outline);
    let topic_of = |finding: &Finding| TOPICS.iter().position(|(_, rules)| rules.contains(&finding.rule.name));
    let under = |topic: Option<usize>| -> Vec<String> {
        open.iter().filter(|finding| topic_of(finding) == topic).map(|finding| line(outline, finding)).collect()
    };
    let named = TOPICS.iter().enumerate().map(|(index, (title, _))| Topic { title, lines: under(Some(index)) });
    let rest = Topic { title: "Other Open Findings", lines: under(None) };
    named.chain(std::iter::once(rest)).filter(|topic| !topic.lines.is_empty()).collect()
}

fn line(outline: &Outline<'_>, finding: &Finding) -> String {
    let place = match finding.place {
        FindingPlace::In(place) => outline.label(place.decl),
        FindingPlace::File { file, .. } => outline.file(file),
    };
    format!("{} {} ({place}): {}", finding.level.word(), code(finding.rule.name), prose(&finding.message))
}

/// How many findings of each level are open: `1 error, 2 warnings`. `None`
/// where there are none.
pub(super) fn summary(outline: &Outline<'_>) -> Option<String> {
    let open = open(outline);
    let levels = [
        (Level::Error, "error", "errors"),
        (Level::Warning, "warning", "warnings"),
        (Level::Info, "info", "infos"),
        (Level::Hint, "hint", "hints"),
    ];
    let parts: Vec<String> = levels
        .into_iter()
        .map(|(level, one, many)| (open.iter().filter(|finding| finding.level == level).count(), one, many))
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| count(number, one, many))
        .collect();
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}
