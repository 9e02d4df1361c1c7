//! Reads alone: every key of the population, or an even sample, one call each.

use super::bindings::{Bound, bindings};
use super::conditions::{Chosen, Condition, Path};
use super::engine::{EngineFault, Quirk};
use super::express::Placeholders;
use super::images::{Entry, entries, order};
use super::population::{Stored, key_of, spelled};
use super::run::Cx;
use super::tally::{Tally, Units};
use super::wire::{item_from_json, item_to_json};
use crate::capacity::units::{Consistency, PAGE, read};
use crate::capacity::values::{Item, item_bytes};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::layout::{Source, TableLayout};
use crate::model::resolve::Step;
use crate::syntax::Unit;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Pages of one read that are followed; no run has so many.
const MOST_PAGES: usize = 10_000;

/// What a read asks of its items.
pub(super) struct Shape {
    /// The attributes that come back; all where `None`.
    pub project: Option<Vec<String>>,
    pub consistency: Consistency,
    /// Whether it asks for attributes that its local index does not project.
    pub fetches: bool,
}

impl Shape {
    /// Of a read of a table or index.
    pub fn new(pattern: &PatternDef, step: &Step<'_>, source: Source<'_>) -> Self {
        let options = step.step.op.options();
        let named = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>();
        let mut project = options.filter(|o| o.project_range.is_some()).map(|o| named(&o.project));
        let mut fetches = false;
        if source.index.is_some_and(|index| index.kind == IndexKind::Local) {
            let claimed = pattern.requirements.iter().filter(|r| !r.writes).flat_map(|r| &r.uses);
            let missing = |entity: &str, name: &str| {
                let item = source.items().find(|item| item.entity == entity);
                item.and_then(|item| source.projected(item)).is_some_and(|projected| !projected.contains(name))
            };
            let wanted: Vec<(&str, &str)> = match &project {
                Some(names) => {
                    let pairs =
                        step.resolved.reached.iter().flat_map(|e| names.iter().map(move |n| (e.as_str(), n.as_str())));
                    pairs.collect()
                }
                None => claimed
                    .flat_map(|u| u.attributes.iter().map(|a| (u.entity.text.as_str(), a.text.as_str())))
                    .collect(),
            };
            fetches = wanted.iter().any(|(entity, name)| missing(entity, name));
            if fetches && project.is_none() {
                let keys = source.layout.primary_key().chain(source.key()).map(|key| key.name.clone());
                let names: BTreeSet<String> = wanted.iter().map(|(_, name)| (*name).to_owned()).chain(keys).collect();
                project = Some(names.into_iter().collect());
            }
        }
        let consistency = match options.is_some_and(|options| options.consistent.is_some()) {
            true => Consistency::Strong,
            false => Consistency::Eventual,
        };
        Self { project, consistency, fetches }
    }

    /// What comes back of an item.
    pub fn of(&self, image: &Item) -> Item {
        match &self.project {
            Some(names) => names.iter().filter_map(|name| Some((name.clone(), image.get(name)?.clone()))).collect(),
            None => image.clone(),
        }
    }

    /// Says it in a request.
    pub fn ask(&self, request: &mut Map<String, Json>, placeholders: &mut Placeholders) {
        if let Some(names) = &self.project {
            let list = placeholders.list(names.iter().map(String::as_str));
            request.insert("ProjectionExpression".to_owned(), json!(list));
        }
        if self.consistency == Consistency::Strong {
            request.insert("ConsistentRead".to_owned(), json!(true));
        }
    }
}

