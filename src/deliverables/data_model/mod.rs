//! `dynamodb_data_model.md`: how the tables answer what is needed. One file a
//! section.

mod aggregates;
mod costs;
mod even;
mod headroom;
mod hot;
mod mapping;
mod philosophy;
mod tables;
mod tradeoffs;
mod validation;

use super::origin;
use super::outline::Outline;
use super::pairs::analyses;
use super::parts::Part;
use super::patterns::patterns;
use super::{cloudformation, diagrams, requests};

/// The parts of the data model document of a model, in order.
pub(super) fn parts(outline: &Outline<'_>) -> Vec<Part> {
    let patterns = patterns(outline);
    let analyses = analyses(outline);
    let mut parts = vec![
        origin::part(outline, "DynamoDB Data Model"),
        philosophy::part(outline, &patterns),
        aggregates::part(outline, &analyses),
    ];
    parts.extend(tables::parts(outline, &patterns));
    parts.extend([mapping::part(outline, &patterns), diagrams::access_part(outline, &patterns)]);
    parts.extend(requests::parts(outline, &patterns));
    parts.extend([
        hot::part(outline, &patterns),
        costs::part(outline, &patterns),
        tradeoffs::part(outline),
        validation::part(outline, &patterns, &analyses),
        cloudformation::part(outline),
    ]);
    parts
}
