//! A journey that looks for what it has just written in an index that may not
//! have it yet.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::capacity::figure::Figure;
use crate::capacity::operations::{Work, pattern_numbers};
use crate::model::db::Decl;
use crate::model::defs::*;
use std::collections::BTreeMap;

pub static RULE: Rule = Rule {
    name: "read-your-write-on-gsi",
    group: Group::Design,
    level: Level::Info,
    summary: "a workflow writes an entity, and a later step reads it through a global secondary index",
    thresholds: &[],
    check: Check::Declaration(check),
};

/// The items of an entity in an index of a table.
type Entries = (Decl, String, String);

/// A write of an entry: which pattern of the workflow does it, and where.
#[derive(Clone)]
struct Written {
    by: Name,
    place: Place,
}

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Workflow(workflow) = &lowered.def else { return };
    let mut written: BTreeMap<(String, String), (Decl, Written)> = BTreeMap::new();
    for name in &workflow.patterns {
        let Some(pattern) = cx.names().pattern(&name.text) else { continue };
        let mut stale: Vec<Stale> = Vec::new();
        for step in cx.steps_of(pattern) {
            let Some(source) = step.source else { continue };
            let place = Place { decl: pattern, range: step.step.range };
            if step.step.op.reads() {
                let Some(index) = source.index.filter(|index| index.kind == IndexKind::Global) else { continue };
                let label = source.label();
                for entity in &step.resolved.reached {
                    let Some((table, write)) = written.get(&(label.clone(), entity.clone())) else { continue };
                    if *table != source.layout.decl {
                        continue;
                    }
                    match stale.iter_mut().find(|stale| stale.label == label) {
                        Some(stale) if stale.entities.contains(entity) => {}
                        Some(stale) => stale.entities.push(entity.clone()),
                        None => stale.push(Stale {
                            label: label.clone(),
                            entities: vec![entity.clone()],
                            write: write.clone(),
                            read: place,
                            index: Place { decl: source.layout.decl, range: index.name.range },
                        }),
                    }
                }
                continue;
            }
            for (table, label, entity) in entries(cx, pattern, step.resolved.operation, step.resolved.step) {
                written.insert((label, entity), (table, Written { by: name.clone(), place }));
            }
        }
        for stale in stale {
            report(cx, name, &stale);
        }
    }
}

/// A read of entries that were written before.
struct Stale {
    label: String,
    entities: Vec<String>,
    write: Written,
    read: Place,
    index: Place,
}

fn report(cx: &mut Cx<'_>, name: &Name, stale: &Stale) {
    let label = &stale.label;
    let entities = listed(&stale.entities);
    let message = format!(
        "`{}` reads {entities} through `{label}`, and `{}` of the same workflow has just written {}: a global index \
         follows its table a moment later and is never read consistently, so that the journey may not see its own \
         write; read the table by its key with `consistent`, hand on what was written, or let the step bear with the old \
         state",
        name.text,
        stale.write.by.text,
        if stale.entities.len() == 1 { "one" } else { "some" },
    );
    let (earlier, write) = (cx.place(stale.write.by.range), stale.write.place);
    let finding = cx.report(name.range, message);
    if stale.write.by.range != name.range {
        finding.relate(earlier, "the earlier step of the workflow");
    }
    finding.relate(write, format!("writes {entities}"));
    finding.relate(stale.read, format!("reads `{label}`"));
    finding.relate(stale.index, "the index");
    finding.about(stale.read).about(stale.index);
}

/// The entries of global indexes that a step writes or removes. What it leaves as
/// it is cannot be read too early.
fn entries(cx: &Cx<'_>, pattern: Decl, operation: usize, step: usize) -> Vec<Entries> {
    let numbers = pattern_numbers(cx.db, cx.root, pattern).as_ref();
    let own = numbers.and_then(|n| n.steps.iter().find(|own| (own.operation, own.step) == (operation, step)));
    let Some((own, Work::Write(write))) = own.map(|own| (own, &own.work)) else { return Vec::new() };
    let Some(table) = own.table else { return Vec::new() };
    let touched = write.indexes.iter().filter(|index| index.kind == IndexKind::Global && index.units != Figure::ZERO);
    touched.map(|index| (table, format!("{}.{}", own.table_name, index.index), write.entity.clone())).collect()
}
