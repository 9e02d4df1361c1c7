//! What a sharded key would take without its shards (numbers C4).

use super::figure::Figure;
use super::limit::{bytes_of, limited};
use super::load::{Contribution, Why};
use super::operations::{StepNumbers, Work, pattern_numbers};
use super::reads::{ReadKind, ReadNumbers};
use super::select::Selection;
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
            let hot = units_of_all(step, read, shards, |selection| &selection.hot, |factor| &factor.spread.hot);
            let mean = units_of_all(step, read, shards, |selection| &selection.mean, |factor| &factor.spread.mean);
            (hot, Some((step.read_units(), mean)))
        }
        None => (load.read_units.clone(), None),
    };
    Unsharded { shards, reads: calls.times(&hot), writes: calls.times(&load.write_units), query: mean }
}

/// Read units of reading in one value what lies in `n` shards.
fn units_of_all(
    step: &StepNumbers,
    read: &ReadNumbers,
    n: f64,
    there: impl Fn(&Selection) -> &Figure,
    part: impl Fn(&super::select::Factor) -> &Figure,
) -> Figure {
    let times = (step.times / n).max(1.0);
    if read.returning.is_some() || read.pages.is_some() || read.fetch.is_some() {
        return read.hot_units.scaled(times * n);
    }
    let all: Vec<Figure> = read
        .kinds
        .iter()
        .map(|kind| match &kind.selection {
            Some(selection) => {
                let shards = selection.factors.iter().filter(|factor| factor.hole.starts_with("{shard("));
                shards.fold(there(selection).clone(), |there, factor| there.divided(part(factor)))
            }
            None => kind.there.clone(),
        })
        .collect();
    let taken = match read.limit {
        Some(limit) => limited(&all, limit, read.mixed),
        None => all,
    };
    let bytes = bytes_of(taken.iter().zip(read.kinds.iter().map(|kind| &kind.each)), read.limit);
    bytes.map(|bytes| read_pages(bytes, read.consistency)).scaled(times)
}
