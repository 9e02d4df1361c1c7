//! One file a method. Every `handle` is a plain function: it changes the state
//! or puts a question in the queue before it returns, and what it returns, if
//! anything, only waits for the answer.

pub mod code_action;
pub mod code_action_resolve;
pub mod code_lens;
pub mod code_lens_resolve;
pub mod definition;
pub mod diagnostic;
pub mod did_change;
pub mod did_change_configuration;
pub mod did_change_watched_files;
pub mod did_change_workspace_folders;
pub mod did_close;
pub mod did_open;
pub mod did_save;
pub mod document_symbol;
pub mod execute_command;
pub mod formatting;
pub mod hover;
pub mod initialize;
pub mod initialized;
pub mod inlay_hint;
pub mod inlay_hint_resolve;
