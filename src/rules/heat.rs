//! What the rules about hot keys share: which keys are hot and why, computed
//! apart from the findings, so that an edit of a pattern that leaves a table
//! cool judges no table again.

use super::check::Cx;
use super::finding::Level;
use super::threshold::Threshold;
use super::{hot_index_key, hot_partition_key};
use crate::capacity::distinct::Owner;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::heat::{GrowingEnd, Unsplit, growing_ends, partition_values, unsplit};
use crate::capacity::load::{
    Family, HEADROOM, KeyLoad, READ_LIMIT, WRITE_LIMIT, Why, exceeds, is_now, key_loads, partition_holes, reaches,
    template,
};
use crate::config::Bounds;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::{Source, TableLayout, layout};
use crate::syntax::{Quantity, Unit};

/// The share of a partition's limits from which one value is too hot (H2).
pub(crate) const LOAD: Threshold = Threshold {
    name: "load",
    default: Quantity { value: HEADROOM, unit: Unit::Percent },
    bounds: Bounds::NONE,
    summary: "the share of what a partition takes from which its hottest value is reported",
};
/// Below this share nothing is planned: shards without end would be the advice.
const LEAST_HEADROOM: f64 = 0.01;
/// Write units a second above which a sort key that only grows is reported: half
/// of what a partition takes.
pub(super) const RISING: f64 = 0.5 * WRITE_LIMIT;
/// Values of a partition key below which there are few (facts H12).
pub(super) const FEW: f64 = 100.0;
/// Units a second on the hottest value from which few values are worth a look.
pub(super) const WORTH_A_LOOK: f64 = 1.0;

/// What the keys of a table suffer from.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Heat {
    pub hot: Vec<Hot>,
    pub rising: Vec<Rising>,
    pub buckets: Vec<Bucket>,
    pub few: Vec<Few>,
}

/// Values of a key of which the hottest takes 80 % of a limit or more.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hot {
    /// The global index; `None` for the table's own key.
    pub index: Option<String>,
    pub family: Family,
    pub reads: bool,
    pub writes: bool,
    /// Why DynamoDB cannot split it, where it is over a limit.
    pub unsplit: Option<Unsplit>,
    /// The share of a limit that a value should stay below.
    pub headroom: f64,
}

impl Hot {
    /// The level: an error over the limit where DynamoDB cannot split the key.
    pub fn level(&self) -> Level {
        if self.unsplit.is_some() { Level::Error } else { Level::Warning }
    }

    /// Whether read and write units a second on one value stay below the share of
    /// what it takes.
    pub fn is_cool(&self, (reads, writes): (f64, f64)) -> bool {
        !reaches(reads, self.headroom * READ_LIMIT) && !reaches(writes, self.headroom * WRITE_LIMIT)
    }

    /// Whether one of its limits is exceeded.
    pub fn is_over(&self) -> bool {
        exceeds(self.family.reads.low(), READ_LIMIT) || exceeds(self.family.writes.low(), WRITE_LIMIT)
    }

    /// The share of the load that its hottest shard has; 1 for a key that is not
    /// sharded.
    pub fn shard_share(&self) -> f64 {
        let holes = self.family.contributions.iter().flat_map(|load| &load.holes);
        let shards = holes.filter(|hole| matches!(hole.why, Why::Shard(_)));
        shards.map(|hole| hole.share.low()).reduce(f64::max).unwrap_or(1.0)
    }

    /// How many shards it has already; `None` for a key that is not sharded, or
    /// by what it holds anyway.
    pub fn shards(&self) -> Option<u32> {
        let holes = self.family.contributions.iter().flat_map(|load| &load.holes);
        holes.filter_map(|hole| if let Why::Shard(n) = hole.why { Some(n) } else { None }).next()
    }
}

/// A sort key that only grows under much writing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rising {
    pub index: Option<String>,
    pub family: Family,
    pub end: GrowingEnd,
}

/// A partition key that is made of time alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bucket {
    pub index: Option<String>,
    /// The entity whose item shows it.
    pub entity: String,
    /// The template of the key.
    pub value: String,
    /// What is written to the value of the moment.
    pub family: Option<Family>,
}

/// A partition key of few values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Few {
    pub index: Option<String>,
    pub values: Figure,
    /// What meets on its hottest value.
    pub family: Family,
}

/// What the keys of a table suffer from. One cause is told once: of a key that is
/// hot by its writes it is not told as well that it is made of time alone, of one
/// that is hot beyond splitting or made of time not that its sort key grows, and
/// of none of these that it has few values.
#[salsa::tracked(returns(ref))]
pub(super) fn heat(db: &dyn Db, root: SourceFile, table: Decl) -> Heat {
    let mut heat = Heat::default();
    let Some(layout) = layout(db, root, table) else { return heat };
    for key in key_loads(db, root, table) {
        let Some(source) = source_of(layout, key.index.as_deref()).filter(|source| is_sound(*source)) else { continue };
        key_heat(db, root, source, key, &mut heat);
    }
    heat
}

