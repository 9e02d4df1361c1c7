//! `dynamodb_requirement.md`: what the application needs. One file a section.

mod access_patterns;
mod aggregates;
mod considerations;
mod consolidation;
mod identifying;
mod overview;
mod relationships;
mod validation;

use super::diagrams;
use super::origin;
use super::outline::Outline;
use super::pairs::analyses;
use super::parts::Part;
use super::patterns::patterns;

/// The parts of the requirement document of a model, in order.
pub(super) fn parts(outline: &Outline<'_>) -> Vec<Part> {
    let patterns = patterns(outline);
    let analyses = analyses(outline);
    vec![
        origin::part(outline, "DynamoDB Modeling Session"),
        overview::part(outline, &patterns),
        access_patterns::part(outline, &patterns),
        relationships::part(outline),
        diagrams::entity_part(outline),
        aggregates::part(outline, &patterns, &analyses),
        consolidation::part(outline, &analyses),
        considerations::part(outline, &patterns, &analyses),
        validation::part(outline, &patterns, &analyses),
    ]
}

/// The first letter large, where it is one of ASCII.
fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
