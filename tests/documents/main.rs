//! The two documents that are generated: what they say, and what they keep.

#[path = "../support/mod.rs"]
mod support;

mod data_model;
mod keep;
mod population;
mod printed;
mod requests;
mod requirement;
mod tables;
mod whole;
