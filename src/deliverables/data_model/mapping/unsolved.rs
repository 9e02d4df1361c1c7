//! The patterns that DynamoDB does not answer, or not yet: why not, and what
//! would.

use crate::deliverables::markdown::{code, inline, prose};
use crate::deliverables::outline::{Outline, said};
use crate::deliverables::patterns::{Pattern, Status};
use crate::rules::solve::solutions;

/// How many errors and proposals are told of one pattern.
const MOST: usize = 3;

/// A row of the unsolved patterns.
pub(super) struct UnsolvedRow {
    pub number: usize,
    pub description: String,
    pub why: String,
    pub alternative: String,
}

/// The row of a pattern.
pub(super) fn row(outline: &Outline<'_>, pattern: &Pattern<'_>) -> UnsolvedRow {
    let (why, alternative) = match &pattern.def.external {
        Some(external) => {
            let because = external.because.as_ref().and_then(said).map(inline);
            let service = external.service.as_ref().and_then(said).map(inline);
            (
                because.unwrap_or_else(|| String::from("no reason declared")),
                service.map_or_else(
                    || String::from("❌ outside DynamoDB, not said where"),
                    |service| format!("❌ outside DynamoDB: {service}"),
                ),
            )
        }
        None => (why(pattern), format!("⏳ not yet: {}", alternative(outline, pattern))),
    };
    debug_assert!(pattern.status() != Status::Solved);
    UnsolvedRow { number: pattern.number, description: pattern.description(), why, alternative }
}

/// What keeps a pattern open, with the messages of its errors.
fn why(pattern: &Pattern<'_>) -> String {
    if pattern.errors.is_empty() {
        return pattern.open_reason();
    }
    let mut lines: Vec<String> = Vec::new();
    for finding in &pattern.errors {
        let line = format!("{}: {}", code(finding.rule.name), prose(&finding.message));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    first(lines)
}

/// What would answer it: what mends its errors, else the operations that the keys
/// that there are, or a new index, would take.
fn alternative(outline: &Outline<'_>, pattern: &Pattern<'_>) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut add = |title: &str| {
        let line = prose(title);
        if !lines.contains(&line) {
            lines.push(line);
        }
    };
    for finding in &pattern.errors {
        for fix in finding.fixes.iter().take(1) {
            add(&fix.title);
        }
    }
    if pattern.def.operations.is_empty() {
        for solution in solutions(outline.db, outline.root, pattern.def) {
            add(&solution.title());
        }
    }
    if !lines.is_empty() {
        return first(lines);
    }
    match (pattern.errors.is_empty(), pattern.def.requirements.is_empty()) {
        (false, _) => String::from("mend the errors"),
        (true, true) => String::from("say what it needs with `reads … by …` or `writes …`, then give the operation"),
        (true, false) => String::from(
            "no key or index that could be proposed answers it; give the operation, or say `external` and why",
        ),
    }
}

fn first(mut lines: Vec<String>) -> String {
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines.join("<br>")
}
