//! Property tests whose full length wants an optimised build: the longest of them are
//! ignored elsewhere and run in the step `test-optimised` of `cargo xtask test`.

#[path = "../support/mod.rs"]
mod support;

mod completion_everywhere;
mod edits;
mod rename_random;
mod session;
