//! What an editor can have done by name, for key bindings, menus and palettes.
//! Each command is a file. Like the handlers of requests, what runs one is a plain
//! function: what must happen in order happens before it returns.

mod cost_page;
mod explain;
pub mod generate_document;
mod model_status;
mod restart_analysis;
mod show_cost;

use super::state::State;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{LSPAny, Uri};

/// The names of all commands.
pub const NAMES: [&str; 5] =
    [generate_document::NAME, explain::NAME, show_cost::NAME, model_status::NAME, restart_analysis::NAME];

/// Runs the command of this name.
pub fn run(state: &Arc<State>, name: &str, arguments: Vec<Value>) -> BoxFuture<'static, Result<Option<LSPAny>>> {
    match name {
        generate_document::NAME => generate_document::handle(state, arguments).boxed(),
        explain::NAME => ready(explain::handle(arguments)).boxed(),
        show_cost::NAME => show_cost::handle(state, arguments).boxed(),
        model_status::NAME => model_status::handle(state, arguments).boxed(),
        restart_analysis::NAME => restart_analysis::handle(state, arguments).boxed(),
        _ => {
            let known = NAMES.join(", ");
            ready(Err(Error::invalid_params(format!("there is no command {name}; there are {known}")))).boxed()
        }
    }
}

/// The one argument of a command; `expected` is its form, for who gave another.
fn argument<T: DeserializeOwned>(arguments: Vec<Value>, expected: &str) -> Result<T> {
    let [argument] = <[Value; 1]>::try_from(arguments).map_err(|given| {
        Error::invalid_params(format!("expected one argument, {expected}, and got {}", given.len()))
    })?;
    serde_json::from_value(argument).map_err(|error| Error::invalid_params(format!("expected {expected}: {error}")))
}

/// What a command for a model says of a file that is part of none.
fn no_model(uri: &Uri) -> Error {
    Error::invalid_params(format!("{} is no file of a model", uri.as_str()))
}
