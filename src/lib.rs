//! Keywright: one analysis of DynamoDB data models with three doors, the
//! language server, the command line and this library.

pub mod capacity;
pub mod ide;
pub mod model;
pub mod rules;
pub mod syntax;
