//! A peak that a new on-demand table does not take yet.

use super::check::{Check, Cx};
use super::finding::Level;
use super::peaks::{Peak, above, report, written};
use super::rule::{Group, Rule};
use crate::capacity::prices::{Mode, mode};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::TableLayout;
use crate::model::names::table_def;

pub static RULE: Rule = Rule {
    name: "cold-start-peak",
    group: Group::Capacity,
    level: Level::Info,
    summary: "an on-demand table peaks above 4,000 write or 12,000 read units a second at launch",
    thresholds: &[],
    check: Check::Table(check),
};

/// Read units a second that a new on-demand table or global index serves at
/// once (Q06).
const WARM_READS: f64 = 12_000.0;
/// Write units a second that it serves at once (Q06).
const WARM_WRITES: f64 = 4_000.0;

/// What is above the warm throughput: apart from the traffic, which changes more
/// often than this does.
#[salsa::tracked(returns(ref))]
fn above_warm(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<Peak> {
    match table_def(db, table).map(|def| mode(db, root, def)) {
        Some(Mode::OnDemand) => above(db, root, table, WARM_READS, WARM_WRITES),
        Some(Mode::Provisioned { .. }) | None => Vec::new(),
    }
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    for peak in above_warm(cx.db, cx.root, cx.decl) {
        let message = format!(
            "the patterns of `{}` {}; a new on-demand table or index serves 12,000 read and 4,000 \
             write units a second at once, then up to twice its highest peak so far; raise its warm throughput before \
             launch, or let the traffic grow over some hours",
            peak.label,
            written(peak)
        );
        report(cx, layout, peak, message);
    }
}
