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
use crate::population::for_readers;

/// The parts of the data model document of a model, in order.
pub(super) fn parts(outline: &Outline<'_>) -> Vec<Part> {
    let patterns = patterns(outline);
    let analyses = analyses(outline);
    // What is written once is read by all: the same id means the same in every part.
    let population = for_readers(outline.db, outline.root);
    let mut parts = vec![
        origin::part(outline, "DynamoDB Data Model"),
        philosophy::part(outline, &patterns),
        aggregates::part(outline, &analyses),
    ];
    parts.extend(tables::parts(outline, &patterns, &population));
    parts.extend([mapping::part(outline, &patterns, &population), diagrams::access_part(outline, &patterns)]);
    parts.extend(requests::parts(outline, &patterns, &population));
    parts.extend([
        hot::part(outline, &patterns),
        costs::part(outline, &patterns),
        tradeoffs::part(outline),
        validation::part(outline, &patterns, &analyses, &population),
        cloudformation::part(outline),
    ]);
    parts
}
