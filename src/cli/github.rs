//! Findings as commands of GitHub's workflows, which show them at their lines.

use super::check::{FileReport, Summary};
use super::human::total;
use super::load::{Loaded, shown};
use super::place::of_finding;
use crate::ide::Diagnostic;
use crate::model::files::FileKey;
use crate::rules::finding::Level;
use std::fmt::Write;

pub(super) fn render(loaded: &Loaded, reports: &[FileReport], summary: &Summary) -> String {
    let mut out = String::new();
    for report in reports {
        for diagnostic in &report.diagnostics {
            let _ = writeln!(out, "{}", command(loaded, &report.file, diagnostic));
        }
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
        property(&shown(file)),
        range.start.line,
        range.end.line,
        property(diagnostic.rule),
        message(&diagnostic.message)
    )
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
