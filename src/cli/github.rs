//! Findings as commands of GitHub's workflows, which show them at their lines.

use super::check::{FileReport, Summary};
use super::fault::Fault;
use super::human::total;
use super::load::{Loaded, below, shown};
use super::place::of_finding;
use crate::ide::Diagnostic;
use crate::model::files::FileKey;
use crate::rules::finding::Level;
use crate::vfs::key_of_path;
use std::fmt::Write;

pub(super) fn render(loaded: &Loaded, reports: &[FileReport], summary: &Summary) -> String {
    let mut out = String::new();
    for report in reports {
        for diagnostic in &report.diagnostics {
            let _ = writeln!(out, "{}", command(loaded, &report.file, diagnostic));
        }
    }
    for fault in &loaded.faults {
        let _ = writeln!(out, "{}", fault_command(fault));
    }
    let _ = writeln!(out, "{}", total(summary));
    out
}

fn command(loaded: &Loaded, file: &FileKey, diagnostic: &Diagnostic) -> String {
    let range = of_finding(loaded, file, diagnostic.range);
    let level = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info | Level::Hint => "notice",
    };
    // Columns of a range over several lines would be taken for those of one.
    let columns = match range.start.line == range.end.line {
        true => format!(",col={},endColumn={}", range.start.column, range.end.column),
        false => String::new(),
    };
    format!(
        "::{level} file={},line={},endLine={}{columns},title={}::{}",
        property(&named(file)),
        range.start.line,
        range.end.line,
        property(diagnostic.rule),
        message(&diagnostic.message)
    )
}

/// A fault of the run: an error, whatever is printed beside it.
fn fault_command(fault: &Fault) -> String {
    let Some(file) = &fault.file else { return format!("::error ::{}", message(&fault.to_string())) };
    let place =
        fault.range.map_or(String::new(), |range| format!(",line={},col={}", range.start.line, range.start.column));
    format!("::error file={}{place},title=keywright::{}", property(&named(file)), message(&fault.message))
}

/// A file as GitHub looks it up: from the root of what was checked out, wherever
/// in it the command runs.
fn named(file: &FileKey) -> String {
    let root = std::env::var_os("GITHUB_WORKSPACE").filter(|root| !root.is_empty());
    let root = root.and_then(|root| key_of_path(std::path::Path::new(&root)));
    root.and_then(|root| below(file, &root)).unwrap_or_else(|| shown(file))
}

/// The text of a command.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value in front of it, which ends at a comma or colon.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(message("80 %\r\nof: a, b"), "80 %25%0D%0Aof: a, b");
        assert_eq!(property("a,b:c%.dynamo"), "a%2Cb%3Ac%25.dynamo");
    }
}
