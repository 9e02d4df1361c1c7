//! *Access Patterns Analysis*: what is asked for, how often, and whether it is
//! answered.

use crate::deliverables::bounds::bands;
use crate::deliverables::markdown::{inline, prose, sentence};
use crate::deliverables::outline::{Entry, Outline, shown};
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::Pattern;
use crate::model::defs::WorkflowDef;
use askama::Template;

#[derive(Template)]
#[template(path = "requirement/access_patterns.md", escape = "none")]
struct AccessPatterns {
    patterns: Vec<Row>,
    bands: String,
    workflows: Vec<String>,
}

/// A row of the access pattern table.
struct Row {
    number: usize,
    description: String,
    rps: String,
    kind: &'static str,
    attributes: String,
    requirements: String,
    considerations: String,
    status: String,
}

/// The part.
pub(super) fn part<'db>(outline: &Outline<'db>, patterns: &[Pattern<'db>]) -> Part {
    Part::new(
        "access-patterns",
        &AccessPatterns {
            patterns: patterns.iter().map(|pattern| row(outline, pattern)).collect(),
            bands: bands(),
            workflows: outline.workflows.iter().map(workflow).collect(),
        },
    )
}

fn row(outline: &Outline<'_>, pattern: &Pattern<'_>) -> Row {
    Row {
        number: pattern.number,
        description: pattern.description(),
        rps: pattern.rps(),
        kind: pattern.kind(),
        attributes: pattern.attributes(outline),
        requirements: pattern.requirements(outline),
        considerations: pattern.considerations(outline),
        status: pattern.status_text(),
    }
}

fn workflow(workflow: &Entry<'_, WorkflowDef>) -> String {
    let steps: Vec<String> = workflow.def.patterns.iter().map(|name| inline(&name.text)).collect();
    let doc = workflow.doc.map(|doc| format!(" {}", sentence(&prose(doc)))).unwrap_or_default();
    format!("**{}**:{doc} {}", shown(workflow.name), steps.join(" → "))
}
