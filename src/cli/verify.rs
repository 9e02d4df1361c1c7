//! `keywright verify`.

use super::load::{self, Around, shown};
use super::{Format, Outcome, complain, print, verify_json};
use crate::capacity::show;
use crate::model::db::{Db, SourceFile, Workspace};
use crate::verify::{self as engines, Agreement, Embedded, Engine, OperationReport, Options, Report, Verdict};
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

const AGREES: Style = AnsiColor::Green.on_default();
const DISAGREES: Style = AnsiColor::Red.on_default();
const SKIPPED: Style = AnsiColor::Yellow.on_default();

/// Runs a model on the embedded engine, or at an endpoint.
pub(super) fn run(path: &Path, format: Format, endpoint: Option<&str>) -> Outcome {
    let loaded = load::load(&[path.to_path_buf()], Around::Importers);
    loaded.faults.iter().for_each(complain);
    // A fault of the settings changes nothing here: no price is needed.
    if loaded.asked.is_empty() {
        return Outcome::Failed;
    }
    let root = match load::one_model(&loaded, path) {
        Ok(root) => root,
        Err(why) => {
            complain(why);
            return Outcome::Failed;
        }
    };
    let host = &loaded.host;
    let root = Workspace::get(host.db()).files(host.db())[&root];
    let model = shown(root.key(host.db()));
    let Some(report) = (match endpoint {
        None => on_embedded(host.db(), root),
        Some(url) => at_endpoint(host.db(), root, url),
    }) else {
        return Outcome::Failed;
    };
    match format {
        Format::Human if report.refused.is_empty() => print(human(&model, &report)),
        Format::Human => {}
        Format::Json => print(verify_json::render(&model, &report)),
    }
    if !report.refused.is_empty() {
        complain(format!("{model}: the model has errors and was not run"));
        report.refused.iter().for_each(complain);
        return Outcome::Failed;
    }
    if report.agrees() { Outcome::Clean } else { Outcome::Found }
}

fn on_embedded(db: &dyn Db, root: SourceFile) -> Option<Report> {
    match Embedded::open() {
        Ok(engine) => Some(with_progress(db, root, &engine)),
        Err(why) => {
            complain(format!("the embedded engine does not start: {why}"));
            None
        }
    }
}

#[cfg(feature = "endpoint")]
fn at_endpoint(db: &dyn Db, root: SourceFile, url: &str) -> Option<Report> {
    let engine = match super::endpoint::Remote::open(url) {
        Ok(engine) => engine,
        Err(why) => {
            complain(why);
            return None;
        }
    };
    let report = with_progress(db, root, &engine);
    engine.finish().then_some(report)
}

#[cfg(not(feature = "endpoint"))]
fn at_endpoint(_: &dyn Db, _: SourceFile, _: &str) -> Option<Report> {
    complain("this program was built without the feature `endpoint`: it has the embedded engine only");
    None
}

/// The run, with a bar on standard error where that is a terminal.
fn with_progress(db: &dyn Db, root: SourceFile, engine: &dyn Engine) -> Report {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} operations") {
        bar.set_style(style);
    }
    let progress = |done: usize, total: usize| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    };
    let options = Options { progress: Some(&progress), ..Options::default() };
    let report = engines::verify(db, root, engine, &options);
    bar.finish_and_clear();
    report
}

/// The report for people: what was made of the counts, every operation with what
/// it returned and cost, and a sum.
fn human(model: &str, report: &Report) -> String {
    let mut out = format!("{model} on {}\n\n", report.engine);
    for entity in &report.entities {
        let of = entity.declared.filter(|count| *count != entity.items as f64);
        let of = of.map(|count| format!(" of {}", show::count(count))).unwrap_or_default();
        let mut parts = vec![format!("{}{of}", entity.items)];
        for (parent, each, declared) in &entity.per_parent {
            let reduced = declared.filter(|declared| declared != each);
            let reduced = reduced.map(|declared| format!(", not {}", show::count(declared))).unwrap_or_default();
            parts.push(format!("{} for each {parent}{reduced}", show::count(*each)));
        }
        for optional in &entity.optional {
            parts.push(format!("{:.1} % with {}", optional.present * 100.0, optional.attribute));
        }
        let _ = writeln!(out, "  {}: {}", entity.name, parts.join("; "));
    }
    out.push('\n');
    for pattern in &report.patterns {
        if let Some(why) = &pattern.skipped {
            let _ = writeln!(out, "{SKIPPED}-{SKIPPED:#} {}: not run: {why}", pattern.name);
            continue;
        }
        let _ = writeln!(out, "{} {}", mark_of(&pattern.operations), pattern.name);
        pattern.operations.iter().for_each(|operation| lines(&mut out, operation));
    }
    for stock in report.stocks.iter().filter(|stock| stock.outcome == Agreement::Differs) {
        let _ = writeln!(out, "{DISAGREES}✗ {}{DISAGREES:#}", stock.words());
    }
    for (what, words) in [("fault", &report.faults), ("note", &report.notes)] {
        if !words.is_empty() {
            out.push('\n');
        }
        for words in words {
            let _ = writeln!(out, "{what}: {words}");
        }
    }
    let _ = writeln!(out, "\n{}\n{}\n{}", documents(report), expectations(report), total(report));
    out
}

