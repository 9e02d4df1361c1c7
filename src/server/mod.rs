//! The language server: messages in, state, and answers out.
//!
//! A message is handled by a plain function in `handlers/` that runs before
//! the first await, in the order of arrival: it changes the state or puts a
//! question in the analyst's queue. The analyst is one thread that owns the
//! analysis and works that queue off in order, so that every question is
//! answered for the text that it was sent against, however many edits follow.

mod analyst;
mod backend;
mod calls;
mod capabilities;
mod commands;
mod configuration;
mod convert;
mod diagnostics;
mod document;
mod forgetting;
mod gate;
mod generate;
mod given;
mod going;
mod handlers;
mod heap;
#[cfg(debug_assertions)]
mod hooks;
mod life;
mod links;
pub mod methods;
mod numbers;
mod outbox;
mod panics;
mod plain;
mod progress;
mod settings;
mod state;
mod tokens;
mod trace;
mod transport;
mod writable;

pub use life::run;
