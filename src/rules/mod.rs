//! Model in, findings out. One file a rule.

pub mod check;
pub mod finding;
pub mod rule;
