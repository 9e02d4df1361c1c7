//! Entities that are read together and kept in two tables.

use super::check::{Check, Cx};
use super::embed_candidate;
use super::finding::Level;
use super::kept_together::{Couple, couples, name_pair};
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::show;
use crate::config::Bounds;
use crate::model::defs::*;
use crate::syntax::{Quantity, Unit};

pub static RULE: Rule = Rule {
    name: "collection-candidate",
    group: Group::Design,
    level: Level::Info,
    summary: "two related entities in different tables are mostly read together, and the children are bounded",
    thresholds: &[SHARE],
    check: Check::Declaration(check),
};

/// The share of the reads from which two are mostly read together.
pub const SHARE: Threshold = Threshold {
    name: "read_share",
    default: Quantity { value: 0.5, unit: Unit::Percent },
    bounds: Bounds::NONE,
    summary: "the share of the reads of either that read both, above which the two belong under one partition key",
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Relationship(def) = &lowered.def else { return };
    // How many children there are may be what cannot be read.
    let Some(range) = name_pair(def).filter(|_| !cx.is_broken()) else { return };
    for couple in couples(cx, def) {
        let Some(most) = couple.pair.most.filter(|_| couple.is_apart()) else { continue };
        // One item says more than one collection.
        if !couple.is_read_together(cx, cx.threshold(&SHARE)) || embed_candidate::is_candidate(cx, &couple) {
            continue;
        }
        report(cx, range, &couple, most);
    }
}

fn report(cx: &mut Cx<'_>, range: crate::syntax::TextRange, couple: &Couple<'_>, most: f64) {
    let (parent, child) = (couple.pair.parent, couple.pair.child);
    let Some([(own, item), (other, child_item)]) = couple.items(cx) else { return };
    let message = format!(
        "`{parent}` and `{child}` are kept in two tables, and {}: each such call asks both, pays for each at least half a \
         read unit and waits for both; one `{parent}` has {} `{child}` at most, so let the two share a partition key in one \
         table, that one query reads them, or give an `aggregate` of them that says why not",
        couple.share_told(cx),
        show::count(most),
    );
    let places = [(own, item), (other, child_item)].map(|(layout, item)| {
        let place = super::finding::Place { decl: layout.decl, range: item.range };
        (place, format!("`{}` is kept in `{}`", item.entity, layout.name.text))
    });
    let readers = couple.readers(cx);
    let finding = cx.report(range, message);
    for (place, message) in places {
        finding.relate(place, message);
    }
    for place in readers {
        finding.relate(place, "reads both");
    }
}
