//! The requests that the documents print, sent as they are printed to tables with
//! the items that the documents show.

use super::engine::{EngineFault, Quirk};
use super::report::DocumentsReport;
use super::session::Session;
use crate::capacity::values::Item;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::lower::decl_name;
use crate::population::items::{Population, spelled};
use crate::requests::wire::item_from_json;
use crate::requests::{Expected, Made, Promised, of_pattern};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Fills the tables with the readers' population, sends every printed request of
/// the patterns, and empties the tables again.
pub(super) fn run(
    db: &dyn Db,
    root: SourceFile,
    session: &Session<'_>,
    patterns: &[Decl],
    population: &Population<'_>,
    unusable: &BTreeSet<&str>,
) -> DocumentsReport {
    let mut report = DocumentsReport::default();
    let told = |fault: &EngineFault| format!("{}: {}", fault.code, fault.message);
    let usable = || population.tables.iter().filter(|(table, _)| !unusable.contains(*table));
    for (table, items) in usable() {
        for stored in items {
            if let Err(fault) = session.put(table, &stored.item) {
                report.problems.push(format!(
                    "a `{}` was not written into `{table}`: {}",
                    stored.kind.entity,
                    told(&fault)
                ));
            }
        }
    }
    for decl in patterns {
        let name = decl_name(db, *decl).clone().unwrap_or_default();
        for printed in of_pattern(db, root, *decl, population) {
            let what = format!("{name}: {}", printed.words);
            let made = match printed.made {
                Ok(made) => made,
                Err(why) => {
                    report.not_made.push(format!("{what}: {why}"));
                    continue;
                }
            };
            let is_left_out = made
                .sources
                .iter()
                .any(|source| session.leaves_out(*source) || unusable.contains(source.layout.name.text.as_str()));
            if is_left_out {
                report.not_made.push(format!("{what}: the engine has not what it touches"));
                continue;
            }
            report.requests += 1;
            match try_one(session, &made) {
                Ok(()) => report.accepted += 1,
                Err(why) => report.problems.push(format!("{what}: {why}")),
            }
        }
    }
    for (table, items) in usable() {
        for stored in items {
            if let Err(fault) = session.delete(table, &stored.key()) {
                report.problems.push(format!(
                    "a `{}` was not deleted from `{table}`: {}",
                    stored.kind.entity,
                    told(&fault)
                ));
            }
        }
    }
    report
}

/// Sends a request, and holds what comes of it against what should.
fn try_one(session: &Session<'_>, made: &Made<'_>) -> Result<(), String> {
    let told = |fault: EngineFault| format!("not accepted: {}: {}", fault.code, fault.message);
    let send = || session.send(made.request.operation, made.request.body.json.clone());
    match &made.expected {
        Expected::Writes(writes) => {
            for write in writes {
                write.prepare(session).map_err(told)?;
            }
            let answer = send();
            for write in writes {
                write.restore(session).map_err(told)?;
            }
            let answer = answer.map_err(told)?;
            match answer["UnprocessedItems"].as_object().is_some_and(|left| !left.is_empty()) {
                true => Err("the engine left some of the batch undone".to_owned()),
                false => Ok(()),
            }
        }
        Expected::Items { items, promised, fetches } => {
            let came = returned(&send().map_err(told)?);
            let is_quirk = *fetches && session.has(Quirk::LocalIndexFetchesNothing);
            let wanted: Vec<&Item> = items.iter().map(|(_, item)| item).collect();
            if *promised == Promised::Nothing {
                return Ok(());
            }
            if came.len() != wanted.len() {
                return Err(format!("{} items expected, {} returned", wanted.len(), came.len()));
            }
            if *promised == Promised::Number || is_quirk {
                return Ok(());
            }
            let keys = session.has(Quirk::TransactionReturnsKeys) && made.request.operation == "TransactGetItems";
            same(&wanted, came, keys)
        }
    }
}

/// The items of an answer, whatever operation it is of.
fn returned(answer: &Json) -> Vec<Item> {
    let one = answer.get("Item").and_then(item_from_json);
    let many = answer["Items"].as_array().into_iter().flatten().filter_map(item_from_json);
    let transaction =
        answer["Responses"].as_array().into_iter().flatten().filter_map(|one| item_from_json(&one["Item"]));
    let batch = answer["Responses"].as_object().into_iter().flat_map(|tables| tables.values());
    let batch = batch.flat_map(|items| items.as_array().into_iter().flatten()).filter_map(item_from_json);
    one.into_iter().chain(many).chain(transaction).chain(batch).collect()
}

/// Whether the items that came are those that were wanted, in whatever order the
/// ties among them and batches have; `more`: each may have more attributes.
fn same(wanted: &[&Item], came: Vec<Item>, more: bool) -> Result<(), String> {
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for item in wanted {
        *counts.entry(spelled(item)).or_default() += 1;
    }
    for (place, item) in came.into_iter().enumerate() {
        let item = match wanted.get(place).filter(|_| more) {
            Some(wanted) => item.into_iter().filter(|(name, _)| wanted.contains_key(name)).collect(),
            None => item,
        };
        *counts.entry(spelled(&item)).or_default() -= 1;
    }
    match counts.into_iter().find(|(_, count)| *count != 0) {
        None => Ok(()),
        Some((item, count)) if count > 0 => Err(format!("expected and not returned: {item}")),
        Some((item, _)) => Err(format!("returned and not expected: {item}")),
    }
}
