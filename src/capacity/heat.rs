//! What of the load on a key DynamoDB can split, and what sharding leaves of it
//! (facts H1, H2, L30; numbers H1, H2).

use super::distinct::{Owner, distinct};
use super::facts::{Declared, Facts};
use super::figure::{Figure, Input};
use super::load::{Contribution, Family, READ_LIMIT, WRITE_LIMIT, exceeds, is_one_item, partition_holes, template};
use super::operations::{Work, pattern_numbers};
use super::reads::{ReadKind, ReadNumbers};
use super::select::{Given, narrowing};
use super::sizes::members;
use super::units::read_pages;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::IndexKind;
use crate::model::key::KeyPiece;
use crate::model::layout::{ItemLayout, Source};
use crate::syntax::template::Format;
use std::collections::BTreeMap;

/// Why DynamoDB cannot split a key that takes more than its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsplit {
    /// One item of this entity takes more than the limit by itself (L30).
    OneItem(String),
    /// A table with a local index keeps a partition value together (H2).
    LocalIndex(String),
    /// What is written at the end of this entity's sort key, which only grows,
    /// is more than the limit by itself (H2).
    Rising(String),
}

/// Why DynamoDB cannot split a family of values for heat; `None` where it can, or
/// where no limit is exceeded.
///
/// A table with a local index is never split inside a partition value. One item
/// is never split: the loads on one entity's only item under the value count
/// together, those on different items do not. Of a sort key that only grows the
/// end takes what is written there; updates of older items could be split off,
/// and do not count.
pub fn unsplit(source: Source<'_>, family: &Family) -> Option<Unsplit> {
    let over = |reads: f64, writes: f64| exceeds(reads, READ_LIMIT) || exceeds(writes, WRITE_LIMIT);
    let mut items: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for load in family.contributions.iter().filter(|load| load.one_item) {
        let sum = items.entry(&load.entity).or_default();
        *sum = (sum.0 + load.reads().low(), sum.1 + load.writes().low());
    }
    if let Some((entity, _)) = items.into_iter().find(|(_, (reads, writes))| over(*reads, *writes)) {
        return Some(Unsplit::OneItem(entity.to_owned()));
    }
    if !over(family.reads.low(), family.writes.low()) {
        return None;
    }
    let local = source.layout.indexes.iter().find(|index| index.kind == IndexKind::Local);
    if let Some(index) = local.filter(|_| source.index.is_none()) {
        return Some(Unsplit::LocalIndex(index.name.text.clone()));
    }
    let end = growing_ends(source, family).into_iter().find(|end| exceeds(end.writes, WRITE_LIMIT));
    end.map(|end| Unsplit::Rising(end.entity))
}

/// What is written at one end of a sort key that only grows.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowingEnd {
    /// The entity that is written there most.
    pub entity: String,
    /// Write units a second on the hottest partition value, as far as they are
    /// known.
    pub writes: f64,
    /// What makes them up.
    pub loads: Vec<Contribution>,
}

/// The growing ends of a family, the heaviest first. Entities whose sort keys
/// begin with the same text share an end.
pub fn growing_ends(source: Source<'_>, family: &Family) -> Vec<GrowingEnd> {
    let mut ends: Vec<(Vec<&str>, GrowingEnd)> = Vec::new();
    for load in family.contributions.iter().filter(|load| load.rising) {
        let Some(item) = source.layout.items.iter().find(|item| item.entity == load.entity) else { continue };
        let start = start_of_sort(source, item);
        match ends.iter_mut().find(|(other, _)| *other == start) {
            Some((_, end)) => {
                end.writes += load.writes().low();
                end.loads.push(load.clone());
            }
            None => {
                let (entity, writes) = (load.entity.clone(), load.writes().low());
                ends.push((start, GrowingEnd { entity, writes, loads: vec![load.clone()] }));
            }
        }
    }
    let mut ends: Vec<GrowingEnd> = ends.into_iter().map(|(_, end)| end).collect();
    ends.sort_by(|a, b| b.writes.total_cmp(&a.writes));
    ends
}

/// The text before the first hole of an item's sort key, part by part.
fn start_of_sort<'l>(source: Source<'l>, item: &'l ItemLayout) -> Vec<&'l str> {
    let mut start = Vec::new();
    for part in source.sort().iter().filter_map(|key| item.keys.get(&key.name)).flat_map(|key| &key.value.parts) {
        match part {
            KeyPiece::Literal(text) => start.push(text.as_str()),
            KeyPiece::Hole(_) => break,
        }
    }
    start
}

