//! `keywright.explain`: the page of a rule or a concept, or a fact that they link to.

use super::argument;
use crate::pages;
use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::LSPAny;

/// Takes `{"name"}`, a rule, a concept, or a word for one; returns Markdown.
pub const NAME: &str = "keywright.explain";

#[derive(Deserialize)]
struct Wanted {
    name: String,
}

pub fn handle(arguments: Vec<Value>) -> Result<Option<LSPAny>> {
    let Wanted { name } = argument(arguments, "{\"name\": a rule or a concept}")?;
    // What a finding's link holds is understood as well.
    let plain = name.trim();
    let plain = plain.strip_prefix("keywright:rule/").or(plain.strip_prefix("keywright:concept/")).unwrap_or(plain);
    match pages::find(plain) {
        Some(found) => Ok(Some(found.page().into())),
        None => {
            let near = pages::near(plain);
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
            Err(Error::invalid_params(format!("nothing is called `{plain}`{hint}")))
        }
    }
}
