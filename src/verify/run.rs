//! The run: tables made, filled, every operation called, tables deleted.

use super::census::{entities, members};
use super::engine::{Engine, EngineFault};
use super::report::{OperationReport, PatternReport, Report, Verdict};
use super::session::Session;
use super::tables::{create_request, wait};
use super::tally::Tally;
use super::written::Written;
use super::{documents, groups, hold, reads, writes};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::imports::model_files;
use crate::model::index_reads::refused_filter;
use crate::model::lower::decl_name;
use crate::model::names::{names, pattern_def};
use crate::model::resolve::{Step, steps};
use crate::population::items::Population;
use crate::population::{for_measuring, for_readers};
use crate::requests::printed::words;
use crate::requests::{RUNNABLE, table_request};
use crate::rules::judge::errors;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The most calls of one operation where nothing else is said: as many as there
/// can be items of one entity, so that means are those of the whole population.
const MOST_CALLS: usize = 720;

/// How a run is made.
pub struct Options<'o> {
    /// The most calls of one operation; with more keys than that, an even sample.
    pub calls: usize,
    /// What the names of the run's tables begin with.
    pub prefix: String,
    /// Called with how many of how many operations are done.
    pub progress: Option<&'o dyn Fn(usize, usize)>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { calls: MOST_CALLS, prefix: String::new(), progress: None }
    }
}

/// What the parts of a run share.
pub(super) struct Cx<'a, 'db> {
    pub db: &'db dyn Db,
    pub session: Session<'a>,
    pub population: &'a Population<'db>,
    pub calls: usize,
    /// The order in which the engine scans a table or index, by its label.
    pub scans: RefCell<BTreeMap<String, Vec<usize>>>,
}

impl Cx<'_, '_> {
    /// An even sample of so many things, as many as a step is called at most.
    pub fn sample<T>(&self, all: Vec<T>, tally: &mut Tally) -> Vec<T> {
        let (count, most) = (all.len(), self.calls.max(1));
        if count <= most {
            return all;
        }
        tally.note(&format!("called with {most} of {count} keys, evenly spread"));
        let wanted: BTreeSet<usize> = (0..most).map(|i| i * count / most).collect();
        all.into_iter().enumerate().filter(|(index, _)| wanted.contains(index)).map(|(_, one)| one).collect()
    }
}

/// Tries a model on an engine: makes its tables, fills them with items of the
/// declared sizes, runs every operation of every pattern, and holds what the
/// engine returns and charges against what the analysis says. The tables are
/// deleted at the end, whatever happened.
pub fn verify(db: &dyn Db, root: SourceFile, engine: &dyn Engine, options: &Options<'_>) -> Report {
    let mut report = Report { engine: engine.name(), ..Report::default() };
    for file in model_files(db, root) {
        for finding in errors(db, root, *file) {
            let words = format!("{}: {}", finding.rule.name, finding.message);
            let (list, words) = match RUNNABLE.contains(&finding.rule.name) {
                true => {
                    (&mut report.notes, format!("The model has an error that does not keep it from running: {words}"))
                }
                false => (&mut report.refused, words),
            };
            if !list.contains(&words) {
                list.push(words);
            }
        }
    }
    if !report.refused.is_empty() {
        return report;
    }
    let population = for_measuring(db, root);
    report.entities = entities(&population);
    report.members = members(&population);
    report.notes.extend(population.notes.iter().cloned());
    let written = Written::new(db, root, &population);
    let mut held = hold::members(&written, &population.arrangement.plan.tables, &population.oversized, &report.members);
    report.stocks = std::mem::take(&mut held.reports);
    let session = Session::new(engine, &options.prefix, &population.arrangement.plan.tables);
    report.notes.extend(session.left_out().map(|index| {
        format!("The engine takes no multi-attribute keys: `{index}` is left out, and what reads it is not run.")
    }));
    let cx = Cx { db, session, population: &population, calls: options.calls, scans: RefCell::default() };
    let (mut created, mut unusable) = (Vec::new(), BTreeMap::new());
    for layout in &population.arrangement.plan.tables {
        let table = layout.name.text.as_str();
        if let Err(why) = create(&cx, layout, &mut created) {
            report.faults.push(format!("`{table}`: {why}"));
            unusable.insert(table, why);
        }
    }
    let patterns = in_order(db, root, names(db, root).all_patterns().collect());
    // While the tables are empty: what is measured is not to meet other items.
    let left_out = unusable.keys().copied().collect();
    report.documents = documents::run(db, root, &cx.session, &patterns, &for_readers(db, root), &left_out);
    for layout in &population.arrangement.plan.tables {
        let table = layout.name.text.as_str();
        if !unusable.contains_key(table)
            && let Err(why) = fill(&cx, table)
        {
            report.faults.push(format!("`{table}`: {why}"));
            unusable.insert(table, why);
        }
    }
    let total = patterns.iter().filter_map(|decl| pattern_def(db, *decl)).map(|p| p.operations.len()).sum();
    let mut done = 0;
    for decl in patterns {
        let Some(pattern) = pattern_def(db, decl) else { continue };
        let mut own = PatternReport {
            name: decl_name(db, decl).clone().unwrap_or_default(),
            operations: Vec::new(),
            skipped: match (&pattern.external, pattern.operations.is_empty()) {
                (Some(_), true) => Some("it is answered outside DynamoDB".to_owned()),
                (None, true) => Some("it has no operation".to_owned()),
                _ => None,
            },
        };
        let all: Vec<Step<'_>> = steps(db, root, decl).collect();
        for index in 0..pattern.operations.len() {
            let steps: Vec<Step<'_>> = all.iter().filter(|step| step.resolved.operation == index).copied().collect();
            own.operations.push(operation(&cx, pattern, index, &steps, &unusable));
            done += 1;
            if let Some(progress) = options.progress {
                progress(done, total);
            }
        }
        hold::operations(db, root, decl, pattern, &written, &held, &mut own.operations);
        report.patterns.push(own);
    }
    for table in created {
        if let Err(fault) = cx.session.send("DeleteTable", table_request(table).json) {
            report.faults.push(format!("`{table}` was not deleted: {}: {}", fault.code, fault.message));
        }
    }
    report
}

