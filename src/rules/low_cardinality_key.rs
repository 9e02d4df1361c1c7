//! A partition key of few values.

use super::check::{Check, Cx};
use super::finding::Level;
use super::heat::{FEW, source_of};
use super::heat_show::{Units, amount, key_place, label, relate, with_related};
use super::rule::{Group, Rule};
use crate::capacity::show;
use crate::model::layout::TableLayout;

pub static RULE: Rule = Rule {
    name: "low-cardinality-key",
    group: Group::Capacity,
    level: Level::Info,
    summary: "a partition key has fewer than 100 values, and the hottest takes one unit a second or more",
    check: Check::Table(check),
};

/// Units a second below which a number shows as none.
const SHOWN: f64 = 0.05;

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    for few in cx.heat().few {
        let index = few.index.as_deref();
        let Some(source) = source_of(layout, index) else { continue };
        let Some(entity) = few.family.contributions.first().map(|load| load.entity.as_str()) else { continue };
        let range = key_place(cx, layout, source.partition(), entity);
        let values = match few.values.value() {
            Some(values) => show::count_of(values, "value"),
            None => format!("at most {}", show::count_of(few.values.high().unwrap_or(FEW), "value")),
        };
        let load: Vec<String> = [Units::Reads, Units::Writes]
            .into_iter()
            .filter(|units| units.sum(&few.family).low() >= SHOWN)
            .map(|units| format!("{} {}", amount(units.sum(&few.family)), units.short()))
            .collect();
        let message = format!(
            "the partition key of {} has {values} (fewer than {FEW} spread load badly), and the hottest, `{}`, takes {} \
             at the peak; a partition takes 3,000 RCU/s and 1,000 WCU/s, and few values meet on few partitions as the \
             load grows; key by something of more values, or shard it",
            label(layout, index),
            few.family.value,
            load.join(" and "),
        );
        let related = relate(cx, layout, index, Some(&few.family));
        with_related(cx.report(range, message), layout, index, related);
    }
}
