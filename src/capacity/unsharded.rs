//! What a sharded key would take without its shards (numbers C4).

use super::classes::{CallClass, call_classes, cut_apart, weighed};
use super::figure::Figure;
use super::limit::{bytes_of, limited};
use super::load::{Contribution, Why};
use super::operations::{StepNumbers, Work, pattern_numbers};
use super::reads::{KindRead, ReadKind, ReadNumbers};
use super::select::{Factor, Selection};
use super::units::read_pages;
use crate::model::db::{Db, SourceFile};

/// A load on a key, as it would be without its shards.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsharded {
    /// Shards that there are.
    pub shards: f64,
    /// Read units a second on the hottest value.
    pub reads: Figure,
    /// Write units a second on it.
    pub writes: Figure,
    /// Read units of one call on the average, as it is and as it would be; of a
    /// query alone.
    pub query: Option<(Figure, Figure)>,
}

/// The load of one step without the shards: H1 with the shard hole left out, and
/// with one query where there are n, which then reads what lies in all of them. Of a
/// query whose items are declared (`returning`, `pages`), or fetched, the sum over
/// all shards is what it takes at most.
pub fn unsharded(db: &dyn Db, root: SourceFile, load: &Contribution) -> Unsharded {
    let is_shard = |why: &Why| matches!(why, Why::Shard(_) | Why::UselessShard);
    let shards = load.holes.iter().map(|hole| if let Why::Shard(n) = hole.why { f64::from(n) } else { 1.0 }).product();
    let holes = load.holes.iter().filter(|hole| !is_shard(&hole.why));
    let share = holes.fold(Figure::known(1.0), |product, hole| product.times(&hole.share));
    let calls = load.peak.times(&share);
    let step = pattern_numbers(db, root, load.pattern_decl).as_ref().and_then(|numbers| {
        numbers.steps.iter().find(|step| (step.operation, step.step) == (load.operation, load.step))
    });
    let query = step.and_then(|step| match &step.work {
        Work::Read(read) if read.how == ReadKind::Query => Some((step, read.as_ref())),
        _ => None,
    });
    let (hot, mean) = match query {
        Some((step, read)) => {
            let hot = units_of_all(step, read, shards, unsharded_hot(read), Vec::new());
            let (there, classes) = unsharded_mean(read);
            let mean = units_of_all(step, read, shards, there, classes);
            (hot, Some((step.read_units(), mean)))
        }
        None => (load.read_units.clone(), None),
    };
    Unsharded { shards, reads: calls.times(&hot), writes: calls.times(&load.write_units), query: mean }
}

/// How many items of each kind the hottest value would hold without its shards.
fn unsharded_hot(read: &ReadNumbers) -> Vec<Figure> {
    let hot = |kind: &KindRead| match &kind.selection {
        Some(selection) => whole(selection, &selection.hot, |factor| &factor.spread.hot),
        None => kind.there.clone(),
    };
    read.kinds.iter().map(hot).collect()
}

/// The same on average, and for the calls apart by what they meet.
fn unsharded_mean(read: &ReadNumbers) -> (Vec<Figure>, Vec<CallClass>) {
    let mean = |kind: &KindRead, there: &Figure| match &kind.selection {
        Some(selection) => whole(selection, there, |factor| &factor.spread.mean),
        None => there.clone(),
    };
    let kinds: Vec<&KindRead> = read.kinds.iter().collect();
    let mut classes = call_classes(&kinds);
    for class in &mut classes {
        class.there = kinds.iter().zip(&class.there).map(|(kind, there)| mean(kind, there)).collect();
    }
    (kinds.iter().map(|kind| mean(kind, &kind.there)).collect(), classes)
}

/// What lies in all shards, where so much lies in one.
fn whole(selection: &Selection, there: &Figure, part: impl Fn(&Factor) -> &Figure) -> Figure {
    let shards = selection.factors.iter().filter(|factor| factor.hole.starts_with("{shard("));
    shards.fold(there.clone(), |there, factor| there.divided(part(factor)))
}

/// Read units of reading in one value what lies in `n` shards.
fn units_of_all(step: &StepNumbers, read: &ReadNumbers, n: f64, there: Vec<Figure>, classes: Vec<CallClass>) -> Figure {
    let times = (step.times / n).max(1.0);
    if read.returning.is_some() || read.pages.is_some() || read.fetch.is_some() {
        return read.hot_units.scaled(times * n);
    }
    let cut = |there: &[Figure]| match read.limit {
        Some(limit) => limited(there, limit, read.mixed),
        None => there.to_vec(),
    };
    let taken = cut_apart(classes, cut).map_or_else(|| cut(&there), |classes| weighed(&classes));
    let bytes = bytes_of(taken.iter().zip(read.kinds.iter().map(|kind| &kind.each)), read.limit);
    bytes.map(|bytes| read_pages(bytes, read.consistency)).scaled(times)
}
