//! Which table or index answers what a pattern requires, and which takes a key
//! condition that another does not take.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::key::{KeyHole, KeyPiece, KeyValue};
use super::key_condition::{conjuncts, order_faults, unsupported};
use super::layout::{ItemLayout, Source, TableLayout, layout, placements};
use super::names::names;
use super::resolve::item_matches;
use crate::syntax::strings::quote_name;
use crate::syntax::template::Format;
use std::collections::HashMap;

/// An operation that answers a `reads … by …` with the keys that there are.
#[derive(Clone)]
pub struct Answer<'db> {
    /// What it reads.
    pub source: Source<'db>,
    /// The operation as it is written in a pattern.
    pub operation: String,
    /// What is read and the index does not project: it answers once that is
    /// included.
    pub lacking: Vec<String>,
}

/// Everything that answers a `reads … by … ordered by …`, the best first: gets,
/// then queries of tables, then queries of indexes; those of indexes that do not
/// project all that is read come last.
pub fn answers<'db>(db: &'db dyn Db, root: SourceFile, requirement: &RequirementDef) -> Vec<Answer<'db>> {
    // What is read together is read from one table: each holds the first entity.
    let Some(first) = requirement.uses.first().filter(|_| !requirement.writes) else { return Vec::new() };
    let layouts = tables_of(db, root, &first.entity.text);
    let gets = layouts.iter().filter_map(|layout| get(layout, requirement));
    // A get reads the one item that a query of the same key would find.
    let open = layouts.iter().filter(|layout| get(layout, requirement).is_none());
    let in_tables = open.filter_map(|layout| query(layout.table(), requirement));
    let in_indexes = layouts.iter().flat_map(|layout| layout.of_indexes());
    let mut found: Vec<Answer<'db>> =
        gets.chain(in_tables).chain(in_indexes.filter_map(|source| query(source, requirement))).collect();
    found.sort_by_key(|answer| !answer.lacking.is_empty());
    found
}

/// The tables that hold or embed an entity, in the order of the text.
pub fn tables_of<'db>(db: &'db dyn Db, root: SourceFile, entity: &str) -> Vec<&'db TableLayout> {
    let mut tables = placements(db, root).get(entity).cloned().unwrap_or_default();
    tables.sort_by_key(|table| table_places(db, root).get(table).copied());
    tables.into_iter().filter_map(|table| layout(db, root, table).as_ref()).collect()
}

/// Where each table stands among those of the model.
#[salsa::tracked(returns(ref))]
fn table_places(db: &dyn Db, root: SourceFile) -> HashMap<Decl, usize> {
    let tables = names(db, root).tables_in_order(db, root);
    tables.into_iter().enumerate().map(|(place, table)| (table, place)).collect()
}

/// `get E from T`, where `by` names all that the primary key is made of.
fn get<'l>(layout: &'l TableLayout, requirement: &RequirementDef) -> Option<Answer<'l>> {
    let [one] = requirement.uses.as_slice() else { return None };
    let item = layout.item_of(&one.entity.text)?;
    let mut key = layout.primary_key().peekable();
    key.peek()?;
    let known = key.all(|key| item.keys.get(&key.name).is_some_and(|source| is_known(&source.value, requirement)));
    let made_from = item.made_from(layout.primary_key());
    // A key of literals alone is one item whoever asks: nothing is found by it.
    (known && !made_from.is_empty()).then(|| Answer {
        source: layout.table(),
        operation: format!("get {} from {}", quote_name(&one.entity.text), quote_name(&layout.name.text)),
        lacking: Vec::new(),
    })
}

