//! Transactions and batches: the steps of one, sent together on distinct items.

use super::compare::compare;
use super::engine::Quirk;
use super::run::Cx;
use super::tally::{Tally, Units};
use crate::capacity::units::{Consistency, read};
use crate::capacity::values::{Item, item_bytes};
use crate::model::defs::*;
use crate::model::resolve::Step;
use crate::population::items::{Stored, spelled};
use crate::requests::group::{self, Turns};
use crate::requests::maker::possible;
use crate::requests::shape::Shape;
use crate::requests::wire::item_from_json;
use crate::requests::write::Write;
use std::collections::BTreeSet;

/// Why a group is not run whose steps need more items than there are.
const TOO_FEW: &str = "the run has too few distinct items for one call";

/// Runs a transaction or batch so often that every item that its steps can touch
/// is touched, or as often as a step is called at most.
pub(super) fn run<'db>(
    cx: &Cx<'_, 'db>,
    definition: &OperationDef,
    pattern: &PatternDef,
    steps: &[Step<'db>],
    tally: &mut Tally,
) {
    let Some(group) = &definition.group else { return };
    match group.mode {
        GroupMode::Write => write(cx, group.kind, steps, tally),
        GroupMode::Get => get(cx, group.kind, pattern, steps, tally),
    }
}

/// How many calls it takes until each of so many things had its turn.
fn calls(cx: &Cx<'_, '_>, steps: &[Step<'_>], counts: impl Iterator<Item = usize>) -> usize {
    let rounds = counts.zip(steps).map(|(count, step)| count.div_ceil(group::times(step)));
    rounds.max().unwrap_or(0).min(cx.calls.max(1))
}

fn write<'db>(cx: &Cx<'_, 'db>, kind: GroupKind, steps: &[Step<'db>], tally: &mut Tally) {
    let possible: Vec<Vec<Write>> = steps.iter().map(|step| possible(cx.db, cx.population, *step)).collect();
    if possible.iter().any(Vec::is_empty) {
        tally.skipped = Some("no item of the run can meet the condition of one of its steps".to_owned());
        return;
    }
    if !possible.iter().flatten().all(|write| group::takes(kind, write)) {
        tally.skipped = Some("a batch takes puts and deletes of whole items only".to_owned());
        return;
    }
    let mut turns = Turns::new(steps.iter().map(group::times));
    for _ in 0..calls(cx, steps, possible.iter().map(Vec::len)) {
        let Some(chosen) = turns.next(&possible, group::key_of_write) else {
            tally.skipped = Some(TOO_FEW.to_owned());
            return;
        };
        if !send(cx, kind, &chosen, tally) {
            return;
        }
    }
}

/// Sends the writes of one call; false where the engine did not accept them.
fn send(cx: &Cx<'_, '_>, kind: GroupKind, chosen: &[(usize, &Write<'_>)], tally: &mut Tally) -> bool {
    let keys: Vec<String> = chosen.iter().map(|(_, write)| spelled(&write.key)).collect();
    tally.call(keys.join("; "));
    for (_, write) in chosen {
        if let Err(fault) = write.prepare(&cx.session) {
            tally.refused(&fault);
            return false;
        }
    }
    let mut predicted = Units::default();
    for (step, write) in chosen {
        let units = write.units(kind == GroupKind::Transact);
        tally.expect(*step, [write.entity].into_iter(), 1, &units);
        predicted.extend(&units);
        if write.replaces() {
            tally.replaces(*step);
        }
    }
    let writes: Vec<&Write> = chosen.iter().map(|(_, write)| *write).collect();
    let measured = cx.session.measure(group::write(kind, &writes));
    let mut accepted = true;
    match measured {
        Err(fault) => {
            tally.refused(&fault);
            accepted = false;
        }
        Ok((answer, measured)) => {
            if answer["UnprocessedItems"].as_object().is_some_and(|left| !left.is_empty()) {
                tally.problem("the engine left some of the batch undone".to_owned());
            }
            tally.returned(chosen.iter().map(|(_, write)| write.entity));
            if kind == GroupKind::Transact && cx.session.has(Quirk::TransactionsMiscounted) {
                tally.note("the engine miscounts the units of transactions: they are not compared");
            } else {
                tally.units(&cx.session.charged(&predicted), &measured);
            }
        }
    }
    for (_, write) in chosen {
        if let Err(fault) = write.restore(&cx.session) {
            tally.refused(&fault);
            return false;
        }
    }
    accepted
}

fn get<'db>(cx: &Cx<'_, 'db>, kind: GroupKind, pattern: &PatternDef, steps: &[Step<'db>], tally: &mut Tally) {
    if !steps.iter().all(|step| matches!(step.step.op, OpDef::Get { .. })) {
        tally.skipped = Some("it takes nothing but gets".to_owned());
        return;
    }
    let there: Vec<Vec<&Stored>> = steps
        .iter()
        .map(|step| {
            let table = step.source.map_or("", |source| source.layout.name.text.as_str());
            let entity = step.resolved.reached.first().map_or("", String::as_str);
            cx.population.items(table).iter().filter(|stored| stored.kind.entity == entity).collect()
        })
        .collect();
    if there.iter().any(Vec::is_empty) {
        return;
    }
    let mut shapes: Vec<Shape> =
        steps.iter().filter_map(|step| step.source.map(|source| Shape::new(pattern, step, source))).collect();
    if kind == GroupKind::Batch {
        group::share(&mut shapes, steps);
    }
    let mut turns = Turns::new(steps.iter().map(group::times));
    for _ in 0..calls(cx, steps, there.iter().map(Vec::len)) {
        let Some(chosen) = turns.next(&there, |stored| group::key_of_stored(stored)) else {
            tally.skipped = Some(TOO_FEW.to_owned());
            return;
        };
        let chosen: Vec<(usize, &Stored)> = chosen.into_iter().map(|(step, stored)| (step, *stored)).collect();
        if !fetch(cx, kind, &chosen, &shapes, tally) {
            return;
        }
    }
}

