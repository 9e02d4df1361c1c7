//! Pictures of the model as Mermaid draws them: the entities with their
//! relationships, and which pattern reaches which table or index.

mod access;
mod entities;
mod names;

use super::outline::Outline;
use super::parts::Part;
use super::patterns::Pattern;

/// Mermaid draws nothing from a text above 50,000 characters; a diagram ends
/// well before.
const TEXT_LIMIT: usize = 40_000;

/// Nor does it draw more than 500 edges.
const EDGE_LIMIT: usize = 400;

/// The part of the requirement document that shows the entities.
pub(super) fn entity_part(outline: &Outline<'_>) -> Part {
    let text = match entities::entities(outline) {
        None => String::from("**Entity Diagram**: the model declares no entity."),
        Some(drawn) => format!(
            "**Entity Diagram**: PK is what identifies an entity, FK the id of another one, UK a unique value; a solid \
             line is an identifying relationship.\n\n{drawn}"
        ),
    };
    Part::of_text("entity-diagram", &text)
}

/// The part of the data model document that shows which pattern reaches which
/// table or index.
pub(super) fn access_part(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> Part {
    let text = match access::access(outline, patterns) {
        None => String::from("The model declares no access pattern."),
        Some(drawn) => format!(
            "Each pattern with the tables and indexes that it reaches: a thin arrow reads, a thick one writes, a \
             dotted one leaves DynamoDB; a dashed border is a pattern that is not solved yet.\n\n{drawn}"
        ),
    };
    Part::of_text("access-map", &format!("### Map of Patterns to Tables and Indexes\n\n{text}"))
}

/// Diagrams as Markdown, each in a fence of its own.
fn fenced(diagrams: impl IntoIterator<Item = String>) -> String {
    let fenced: Vec<String> =
        diagrams.into_iter().map(|text| format!("```mermaid\n{}\n```", text.trim_end())).collect();
    fenced.join("\n\n")
}