/// The patterns in the order of the text.
fn in_order(db: &dyn Db, root: SourceFile, patterns: Vec<Decl>) -> Vec<Decl> {
    let decls = crate::model::imports::model_decls(db, root);
    decls.iter().copied().filter(|decl| patterns.contains(decl)).collect()
}

/// Creates a table.
fn create<'db>(
    cx: &Cx<'_, 'db>,
    layout: &'db crate::model::layout::TableLayout,
    created: &mut Vec<&'db str>,
) -> Result<(), String> {
    let table = layout.name.text.as_str();
    let request = create_request(&cx.session, layout)?;
    cx.session.send("CreateTable", request).map_err(|fault| format!("not created: {}", told(fault)))?;
    created.push(table);
    wait(&cx.session, table).map_err(told)
}

fn told(fault: EngineFault) -> String {
    format!("{}: {}", fault.code, fault.message)
}

/// Writes the items of the run into a table.
fn fill(cx: &Cx<'_, '_>, table: &str) -> Result<(), String> {
    for stored in cx.population.items(table) {
        let written = cx.session.put(table, &stored.item);
        written.map_err(|fault| format!("a `{}` was not written: {}", stored.kind.entity, told(fault)))?;
    }
    Ok(())
}

/// Runs one operation of a pattern.
fn operation<'db>(
    cx: &Cx<'_, 'db>,
    pattern: &'db PatternDef,
    index: usize,
    steps: &[Step<'db>],
    unusable: &BTreeMap<&str, String>,
) -> OperationReport {
    let definition = &pattern.operations[index];
    let mut tally = Tally::new(index, words(definition), definition.steps.len());
    let tables = || steps.iter().filter_map(|step| step.source.map(|source| source.layout.name.text.as_str()));
    if steps.len() != definition.steps.len() || steps.iter().any(|step| step.source.is_none()) {
        tally.skipped = Some("it names something that there is not".to_owned());
    } else if steps.iter().filter_map(|step| step.source).any(|source| cx.session.leaves_out(source)) {
        tally.skipped = Some("the engine takes no multi-attribute keys".to_owned());
    } else if let Some(table) = tables().find(|table| unusable.contains_key(table)) {
        // Why is told once, as a fault of the run.
        tally.skipped = Some(format!("`{table}` is not there"));
    } else if let Some(why) = steps.iter().find_map(|step| refused_filter(cx.db, step)) {
        // The embedded engine takes it, so that a run of it would promise too much.
        tally.skipped = Some(why);
    } else if definition.group.is_some() {
        groups::run(cx, definition, pattern, steps, &mut tally);
    } else if let [step] = steps {
        match step.step.op {
            OpDef::Get { .. } => reads::get(cx, pattern, *step, &mut tally),
            OpDef::Query { .. } => reads::query(cx, pattern, *step, &mut tally),
            OpDef::Scan { .. } => reads::scan(cx, pattern, *step, &mut tally),
            _ => writes::run(cx, *step, &mut tally),
        }
    }
    let report = tally.report();
    match report.verdict {
        Verdict::Agrees if report.calls == 0 => OperationReport {
            verdict: Verdict::Skipped("the run has no item that it could touch".to_owned()),
            ..report
        },
        _ => report,
    }
}
