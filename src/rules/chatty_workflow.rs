//! A journey that asks DynamoDB again and again.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::load::partition_holes;
use crate::capacity::show;
use crate::config::Bounds;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::ItemLayout;
use crate::model::names::pattern_def;
use crate::syntax::template::Format;
use crate::syntax::{Quantity, Unit};
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "chatty-workflow",
    group: Group::Design,
    level: Level::Warning,
    summary: "a workflow needs five or more read operations over more than one table",
    thresholds: &[READS],
    check: Check::Declaration(check),
};

const READS: Threshold = Threshold {
    name: "reads",
    default: Quantity { value: 5.0, unit: Unit::Number },
    bounds: Bounds::NONE,
    summary: "the read operations of one run, from which a workflow over several tables is reported",
};

/// What one pattern of a workflow reads.
struct Reads {
    pattern: Decl,
    name: String,
    operations: f64,
    tables: BTreeSet<String>,
    /// Seconds, where a latency is declared.
    latency: Option<f64>,
}

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Workflow(workflow) = &lowered.def else { return };
    // Of two workflows with one name the second is a finding of its own.
    let reads: Vec<Reads> = workflow.patterns.iter().filter_map(|name| reads_of(cx, name)).collect();
    let total: f64 = reads.iter().map(|reads| reads.operations).sum();
    let tables: BTreeSet<&String> = reads.iter().flat_map(|reads| &reads.tables).collect();
    if total < cx.threshold(&READS) || tables.len() < 2 {
        return;
    }
    let name = lowered.name.as_ref().map_or("?", |name| name.text.as_str());
    let parts: Vec<String> =
        reads.iter().map(|reads| format!("`{}` {}", reads.name, show::count(reads.operations))).collect();
    let latencies: Option<f64> = reads.iter().map(|reads| reads.latency).sum();
    let wait = latencies.map_or_else(
        || "each is a round trip that a user waits for".to_owned(),
        |seconds| format!("one after the other they may take the {} ms that they declare", show::count(seconds * 1e3)),
    );
    let named: Vec<String> = tables.iter().map(|table| format!("`{table}`")).collect();
    let message = format!(
        "one run of `{name}` needs {} ({}) over {} tables ({}): {wait}, and no query reads two tables; keep what one \
         journey reads under one partition key, copy the few attributes that it needs, or read the keys that are known \
         in one `batch get`",
        show::count_of(total, "read operation"),
        parts.join(", "),
        tables.len(),
        named.join(", "),
    );
    let mut places: Vec<(Place, String)> = Vec::new();
    for reads in &reads {
        let Some(place) = cx.name_place(reads.pattern) else { continue };
        let listed: Vec<String> = reads.tables.iter().map(|table| format!("`{table}`")).collect();
        let told = (place, format!("{} of {}", show::count_of(reads.operations, "read operation"), listed.join(", ")));
        if !places.contains(&told) {
            places.push(told);
        }
    }
    let finding = cx.report(cx.name_range(), message);
    for (place, message) in places {
        finding.about(place);
        finding.relate(place, message);
    }
}

/// The reads of a pattern; `None` where it has none, or is unknown. A batch or a
/// transaction is one request, whatever it holds.
fn reads_of(cx: &Cx<'_>, name: &Name) -> Option<Reads> {
    let pattern = cx.names().pattern(&name.text)?;
    let def = pattern_def(cx.db, pattern)?;
    let mut reads = Reads {
        pattern,
        name: name.text.clone(),
        operations: 0.0,
        tables: BTreeSet::new(),
        latency: def.latency.as_ref().and_then(|latency| latency.get(Unit::Duration)),
    };
    let mut grouped = BTreeSet::new();
    for step in cx.steps_of(pattern).iter().filter(|step| step.step.op.reads()) {
        let Some(source) = step.source else { continue };
        reads.tables.insert(source.layout.name.text.clone());
        match step.operation.group {
            Some(_) if !grouped.insert(step.resolved.operation) => {}
            Some(_) => reads.operations += 1.0,
            // All shards of a key are asked at the same time.
            None if reads_shards(step) => reads.operations += 1.0,
            None => reads.operations += step.step.times().max(0.0),
        }
    }
    (reads.operations > 0.0).then_some(reads)
}

/// Whether a query reads the shards of a key, one each time that it runs.
fn reads_shards(step: &StepCx<'_>) -> bool {
    let Some(source) = step.source else { return false };
    let is_sharded = |item: &ItemLayout| {
        partition_holes(source, item).iter().any(|given| matches!(given.hole.format, Format::Shard(_)))
    };
    matches!(step.step.op, OpDef::Query { .. })
        && source.items().any(|item| step.resolved.reached.contains(&item.entity) && is_sharded(item))
}
