//! Reads alone: every key of the population, or an even sample, one call each.

use super::compare::compare;
use super::engine::Quirk;
use super::paging::{as_came, follow, pages, places};
use super::run::Cx;
use super::tally::{Tally, Units};
use crate::capacity::units;
use crate::capacity::values::{Item, Value, item_bytes};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::layout::Source;
use crate::model::resolve::Step;
use crate::population::images::{Entry, entries, order};
use crate::population::items::{Stored, spelled};
use crate::population::spell::Spelling;
use crate::requests::bindings::{Bound, bindings};
use crate::requests::read::{self, Asked};
use crate::requests::shape::Shape;
use crate::requests::wire::item_from_json;

/// Runs a `get` for the items of its entity.
pub(super) fn get<'db>(cx: &Cx<'_, 'db>, pattern: &PatternDef, step: Step<'db>, tally: &mut Tally) {
    let Some(source) = step.source else { return };
    let shape = Shape::new(pattern, &step, source);
    let table = source.layout.name.text.as_str();
    let entity = step.resolved.reached.first().map_or("", String::as_str);
    let all: Vec<&Stored> = cx.population.items(table).iter().filter(|stored| stored.kind.entity == entity).collect();
    for stored in cx.sample(all, tally) {
        tally.call(spelled(&stored.key()));
        let mut predicted = Units::default();
        predicted.add(table, units::read(item_bytes(&stored.item) as f64, shape.consistency));
        tally.expect(0, [entity].into_iter(), 1, &predicted);
        match cx.session.measure(read::get(stored, &shape)) {
            Err(fault) => return tally.refused(&fault),
            Ok((answer, measured)) => {
                let came: Vec<Item> = item_from_json(&answer["Item"]).into_iter().collect();
                compare(&[(entity, shape.of(&stored.item))], &came, &[], &shape, tally);
                tally.units(&predicted, &measured);
            }
        }
    }
}

/// Runs a `query` for every key condition that finds something.
pub(super) fn query<'db>(cx: &Cx<'_, 'db>, pattern: &PatternDef, step: Step<'db>, tally: &mut Tally) {
    let (Some(source), OpDef::Query { conditions, options, .. }) = (step.source, &step.step.op) else { return };
    let all = entries(source, cx.population.items(&source.layout.name.text));
    let is_reached = |entry: &Entry| step.resolved.reached.contains(&entry.stored.kind.entity);
    let comparisons = conditions.as_ref().map(conjuncts).unwrap_or_default();
    let (reached, others): (Vec<Entry>, Vec<Entry>) = all.into_iter().partition(is_reached);
    let bound = bindings(&comparisons, if reached.is_empty() { &others } else { &reached }, Spelling::Exact);
    for bound in cx.sample(bound, tally) {
        let mut matched: Vec<&Entry> = reached.iter().filter(|entry| bound.holds(&entry.image)).collect();
        let keys = bound.terms.iter().map(|term| {
            let operands: Vec<String> = term.operands.iter().map(|operand| shown(&operand.value)).collect();
            format!("{} {} {}", term.attribute, term.operator.written(), operands.join(" and "))
        });
        tally.call(keys.collect::<Vec<_>>().join(", "));
        matched.sort_by(|a, b| order(source, &a.image, &b.image));
        if options.descending.is_some() {
            matched.reverse();
        }
        if matched.windows(2).any(|pair| order(source, &pair[0].image, &pair[1].image).is_eq()) {
            // Items tied on the sort key come in no promised order (S12): the engine
            // is asked for its own, and that is held against what is promised.
            let plain = Asked { descending: options.descending.is_some(), ..Asked::all(source, Some(&bound)) };
            if let Ok((came, ..)) = follow(cx, plain.request(), false)
                && let Some(ordered) = as_came(source, &matched, &came)
            {
                matched = ordered;
            }
        }
        let first = matched.first().copied();
        let reading = Reading {
            source,
            pattern,
            step: &step,
            options,
            first,
            attributes: &bound.attributes,
            bound: Some(&bound),
            ordered: &matched,
            there: reached.iter().chain(&others).collect(),
        };
        if !reading.run(cx, tally) {
            return;
        }
    }
}

