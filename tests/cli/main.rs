//! The program at the command line.

#[path = "../support/mod.rs"]
mod support;

mod commands;
mod docs;
mod output;
mod verify;
