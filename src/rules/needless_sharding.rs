//! A sharded key that would stay cool without its shards.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::heat::source_of;
use super::heat_show::{key_place, label, percent};
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::cost::step_parts;
use crate::capacity::figure::Figure;
use crate::capacity::load::{Contribution, Family, READ_LIMIT, WRITE_LIMIT, Why, key_loads};
use crate::capacity::operations::pattern_numbers;
use crate::capacity::show;
use crate::capacity::unsharded::{Unsharded, unsharded};
use crate::config::Bounds;
use crate::model::layout::{Source, TableLayout};
use crate::syntax::{Quantity, Unit};

/// The share of a limit below which the unsharded load needs no shards.
static UNSHARDED_LOAD: Threshold = Threshold {
    name: "unsharded_load",
    default: Quantity { value: 0.25, unit: Unit::Percent },
    bounds: Bounds::NONE,
    summary: "the share of 3,000 read or 1,000 write units a second below which a key needs no shards",
};

pub static RULE: Rule = Rule {
    name: "needless-sharding",
    group: Group::Cost,
    level: Level::Info,
    summary: "the hottest value of a sharded key would stay far below the limits without its shards",
    thresholds: std::slice::from_ref(&UNSHARDED_LOAD),
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // Computed for sharded keys alone: what other keys take is another rule's.
    let sharded = |source: Source<'_>| {
        let values =
            source.items().flat_map(|item| source.partition().iter().filter_map(|key| item.keys.get(&key.name)));
        values.into_iter().any(|stored| stored.value.shards().next().is_some())
    };
    if cx.is_broken() || !layout.sources().any(sharded) {
        return;
    }
    // A pattern that cannot be read may be what the shards are for.
    let is_whole = |decl| cx.is_whole(decl);
    if !cx.names().all_patterns().all(is_whole) {
        return;
    }
    let share = cx.threshold(&UNSHARDED_LOAD);
    for key in key_loads(cx.db, cx.root, cx.decl) {
        let Some(source) = source_of(layout, key.index.as_deref()).filter(|source| source.has_sound_partition()) else {
            continue;
        };
        for family in &key.families {
            report(cx, layout, source, family, share);
        }
    }
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, source: Source<'_>, family: &Family, share: f64) {
    let has =
        |is: fn(&Why) -> bool| family.contributions.iter().any(|load| load.holes.iter().any(|hole| is(&hole.why)));
    if !has(|why| matches!(why, Why::Shard(_))) || has(|why| matches!(why, Why::UselessShard)) {
        return;
    }
    let all: Vec<(&Contribution, Unsharded)> =
        family.contributions.iter().map(|load| (load, unsharded(cx.db, cx.root, load))).collect();
    let reads: Figure = all.iter().map(|(_, load)| &load.reads).sum();
    let writes: Figure = all.iter().map(|(_, load)| &load.writes).sum();
    let below = |figure: &Figure, limit: f64| figure.high().is_some_and(|most| most < share * limit);
    let Some(first) = family.contributions.first() else { return };
    if !below(&reads, READ_LIMIT) || !below(&writes, WRITE_LIMIT) {
        return;
    }
    let shards = all.iter().map(|(_, load)| load.shards).fold(1.0, f64::max);
    let index = source.index.map(|index| index.name.text.as_str());
    let amount = |figure: &Figure, limit: f64, unit: &str| {
        format!(
            "{} ({} of {})",
            show::figure(figure, |v| format!("{} {unit}", show::number(v))),
            show::part(&figure.scaled(1.0 / limit)),
            show::count(limit)
        )
    };
    let dearest = all
        .iter()
        .filter_map(|(load, own)| own.query.as_ref().map(|(now, then)| (*load, now, then)))
        .filter(|(_, now, then)| then.high().is_some_and(|then| then < now.low()))
        .max_by(|(_, a, _), (_, b, _)| a.low().total_cmp(&b.low()));
    let cost = match dearest {
        Some((load, now, then)) => format!(
            "; `{}` reads {} a call where {} would do{}",
            load.pattern,
            show::figure(now, |units| show::count_of(units, "read unit")),
            show::figure(then, |units| show::count_of(units, "read unit")),
            saved(cx, &all)
                .map_or_else(String::new, |usd| format!(", and all of it costs {} more a month", show::dollars(usd))),
        ),
        None => String::new(),
    };
    let message = format!(
        "{} spreads `{}` over {} shards, and without them its hottest value would take {} and {}, below the {} from \
         which shards are worth their reads{cost}; leave the shard out until the load is there",
        label(layout, index),
        family.value,
        show::count(shards),
        amount(&writes, WRITE_LIMIT, "WCU/s"),
        amount(&reads, READ_LIMIT, "RCU/s"),
        percent(share),
    );
    let related: Vec<(Place, String)> = all
        .iter()
        .filter_map(|(load, own)| {
            let place = cx.name_place(load.pattern_decl)?;
            let figure = if own.writes == Figure::ZERO { (&own.reads, "RCU/s") } else { (&own.writes, "WCU/s") };
            let units = show::figure(figure.0, |v| format!("{} {}", show::number(v), figure.1));
            Some((place, format!("`{}`: {units} without shards", load.pattern)))
        })
        .take(3)
        .collect();
    let range = key_place(cx, layout, source.partition(), &first.entity);
    let about = source.index.map(|index| cx.place(index.name.range));
    let finding = cx.report(range, message);
    for (place, message) in related {
        finding.relate(place, message);
    }
    if let Some(index) = about {
        finding.about(index);
    }
}

/// Dollars a month that the queries of the shards cost beyond what one query of
/// all would; `None` where a price or a number is not known, or nothing is saved.
fn saved(cx: &Cx<'_>, all: &[(&Contribution, Unsharded)]) -> Option<f64> {
    let mut sum = 0.0;
    for (load, own) in all {
        let Some((now, then)) = &own.query else { continue };
        let numbers = pattern_numbers(cx.db, cx.root, load.pattern_decl).as_ref()?;
        let step = numbers.steps.iter().find(|step| (step.operation, step.step) == (load.operation, load.step))?;
        let parts = step_parts(cx.db, cx.root, &numbers.rate, step);
        let monthly: Figure = parts.iter().filter(|part| !part.writes).map(|part| &part.monthly).sum();
        sum += monthly.value()? * (1.0 - then.value()? / now.value()?);
    }
    (sum > 0.0).then_some(sum)
}
