//! A file that is no text of the language.

use super::check::Check;
use super::finding::{Finding, FindingPlace, Level};
use super::rule::{Group, Rule};
use crate::model::db::SourceFile;
use crate::model::files::Unreadable;

pub static RULE: Rule = Rule {
    name: "unreadable-file",
    group: Group::Language,
    level: Level::Error,
    summary: "a file holds invalid UTF-8 or a NUL, or is over 32 MB",
    thresholds: &[],
    check: Check::Machinery,
};

/// The finding of a file, at the place of the first fault.
pub fn finding(file: SourceFile, fault: &Unreadable) -> Finding {
    Finding {
        rule: &RULE,
        level: RULE.level,
        message: format!("this file is not read: {}; {}", fault.reason, fault.remedy),
        place: FindingPlace::File { file, line: fault.line, column: fault.column },
        related: Vec::new(),
        about: Vec::new(),
        tags: Vec::new(),
        fixes: Vec::new(),
    }
}
