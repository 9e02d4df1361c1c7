//! *Table Consolidation Analysis*: which entities could share a table, and
//! whether they should.

use super::aggregates::{decided, justification_in_short, overlap};
use crate::deliverables::markdown::inline;
use crate::deliverables::outline::Outline;
use crate::deliverables::pairs::Analysis;
use crate::deliverables::parts::Part;
use askama::Template;

#[derive(Template)]
#[template(path = "requirement/consolidation.md", escape = "none")]
struct Consolidation {
    rows: Vec<Row>,
}

/// A row of the candidates.
struct Row {
    parent: String,
    child: String,
    relationship: String,
    overlap: String,
    decision: String,
    justification: String,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>, analyses: &[Analysis<'_>]) -> Part {
    let rows = analyses.iter().map(|analysis| row(outline, analysis)).collect();
    Part::new("consolidation", &Consolidation { rows })
}

fn row(outline: &Outline<'_>, analysis: &Analysis<'_>) -> Row {
    let identifying = if analysis.pair.is_identifying() { ", identifying" } else { "" };
    Row {
        parent: inline(analysis.pair.parent),
        child: inline(analysis.pair.child),
        relationship: match analysis.pair.relationship() {
            None => String::from("none declared; one aggregate"),
            Some(relationship) => format!("{relationship}{identifying}"),
        },
        overlap: overlap(analysis),
        decision: decided(outline, analysis),
        justification: justification_in_short(analysis),
    }
}