/// A query of a table or index that finds, by nothing else than `by`, all that
/// is read, in the order that is wanted.
fn query<'l>(source: Source<'l>, requirement: &RequirementDef) -> Option<Answer<'l>> {
    let uses = requirement.uses.iter();
    let holders = uses.map(|one| Some((one, source.items().find(|item| item.holds(&one.entity.text))?)));
    let holders: Vec<(&EntityUse, &ItemLayout)> = holders.collect::<Option<_>>()?;
    let mut missing: Vec<String> = Vec::new();
    for name in holders.iter().flat_map(|(one, item)| lacking(source, item, one)) {
        if !missing.contains(&name) {
            missing.push(name);
        }
    }
    let items: Vec<&ItemLayout> = holders.into_iter().map(|(_, item)| item).collect();
    let first = items.first()?;
    if !items.iter().all(|item| is_complete(source, item, requirement)) {
        return None;
    }
    let mut conditions = Vec::new();
    let mut used: Vec<String> = Vec::new();
    let mut times = 1.0;
    for key in source.partition() {
        let value = &first.keys.get(&key.name)?.value;
        // Reads of several entities are one query only where they share a value.
        let shared = items.iter().all(|item| item.keys.get(&key.name).is_some_and(|other| other.value == *value));
        if !shared || !value.holes().all(|hole| is_shard(hole) || is_asked(&hole.name, requirement)) {
            return None;
        }
        let asked_all = |hole: &&KeyHole| is_shard(hole) && !is_asked(&hole.name, requirement);
        times *= shards_asked(value, requirement);
        conditions.push(equal(&key.name, value));
        used.extend(value.holes().filter(|hole| !asked_all(hole)).map(|hole| hole.name.clone()));
    }
    let one_kind = source.items().count() == 1;
    let mut next: Option<Next<'_>> = None;
    for key in source.sort().iter().filter(|_| items.len() == 1) {
        let value = &first.keys.get(&key.name)?.value;
        if is_known(value, requirement) {
            used.extend(value.attributes().into_iter().map(str::to_owned));
            if !(one_kind && value.as_literal().is_some()) {
                conditions.push(equal(&key.name, value));
            }
            continue;
        }
        let prefix = known_prefix(value, requirement);
        next = match value.whole_attribute() {
            Some(name) => Some(Next::Whole(name)),
            None => value.parts[prefix.parts.len()..].iter().find_map(hole_of).map(Next::Hole),
        };
        let says_nothing = one_kind && prefix.as_literal().is_some();
        if !prefix.parts.is_empty() && !says_nothing {
            conditions.push(format!("{} begins_with {}", quote_name(&key.name), prefix.spelling()));
            used.extend(prefix.attributes().into_iter().map(str::to_owned));
        }
        break;
    }
    let found_by_all = requirement.by.iter().all(|name| used.contains(&name.text));
    let ordered = requirement.order.as_ref().is_none_or(|order| match next {
        Some(Next::Whole(name)) => name == order.text,
        Some(Next::Hole(hole)) => sorts(hole, &order.text),
        None => false,
    });
    if conditions.is_empty() || !found_by_all || !ordered {
        return None;
    }
    let conditions = conditions.join(" and ");
    let times = times_told(times);
    let operation = format!("query {} where {conditions}{}{times}", spelled(source), descending(requirement));
    Some(Answer { source, operation, lacking: missing })
}

/// What a sort key orders by behind what is asked for.
enum Next<'k> {
    /// An attribute as it is: a number sorts as one.
    Whole(&'k str),
    Hole(&'k KeyHole),
}

/// Whether a table or index holds all items of a kind that are looked for. What has
/// no value for a key is in no index: nobody asks for it only where the key is made
/// of what the caller gives, or wants the order of.
fn is_complete(source: Source<'_>, item: &ItemLayout, requirement: &RequirementDef) -> bool {
    let asked =
        |name: &str| is_asked(name, requirement) || requirement.order.as_ref().is_some_and(|order| order.text == name);
    let keys = source.key().filter_map(|key| item.keys.get(&key.name));
    keys.filter(|key| key.optional).all(|key| key.value.attributes().into_iter().all(asked))
}

/// `Table` or `Table.Index`, as an operation names it.
pub fn spelled(source: Source<'_>) -> String {
    let table = quote_name(&source.layout.name.text);
    match source.index {
        Some(index) => format!("{table}.{}", quote_name(&index.name.text)),
        None => table,
    }
}

/// How a query reads in the order that is required.
pub fn descending(requirement: &RequirementDef) -> &'static str {
    if requirement.descending { " descending" } else { "" }
}

/// Whether the caller knows all that a value is made of.
pub fn is_known(value: &KeyValue, requirement: &RequirementDef) -> bool {
    value.attributes().into_iter().all(|name| is_asked(name, requirement))
}

fn is_asked(name: &str, requirement: &RequirementDef) -> bool {
    requirement.by.iter().any(|by| by.text == name)
}

fn is_shard(hole: &KeyHole) -> bool {
    matches!(hole.format, Format::Shard(_))
}

/// How many values a shard has; 1 of what is none.
fn shards(hole: &KeyHole) -> f64 {
    match hole.format {
        Format::Shard(n) => f64::from(n),
        _ => 1.0,
    }
}

