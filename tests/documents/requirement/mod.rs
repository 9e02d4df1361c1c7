//! The requirement document: its headings for any model, the shares of the reads,
//! what the thresholds decide on their two sides, and the boxes, each opened and
//! closed by one clause of the model.

mod boxes;
mod decisions;
mod exclusive;
mod lists;
mod made;
mod notes;
mod related;
mod sections;
