//! Load on the hottest value of a key (numbers H1–H3).

use super::distinct::{Owner, Reason, hole_spread, values_of};
use super::facts::{Declared, Facts, Kind};
use super::figure::Figure;
use super::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use super::select::{Given, How, Pinned, identity, is_full, narrowing, pinned};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece};
use crate::model::key_condition::{conjuncts, is_sound};
use crate::model::layout::{ItemLayout, Source, TableLayout};
use crate::model::resolve::{Step, patterns_of_table, steps};
use crate::syntax::template::Format;

/// Read units a second that one key value takes (L29, H3).
pub const READ_LIMIT: f64 = 3_000.0;
/// Write units a second that one key value takes (L29, H3).
pub const WRITE_LIMIT: f64 = 1_000.0;
/// The share of a limit that a design should stay below (H2).
pub const HEADROOM: f64 = 0.8;

/// What one step of a pattern puts on the hottest value of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    pub pattern: String,
    pub pattern_decl: Decl,
    /// Which operation and which of its steps, counted from 0.
    pub operation: usize,
    pub step: usize,
    /// The index whose key takes the load; `None` for the table's, which takes
    /// that of local indexes too (H2).
    pub index: Option<String>,
    /// The template of the partition key, told apart by what its holes hold.
    pub family: String,
    /// The same as it is written.
    pub value: String,
    /// The entity whose items share that template.
    pub entity: String,
    /// Units of one call on the hottest value, `times` included.
    pub read_units: Figure,
    pub write_units: Figure,
    pub peak: Figure,
    /// The share of the calls that meet on the hottest value: the product over
    /// the holes.
    pub share: Figure,
    pub holes: Vec<HoleShare>,
    /// All of it goes to one item.
    pub one_item: bool,
    /// It writes at the end of a sort key of the table or of the global index that
    /// only grows (H2): a new item, or an entry that moves there.
    pub rising: bool,
}

impl Contribution {
    /// Read units a second on the hottest value: peak × units × Π h (H1).
    pub fn reads(&self) -> Figure {
        self.peak.times(&self.read_units).times(&self.share)
    }

    /// Write units a second on the hottest value.
    pub fn writes(&self) -> Figure {
        self.peak.times(&self.write_units).times(&self.share)
    }
}

/// A hole of a key with the share of its hottest value.
#[derive(Clone, Debug, PartialEq)]
pub struct HoleShare {
    /// As it is written in a template.
    pub hole: String,
    pub share: Figure,
    pub why: Why,
    /// Why it has as many values as it has.
    pub reason: Reason,
}

/// Why a hole has the share that it has.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// The operation gives the value itself.
    Literal,
    /// All writes of a moment have the same time.
    Now,
    /// Hash modulo n.
    Shard(u32),
    /// The hash of an attribute that the key holds anyway: it spreads nothing.
    UselessShard,
    /// `@hottest`.
    Hottest,
    /// So many distinct values.
    Distinct(Figure),
}

/// All that meets on one value of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// The template of the partition key.
    pub value: String,
    /// The heaviest first.
    pub contributions: Vec<Contribution>,
    /// Read units a second on the hottest value.
    pub reads: Figure,
    /// Write units a second on it.
    pub writes: Figure,
}

impl Family {
    /// The share of the read limit.
    pub fn read_share(&self) -> Figure {
        self.reads.scaled(1.0 / READ_LIMIT)
    }

    /// The share of the write limit.
    pub fn write_share(&self) -> Figure {
        self.writes.scaled(1.0 / WRITE_LIMIT)
    }

    /// The larger of the two shares, as far as it is known.
    pub fn known_share(&self) -> f64 {
        self.read_share().low().max(self.write_share().low())
    }
}

/// The load on a key of a table or of a global index.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyLoad {
    /// `Table` or `Table.Index`.
    pub label: String,
    /// The index; `None` for the table's own key.
    pub index: Option<String>,
    /// The heaviest first.
    pub families: Vec<Family>,
}

