//! Transactions and batches: the steps of one, sent together on distinct items.

use super::engine::Quirk;
use super::express::Placeholders;
use super::maker::possible;
use super::population::{Stored, spelled};
use super::run::Cx;
use super::shape::{Shape, compare};
use super::tally::{Tally, Units};
use super::wire::{item_from_json, item_to_json};
use super::writes::{Action, Write};
use crate::capacity::units::{Consistency, read};
use crate::capacity::values::{Item, item_bytes};
use crate::model::defs::*;
use crate::model::resolve::Step;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

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

/// How many distinct items a step touches in one call.
fn times(step: &Step<'_>) -> usize {
    step.step.times().max(1.0) as usize
}

/// Hands out the things of a step in turn, none of them twice in one call.
struct Turns {
    count: usize,
    next: usize,
}

impl Turns {
    /// The next one that may be taken; `None` where all are.
    fn take(&mut self, free: impl Fn(usize) -> bool) -> Option<usize> {
        let found = (0..self.count).map(|i| (self.next + i) % self.count).find(|place| free(*place))?;
        self.next = (found + 1) % self.count;
        Some(found)
    }
}

/// How many calls it takes until each of so many things had its turn.
fn calls(cx: &Cx<'_, '_>, steps: &[Step<'_>], counts: impl Iterator<Item = usize>) -> usize {
    let rounds = counts.zip(steps).map(|(count, step)| count.div_ceil(times(step)));
    rounds.max().unwrap_or(0).min(cx.calls.max(1))
}

fn write<'db>(cx: &Cx<'_, 'db>, kind: GroupKind, steps: &[Step<'db>], tally: &mut Tally) {
    let possible: Vec<Vec<Write>> = steps.iter().map(|step| possible(cx, *step)).collect();
    if possible.iter().any(Vec::is_empty) {
        tally.skipped = Some("no item of the run can meet the condition of one of its steps".to_owned());
        return;
    }
    let fits = |write: &Write| kind == GroupKind::Transact || matches!(write.action, Action::Put | Action::Delete);
    if !possible.iter().flatten().all(fits) {
        tally.skipped = Some("a batch takes puts and deletes of whole items only".to_owned());
        return;
    }
    let mut turns: Vec<Turns> = possible.iter().map(|all| Turns { count: all.len(), next: 0 }).collect();
    for _ in 0..calls(cx, steps, possible.iter().map(Vec::len)) {
        let mut used = BTreeSet::new();
        let mut chosen: Vec<(usize, &Write)> = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            for _ in 0..times(step) {
                let key = |write: &Write| (write.table().to_owned(), spelled(&write.key));
                let free = |place: usize| !used.contains(&key(&possible[index][place]));
                let Some(place) = turns[index].take(free) else {
                    tally.skipped = Some("the run has too few distinct items for one call".to_owned());
                    return;
                };
                let write = &possible[index][place];
                used.insert(key(write));
                chosen.push((index, write));
            }
        }
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
    let (operation, request) = match kind {
        GroupKind::Transact => {
            let items: Vec<Json> =
                chosen.iter().map(|(_, write)| json!({ write.action.in_transaction(): write.body })).collect();
            ("TransactWriteItems", json!({ "TransactItems": items }))
        }
        GroupKind::Batch => {
            let mut tables: Map<String, Json> = Map::new();
            for (_, write) in chosen {
                let one = match write.action {
                    Action::Put => json!({ "PutRequest": { "Item": write.body["Item"] } }),
                    _ => json!({ "DeleteRequest": { "Key": write.body["Key"] } }),
                };
                let list = tables.entry(cx.session.table(write.table())).or_insert_with(|| json!([]));
                list.as_array_mut().expect("only lists are put in").push(one);
            }
            ("BatchWriteItem", json!({ "RequestItems": tables }))
        }
    };
    let Json::Object(request) = request else { return false };
    let measured = cx.session.measure(operation, request);
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
        share(&mut shapes, steps);
    }
    let mut turns: Vec<Turns> = there.iter().map(|all| Turns { count: all.len(), next: 0 }).collect();
    for _ in 0..calls(cx, steps, there.iter().map(Vec::len)) {
        let mut used = BTreeSet::new();
        let mut chosen: Vec<(usize, &Stored)> = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            for _ in 0..times(step) {
                let key = |stored: &Stored| (stored.layout.name.text.clone(), spelled(&stored.key()));
                let free = |place: usize| !used.contains(&key(there[index][place]));
                let Some(place) = turns[index].take(free) else {
                    tally.skipped = Some("the run has too few distinct items for one call".to_owned());
                    return;
                };
                let stored = there[index][place];
                used.insert(key(stored));
                chosen.push((index, stored));
            }
        }
        if !fetch(cx, kind, &chosen, &shapes, tally) {
            return;
        }
    }
}

/// A batch reads each table in one way: what any of its steps asks for, as
/// consistently as any does.
fn share(shapes: &mut [Shape], steps: &[Step<'_>]) {
    let mut tables: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate() {
        tables.entry(step.source.map_or("", |source| &source.layout.name.text)).or_default().push(index);
    }
    for group in tables.values() {
        let all = group.iter().map(|index| shapes[*index].project.clone()).collect::<Option<Vec<_>>>();
        let project =
            all.map(|lists| lists.into_iter().flatten().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>());
        let strong = group.iter().any(|index| shapes[*index].consistency == Consistency::Strong);
        for index in group {
            shapes[*index].project = project.clone();
            if strong {
                shapes[*index].consistency = Consistency::Strong;
            }
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
    let (operation, request) = match kind {
        GroupKind::Transact => {
            let items = chosen.iter().map(|(step, stored)| {
                let mut get = cx.session.request(&stored.layout.name.text);
                let mut placeholders = Placeholders::default();
                get.insert("Key".to_owned(), item_to_json(&stored.key()));
                shapes[*step].ask(&mut get, &mut placeholders);
                placeholders.give(&mut get);
                // A transaction is consistent without being asked.
                get.remove("ConsistentRead");
                json!({ "Get": get })
            });
            ("TransactGetItems", json!({ "TransactItems": items.collect::<Vec<_>>() }))
        }
        GroupKind::Batch => {
            let mut tables: BTreeMap<String, (usize, Vec<Json>)> = BTreeMap::new();
            for (step, stored) in chosen {
                let table = cx.session.table(&stored.layout.name.text);
                tables.entry(table).or_insert((*step, Vec::new())).1.push(item_to_json(&stored.key()));
            }
            let requests: Map<String, Json> = tables
                .into_iter()
                .map(|(table, (step, keys))| {
                    let mut one = Map::from_iter([("Keys".to_owned(), Json::Array(keys))]);
                    let mut placeholders = Placeholders::default();
                    shapes[step].ask(&mut one, &mut placeholders);
                    placeholders.give(&mut one);
                    (table, Json::Object(one))
                })
                .collect();
            ("BatchGetItem", json!({ "RequestItems": requests }))
        }
    };
    let Json::Object(request) = request else { return false };
    let (answer, measured) = match cx.session.measure(operation, request) {
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
