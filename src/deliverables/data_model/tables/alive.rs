//! How many values a part of a time has at a time: nothing declares it, but how long the
//! items last tells it.

use crate::capacity::distinct::{Owner, distinct};
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::show;
use crate::capacity::sizes::members;
use crate::deliverables::markdown::{code, inline};
use crate::deliverables::numbers::declared;
use crate::deliverables::outline::Outline;
use crate::model::defs::*;
use crate::model::key::KeyHole;
use crate::model::layout::Source;
use crate::model::names::entity_def;
use crate::syntax::Unit;
use crate::syntax::template::{Format, TimePart};

const DAY: f64 = 86_400.0;

/// The parts of times in a partition key, each with about how many values are alive;
/// none where the model does not say how long the items last.
pub(super) fn values_alive(outline: &Outline<'_>, source: Source<'_>) -> Vec<String> {
    let mut told = Vec::new();
    for item in source.items() {
        let Some(entity) = item.entity_decl.and_then(|decl| entity_def(outline.db, decl)) else { continue };
        let keys = source.partition().iter().filter_map(|key| item.keys.get(&key.name));
        for hole in keys.flat_map(|key| key.value.holes()) {
            let Some((seconds, why)) = part(hole).and_then(|_| lasting(entity)) else { continue };
            let values = part(hole).map_or(0.0, |(unit, _)| (seconds / unit).ceil() + 1.0);
            let (_, word) = part(hole).unwrap_or((1.0, ""));
            let line = format!(
                "about {} of {} at a time, as {} {why}",
                show::count_of(values, "value"),
                code(&format!("{{{}:{word}}}", hole.name)),
                inline(&item.entity)
            );
            if !told.contains(&line) {
                told.push(line);
            }
        }
    }
    told
}

/// About how many values a partition key has at a time, and how many items each of them
/// holds: those of its part of a time, for each of the values of its other parts. `None`
/// where items of several kinds share the key, or one of the numbers is not declared.
pub(super) fn all_alive(outline: &Outline<'_>, source: Source<'_>) -> Option<(f64, f64)> {
    let facts = Declared { db: outline.db, root: outline.root };
    let mut items = source.items();
    let item = items.next().filter(|_| items.next().is_none())?;
    let owner = Owner::of(&facts, item)?;
    let (lasting, _) = lasting(entity_def(outline.db, item.entity_decl?)?)?;
    let keys = source.partition().iter().filter_map(|key| item.keys.get(&key.name));
    let holes: Vec<&KeyHole> = keys.flat_map(|key| key.value.holes()).collect();
    let names: Vec<&str> = holes.iter().map(|hole| hole.name.as_str()).collect();
    let (times, others): (Vec<&KeyHole>, Vec<&KeyHole>) = holes.iter().copied().partition(|hole| part(hole).is_some());
    let [time] = times.as_slice() else { return None };
    // What hangs together with the time has not each value at each time.
    if others.is_empty() || others.iter().any(|other| other.name == time.name) {
        return None;
    }
    let (unit, _) = part(time)?;
    let others: Figure =
        others.iter().fold(Figure::known(1.0), |product, hole| product.times(&distinct(owner, hole, &names)));
    let items = members(&facts, source, item).value()?;
    let values = (others.value()? * ((lasting / unit).ceil() + 1.0)).min(items);
    (values > 0.0).then(|| (values, items / values))
}

/// Seconds of the part of a time that a hole takes, and its word.
fn part(hole: &KeyHole) -> Option<(f64, &'static str)> {
    let Format::Time(part) = hole.format else { return None };
    let days = match part {
        TimePart::Year => 365.0,
        TimePart::Month => 30.0,
        TimePart::Day => 1.0,
        TimePart::Hour => 1.0 / 24.0,
        TimePart::Minute => 1.0 / 1_440.0,
    };
    Some((days * DAY, part.word()))
}

/// For how many seconds items are there, and what tells it: their lifetime, else their
/// number at the rate at which they come.
fn lasting(entity: &EntityDef) -> Option<(f64, String)> {
    if let Some(lifetime) = &entity.lifetime {
        let told = declared(lifetime, Unit::Duration)?;
        return Some((lifetime.get(Unit::Duration)?, format!("lasts for {told}")));
    }
    let count = entity.count.as_ref()?.get(Unit::Number)?;
    let growing = entity.growing.as_ref()?.get(Unit::Rate).filter(|rate| *rate > 0.0)?;
    let seconds = count / growing;
    Some((
        seconds,
        format!("has the items of {} by `count` and `growing`", show::count_of((seconds / DAY).round(), "day")),
    ))
}