/// What a pattern puts on keys, step by step.
#[salsa::tracked(returns(ref))]
pub fn pattern_loads(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<Contribution> {
    let Some(numbers) = pattern_numbers(db, root, decl) else { return Vec::new() };
    let facts = Declared { db, root };
    let mut loads = Vec::new();
    for step in steps(db, root, decl) {
        let own =
            numbers.steps.iter().find(|own| (own.operation, own.step) == (step.resolved.operation, step.resolved.step));
        if let Some(own) = own {
            loads.extend(step_loads(db, &facts, decl, numbers, own, step));
        }
    }
    loads
}

fn step_loads(
    db: &dyn Db,
    facts: &dyn Facts,
    decl: Decl,
    pattern: &PatternNumbers,
    numbers: &StepNumbers,
    step: Step<'_>,
) -> Vec<Contribution> {
    let Some(source) = step.source else { return Vec::new() };
    let make = |source: Source<'_>, item: &ItemLayout, holes: &[Given], reads: Figure, writes: Figure| {
        // What a key holds that is misspelt is not one value, but nobody knows how many.
        if !has_key(source, item) {
            return None;
        }
        let owner = Owner::of(facts, item)?;
        let is_write = writes != Figure::ZERO;
        let is_local = source.index.is_some_and(|index| index.kind == IndexKind::Local);
        let holes = hole_shares(owner, holes, is_write);
        let (family, value) = template(owner, source, item);
        Some(Contribution {
            pattern: pattern.name.clone(),
            pattern_decl: decl,
            operation: numbers.operation,
            step: numbers.step,
            index: source.index.filter(|index| index.kind == IndexKind::Global).map(|index| index.name.text.clone()),
            family,
            value,
            entity: item.entity.clone(),
            read_units: reads,
            write_units: writes,
            peak: pattern.peak.clone(),
            share: holes.iter().fold(Figure::known(1.0), |product, hole| product.times(&hole.share)),
            holes,
            one_item: is_one_item(owner, source, item),
            rising: is_write
                && !is_local
                && is_rising(owner, source, item)
                && ends_up_last(&step.step.op, source, item),
        })
    };
    let layout = source.layout;
    let mut loads = Vec::new();
    match (&numbers.work, &step.step.op) {
        (Work::Read(_), OpDef::Query { conditions, .. }) => {
            // DynamoDB refuses the others, and what they would read is no load.
            if !conditions.as_ref().is_some_and(|conditions| is_sound(source, conditions)) {
                return loads;
            }
            let comparisons = conditions.as_ref().map(conjuncts).unwrap_or_default();
            let mut all: Vec<Contribution> = Vec::new();
            for item in source.items().filter(|item| step.resolved.reached.contains(&item.entity)) {
                let Pinned { partition, .. } = pinned(db, source, item, &comparisons);
                let one = make(source, item, &partition, numbers.hot_read_units(), Figure::ZERO);
                // Kinds that share a value are read by the same call: the one on whose
                // values it is the least spread counts.
                let Some(one) = one else { continue };
                match all.iter_mut().find(|other| other.family == one.family) {
                    Some(other) => {
                        other.one_item = false;
                        if one.share.low() > other.share.low() {
                            other.holes = one.holes;
                        }
                        other.share = other.share.max(&one.share);
                    }
                    None => all.push(one),
                }
            }
            loads.extend(all);
        }
        (Work::Read(_), OpDef::Get { .. }) => {
            let item = step.step.op.subject().and_then(|subject| layout.item_of(&subject.entity.text));
            let table = layout.table();
            loads.extend(item.and_then(|item| {
                make(table, item, &partition_holes(table, item), numbers.hot_read_units(), Figure::ZERO)
            }));
        }
        // A scan passes through all values alike.
        (Work::Read(_) | Work::Unknown(_), _) => {}
        (Work::Write(_), op) => {
            let item = op.subject().and_then(|subject| layout.item_of(&subject.entity.text));
            let Some(item) = item else { return loads };
            let table = layout.table();
            loads.extend(make(table, item, &partition_holes(table, item), Figure::ZERO, numbers.write_units()));
            for (name, _, units) in numbers.index_writes().filter(|(_, _, units)| *units != Figure::ZERO) {
                let Some(index) = layout.index(name) else { continue };
                let source = layout.of_index(index);
                loads.extend(make(source, item, &partition_holes(source, item), Figure::ZERO, units));
            }
        }
    }
    loads
}

/// Whether it is known what an item holds in every part of the partition key.
fn has_key(source: Source<'_>, item: &ItemLayout) -> bool {
    let key = source.partition();
    !key.is_empty() && key.iter().all(|part| item.keys.contains_key(&part.name))
}

/// The holes of an item's partition key, each given by a value.
pub fn partition_holes(source: Source<'_>, item: &ItemLayout) -> Vec<Given> {
    holes_of(source.partition().iter().map(|key| key.name.as_str()), item)
}

/// The holes of an item's primary key, each given by a value.
pub fn primary_holes(layout: &TableLayout, item: &ItemLayout) -> Vec<Given> {
    holes_of(layout.primary_key().map(|key| key.name.as_str()), item)
}

fn holes_of<'k>(keys: impl Iterator<Item = &'k str>, item: &ItemLayout) -> Vec<Given> {
    let values = keys.filter_map(|key| item.keys.get(key));
    values.flat_map(|key| key.value.holes()).map(|hole| Given { hole: hole.clone(), how: How::Value }).collect()
}

