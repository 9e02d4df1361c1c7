//! Findings, computed beside everything else after every change: published to a
//! client that does not ask for them itself, and answered to one that does.

mod pulled;
mod round;
mod shown;
mod stale;
mod workspace;

pub use pulled::{Pulled, pulled};
pub use round::{Round, Slowest, compute};
pub use shown::Shown;
pub use stale::Stale;
pub use workspace::{Pull, Pulls};

use super::analyst::View;
use super::capabilities::ClientFlags;
use super::convert::{Lines, SOURCE, diagnostic};
use super::state::State;
use crate::config::ConfigFault;
use crate::ide::Cancelled;
use crate::model::files::FileKey;
use crate::model::settings::is_config;
use crate::syntax::Text;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity, MessageType};

/// An editor with more findings than this is of no help to anybody.
const MOST: usize = 1_000;

/// Runs a computation whose panic is told once and ends nothing else.
pub fn guarded<T>(state: &State, compute: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(compute)) {
        Ok(value) => Some(value),
        Err(payload) => {
            if let Some(text) = state.told.report(&*payload) {
                state.outbox.log(MessageType::ERROR, text);
            }
            None
        }
    }
}

/// The findings of a file as the client may see them.
pub fn of_file(state: &State, view: &View, flags: &ClientFlags, key: &FileKey) -> Result<Vec<Diagnostic>, Cancelled> {
    if is_config(key) {
        return Ok(of_config(view, flags, key));
    }
    let mut findings = view.analysis.all_diagnostics(key, &state.stale.known())?;
    let all = findings.len();
    if all > MOST {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
        findings.truncate(MOST - 1);
    }
    #[cfg(debug_assertions)]
    crate::server::hooks::trip(view, key)?;
    let lines = view.lines(key, flags.encoding);
    let mut shown: Vec<Diagnostic> =
        findings.iter().map(|finding| diagnostic(state, view, flags, key, lines.as_ref(), finding)).collect();
    if all > MOST {
        shown.push(Diagnostic {
            severity: Some(DiagnosticSeverity::INFORMATION),
            source: Some(SOURCE.to_owned()),
            message: format!("{} more findings are not shown", all - shown.len()),
            ..Diagnostic::default()
        });
    }
    Ok(shown)
}

/// The faults of a `keywright.toml`.
fn of_config(view: &View, flags: &ClientFlags, key: &FileKey) -> Vec<Diagnostic> {
    let Some(file) = view.config(key) else { return Vec::new() };
    let lines = Lines { text: Text::new(&file.text), encoding: flags.encoding };
    let shown = |fault: &ConfigFault| Diagnostic {
        range: lines.range(fault.range),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_owned()),
        message: fault.message.clone(),
        ..Diagnostic::default()
    };
    file.faults.iter().map(shown).collect()
}

/// Tells equal findings from others.
pub fn digest(findings: &[Diagnostic]) -> u64 {
    hash(&serde_json::to_string(findings).unwrap_or_default())
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
