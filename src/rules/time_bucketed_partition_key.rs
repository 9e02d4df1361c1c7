//! A partition key that is made of time alone.

use super::check::{Check, Cx};
use super::finding::Level;
use super::heat::source_of;
use super::heat_show::{Units, heaviest, key_place, label, provisos, relate, with_related};
use super::rule::{Group, Rule};
use super::shard_unasked::shard_unasked;
use super::threshold::Threshold;
use crate::capacity::distinct::Owner;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::load::{reaches, template};
use crate::config::Bounds;
use crate::model::layout::TableLayout;
use crate::syntax::{Quantity, Unit};

pub static RULE: Rule = Rule {
    name: "time-bucketed-partition-key",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "a partition key is made of time alone, so that all writes of a moment go to one value",
    thresholds: &[WRITES],
    check: Check::Table(check),
};

/// From how many writes on the value of the moment it is a warning (H6).
const WRITES: Threshold = Threshold {
    name: "writes",
    default: Quantity { value: 250.0, unit: Unit::Rate },
    bounds: Bounds::NONE,
    summary: "the write units on the value of the moment from which it is a warning; below it is an info",
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    for bucket in cx.heat().buckets {
        let index = bucket.index.as_deref();
        let Some(source) = source_of(layout, index) else { continue };
        let range = key_place(cx, layout, source.partition(), &bucket.entity);
        let writes = bucket.family.as_ref().map_or(Figure::ZERO, |family| family.writes.clone());
        let how_much = if writes == Figure::ZERO {
            String::new()
        } else if writes.low() == 0.0 {
            format!("; how many that are cannot be told{}", provisos(&writes))
        } else {
            let loads = bucket.family.as_ref().map_or(&[][..], |family| &family.contributions);
            let weighs = heaviest(loads, Units::Writes).map_or(String::new(), |most| {
                format!(", most of them by `{}` ({})", most.pattern, most.derivation(Units::Writes))
            });
            format!(
                ": {} at the peak{}, where a partition takes 1,000{weighs}",
                Units::Writes.amount(&writes),
                provisos(&writes)
            )
        };
        let message = format!(
            "`{}` in {} is made of time alone, so that all writes of a moment go to one value while the others \
             rest{how_much}; add an id or a shard to the partition key",
            bucket.value,
            label(layout, index),
        );
        let level = if reaches(writes.low(), cx.threshold(&WRITES)) { Level::Warning } else { Level::Info };
        let related = relate(cx, layout, index, bucket.family.as_ref());
        let item = layout.items.iter().find(|item| item.entity == bucket.entity);
        let facts = Declared { db: cx.db, root: cx.root };
        let family = item.and_then(|item| Some(template(Owner::of(&facts, item)?, source, item).0));
        let fix = family.and_then(|family| shard_unasked(cx.db, cx.root, source, &family));
        let finding = cx.report(range, message).level(level);
        if let Some((title, edits)) = fix {
            finding.suggest(title, edits);
        }
        with_related(finding, layout, index, related);
    }
}