/// How many shards a query of a key has to ask: who does not know what a shard is made
/// of asks all of them (Q9).
pub fn shards_asked(value: &KeyValue, requirement: &RequirementDef) -> f64 {
    let asked_all = |hole: &&KeyHole| is_shard(hole) && !is_asked(&hole.name, requirement);
    value.holes().filter(asked_all).map(shards).product()
}

/// How often a query is asked, as it is written: nothing for once.
pub fn times_told(times: f64) -> String {
    if times > 1.0 { format!(" times {times}") } else { String::new() }
}

/// Whether a key value, behind what is the same in all that is read, is in the order of
/// this attribute.
pub fn sorted_by(value: &KeyValue, attribute: &str) -> bool {
    match value.whole_attribute() {
        Some(whole) => whole == attribute,
        None => value.holes().next().is_some_and(|hole| sorts(hole, attribute)),
    }
}

/// Whether what a hole of a sort key holds is in the order of the attribute: it holds it
/// whole, and as text a number sorts only with zeros before it (S8).
pub fn sorts(hole: &KeyHole, attribute: &str) -> bool {
    let in_order = match hole.format {
        Format::Plain => !matches!(hole.ty, Some(Type::Number | Type::Epoch)),
        Format::Padded(_) => true,
        Format::Time(_) | Format::Lower | Format::Upper | Format::Shard(_) => false,
    };
    hole.name == attribute && !hole.parameter && in_order
}

fn hole_of(part: &KeyPiece) -> Option<&KeyHole> {
    match part {
        KeyPiece::Hole(hole) => Some(hole),
        KeyPiece::Literal(_) => None,
    }
}

fn hole_name(part: &KeyPiece) -> Option<&str> {
    hole_of(part).map(|hole| hole.name.as_str())
}

/// The beginning of a value as far as the caller knows it, up to a literal: a
/// prefix that stopped behind a hole would catch longer values of that hole.
fn known_prefix(value: &KeyValue, requirement: &RequirementDef) -> KeyValue {
    let known = |part: &&KeyPiece| hole_name(part).is_none_or(|name| is_asked(name, requirement));
    let mut parts: Vec<KeyPiece> = value.parts.iter().take_while(known).cloned().collect();
    while parts.last().is_some_and(|part| hole_name(part).is_some()) {
        parts.pop();
    }
    KeyValue { parts }
}

/// A key condition: against a parameter where the value is an attribute as it
/// is, else against the template.
pub fn equal(key: &str, value: &KeyValue) -> String {
    let operand = match value.whole_attribute() {
        Some(name) if quote_name(name) == name => format!(":{name}"),
        _ => value.spelling(),
    };
    format!("{} = {operand}", quote_name(key))
}

/// What is read of an entity and a table or index has not got; `reads E` without a
/// list claims nothing.
fn lacking(source: Source<'_>, item: &ItemLayout, one: &EntityUse) -> Vec<String> {
    let Some(projected) = source.projected(item) else { return Vec::new() };
    let list = item.embeds.iter().find(|embed| embed.entity == one.entity.text);
    let read: Vec<&String> = match list.filter(|_| item.entity != one.entity.text) {
        Some(embed) => embed.list.iter().collect(),
        None => one.attributes.iter().map(|name| &name.text).collect(),
    };
    read.into_iter().filter(|name| !projected.contains(*name)).cloned().collect()
}

/// The table and indexes that take the whole condition as it stands.
pub fn alternatives<'s>(
    db: &dyn Db,
    source: Source<'s>,
    conditions: &ConditionsDef,
    options: &ReadOptions,
) -> Vec<Source<'s>> {
    let layout = source.layout;
    let comparisons = conjuncts(conditions);
    let filtered: Vec<&Term> =
        options.filter.iter().filter_map(|f| f.conditions.as_ref()).flat_map(ConditionsDef::leaves).collect();
    layout
        .sources()
        .filter(|other| {
            let is_global = other.index.is_some_and(|index| index.kind == IndexKind::Global);
            let given = |name: &str| comparisons.iter().any(|comparison| comparison.attribute.text == name);
            other.label() != source.label()
                && !other.partition().is_empty()
                && other.partition().iter().all(|key| given(&key.name))
                && unsupported(*other, conditions).is_empty()
                && order_faults(*other, &comparisons).is_empty()
                && !(is_global && options.consistent.is_some())
                && !filtered.iter().any(|term| other.key().any(|key| term.names(&key.name)))
                && other.items().any(|item| item_matches(db, *other, item, conditions))
        })
        .collect()
}
