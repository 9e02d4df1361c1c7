//! Entities that share a table and are seldom read together.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::kept_together::{Couple, couple, name_pair};
use super::rule::{Group, Rule};
use super::school::follows;
use super::threshold::Threshold;
use crate::config::Bounds;
use crate::model::defs::*;
use crate::model::layout::TableLayout;
use crate::model::pairs::Pair;
use crate::syntax::{Quantity, TextRange, Unit};

pub static RULE: Rule = Rule {
    name: "loose-collection",
    group: Group::Design,
    level: Level::Info,
    summary: "two related entities share a table, are seldom read together, and could each exist without the other",
    thresholds: &[SHARE],
    check: Check::Declaration(check),
};

/// The share of the reads below which two are seldom read together.
pub const SHARE: Threshold = Threshold {
    name: "read_share",
    default: Quantity { value: 0.3, unit: Unit::Percent },
    bounds: Bounds::NONE,
    summary: "the share of the reads of either that read both, below which the two share a table for nothing",
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Relationship(def) = &lowered.def else { return };
    // `identifying` may be what cannot be read.
    if !follows(cx, Style::Aggregate) || cx.is_broken() || def.identifying.is_some() {
        return;
    }
    let (Some(range), Some(left), Some(right)) = (name_pair(def), &def.left, &def.right) else { return };
    // An edge is nothing without its ends: of an N:M the ends themselves are judged.
    let ends = Pair { parent: &left.text, child: &right.text, most: None, edge: false, by: None };
    if ends.parent == ends.child || identifying_elsewhere(cx, ends) {
        return;
    }
    let Some(couple) = couple(cx, ends) else { return };
    let Some(layout) = couple.shared_table(cx).filter(|_| !couple.is_embedded(cx)) else { return };
    let share = couple.reads(cx).share().and_then(|share| share.high());
    if share.is_some_and(|share| share < cx.threshold(&SHARE)) {
        report(cx, range, &couple, layout);
    }
}

/// Whether another relationship of the two says that the one cannot be without
/// the other.
fn identifying_elsewhere(cx: &Cx<'_>, pair: Pair<'_>) -> bool {
    let Some(child) = cx.names().entity(pair.child) else { return false };
    let linked = crate::capacity::facts::linked(cx.db, cx.root, child);
    let mut both = linked.relations.iter().filter(|relation| relation.identifying);
    both.any(|relation| {
        let ends = [relation.parent.as_str(), relation.child.as_str()];
        ends.contains(&pair.parent) && ends.contains(&pair.child)
    })
}

fn report(cx: &mut Cx<'_>, range: TextRange, couple: &Couple<'_>, layout: &TableLayout) {
    let (parent, child) = (couple.pair.parent, couple.pair.child);
    let message = format!(
        "`{parent}` and `{child}` share the table `{}`, though {}, and neither needs the other to exist: together they \
         share one capacity, one backup, one stream and the limits of one key, for reads that want one of them; keep \
         each in a table of its own, say `identifying` where the one cannot be without the other, or give an \
         `aggregate` of them that says why they belong together",
        layout.name.text,
        couple.share_told(cx),
    );
    let items: Vec<(Place, String)> = layout
        .items
        .iter()
        .filter(|item| item.entity == parent || item.entity == child)
        .map(|item| (Place { decl: layout.decl, range: item.range }, format!("`{}` is kept here", item.entity)))
        .collect();
    let finding = cx.report(range, message);
    for (place, message) in items {
        finding.relate(place, message);
        // An `allow` in the table is one of what it keeps together.
        finding.about(place);
    }
}
