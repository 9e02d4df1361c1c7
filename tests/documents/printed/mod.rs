//! What the documents print for machines: Mermaid, CloudFormation, TypeScript
//! and commands of the AWS CLI. That the tools take it is tried by
//! `cargo xtask test --only documents`; here stands what it says.
//!
//! `UPDATE_EXPECT=1 cargo test --test documents printed` renews what is expected.

mod beginning;
mod diagrams;
pub mod made;
mod request_inputs;
mod requests;
mod several;
mod templates;
mod together;
