//! A table or an index that needs more throughput than an account gets unasked.

use super::check::{Check, Cx};
use super::finding::Level;
use super::peaks::{Peak, above, report, written};
use super::rule::{Group, Rule};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::TableLayout;

pub static RULE: Rule = Rule {
    name: "throughput-quota",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "the peak of a table or an index is above 40,000 units a second",
    thresholds: &[],
    check: Check::Table(check),
};

/// Read units a second, and as many write units, that a table or a global index
/// gets by default (Q03).
const QUOTA: f64 = 40_000.0;

/// What is above the quota: apart from the traffic, which changes more often
/// than this does.
#[salsa::tracked(returns(ref))]
fn above_quota(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<Peak> {
    above(db, root, table, QUOTA, QUOTA)
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    for peak in above_quota(cx.db, cx.root, cx.decl) {
        let message = format!(
            "the patterns of `{}` {}; by default a table, and each global index, gets 40,000 read and \
             40,000 write units a second, in both capacity modes, and what is above is throttled; have the quota \
             raised before launch, or take load away with a cache, or with a table for one of the patterns",
            peak.label,
            written(peak)
        );
        report(cx, layout, peak, message);
    }
}
