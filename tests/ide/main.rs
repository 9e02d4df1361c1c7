//! What an editor asks, asked without a server.

#[path = "../support/mod.rs"]
mod support;

mod assists;
mod call_hierarchy;
mod completion;
mod cuts;
mod features;
mod folding;
mod formatting_ranges;
mod hints;
mod navigation;
mod occurrences;
mod on_type;
mod references;
mod rename;
mod rename_files;
mod selection_ranges;
mod semantic_tokens;
mod shapes;
mod signature_help;
mod symbols;
mod typing;
