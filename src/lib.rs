//! Keywright: one analysis of DynamoDB data models with three doors, the
//! language server, the command line and this library.

pub mod capacity;
pub mod cli;
pub mod config;
pub mod deliverables;
pub mod derive;
pub mod format;
pub mod ide;
pub mod model;
pub mod pages;
pub mod population;
pub mod requests;
pub mod rules;
pub mod server;
pub mod syntax;
pub mod verify;
pub mod vfs;