fn key_heat(db: &dyn Db, root: SourceFile, source: Source<'_>, key: &KeyLoad, heat: &mut Heat) {
    // An item without a value for the key cannot be written; that is a finding of
    // its own.
    let has_key = |entity: &str| {
        let item = source.layout.items.iter().find(|item| item.entity == entity);
        item.is_some_and(|item| source.partition().iter().all(|key| item.keys.contains_key(&key.name)))
    };
    let families: Vec<&Family> =
        key.families.iter().filter(|family| family.contributions.iter().all(|load| has_key(&load.entity))).collect();
    let rule = if key.index.is_none() { &hot_partition_key::RULE } else { &hot_index_key::RULE };
    let share = LOAD.value(db, root, rule);
    let hot: Vec<Hot> = families.iter().filter_map(|family| hot(source, key, share, family)).collect();
    let timed = buckets(db, root, source);
    let mut buckets: Vec<Bucket> = Vec::new();
    for (entity, id, value) in &timed {
        if has_key(entity) && !hot.iter().any(|hot| hot.writes && id_of(&hot.family) == id) {
            let family = families.iter().find(|family| id_of(family) == id).map(|family| (*family).clone());
            let (index, entity, value) = (key.index.clone(), entity.clone(), value.clone());
            buckets.push(Bucket { index, entity, value, family });
        }
    }
    let mut rising: Vec<Rising> = Vec::new();
    for family in &families {
        let Some(end) = growing_ends(source, family).into_iter().next() else { continue };
        let told = hot.iter().any(|hot| hot.unsplit.is_some() && id_of(&hot.family) == id_of(family))
            || timed.iter().any(|(_, id, _)| id == id_of(family));
        if exceeds(end.writes, RISING) && !told {
            rising.push(Rising { index: key.index.clone(), family: (*family).clone(), end });
        }
    }
    if hot.is_empty() && buckets.is_empty() && rising.is_empty() {
        heat.few.extend(few(db, root, source, key, &families));
    }
    heat.hot.extend(hot);
    heat.buckets.extend(buckets);
    heat.rising.extend(rising);
}

fn hot(source: Source<'_>, key: &KeyLoad, share: f64, family: &Family) -> Option<Hot> {
    let reads = reaches(family.reads.low(), share * READ_LIMIT);
    let writes = reaches(family.writes.low(), share * WRITE_LIMIT);
    let (index, unsplit) = (key.index.clone(), unsplit(source, family));
    // Whoever is content with more is still not advised to use it up.
    let headroom = share.clamp(LEAST_HEADROOM, HEADROOM);
    (reads || writes).then(|| Hot { index, family: family.clone(), reads, writes, unsplit, headroom })
}

/// A partition key of which it is certain that it has fewer than 100 values.
fn few(db: &dyn Db, root: SourceFile, source: Source<'_>, key: &KeyLoad, families: &[&Family]) -> Option<Few> {
    let load = |family: &Family| family.reads.low() + family.writes.low();
    let family = *families.iter().max_by(|a, b| load(a).total_cmp(&load(b)))?;
    if !reaches(load(family), WORTH_A_LOOK) {
        return None;
    }
    let values = partition_values(db, root, source);
    values.high().filter(|values| *values < FEW)?;
    Some(Few { index: key.index.clone(), values, family: family.clone() })
}

/// What a family is told apart by.
fn id_of(family: &Family) -> &str {
    family.contributions.first().map_or("", |load| &load.family)
}

/// The templates of a partition key that are made of time and text alone: the
/// first entity that has it, what it is told apart by, and as it is written.
fn buckets(db: &dyn Db, root: SourceFile, source: Source<'_>) -> Vec<(String, String, String)> {
    let facts = Declared { db, root };
    let mut found: Vec<(String, String, String)> = Vec::new();
    for item in source.items() {
        let Some(owner) = Owner::of(&facts, item) else { continue };
        let holes = partition_holes(source, item);
        if holes.is_empty() || !holes.iter().all(|given| is_now(owner, &given.hole)) {
            continue;
        }
        let (id, value) = template(owner, source, item);
        if !found.iter().any(|(_, other, _)| *other == id) {
            found.push((item.entity.clone(), id, value));
        }
    }
    found
}

/// The table, or its global index of this name.
pub(super) fn source_of<'l>(layout: &'l TableLayout, index: Option<&str>) -> Option<Source<'l>> {
    match index {
        None => Some(layout.table()),
        Some(name) => layout.index(name).map(|index| layout.of_index(index)),
    }
}

/// Whether the partition key is one that DynamoDB takes. Where it is not, that is
/// the fault.
fn is_sound(source: Source<'_>) -> bool {
    source.has_sound_partition() && source.partition().iter().all(|key| key.ty.is_some())
}

impl Cx<'_> {
    /// What the keys of the table under judgement suffer from; nothing where a
    /// syntax error may hide a part of a key.
    pub(super) fn heat(&self) -> Heat {
        if self.is_broken() { Heat::default() } else { heat(self.db, self.root, self.decl).clone() }
    }
}