/// The share of the hottest value of each hole that counts (H1): max(`@hottest`,
/// 1/distinct); for a shard 1/n or that of what it is made of; 1 where the value
/// is given as text; and for writes, where the hole is a time.
pub fn hole_shares(owner: Owner<'_>, given: &[Given], writes: bool) -> Vec<HoleShare> {
    let all: Vec<&Given> = given.iter().collect();
    let shard = |hole: &KeyHole| matches!(hole.format, Format::Shard(_));
    let names: Vec<&str> = given.iter().filter(|g| !shard(&g.hole)).map(|given| given.hole.name.as_str()).collect();
    let share = |given: &&Given| {
        let hole = &given.hole;
        let (values, reason) = values_of(owner, hole, &names);
        let (share, why) = match hole.format {
            _ if matches!(given.how, How::Literal(_)) => (Figure::known(1.0), Why::Literal),
            Format::Shard(_) if names.contains(&hole.name.as_str()) => (Figure::known(1.0), Why::UselessShard),
            Format::Shard(n) => (hole_spread(owner, hole, &names).hot, Why::Shard(n)),
            _ if writes && is_now(owner, hole) => (Figure::known(1.0), Why::Now),
            _ => {
                let hottest = owner.entity.attribute(&hole.name).and_then(|attribute| attribute.hottest);
                let spread = hole_spread(owner, hole, &names).hot;
                let by_hottest = is_full(given) && hottest.is_some_and(|hottest| spread.low() <= hottest);
                (spread, if by_hottest { Why::Hottest } else { Why::Distinct(values) })
            }
        };
        HoleShare { hole: hole.spelling(), share, why, reason }
    };
    narrowing(&all).iter().map(share).collect()
}

/// Whether a hole is the time of the write: a part of a time, or a whole one of
/// which nothing says how many values it has.
pub fn is_now(owner: Owner<'_>, hole: &KeyHole) -> bool {
    if matches!(hole.format, Format::Time(_)) {
        return true;
    }
    owner.entity.attribute(&hole.name).is_some_and(|attribute| {
        matches!(attribute.kind, Kind::Timestamp | Kind::Epoch)
            && attribute.distinct.is_none()
            && attribute.hottest.is_none()
            && !attribute.unique
            && attribute.of.is_none()
            && owner.entity.only_id().is_none_or(|id| id.name != attribute.name)
    })
}

/// The template of an item's partition key: told apart by what its holes hold,
/// and as it is written. The id of an entity and what is `@of` it hold the same.
pub fn template(owner: Owner<'_>, source: Source<'_>, item: &ItemLayout) -> (String, String) {
    let (mut family, mut written) = (Vec::new(), Vec::new());
    for key in source.partition() {
        // A key that nothing gives a value, as one with a misspelt name, has its name in its
        // place.
        let Some(stored) = item.keys.get(&key.name) else {
            family.push(format!("{{.{}}}", key.name));
            written.push(format!("{{{}}}", key.name));
            continue;
        };
        let parts = stored.value.parts.iter().map(|part| match part {
            KeyPiece::Literal(text) => format!("={text}"),
            KeyPiece::Hole(hole) => {
                let attribute = owner.entity.attribute(&hole.name);
                let of = attribute.and_then(|attribute| attribute.of.clone());
                let own = owner.entity.only_id().filter(|id| id.name == hole.name).map(|_| owner.entity.name.clone());
                format!("{{{} {:?}}}", of.or(own).unwrap_or_else(|| format!(".{}", hole.name)), hole.format)
            }
        });
        family.push(parts.collect::<String>());
        written.push(stored.value.spelling().trim_matches('"').to_owned());
    }
    (family.join("\n"), written.join(" + "))
}

/// Whether one partition value holds one such item: all that makes up the item's
/// identity is in it, or, in a table, nothing in the sort key differs.
pub fn is_one_item(owner: Owner<'_>, source: Source<'_>, item: &ItemLayout) -> bool {
    let fixed = |key: &str| item.keys.get(key).is_some_and(|key| key.value.holes().next().is_none());
    let given = partition_holes(source, item);
    let full: Vec<&str> = given.iter().filter(|given| is_full(given)).map(|given| given.hole.name.as_str()).collect();
    identity(owner, &full).is_some() || (source.index.is_none() && source.sort().iter().all(|key| fixed(&key.name)))
}

/// Whether a write of an item puts something at the end of a growing sort key:
/// it makes the item, or it sets what the key grows by. Other updates and
/// deletes meet old items as well as new ones.
fn ends_up_last(op: &OpDef, source: Source<'_>, item: &ItemLayout) -> bool {
    let own = op.subject().is_some_and(|subject| subject.entity.text == item.entity);
    match op {
        OpDef::Put { .. } => own,
        OpDef::Update { set, .. } => {
            own && first_sort_hole(source, item).is_some_and(|hole| set.iter().any(|name| name.text == hole.name))
        }
        _ => false,
    }
}

