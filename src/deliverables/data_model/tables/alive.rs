//! How many values a part of a time has at a time: nothing declares it, but how long the
//! items last tells it.

use crate::capacity::show;
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
