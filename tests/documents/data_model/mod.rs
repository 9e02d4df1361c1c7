//! The data model document: every number in it is one that `keywright cost` and
//! the hovers show, every section is there for every model, and a box is ticked
//! only as long as the check behind it passes.

mod after;
mod boxes;
mod contradicted;
mod heat;
mod lasting;
mod made;
mod notes;
mod numbers;
mod promises;
