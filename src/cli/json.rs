//! Findings as one JSON object, for machines. Lines and columns count from 1,
//! columns in Unicode scalar values.

use super::check::{FileReport, Summary};
use super::load::{Loaded, shown};
use crate::ide::FileRange;
use crate::model::files::FileKey;
use crate::syntax::{Encoding, Position, Text, TextRange};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'r> {
    version: u32,
    findings: Vec<Finding<'r>>,
    summary: Counts,
}

#[derive(Serialize)]
struct Finding<'r> {
    file: String,
    rule: &'r str,
    level: &'r str,
    message: &'r str,
    range: Range,
    related: Vec<Related<'r>>,
    fixable: bool,
}

#[derive(Serialize)]
struct Related<'r> {
    file: String,
    message: &'r str,
    range: Range,
}

#[derive(Serialize)]
struct Range {
    start: Place,
    end: Place,
}

#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Counts {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    hints: usize,
}

pub(super) fn render(loaded: &Loaded, reports: &[FileReport], summary: &Summary) -> String {
    let mut findings = Vec::new();
    for report in reports {
        for diagnostic in &report.diagnostics {
            let related = diagnostic.related.iter().map(|related| Related {
                file: shown(&related.file),
                message: &related.message,
                range: bytes(loaded, &related.file, related.range),
            });
            findings.push(Finding {
                file: shown(&report.file),
                rule: diagnostic.rule,
                level: diagnostic.level.word(),
                message: &diagnostic.message,
                range: match diagnostic.range {
                    FileRange::Bytes(range) => bytes(loaded, &report.file, range),
                    FileRange::Point { line, column } => {
                        let place = || Place { line: line + 1, column: column + 1 };
                        Range { start: place(), end: place() }
                    }
                },
                related: related.collect(),
                fixable: diagnostic.fixable,
            });
        }
    }
    let Summary { files, errors, warnings, infos, hints } = *summary;
    let report = Report { version: 1, findings, summary: Counts { files, errors, warnings, infos, hints } };
    let mut text = serde_json::to_string(&report).expect("strings and numbers are always JSON");
    text.push('\n');
    text
}

fn bytes(loaded: &Loaded, file: &FileKey, range: TextRange) -> Range {
    let empty = Text::default();
    let rope = loaded.host.content(file).and_then(|content| content.parse()).map_or(&empty, |parse| &parse.rope);
    let place = |offset: u32| {
        let Position { line, column } = rope.position(offset as usize, Encoding::Utf32);
        Place { line: line + 1, column: column + 1 }
    };
    Range { start: place(range.start), end: place(range.end) }
}
