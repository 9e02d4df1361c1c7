//! Tables and indexes whose patterns, all at their peaks, ask for more units a
//! second than something allows.

use super::check::Cx;
use super::finding::Finding;
use crate::capacity::figure::{Figure, Input, list};
use crate::capacity::show;
use crate::capacity::traffic::{Traffic, traffic};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::TableLayout;
use std::collections::BTreeSet;

/// How many of the heaviest patterns are named as related places.
const NAMED: usize = 3;

/// Units a second above a limit, at a table (with its local indexes) or at a
/// global index.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// The index; `None` for the table.
    pub index: Option<String>,
    /// `Table` or `Table.Index`.
    pub label: String,
    /// Reads, writes or both.
    pub sums: Vec<Sum>,
}

/// One of the sums that are above.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    pub writes: bool,
    pub units: Figure,
    /// Units a second that it is held against.
    limit: f64,
    /// The patterns that make it up with the units that each certainly takes,
    /// the heaviest first.
    pub patterns: Vec<(Decl, String, f64)>,
}

impl Sum {
    /// "52,000 read units a second, 30,000 of them by `A`"; "at least" where
    /// something is not known.
    fn written(&self) -> String {
        let what = if self.writes { "write unit" } else { "read unit" };
        let units = show::count_of_beside(self.units.low(), what, &[self.limit]);
        let least = if self.units.value().is_none() { "at least " } else { "" };
        let most = match self.patterns.as_slice() {
            [] => String::new(),
            [(_, pattern, _)] => format!(", all of them by `{pattern}`"),
            [(_, pattern, units), ..] => {
                format!(", {} of them by `{pattern}`", show::count_beside(*units, &[self.limit]))
            }
        };
        format!("{least}{units} a second{}{most}", self.units.computed_note())
    }
}

/// Where the patterns of a table together are above these limits, in read and
/// in write units a second. Only what is certain counts.
pub fn above(db: &dyn Db, root: SourceFile, table: Decl, reads: f64, writes: f64) -> Vec<Peak> {
    let peaks = traffic(db, root, table).iter().map(|traffic| {
        let sums = [(false, reads), (true, writes)];
        let sums = sums.map(|(writes, limit)| Some(sum(traffic, writes, limit)).filter(|sum| sum.units.low() > limit));
        Peak { index: traffic.index.clone(), label: traffic.label.clone(), sums: sums.into_iter().flatten().collect() }
    });
    peaks.filter(|peak| !peak.sums.is_empty()).collect()
}

fn sum(traffic: &Traffic, writes: bool, limit: f64) -> Sum {
    let units = if writes { traffic.peak_writes() } else { traffic.peak_reads() };
    let each = traffic.patterns.iter().map(|pattern| {
        let units = if writes { &pattern.write_units } else { &pattern.read_units };
        (pattern.decl, pattern.pattern.clone(), pattern.peak.times(units).low())
    });
    let mut patterns: Vec<_> = each.filter(|(_, _, units)| *units > 0.0).collect();
    patterns.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.1.cmp(&b.1)));
    Sum { writes, units, limit, patterns }
}

/// What is above, and what could not be counted: "peak together at 52,000 read
/// units a second".
pub fn written(peak: &Peak) -> String {
    let sums: Vec<String> = peak.sums.iter().map(Sum::written).collect();
    let missing: BTreeSet<&Input> = peak.sums.iter().flat_map(|sum| sum.units.missing()).collect();
    let lacks = if missing.is_empty() { String::new() } else { format!(" (without {})", list(missing)) };
    let sums = sums.join(" and ");
    let verb = if sums.starts_with("at least") { "have a common peak of" } else { "peak together at" };
    format!("{verb} {sums}{lacks}")
}

/// Reports at the name of the table or of the index, with the heaviest patterns.
pub fn report<'f>(cx: &'f mut Cx<'_>, layout: &TableLayout, peak: &Peak, message: String) -> &'f mut Finding {
    let range = match peak.index.as_ref().and_then(|index| layout.index(index)) {
        Some(index) => index.name.range,
        None => cx.name_range(),
    };
    let mut related = Vec::new();
    for sum in &peak.sums {
        for (decl, _, units) in sum.patterns.iter().take(NAMED) {
            let what = if sum.writes { "write unit" } else { "read unit" };
            let place = cx.name_place(*decl);
            related.extend(place.map(|place| (place, format!("{} a second here", show::count_of(*units, what)))));
        }
    }
    let finding = cx.report(range, message);
    for (place, message) in related {
        finding.relate(place, message);
    }
    finding
}