/// Sends the reads of one call; false where the engine did not accept them.
fn fetch(
    cx: &Cx<'_, '_>,
    kind: GroupKind,
    chosen: &[(usize, &Stored<'_>)],
    shapes: &[Shape],
    tally: &mut Tally,
) -> bool {
    let keys: Vec<String> = chosen.iter().map(|(_, stored)| spelled(&stored.key())).collect();
    tally.call(keys.join("; "));
    let mut predicted = Units::default();
    for (step, stored) in chosen {
        let consistency = match kind {
            GroupKind::Transact => Consistency::Transactional,
            GroupKind::Batch => shapes[*step].consistency,
        };
        let mut units = Units::default();
        units.add(&stored.layout.name.text, read(item_bytes(&stored.item) as f64, consistency));
        tally.expect(*step, [stored.kind.entity.as_str()].into_iter(), 1, &units);
        predicted.extend(&units);
    }
    let asked: Vec<(&Stored, &Shape)> = chosen.iter().map(|(step, stored)| (*stored, &shapes[*step])).collect();
    let (answer, measured) = match cx.session.measure(group::get(kind, &asked)) {
        Ok(answered) => answered,
        Err(fault) => {
            tally.refused(&fault);
            return false;
        }
    };
    let wanted: Vec<(&str, &str, Item)> = chosen
        .iter()
        .map(|(step, stored)| {
            (stored.layout.name.text.as_str(), stored.kind.entity.as_str(), shapes[*step].of(&stored.item))
        })
        .collect();
    match kind {
        GroupKind::Transact => {
            let came = answer["Responses"].as_array().into_iter().flatten();
            let mut came: Vec<Item> = came.map(|one| item_from_json(&one["Item"]).unwrap_or_default()).collect();
            if cx.session.has(Quirk::TransactionReturnsKeys) {
                came = came.iter().zip(chosen).map(|(item, (step, _))| shapes[*step].of(item)).collect();
            }
            let expected: Vec<(&str, Item)> = wanted.into_iter().map(|(_, entity, item)| (entity, item)).collect();
            compare(&expected, &came, &[], &shapes[0], tally);
        }
        GroupKind::Batch => {
            if answer["UnprocessedKeys"].as_object().is_some_and(|left| !left.is_empty()) {
                tally.problem("the engine left some of the batch undone".to_owned());
            }
            // A batch answers in no particular order.
            let tables: BTreeSet<&str> = wanted.iter().map(|(table, ..)| *table).collect();
            for table in tables {
                let own = |(name, ..): &&(&str, &str, Item)| *name == table;
                let mut expected: Vec<(&str, Item)> =
                    wanted.iter().filter(own).map(|(_, entity, item)| (*entity, item.clone())).collect();
                let came = answer["Responses"][cx.session.table(table)].as_array();
                let mut came: Vec<Item> = came.into_iter().flatten().filter_map(item_from_json).collect();
                expected.sort_by_key(|(_, item)| spelled(item));
                came.sort_by_key(spelled);
                compare(&expected, &came, &[], &shapes[0], tally);
            }
        }
    }
    tally.units(&predicted, &measured);
    true
}