/// Runs a `get` for the items of its entity.
pub(super) fn get<'db>(cx: &Cx<'_, 'db>, pattern: &PatternDef, step: Step<'db>, tally: &mut Tally) {
    let Some(source) = step.source else { return };
    let shape = Shape::new(pattern, &step, source);
    let table = source.layout.name.text.as_str();
    let entity = step.resolved.reached.first().map_or("", String::as_str);
    let all: Vec<&Stored> = cx.population.items(table).iter().filter(|stored| stored.kind.entity == entity).collect();
    for stored in cx.sample(all, tally) {
        let key = stored.key();
        tally.call(spelled(&key));
        let mut request = cx.session.request(table);
        let mut placeholders = Placeholders::default();
        request.insert("Key".to_owned(), item_to_json(&key));
        shape.ask(&mut request, &mut placeholders);
        placeholders.give(&mut request);
        let mut predicted = Units::default();
        predicted.add(table, read(item_bytes(&stored.item) as f64, shape.consistency));
        tally.expect(0, [entity].into_iter(), 1, &predicted);
        match cx.session.measure("GetItem", request) {
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
    let bound = bindings(&comparisons, if reached.is_empty() { &others } else { &reached });
    for bound in cx.sample(bound, tally) {
        let mut matched: Vec<&Entry> = reached.iter().filter(|entry| bound.holds(&entry.image)).collect();
        let keys = bound.terms.iter().map(|term| {
            let operands: Vec<String> = term.operands.iter().map(shown).collect();
            format!("{} {} {}", term.attribute, term.operator.written(), operands.join(" and "))
        });
        tally.call(keys.collect::<Vec<_>>().join(", "));
        matched.sort_by(|a, b| order(source, &a.image, &b.image));
        let mut request = request(cx, source);
        let mut placeholders = Placeholders::default();
        let expression = key_condition(&bound, &mut placeholders);
        request.insert("KeyConditionExpression".to_owned(), json!(expression));
        if options.descending.is_some() {
            matched.reverse();
            request.insert("ScanIndexForward".to_owned(), json!(false));
        }
        if matched.windows(2).any(|pair| order(source, &pair[0].image, &pair[1].image).is_eq()) {
            // Items tied on the sort key come in no promised order (S12): the engine
            // is asked for its own, and that is held against what is promised.
            let mut plain = request.clone();
            key_condition_placeholders(&bound).give(&mut plain);
            if let Ok((came, ..)) = follow(cx, "Query", plain, false)
                && let Some(ordered) = as_came(source, &matched, &came)
            {
                matched = ordered;
            }
        }
        let first = matched.first().copied();
        let reading = Reading { source, pattern, step: &step, options, first, attributes: &bound.attributes };
        if !reading.run(cx, "Query", request, placeholders, &matched, (&reached, &others), tally) {
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
        None => match follow(cx, "Scan", request(cx, source), false) {
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
    let reading = Reading { source, pattern, step: &step, options, first, attributes };
    reading.run(cx, "Scan", request(cx, source), Placeholders::default(), &ordered, (&all, &[]), tally);
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
}

impl<'p, 'db> Reading<'_, 'p, 'db> {
    /// Sends the request and holds the answer against what is expected. False
    /// where the engine did not accept it.
    #[allow(clippy::too_many_arguments)]
    fn run(
        &self,
        cx: &Cx<'_, 'db>,
        operation: &str,
        mut request: Map<String, Json>,
        mut placeholders: Placeholders,
        ordered: &[&Entry<'p, 'db>],
        there: (&[Entry<'p, 'db>], &[Entry<'p, 'db>]),
        tally: &mut Tally,
    ) -> bool {
        let shape = Shape::new(self.pattern, self.step, self.source);
        let filter = self.filter(ordered);
        if let Some(filter) = &filter {
            request.insert("FilterExpression".to_owned(), json!(filter.express(&mut placeholders)));
        }
        shape.ask(&mut request, &mut placeholders);
        placeholders.give(&mut request);
        let limit = self.options.limit.as_ref().and_then(|limit| limit.get(Unit::Number)).map(|limit| limit as usize);
        if let Some(limit) = limit {
            request.insert("Limit".to_owned(), json!(limit));
        }
        let mut pages = pages(ordered.iter().take(limit.unwrap_or(usize::MAX)).map(|entry| entry.bytes));
        if limit.is_some() {
            pages.truncate(1);
        }
        let read_items: usize = pages.iter().map(|page| page.0).sum();
        let quirk = cx.session.has(Quirk::LocalIndexFetchesNothing);
        let label = self.source.label();
        let mut predicted = Units::default();
        for (_, bytes) in &pages {
            predicted.add(&label, read(*bytes as f64, shape.consistency));
        }
        let mut kept = Vec::new();
        for entry in &ordered[..read_items] {
            let fetched = shape.fetches && !quirk;
            if fetched {
                let bytes = item_bytes(&entry.stored.item) as f64;
                predicted.add(&self.source.layout.name.text, read(bytes, shape.consistency));
            }
            if filter.as_ref().is_none_or(|filter| filter.holds(&entry.image)) {
                let image = if fetched { &entry.stored.item } else { &entry.image };
                kept.push((entry.stored.kind.entity.as_str(), shape.of(image)));
            }
        }
        if shape.fetches && quirk {
            tally.note("the engine answers from the local index alone: what DynamoDB charges for the fetch from the table is not compared");
        }
        tally.expect(0, kept.iter().map(|(entity, _)| *entity), read_items as u64, &predicted);
        match follow(cx, operation, request, limit.is_some()) {
            Err(fault) => {
                tally.refused(&fault);
                false
            }
            Ok((came, measured)) => {
                let all: Vec<&Entry> = there.0.iter().chain(there.1).collect();
                compare(&kept, &came, &all, &shape, tally);
                tally.units(&predicted, &measured);
                true
            }
        }
    }

    /// The filter with operands, chosen so that some item passes.
    fn filter(&self, ordered: &[&Entry<'p, 'db>]) -> Option<Condition> {
        let conditions = self.options.filter.as_ref()?.conditions.as_ref()?;
        let empty = Item::new();
        let layout = self.source.layout;
        let is_key = |name: &str| layout.sources().flat_map(Source::key).any(|key| key.name == name);
        let choose = |entry: Option<&Entry>| {
            let item = entry.map_or(&empty, |entry| &entry.image);
            let attributes = entry.map_or(self.attributes, |entry| &entry.stored.instance.values);
            Chosen { item, attributes, element: None, is_key: &is_key }.conditions(conditions, true)
        };
        let passing = ordered.iter().find(|entry| choose(Some(entry)).holds(&entry.image));
        Some(choose(passing.copied().or(self.first)))
    }
}

fn shown(value: &crate::capacity::values::Value) -> String {
    use crate::capacity::values::Value;
    match value {
        Value::S(text) => format!("{text:?}"),
        Value::N(number) => number.clone(),
        other => format!("{other:?}"),
    }
}

/// A request that reads a table or index.
fn request(cx: &Cx<'_, '_>, source: Source<'_>) -> Map<String, Json> {
    let mut request = cx.session.request(&source.layout.name.text);
    if let Some(index) = source.index {
        request.insert("IndexName".to_owned(), json!(index.name.text));
    }
    request
}

fn key_condition(bound: &Bound, placeholders: &mut Placeholders) -> String {
    let terms = bound.terms.iter().map(|term| {
        let path = Path { name: term.attribute.clone(), element: None };
        let condition = Condition::Compare { path, operator: term.operator, operands: term.operands.clone() };
        condition.express(placeholders)
    });
    terms.collect::<Vec<_>>().join(" AND ")
}

fn key_condition_placeholders(bound: &Bound) -> Placeholders {
    let mut placeholders = Placeholders::default();
    key_condition(bound, &mut placeholders);
    placeholders
}

/// Pages of at most 1 MB, as (items, bytes): an item that would go beyond begins
/// the next one (L26, Q7). Where nothing is read there is still one.
fn pages(sizes: impl Iterator<Item = u64>) -> Vec<(usize, u64)> {
    let mut pages = vec![(0, 0)];
    for bytes in sizes {
        let (items, page) = pages[pages.len() - 1];
        match items > 0 && page + bytes > PAGE as u64 {
            true => pages.push((1, bytes)),
            false => *pages.last_mut().expect("there is one from the start") = (items + 1, page + bytes),
        }
    }
    pages
}

/// Sends a query or scan, page after page unless one is enough, and adds up what
/// they return and consume.
fn follow(
    cx: &Cx<'_, '_>,
    operation: &str,
    request: Map<String, Json>,
    one_page: bool,
) -> Result<(Vec<Item>, Units), EngineFault> {
    let (mut items, mut units) = (Vec::new(), Units::default());
    let mut start = None;
    for _ in 0..MOST_PAGES {
        let mut page = request.clone();
        if let Some(start) = start.take() {
            page.insert("ExclusiveStartKey".to_owned(), start);
        }
        let (answer, consumed) = cx.session.measure(operation, page)?;
        items.extend(answer["Items"].as_array().into_iter().flatten().filter_map(item_from_json));
        units.extend(&consumed);
        match answer.get("LastEvaluatedKey") {
            Some(key) if !key.is_null() && !one_page => start = Some(key.clone()),
            _ => return Ok((items, units)),
        }
    }
    Err(EngineFault { code: "Endless".to_owned(), message: format!("no end after {MOST_PAGES} pages") })
}

/// The places of the returned items among those that are there; `None` where
/// they are not all of these, each once.
fn places(layout: &TableLayout, there: &[&Entry<'_, '_>], came: &[Item]) -> Option<Vec<usize>> {
    let keys: BTreeMap<String, usize> =
        there.iter().enumerate().map(|(place, entry)| (spelled(&entry.stored.key()), place)).collect();
    let places: Vec<usize> =
        came.iter().map(|item| keys.get(&spelled(&key_of(layout, item))).copied()).collect::<Option<_>>()?;
    let distinct: BTreeSet<usize> = places.iter().copied().collect();
    (distinct.len() == places.len() && places.len() == there.len()).then_some(places)
}

/// The matched items in the order in which they came, if that keeps what is
/// promised: the order of their sort keys.
fn as_came<'e, 'p, 'db>(
    source: Source<'_>,
    matched: &[&'e Entry<'p, 'db>],
    came: &[Item],
) -> Option<Vec<&'e Entry<'p, 'db>>> {
    let places = places(source.layout, matched, came)?;
    let ordered: Vec<&Entry> = places.iter().map(|place| matched[*place]).collect();
    let kept = ordered.iter().zip(matched).all(|(a, b)| order(source, &a.image, &b.image).is_eq());
    kept.then_some(ordered)
}

/// Holds what came back against what was expected, item by item and in order,
/// and counts it by entity.
pub(super) fn compare(
    expected: &[(&str, Item)],
    came: &[Item],
    there: &[&Entry<'_, '_>],
    shape: &Shape,
    tally: &mut Tally,
) {
    let names: Vec<&str> = came
        .iter()
        .enumerate()
        .map(|(index, item)| match expected.get(index) {
            Some((entity, image)) if image == item => *entity,
            _ => {
                let known = there.iter().find(|entry| shape.of(&entry.image) == *item);
                known.map_or("an unknown item", |entry| entry.stored.kind.entity.as_str())
            }
        })
        .collect();
    tally.returned(names.iter().copied());
    let counted = |names: &[&str]| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
        let words: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    };
    let wanted: Vec<&str> = expected.iter().map(|(entity, _)| *entity).collect();
    if counted(&wanted) != counted(&names) {
        tally.problem(format!("expected {}, returned {}", counted(&wanted), counted(&names)));
    } else if let Some(index) = expected.iter().zip(came).position(|((_, image), item)| image != item) {
        let key = spelled(&came[index].iter().take(3).map(|(n, v)| (n.clone(), v.clone())).collect());
        tally.problem(format!("item {} is another one, or in another order, than expected: {key}", index + 1));
    }
}
