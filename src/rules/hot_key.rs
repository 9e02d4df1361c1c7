//! What `hot-partition-key` and `hot-index-key` say.

use super::check::Cx;
use super::heat::{Heat, Hot, RISING, source_of};
use super::heat_show::{Units, heaviest, key_place, label, percent, provisos, relate, with_related};
use super::shard::{NoFix, shard_fix};
use crate::capacity::heat::{GrowingEnd, Unsplit, growing_ends, sharded};
use crate::capacity::load::{Contribution, READ_LIMIT, WRITE_LIMIT, shards};
use crate::capacity::show;
use crate::model::layout::{Source, TableLayout};
use crate::syntax::TextRange;

/// What would bring the load of a hot key down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// So many shards of the key, those that it has included.
    Shards(u32),
    /// What goes to one item has to go to so many items.
    Items(u32),
    /// Queries read so much that reading all shards would take as much on each:
    /// so many copies, of which each query reads one.
    Copies(u32),
}

/// Reports the hot keys that are meant, each where it shows. Of several families
/// of values that show at one place, the worst is told.
pub(super) fn report(cx: &mut Cx<'_>, layout: &TableLayout, is_meant: fn(&Hot) -> bool) {
    let Heat { hot, .. } = cx.heat();
    let mut told: Vec<(TextRange, Hot)> = Vec::new();
    for hot in hot.into_iter().filter(is_meant) {
        let Some(source) = source_of(layout, hot.index.as_deref()) else { continue };
        let Some(load) = hot.family.contributions.first() else { continue };
        let range = key_place(cx, layout, source.partition(), &load.entity);
        match told.iter_mut().find(|(other, _)| *other == range) {
            // The heaviest comes first; an error outweighs it.
            Some((_, other)) if other.level() < hot.level() => *other = hot,
            Some(_) => {}
            None => told.push((range, hot)),
        }
    }
    for (range, hot) in told {
        let index = hot.index.as_deref();
        let Some(source) = source_of(layout, index) else { continue };
        let remedy = remedy(cx, source, &hot);
        let (fix, no_fix) = match remedy {
            Remedy::Shards(n) => match shard_fix(cx, source, &hot, n) {
                Ok(fix) => (Some(fix), None),
                Err(why) => (None, Some(why)),
            },
            Remedy::Items(_) | Remedy::Copies(_) => (None, None),
        };
        let message = message(layout, source, &hot, &advice(remedy, &hot, no_fix.as_ref()));
        let related = relate(cx, layout, index, Some(&hot.family));
        let finding = cx.report(range, message).level(hot.level());
        with_related(finding, layout, index, related);
        if let Some((title, edits)) = fix {
            finding.suggest(title, edits);
        }
    }
}

/// Shards that the family would need (numbers H2): of its reads or of its writes,
/// whichever need more. The load of a key that is sharded already is that of one
/// of its shards.
///
/// Where the sort key grows, so many that the end of each is no `rising-sort-key`.
pub(super) fn remedy(cx: &Cx<'_>, source: Source<'_>, hot: &Hot) -> Remedy {
    let family = &hot.family;
    // The share that one of the shards has now: 1/n, or more where the hottest
    // value of what they are made of has more (H1).
    let now = hot.shard_share();
    let reads = if hot.reads { shards(family.reads.low() / now, READ_LIMIT, hot.headroom) } else { 1.0 };
    let writes = if hot.writes { shards(family.writes.low() / now, WRITE_LIMIT, hot.headroom) } else { 1.0 };
    let ends = growing_ends(source, family);
    let end = |end: &GrowingEnd| {
        let many = end.loads.iter().filter(|load| !load.one_item);
        many.map(|load| load.writes().low()).sum::<f64>() / now
    };
    let rising = ends.iter().map(|one| (end(one) / RISING - 1e-9).ceil()).fold(1.0, f64::max);
    let n = reads.max(writes).max(rising).min(f64::from(u32::MAX));
    let (one_item, many): (Vec<&Contribution>, Vec<&Contribution>) =
        family.contributions.iter().partition(|load| load.one_item);
    let (times, n) = (n * now, n as u32);
    // What is one item stays under its value, apart from the shards.
    if !hot.is_cool(sharded(cx.db, cx.root, &one_item, 1.0)) {
        Remedy::Items(n)
    } else if hot.is_cool(sharded(cx.db, cx.root, &many, times)) {
        Remedy::Shards(n)
    } else {
        Remedy::Copies(n)
    }
}

