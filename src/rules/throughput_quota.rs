//! A table or an index that needs more throughput than an account gets unasked.

use super::check::{Check, Cx};
use super::finding::Level;
use super::peaks::{Peak, above, report, written};
use super::rule::{Group, Rule};
use crate::capacity::show;
use crate::config::Quota;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::TableLayout;
use crate::model::settings::quota;

pub static RULE: Rule = Rule {
    name: "throughput-quota",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "the peak of a table or an index is above 40,000 units a second",
    thresholds: &[],
    check: Check::Table(check),
};

/// What is above the quota: apart from the traffic, which changes more often
/// than this does.
#[salsa::tracked(returns(ref))]
fn above_quota(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<Peak> {
    above(db, root, table, quota(db, root, Quota::TableReads), quota(db, root, Quota::TableWrites))
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let what = gets(cx);
    for peak in above_quota(cx.db, cx.root, cx.decl) {
        let message = format!(
            "the patterns of `{}` {}; {what}, and what is above is throttled; have the quota raised before launch, or take load away with a cache, or with a table for one of the patterns",
            peak.label,
            written(peak)
        );
        report(cx, layout, peak, message);
    }
}

/// The quotas of reads and of writes (Q03), and whether they are somebody's own.
fn gets(cx: &Cx<'_>) -> String {
    let (reads, writes) = (cx.quota(Quota::TableReads), cx.quota(Quota::TableWrites));
    let units = format!("{} read and {} write units a second", show::count(reads), show::count(writes));
    if (reads, writes) == (Quota::TableReads.default(), Quota::TableWrites.default()) {
        format!("by default a table, and each global index, gets {units}, in both capacity modes")
    } else {
        format!("the quota that is set for a table, and for each global index, is {units}")
    }
}
