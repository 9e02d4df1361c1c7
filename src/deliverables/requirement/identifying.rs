//! *Identifying Relationship Check*: children that cannot exist without their
//! parent, and whether the tables are keyed by that.

use crate::deliverables::markdown::{code, inline};
use crate::deliverables::outline::{Outline, said};
use crate::deliverables::pairs::{Analysis, Related};
use crate::model::layout::{layout, placements};
use crate::model::names::find_entity;

/// A row of the identifying relationship check.
pub(super) struct Identifying {
    pub relationship: String,
    pub identifying: &'static str,
    pub because: String,
    pub key: String,
}

/// For each related pair, whether the child is nothing without its parent, and
/// whether the tables are keyed by that.
pub(super) fn identifying(outline: &Outline<'_>, analyses: &[Analysis<'_>]) -> Vec<Identifying> {
    analyses.iter().map(|analysis| row(outline, analysis)).collect()
}

fn row(outline: &Outline<'_>, analysis: &Analysis<'_>) -> Identifying {
    let related = &analysis.pair;
    let reasons = related.relationships.iter().filter(|relationship| relationship.identifying.is_some());
    let reason = reasons.filter_map(|relationship| relationship.because.as_ref().and_then(said)).next();
    Identifying {
        relationship: related
            .relationship()
            .unwrap_or_else(|| format!("{} and {}, one aggregate", inline(related.parent), inline(related.child))),
        identifying: match (related.edge, related.is_identifying(), related.relationships.is_empty()) {
            (true, ..) | (_, true, _) => "yes",
            (_, _, true) => "not declared",
            _ => "no",
        },
        because: match (related.edge, related.is_identifying(), reason) {
            (_, true, Some(reason)) => inline(reason),
            (true, ..) => format!("{} is the edge, nothing without both its ends", inline(related.child)),
            (_, true, None) => String::from("no reason declared"),
            _ => format!(
                "{} is not declared to be nothing without its {}",
                inline(related.child),
                inline(related.parent)
            ),
        },
        key: match analysis.evidence.guard {
            true => format!("{}; it is found by the unique value that it guards", keyed_by_parent(outline, related)),
            false => keyed_by_parent(outline, related),
        },
    }
}

/// Where the child is stored, and whether its key there begins with its parent.
fn keyed_by_parent(outline: &Outline<'_>, related: &Related<'_>) -> String {
    let (parent, child) = (related.parent, related.child);
    let entity = find_entity(outline.db, outline.root, child);
    let held = related.by.or_else(|| {
        let attributes = entity.into_iter().flat_map(|entity| &entity.attributes);
        let mut holders = attributes.filter(|a| a.of.as_ref().is_some_and(|of| of.text == parent));
        holders.next().map(|attribute| attribute.name.text.as_str())
    });
    let tables = placements(outline.db, outline.root).get(child).map(Vec::as_slice).unwrap_or_default();
    let mut lines = Vec::new();
    // In the order of the text, which that of the placements is not.
    for table in outline.tables.iter().filter(|table| tables.contains(&table.decl)) {
        let Some(layout) = layout(outline.db, outline.root, table.decl) else { continue };
        let Some(item) = layout.item_of(child) else { continue };
        let place = code(&layout.name.text);
        if item.entity != child {
            lines.push(format!("embedded in the {} item of {place}", inline(&item.entity)));
            continue;
        }
        let Some(held) = held else {
            lines.push(format!("{place}: no attribute of {} holds the parent's id", inline(child)));
            continue;
        };
        let partition = item.made_from(layout.partition.iter()).contains(held);
        let anywhere = item.made_from(layout.primary_key()).contains(held);
        lines.push(match (partition, anywhere) {
            (true, _) => format!("{place}: the partition key holds the parent's id {}", code(held)),
            (false, true) => {
                format!("{place}: the sort key holds the parent's id {}, the partition key does not", code(held))
            }
            (false, false) => format!("{place}: the key does not hold the parent's id {}", code(held)),
        });
    }
    if lines.is_empty() { String::from("no table holds it") } else { lines.join("; ") }
}