/// Runs a `scan` once.
pub(super) fn scan<'db>(cx: &Cx<'_, 'db>, pattern: &PatternDef, step: Step<'db>, tally: &mut Tally) {
    let (Some(source), OpDef::Scan { options, .. }) = (step.source, &step.step.op) else { return };
    let all = entries(source, cx.population.items(&source.layout.name.text));
    tally.call(String::new());
    let label = source.label();
    // In which order partitions come is the engine's own affair: it is asked once,
    // and must return everything that is there exactly once.
    let known = cx.scans.borrow().get(&label).cloned();
    let places = match known {
        Some(places) => places,
        None => match follow(cx, Asked::all(source, None).request(), false) {
            Err(fault) => return tally.refused(&fault),
            Ok((came, ..)) => match places(source.layout, &all.iter().collect::<Vec<_>>(), &came) {
                Some(places) => {
                    cx.scans.borrow_mut().insert(label, places.clone());
                    places
                }
                None => {
                    return tally.problem(format!(
                        "{} holds {} items, not the {} expected",
                        label,
                        came.len(),
                        all.len()
                    ));
                }
            },
        },
    };
    let ordered: Vec<&Entry> = places.iter().map(|place| &all[*place]).collect();
    let empty = Item::new();
    let first = ordered.first().copied();
    let attributes = first.map_or(&empty, |entry| &entry.stored.instance.values);
    let there = all.iter().collect();
    let reading =
        Reading { source, pattern, step: &step, options, first, attributes, bound: None, ordered: &ordered, there };
    reading.run(cx, tally);
}

/// A query or scan whose items and their order are known.
struct Reading<'r, 'p, 'db> {
    source: Source<'db>,
    pattern: &'r PatternDef,
    step: &'r Step<'db>,
    options: &'db ReadOptions,
    /// The item that operands of the filter are chosen for, where no other has all
    /// attributes that it names.
    first: Option<&'r Entry<'p, 'db>>,
    attributes: &'r Item,
    /// The key condition; `None` for a scan.
    bound: Option<&'r Bound>,
    /// What it reads, in order.
    ordered: &'r [&'r Entry<'p, 'db>],
    /// All that is there, by which what came back is known.
    there: Vec<&'r Entry<'p, 'db>>,
}

impl<'p, 'db> Reading<'_, 'p, 'db> {
    /// Sends the request and holds the answer against what is expected. False
    /// where the engine did not accept it.
    fn run(&self, cx: &Cx<'_, 'db>, tally: &mut Tally) -> bool {
        let ordered = self.ordered;
        let shape = Shape::new(self.pattern, self.step, self.source);
        let filter = read::filter(self.source, self.options, ordered, self.first, self.attributes, Spelling::Exact);
        let limit = read::limit(self.options);
        let asked = Asked {
            source: self.source,
            bound: self.bound,
            filter: filter.as_ref(),
            shape: Some(&shape),
            descending: self.options.descending.is_some() && self.bound.is_some(),
            limit,
        };
        let mut pages = pages(ordered.iter().take(limit.unwrap_or(usize::MAX)).map(|entry| entry.bytes));
        if limit.is_some() {
            pages.truncate(1);
        }
        let read_items: usize = pages.iter().map(|page| page.0).sum();
        let quirk = cx.session.has(Quirk::LocalIndexFetchesNothing);
        let local = self.source.index.is_some_and(|index| index.kind == IndexKind::Local);
        let label = match local && self.bound.is_none() && cx.session.has(Quirk::LocalScanCountsForTable) {
            true => self.source.layout.name.text.clone(),
            false => self.source.label(),
        };
        let mut predicted = Units::default();
        for (_, bytes) in &pages {
            predicted.add(&label, units::read(*bytes as f64, shape.consistency));
        }
        let mut kept = Vec::new();
        for entry in &ordered[..read_items] {
            let fetched = shape.fetches && !quirk;
            if fetched {
                let bytes = item_bytes(&entry.stored.item) as f64;
                predicted.add(&self.source.layout.name.text, units::read(bytes, shape.consistency));
            }
            if filter.as_ref().is_none_or(|filter| filter.holds(&entry.image)) {
                let image = if fetched { &entry.stored.item } else { &entry.image };
                kept.push((entry.stored.kind.entity.as_str(), shape.of(image)));
            }
        }
        if shape.fetches && quirk {
            tally.quirk(0);
            tally.note("the engine answers from the local index alone: what DynamoDB charges for the fetch from the table is not compared");
        }
        tally.expect(0, kept.iter().map(|(entity, _)| *entity), read_items as u64, &predicted);
        match follow(cx, asked.request(), limit.is_some()) {
            Err(fault) => {
                tally.refused(&fault);
                false
            }
            Ok((came, measured)) => {
                compare(&kept, &came, &self.there, &shape, tally);
                tally.units(&predicted, &measured);
                true
            }
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::S(text) => format!("{text:?}"),
        Value::N(number) => number.clone(),
        other => format!("{other:?}"),
    }
}