/// Read and write units a second that a value still takes where there are `n`
/// times as many, as far as they are known: writes and gets are divided by n; a
/// query that reads all shards, n times as many, reads a part of the items on
/// each, but never less than a unit's worth; what goes to one item stays. The
/// inverse of numbers C4.
pub fn sharded(db: &dyn Db, root: SourceFile, loads: &[&Contribution], n: f64) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    for load in loads {
        let (reads, writes) = (load.reads().low(), load.writes().low());
        let query = (reads > 0.0).then(|| read_of(db, root, load)).flatten().filter(|read| read.how == ReadKind::Query);
        sum.1 += if load.one_item { writes } else { writes / n };
        sum.0 += match query {
            Some(read) => reads * part_of_a_shard(read, n),
            None if load.one_item => reads,
            None => reads / n,
        };
    }
    sum
}

fn read_of<'db>(db: &'db dyn Db, root: SourceFile, load: &Contribution) -> Option<&'db ReadNumbers> {
    let numbers = pattern_numbers(db, root, load.pattern_decl).as_ref()?;
    let step = numbers.steps.iter().find(|step| (step.operation, step.step) == (load.operation, load.step))?;
    match &step.work {
        Work::Read(read) => Some(read),
        _ => None,
    }
}

/// The units of reading one of n shards over those of reading the value whole: 1
/// where a limit stops both, or where what there is to read is not known.
fn part_of_a_shard(read: &ReadNumbers, n: f64) -> f64 {
    if read.returning.is_some() || read.pages.is_some() || read.fetch.is_some() {
        return 1.0;
    }
    let mut bytes = 0.0;
    for kind in &read.kinds {
        let there = kind.selection.as_ref().and_then(|selection| selection.hot.value());
        let (Some(there), Some(each)) = (there, kind.each.value()) else { return 1.0 };
        bytes += there * each / n;
    }
    let Some(whole) = read.hot_units.value().filter(|units| *units > 0.0) else { return 1.0 };
    // Where a limit stops the reading of a shard, it stopped that of the whole.
    (read_pages(bytes, read.consistency) / whole).min(1.0)
}

/// How many values a partition key has: of the items that share it, those with
/// the same template once (Q1). A literal is one value. Where the parts of a key hang
/// together, there are fewer values than their product: never more than items.
pub fn partition_values(db: &dyn Db, root: SourceFile, source: Source<'_>) -> Figure {
    let facts = Declared { db, root };
    let mut families: BTreeMap<String, Figure> = BTreeMap::new();
    for item in source.items() {
        let Some(owner) = Owner::of(&facts, item) else {
            return Figure::unknown(Input::Entity(item.entity.clone()));
        };
        let values = values_of(owner, source, item);
        let values = match members(&facts, source, item).high() {
            Some(items) => values.min(&Figure::known(items)),
            None => values,
        };
        let family = families.entry(template(owner, source, item).0).or_insert(Figure::ZERO);
        *family = family.max(&values);
    }
    families.values().sum()
}

fn values_of(owner: Owner<'_>, source: Source<'_>, item: &ItemLayout) -> Figure {
    let given = partition_holes(source, item);
    let all: Vec<&Given> = given.iter().collect();
    let names: Vec<&str> =
        given.iter().filter(|g| !matches!(g.hole.format, Format::Shard(_))).map(|g| g.hole.name.as_str()).collect();
    let holes = narrowing(&all);
    holes.iter().fold(Figure::known(1.0), |product, given| product.times(&distinct(owner, &given.hole, &names)))
}

/// The items of a table or index whose partition key has the template of a
/// family.
pub fn items_of<'l>(facts: &dyn Facts, source: Source<'l>, family: &str) -> impl Iterator<Item = &'l ItemLayout> {
    let of = |item: &&ItemLayout| Owner::of(facts, item).is_some_and(|owner| template(owner, source, item).0 == family);
    source.items().filter(of).collect::<Vec<_>>().into_iter()
}

/// Whether the values of an item's partition key hold one item each.
pub fn holds_one(facts: &dyn Facts, source: Source<'_>, item: &ItemLayout) -> bool {
    Owner::of(facts, item).is_some_and(|owner| is_one_item(owner, source, item))
}
