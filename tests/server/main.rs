//! The language server as a process, over its protocol.

#[path = "../support/mod.rs"]
mod support;

mod absurd;
mod capabilities;
mod closed;
mod commands;
mod completion;
mod documents;
mod documents_kept;
mod files;
mod formatting;
mod life;
mod manners;
mod methods;
mod navigation;
mod numbers;
mod order;
mod protocol_table;
mod reading;
mod rename;
mod reported_faults;
mod sends;
mod text;
mod workspace;