fn first_sort_hole<'l>(source: Source<'l>, item: &'l ItemLayout) -> Option<&'l KeyHole> {
    source.sort().iter().filter_map(|key| item.keys.get(&key.name)).find_map(|key| key.value.holes().next())
}

/// Whether the sort key only grows: a timestamp, ulid, ksuid or epoch is first,
/// behind leading text (H2), in any format that keeps its order. The id of another
/// entity is as old as that.
pub fn is_rising(owner: Owner<'_>, source: Source<'_>, item: &ItemLayout) -> bool {
    let first = first_sort_hole(source, item);
    let attribute = first.and_then(|hole| owner.entity.attribute(&hole.name).map(|attribute| (hole, attribute)));
    attribute.is_some_and(|(hole, attribute)| {
        // Every other format keeps the order.
        !matches!(hole.format, Format::Shard(_))
            && matches!(attribute.kind, Kind::Timestamp | Kind::Epoch | Kind::Ulid | Kind::Ksuid)
            && attribute.of.is_none()
    })
}

/// The load on each key of a table: its own, with that of its local indexes, and
/// that of each global index. Patterns add up where they meet on values of one
/// template (H2).
#[salsa::tracked(returns(ref))]
pub fn key_loads(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<KeyLoad> {
    let Some(layout) = crate::model::layout::layout(db, root, table) else { return Vec::new() };
    let patterns = patterns_of_table(db, root, table);
    let loads = patterns.iter().flat_map(|pattern| {
        let on_table = pattern_steps_on(db, root, *pattern, table);
        pattern_loads(db, root, *pattern).iter().filter(move |load| on_table.contains(&(load.operation, load.step)))
    });
    let loads: Vec<&Contribution> = loads.collect();
    let global = layout.indexes.iter().filter(|index| index.kind == IndexKind::Global);
    let keys = std::iter::once(None).chain(global.map(|index| Some(index.name.text.clone())));
    keys.map(|index| {
        let label = index.as_ref().map_or_else(|| layout.name.text.clone(), |i| format!("{}.{i}", layout.name.text));
        let own = loads.iter().copied().filter(|load| load.index == index);
        KeyLoad { label, families: families(own), index }
    })
    .collect()
}

fn pattern_steps_on(db: &dyn Db, root: SourceFile, pattern: Decl, table: Decl) -> Vec<(usize, usize)> {
    let resolved = crate::model::resolve::resolved(db, root, pattern);
    let on = resolved.steps.iter().filter(|step| step.table == Some(table));
    on.map(|step| (step.operation, step.step)).collect()
}

/// The heavier first. One that may be heavier than all that is known comes before
/// them: which is the heaviest is not known then, and it shows as a bound.
pub fn heavier(a: &Family, b: &Family) -> std::cmp::Ordering {
    let most = |family: &Family| {
        let high = |figure: Figure| figure.high().unwrap_or(f64::INFINITY);
        high(family.read_share()).max(high(family.write_share()))
    };
    most(b).total_cmp(&most(a)).then(b.known_share().total_cmp(&a.known_share()))
}

fn families<'l>(loads: impl Iterator<Item = &'l Contribution>) -> Vec<Family> {
    let mut families: Vec<(String, Family)> = Vec::new();
    for load in loads {
        let (reads, writes) = (load.reads(), load.writes());
        match families.iter_mut().find(|(family, _)| *family == load.family) {
            Some((_, family)) => {
                family.reads = family.reads.plus(&reads);
                family.writes = family.writes.plus(&writes);
                family.contributions.push(load.clone());
            }
            None => {
                let value = load.value.clone();
                let family = Family { value, contributions: vec![load.clone()], reads, writes };
                families.push((load.family.clone(), family));
            }
        }
    }
    let mut families: Vec<Family> = families.into_iter().map(|(_, family)| family).collect();
    families.sort_by(heavier);
    for family in &mut families {
        let weight = |load: &Contribution| load.reads().low() / READ_LIMIT + load.writes().low() / WRITE_LIMIT;
        family.contributions.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    }
    families
}

/// Whether a load reaches a bound. What should be just that may lie a trace below
/// it, as a product of shares does.
pub fn reaches(load: f64, bound: f64) -> bool {
    load >= bound * (1.0 - 1e-9)
}

/// Whether a load is above a bound, by more than a trace.
pub fn exceeds(load: f64, bound: f64) -> bool {
    load > bound * (1.0 + 1e-9)
}

/// Shards that bring a load below a share of its limit, usually 80 %: ceil(load ÷
/// (80 % of the limit)) (H2), and one more where that would leave 80 % on each,
/// which is still reported.
pub fn shards(load: f64, limit: f64, headroom: f64) -> f64 {
    let shards = (load / (headroom * limit) - 1e-9).ceil().max(1.0);
    if reaches(load / shards, headroom * limit) { shards + 1.0 } else { shards }
}
