//! Keywright: one analysis of DynamoDB data models with three doors, the
//! language server, the command line and this library.

pub mod ide;
pub mod model;
pub mod rules;
pub mod server;
pub mod syntax;
pub mod vfs;