fn message(layout: &TableLayout, source: Source<'_>, hot: &Hot, advice: &str) -> String {
    let table = &layout.name.text;
    let family = &hot.family;
    let units: Vec<Units> = [(hot.writes, Units::Writes), (hot.reads, Units::Reads)]
        .into_iter()
        .filter(|(is, _)| *is)
        .map(|(_, u)| u)
        .collect();
    let peaks: Vec<String> = units
        .iter()
        .map(|units| {
            let sum = units.sum(family);
            format!("{}{}", units.amount(sum), provisos(sum))
        })
        .collect();
    let limits: Vec<String> = units.iter().map(|units| show::count(units.limit())).collect();
    let weighs: Vec<String> = units
        .iter()
        .filter_map(|units| {
            let most = heaviest(&family.contributions, *units)?;
            Some(format!("`{}` weighs most ({})", most.pattern, most.derivation(*units)))
        })
        .collect();
    let consequence = match (&hot.unsplit, hot.is_over()) {
        (Some(why), _) => cannot_split(source, hot, why),
        (None, true) => "DynamoDB splits a hot key by its sort key, but that takes minutes, and it throttles until \
                         then"
            .to_owned(),
        (None, false) => "what goes beyond is throttled".to_owned(),
    };
    let throttles = match hot.index.is_some() && hot.writes {
        true => format!("; what the index cannot take throttles the writes of `{table}` as well"),
        false => String::new(),
    };
    let peaks = peaks.join(" and ");
    let verb = if peaks.starts_with("at least") { "has a peak of" } else { "peaks at" };
    format!(
        "{} {verb} {peaks} on one key (`{}`); a partition takes {}; {}; {consequence}{throttles}; {advice}",
        label(layout, hot.index.as_deref()),
        family.value,
        limits.join(" and "),
        weighs.join(", "),
    )
}

fn cannot_split(source: Source<'_>, hot: &Hot, why: &Unsplit) -> String {
    match why {
        Unsplit::OneItem(entity) => {
            format!("it is one `{entity}`, and no item takes more than its partition, so that the rest is throttled")
        }
        Unsplit::LocalIndex(index) => format!(
            "DynamoDB cannot split it, because the local index `{index}` keeps all items of a partition key together, \
             so that the rest is throttled"
        ),
        Unsplit::Rising(entity) => {
            let item = source.layout.items.iter().find(|item| item.entity == *entity);
            let keys = source.sort().iter().filter_map(|key| item?.keys.get(&key.name));
            let sort: Vec<String> = keys.map(|key| key.value.spelling().trim_matches('"').to_owned()).collect();
            let by = hot.family.contributions.iter().find(|load| load.rising).map_or("?", |load| &load.pattern);
            format!(
                "DynamoDB cannot split it, because the sort key `{}` only grows, and all that `{by}` writes follows \
                 its end, so that the rest is throttled",
                sort.join(" + ")
            )
        }
    }
}

fn advice(remedy: Remedy, hot: &Hot, no_fix: Option<&NoFix>) -> String {
    match remedy {
        Remedy::Shards(n) => {
            let instead = hot.shards().map_or(String::new(), |now| format!(", instead of {now}"));
            match no_fix {
                None => format!("{n} shards of the key would do{instead}"),
                Some(NoFix::Uneven { attribute, share }) => format!(
                    "{n} shards of the key would do if another attribute than `{attribute}` spread them, of which one \
                     value has {} of the load",
                    percent(*share)
                ),
                Some(NoFix::Because(why)) => {
                    format!("{n} shards of the key would do{instead}; it is not sharded automatically, because {why}")
                }
            }
        }
        Remedy::Items(n) if hot.writes => {
            format!("no shard spreads one item: write to {n} items in turn, and add them up to read")
        }
        Remedy::Items(n) => {
            format!("no shard spreads one item: read it through a cache, or keep {n} copies and read one at random")
        }
        Remedy::Copies(n) => format!(
            "shards alone would not do, as a query of all of them takes as much from each: read through a cache, or keep {n} copies under keys \
             of their own and read one at random"
        ),
    }
}
