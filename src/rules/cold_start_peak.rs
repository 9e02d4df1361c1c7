//! A peak that a new on-demand table does not take yet.

use super::check::{Check, Cx};
use super::finding::Level;
use super::peaks::{Peak, above, report, written};
use super::rule::{Group, Rule};
use crate::capacity::prices::{Mode, mode};
use crate::capacity::show;
use crate::config::Quota;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::TableLayout;
use crate::model::names::table_def;
use crate::model::settings::quota;

pub static RULE: Rule = Rule {
    name: "cold-start-peak",
    group: Group::Capacity,
    level: Level::Info,
    summary: "an on-demand table peaks above 4,000 write or 12,000 read units a second at launch",
    thresholds: &[],
    check: Check::Table(check),
};

/// What is above the warm throughput: apart from the traffic, which changes more
/// often than this does.
#[salsa::tracked(returns(ref))]
fn above_warm(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<Peak> {
    match table_def(db, table).map(|def| mode(db, root, def)) {
        Some(Mode::OnDemand) => {
            above(db, root, table, quota(db, root, Quota::LaunchReads), quota(db, root, Quota::LaunchWrites))
        }
        Some(Mode::Provisioned { .. }) | None => Vec::new(),
    }
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // What a new table serves at once (Q06).
    let (reads, writes) = (show::count(cx.quota(Quota::LaunchReads)), show::count(cx.quota(Quota::LaunchWrites)));
    for peak in above_warm(cx.db, cx.root, cx.decl) {
        let message = format!(
            "the patterns of `{}` {}; a new on-demand table or index serves {reads} read and {writes} \
             write units a second at once, then up to twice its highest peak so far; raise its warm throughput before \
             launch, or let the traffic grow over some hours",
            peak.label,
            written(peak)
        );
        report(cx, layout, peak, message);
    }
}
