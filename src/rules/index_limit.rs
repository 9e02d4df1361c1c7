//! More local indexes, or more included attributes, than a table can have.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::capacity::show;
use crate::model::defs::{IndexKind, ProjectionKind};
use crate::model::layout::{IndexLayout, TableLayout};
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "index-limit",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a table has more than 5 LSIs, or its indexes include more than 100 attributes together",
    thresholds: &[],
    check: Check::Table(check),
};

/// The local indexes that a table can have (L11).
const LOCAL: usize = 5;
/// The included attributes that the indexes of a table can have together (L14).
const INCLUDED: usize = 100;

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let indexes = each_once(layout);
    let local: Vec<&IndexLayout> = indexes.iter().copied().filter(|index| index.kind == IndexKind::Local).collect();
    if local.len() > LOCAL {
        let message = format!(
            "table `{}` has {} LSIs, and DynamoDB takes {LOCAL}: it refuses the table, and a local index can never be \
             added or taken away later; make {} of them global, or find by filters what few ask for",
            layout.name.text,
            local.len(),
            local.len() - LOCAL
        );
        let places: Vec<Place> = local[LOCAL..].iter().map(|index| cx.place(index.name.range)).collect();
        let finding = cx.report(layout.name.range, message);
        for place in places {
            finding.relate(place, format!("beyond the first {LOCAL}"));
        }
    }
    let included: Vec<(&IndexLayout, usize)> =
        indexes.iter().map(|index| (*index, included(index))).filter(|(_, count)| *count > 0).collect();
    let total: usize = included.iter().map(|(_, count)| count).sum();
    if total > INCLUDED {
        let message = format!(
            "the indexes of table `{}` include {total} attributes together, one in two indexes counted twice, and \
             DynamoDB takes {INCLUDED}: it refuses the table; let the widest index project all, which does not count, \
             or include only what patterns read from it",
            layout.name.text
        );
        let places: Vec<(Place, usize)> =
            included.iter().map(|(index, count)| (cx.place(index.name.range), *count)).collect();
        let finding = cx.report(layout.name.range, message);
        for (place, count) in places {
            finding.relate(place, format!("includes {}", show::count_of(count as f64, "attribute")));
        }
    }
}

/// The indexes without those whose name another has already: a fault of its own.
pub fn each_once(layout: &TableLayout) -> Vec<&IndexLayout> {
    let mut seen = BTreeSet::new();
    layout.indexes.iter().filter(|index| seen.insert(&index.name.text)).collect()
}

/// The attributes that an index includes, each once.
fn included(index: &IndexLayout) -> usize {
    match index.projection {
        ProjectionKind::Include => index.included.iter().collect::<BTreeSet<_>>().len(),
        ProjectionKind::All | ProjectionKind::KeysOnly => 0,
    }
}
