//! A value of an index's partition key that takes too much.

use super::check::{Check, Cx};
use super::finding::Level;
use super::heat::LOAD;
use super::hot_key::report;
use super::rule::{Group, Rule};
use crate::model::layout::TableLayout;

pub static RULE: Rule = Rule {
    name: "hot-index-key",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "the hottest value of a global index's key takes 80 % or more of what a partition takes",
    thresholds: &[LOAD],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    report(cx, layout, |hot| hot.index.is_some());
}
