//! A partition key of few values.

use super::check::{Check, Cx};
use super::finding::Level;
use super::heat::{FEW, Few, WORTH_A_LOOK, source_of};
use super::heat_show::{Units, key_place, label, percent, relate, with_related};
use super::rule::{Group, Rule};
use crate::capacity::load::{Family, HoleShare, Why, exceeds};
use crate::capacity::show;
use crate::model::layout::TableLayout;

pub static RULE: Rule = Rule {
    name: "low-cardinality-key",
    group: Group::Capacity,
    level: Level::Info,
    summary: "a partition key has fewer than 100 values, and the hottest takes one unit a second or more",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    for few in cx.heat().few {
        let index = few.index.as_deref();
        let Some(source) = source_of(layout, index) else { continue };
        let Some(entity) = few.family.contributions.first().map(|load| load.entity.as_str()) else { continue };
        let range = key_place(cx, layout, source.partition(), entity);
        let values = few.values.high().unwrap_or(FEW);
        let at_most = if few.values.value().is_some() { "" } else { "at most " };
        let values = format!("{at_most}{}", show::count_of_beside(values, "value", &[FEW]));
        let message = format!(
            "the partition key of {} has {values} (fewer than {FEW} spread load badly), and the hottest, `{}`, takes {} \
             at the peak; a partition takes 3,000 RCU/s and 1,000 WCU/s, and few values meet on few partitions as the \
             load grows; {}",
            label(layout, index),
            few.family.value,
            load(&few.family),
            advice(&few),
        );
        let related = relate(cx, layout, index, Some(&few.family));
        with_related(cx.report(range, message), layout, index, related);
    }
}

/// Reads and writes, with the sum that made them worth a look where there are both.
fn load(family: &Family) -> String {
    let both = [Units::Reads, Units::Writes];
    let parts: Vec<String> = both
        .into_iter()
        .filter(|units| units.sum(family).low() > 0.0)
        .map(|units| units.amount(units.sum(family)))
        .collect();
    if parts.len() < both.len() {
        return parts.concat();
    }
    let sum = family.reads.plus(&family.writes);
    let least = if sum.value().is_some() { "" } else { "at least " };
    format!("{least}{} a second ({})", show::count_of_beside(sum.low(), "unit", &[WORTH_A_LOOK]), parts.join(" and "))
}

/// What makes more values: of a key that has a shard, more of them, or one of
/// something that has more values.
fn advice(few: &Few) -> String {
    let holes: Vec<&HoleShare> = few.family.contributions.iter().flat_map(|load| &load.holes).collect();
    if let Some(useless) = holes.iter().find(|hole| hole.why == Why::UselessShard) {
        return format!(
            "`{}` spreads nothing, as the key holds what it is made of: make the shard of another attribute",
            useless.hole
        );
    }
    let sharded = holes.iter().find_map(|hole| if let Why::Shard(n) = hole.why { Some((hole, n)) } else { None });
    match sharded {
        None => "key by something of more values, or shard it".to_owned(),
        Some((hole, n)) if exceeds(hole.share.low(), 1.0 / f64::from(n)) => format!(
            "key by something of more values; more shards than the {n} would not help, as one value of what `{}` is \
             made of has {} of the load",
            hole.hole,
            percent(hole.share.low())
        ),
        Some((_, n)) => {
            format!("key by something of more values, make more shards than the {n}, or allow it where they will do")
        }
    }
}
