//! *Enhanced Aggregate Analysis*: for each related pair, whether it is one item,
//! one item collection, or two things.

mod cost;
mod why;
mod words;

use super::identifying::{Identifying, identifying};
use crate::deliverables::decisions::Thresholds;
use crate::deliverables::outline::Outline;
use crate::deliverables::pairs::Analysis;
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::Pattern;
use askama::Template;

pub(super) use why::justification_in_short;
pub(super) use words::{decided, overlap};

#[derive(Template)]
#[template(path = "requirement/aggregates.md", escape = "none")]
struct Aggregates {
    thresholds: Vec<String>,
    pairs: Vec<PairView>,
    identifying: Vec<Identifying>,
}

/// A pair in words.
struct PairView {
    names: String,
    correlation: String,
    queries: String,
    sizes: String,
    updates: String,
    identifying: String,
    decision: String,
    justification: String,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>, patterns: &[Pattern<'_>], analyses: &[Analysis<'_>]) -> Part {
    let view = |analysis: &Analysis<'_>| {
        let words = words::Words { outline, patterns, analysis };
        PairView {
            names: analysis.pair.name(),
            correlation: words.correlation(),
            queries: words.queries(),
            sizes: words.sizes(),
            updates: words.updates(),
            identifying: words.identifying(),
            decision: words.decision(),
            justification: words.justification(),
        }
    };
    Part::new(
        "aggregate-analysis",
        &Aggregates {
            thresholds: Thresholds::of(outline.db, outline.root).printed(),
            pairs: analyses.iter().map(view).collect(),
            identifying: identifying(outline, analyses),
        },
    )
}
