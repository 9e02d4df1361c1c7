//! Findings as SARIF 2.1.0, which code hosts and editors of other makers read.

use super::check::FileReport;
use super::fault::Fault;
use super::load::{Loaded, shown};
use super::place::{Range, of_bytes, of_finding};
use crate::ide::{Analysis, Diagnostic, OfferedFix, TextEdit};
use crate::model::files::FileKey;
use crate::pages;
use crate::rules::finding::Level;
use crate::rules::registry::named;
use crate::vfs::{encoded, key_of_path, uri_of};
use serde_json::{Value, json};

/// What relative addresses begin at: the folder that the command runs in.
const BASE: &str = "%SRCROOT%";

pub(super) fn render(loaded: &Loaded, reports: &[FileReport]) -> String {
    let analysis = Analysis::new(loaded.host.snapshot());
    let mut rules: Vec<&'static str> = Vec::new();
    let mut results = Vec::new();
    for report in reports {
        let found = analysis.mended_diagnostics(&report.file).expect("nothing changes while the command runs");
        let mut mended = found.into_iter().peekable();
        for diagnostic in &report.diagnostics {
            // What is found beside the rules has no fix.
            let is_it = |(own, _): &(Diagnostic, _)| own.rule == diagnostic.rule && own.message == diagnostic.message;
            let fixes = mended.next_if(is_it).map(|(_, fixes)| fixes).unwrap_or_default();
            let index = rules.iter().position(|rule| *rule == diagnostic.rule).unwrap_or_else(|| {
                rules.push(diagnostic.rule);
                rules.len() - 1
            });
            results.push(result(loaded, &report.file, diagnostic, index, &fixes));
        }
    }
    let faults = loaded.faults.iter().map(notification);
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Keywright",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "newlineSequences": ["\r\n", "\n", "\r"],
            "originalUriBaseIds": base(),
            "invocations": [{
                "executionSuccessful": loaded.faults.is_empty(),
                "toolExecutionNotifications": faults.collect::<Vec<_>>(),
            }],
            "results": results,
        }],
    });
    format!("{log}\n")
}

/// A fault of the run, at its place where it has one.
fn notification(fault: &Fault) -> Value {
    let mut told = json!({"level": "error", "message": {"text": fault.to_string()}});
    if let Some(file) = &fault.file {
        let mut physical = json!({"artifactLocation": artifact(file)});
        if let Some(range) = fault.range {
            physical["region"] = region(range);
        }
        told["locations"] = json!([{"physicalLocation": physical}]);
    }
    told
}

/// A rule with its page.
fn descriptor(name: &str) -> Value {
    let Some(rule) = named(name) else { return json!({"id": name}) };
    let mut descriptor = json!({
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": level(rule.level)},
        "properties": {"tags": [rule.group.name()]},
    });
    if let Some(page) = pages::find(name).map(pages::Found::page) {
        if let Some(first) = pages::summary(page) {
            descriptor["fullDescription"] = json!({"text": first});
        }
        descriptor["help"] = json!({"text": page, "markdown": page});
    }
    descriptor
}

/// SARIF knows three levels: what is worth a look and what is a good habit are
/// both notes.
fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info | Level::Hint => "note",
    }
}

fn result(loaded: &Loaded, file: &FileKey, diagnostic: &Diagnostic, rule: usize, fixes: &[OfferedFix]) -> Value {
    let place = of_finding(loaded, file, diagnostic.range);
    let mut result = json!({
        "ruleId": diagnostic.rule,
        "ruleIndex": rule,
        "level": level(diagnostic.level),
        "message": {"text": diagnostic.message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact(file), "region": region(place)}}],
    });
    let related = diagnostic.related.iter().enumerate().map(|(index, related)| {
        let place = of_bytes(loaded, &related.file, related.range);
        json!({
            "id": index,
            "physicalLocation": {"artifactLocation": artifact(&related.file), "region": region(place)},
            "message": {"text": related.message},
        })
    });
    if !diagnostic.related.is_empty() {
        result["relatedLocations"] = related.collect();
    }
    // SARIF has no word for a file that a fix makes.
    let edits = fixes.iter().filter(|fix| fix.change.creates.is_empty() && !fix.change.edits.is_empty());
    let fixes: Vec<Value> = edits.map(|offered| fix(loaded, offered)).collect();
    if !fixes.is_empty() {
        result["fixes"] = fixes.into();
    }
    result
}

fn fix(loaded: &Loaded, OfferedFix { title, change }: &OfferedFix) -> Value {
    let replacement = |file: &FileKey, edit: &TextEdit| {
        json!({
            "deletedRegion": region(of_bytes(loaded, file, edit.range)),
            "insertedContent": {"text": edit.text},
        })
    };
    let changes = change.edits.iter().map(|(file, edits)| {
        let replacements: Vec<Value> = edits.iter().map(|edit| replacement(file, edit)).collect();
        json!({"artifactLocation": artifact(file), "replacements": replacements})
    });
    json!({"description": {"text": title}, "artifactChanges": changes.collect::<Vec<_>>()})
}

fn region(Range { start, end }: Range) -> Value {
    json!({"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column})
}

/// A file: relative to the folder that the command runs in where it is below.
fn artifact(file: &FileKey) -> Value {
    let name = shown(file);
    if name == file.as_str() {
        return json!({"uri": uri_of(file)});
    }
    json!({"uri": encoded(&name), "uriBaseId": BASE})
}

fn base() -> Value {
    let here = std::env::current_dir().ok().and_then(|here| key_of_path(&here));
    match here {
        Some(here) => json!({BASE: {"uri": format!("{}/", uri_of(&here).trim_end_matches('/'))}}),
        None => json!({}),
    }
}