/// How the requests of the documents fared, with what kept any from being made or
/// accepted.
fn documents(report: &Report) -> String {
    let own = &report.documents;
    let mut out = format!("requests of the documents: {} of {} accepted", own.accepted, own.requests);
    for why in &own.problems {
        let _ = write!(out, "\n    {DISAGREES}✗ {why}{DISAGREES:#}");
    }
    for why in &own.not_made {
        let _ = write!(out, "\n    {SKIPPED}-{SKIPPED:#} none is printed: {why}");
    }
    out
}

/// How the averages turned out that the analysis computes for the items of the
/// run.
fn expectations(report: &Report) -> String {
    let operations = report.patterns.iter().flat_map(|pattern| &pattern.operations);
    let all: Vec<&Agreement> =
        operations.flat_map(|one| &one.expectations).chain(&report.stocks).map(|one| &one.outcome).collect();
    let count = |wanted: fn(&Agreement) -> bool| all.iter().filter(|outcome| wanted(outcome)).count();
    let exact = count(|outcome| *outcome == Agreement::Exact);
    let mut parts = vec![format!("{exact} of {} averages of the analysis met exactly", all.len())];
    for (number, words) in [
        (count(|outcome| *outcome == Agreement::Rounded), "within what rounding allows"),
        (count(|outcome| *outcome == Agreement::Within), "within their bounds"),
        (count(|outcome| matches!(outcome, Agreement::NotCompared(_))), "not compared"),
        (count(|outcome| *outcome == Agreement::Differs), "not met"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {words}"));
        }
    }
    parts.join(", ")
}

fn lines(out: &mut String, operation: &OperationReport) {
    let mark = mark_of(std::slice::from_ref(operation));
    let _ = write!(out, "    {mark} {}", operation.text);
    if let Verdict::Skipped(why) = &operation.verdict {
        let _ = writeln!(out, ": not run: {why}");
        return;
    }
    let _ = writeln!(out, ": {}", show::count_of(operation.calls as f64, "call"));
    let (expected, returned) = (counted(&operation.expected), counted(&operation.returned));
    match expected == returned {
        true => {
            let _ = writeln!(out, "        {returned}");
        }
        false => {
            let _ = writeln!(out, "        {DISAGREES}expected {expected}, returned {returned}{DISAGREES:#}");
        }
    }
    for units in &operation.units {
        let (predicted, measured) = (exact(units.predicted), exact(units.measured));
        let _ = match predicted == measured {
            true => writeln!(out, "        {}: {measured} units", units.target),
            false => writeln!(
                out,
                "        {DISAGREES}{}: predicted {predicted} units, measured {measured}{DISAGREES:#}",
                units.target
            ),
        };
    }
    if let Verdict::Disagrees(why) = &operation.verdict {
        for words in why {
            let _ = writeln!(out, "        {DISAGREES}{words}{DISAGREES:#}");
        }
    }
    for note in &operation.notes {
        let _ = writeln!(out, "        note: {note}");
    }
    for one in &operation.expectations {
        if let Agreement::NotCompared(why) = &one.outcome {
            let _ = writeln!(out, "        average {} not compared: {why}", one.of);
        }
    }
}

/// Units are sums of halves: nothing is rounded.
fn exact(units: f64) -> String {
    units.to_string()
}

fn counted(counts: &BTreeMap<String, u64>) -> String {
    let parts: Vec<String> = counts.iter().map(|(entity, count)| format!("{count} {entity}")).collect();
    if parts.is_empty() { "no item".to_owned() } else { parts.join(", ") }
}

fn mark_of(operations: &[OperationReport]) -> String {
    let is = |wanted: fn(&Verdict) -> bool| operations.iter().any(|operation| wanted(&operation.verdict));
    if is(|verdict| matches!(verdict, Verdict::Disagrees(_))) {
        format!("{DISAGREES}✗{DISAGREES:#}")
    } else if is(|verdict| matches!(verdict, Verdict::Agrees)) {
        format!("{AGREES}✓{AGREES:#}")
    } else {
        format!("{SKIPPED}-{SKIPPED:#}")
    }
}

fn total(report: &Report) -> String {
    let operations = || report.patterns.iter().flat_map(|pattern| &pattern.operations);
    let count = |wanted: fn(&Verdict) -> bool| operations().filter(|one| wanted(&one.verdict)).count();
    let agree = count(|verdict| matches!(verdict, Verdict::Agrees));
    let disagree = count(|verdict| matches!(verdict, Verdict::Disagrees(_)));
    let skipped = count(|verdict| matches!(verdict, Verdict::Skipped(_)));
    let mut parts = vec![format!("{} as predicted", show::count_of(agree as f64, "operation"))];
    if disagree > 0 {
        parts.push(format!("{disagree} otherwise"));
    }
    if skipped > 0 {
        parts.push(format!("{skipped} not run"));
    }
    if !report.faults.is_empty() {
        parts.push(show::count_of(report.faults.len() as f64, "fault"));
    }
    parts.join(", ")
}
