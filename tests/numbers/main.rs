//! The arithmetic, and what engines say to it.

#[path = "../support/mod.rs"]
mod support;

mod copies;
mod cost;
mod derivations;
mod found;
mod incremental;
mod missing_inputs;
mod models;
mod recomputed;
mod units;
mod verify;
mod verify_random;
