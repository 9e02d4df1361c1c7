//! Much writing at the end of a sort key that only grows.

use super::check::{Check, Cx};
use super::finding::Level;
use super::heat::source_of;
use super::heat_show::{Units, heaviest, item_values, key_place, label, relate, with_related};
use super::rule::{Group, Rule};
use crate::capacity::load::WRITE_LIMIT;
use crate::capacity::show;
use crate::model::layout::TableLayout;

pub static RULE: Rule = Rule {
    name: "rising-sort-key",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "over half of what a partition takes is written at the end of a sort key that only grows",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    for rising in cx.heat().rising {
        let index = rising.index.as_deref();
        let Some(source) = source_of(layout, index) else { continue };
        let entity = rising.end.entity.as_str();
        let item = layout.items.iter().find(|item| item.entity == entity);
        // What grows is the part that its first hole stands in.
        let growing = source.sort().iter().find(|key| {
            let value = item.and_then(|item| item.keys.get(&key.name)).map(|key| &key.value);
            value.is_some_and(|value| value.holes().next().is_some())
        });
        let Some(growing) = growing else { continue };
        let Some(value) = item.and_then(|item| item.keys.get(&growing.name)).map(|key| key.value.spelling()) else {
            continue;
        };
        let range = key_place(cx, layout, std::slice::from_ref(growing), entity);
        let weighs = heaviest(&rising.end.loads, Units::Writes)
            .map(|most| format!("; `{}` weighs most: {}", most.pattern, most.derivation(Units::Writes)));
        let message = format!(
            "writes of `{entity}` go to the end of `{}` in {}: {} WCU/s at the peak on one partition key value, {} % of \
             the 1,000 that a partition takes{}; DynamoDB splits a hot key by its sort key, and of one that only grows \
             all writes follow the newest part; let the partition key spread them, by an id or a shard",
            value.trim_matches('"'),
            label(layout, index),
            show::count_beside(rising.end.writes, &[0.5 * WRITE_LIMIT, WRITE_LIMIT]),
            show::count_beside(100.0 * rising.end.writes / WRITE_LIMIT, &[50.0, 100.0]),
            weighs.unwrap_or_default(),
        );
        let related = relate(cx, layout, index, Some(&rising.family));
        // Where the block computes the partition key, that is what has to change.
        let partition = source.partition().iter().find_map(|key| {
            let mut values = item_values(cx, layout, entity);
            values.find(|value| value.key.text == key.name).map(|value| value.range)
        });
        let place = partition.or_else(|| source.partition().first().map(|key| key.range)).map(|range| cx.place(range));
        let finding = cx.report(range, message);
        if let Some(place) = place {
            finding.relate(place, "the partition key that they share");
        }
        with_related(finding, layout, index, related);
    }
}
