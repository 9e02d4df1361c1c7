//! How far each table and index is from its limits: what breaks first as the rates
//! rise.

use crate::capacity::figure::Figure;
use crate::capacity::load::key_loads;
use crate::capacity::prices::{Mode, mode};
use crate::capacity::show;
use crate::capacity::traffic::{Traffic, traffic};
use crate::config::Quota;
use crate::deliverables::figures::{Footnotes, mark, number};
use crate::deliverables::markdown::code;
use crate::deliverables::numbers::things;
use crate::deliverables::outline::Outline;
use crate::model::defs::IndexKind;
use crate::model::layout::layout;
use crate::model::settings::quota;

/// A table or global index against its quotas.
pub(super) struct Row {
    pub name: String,
    pub reads: String,
    pub read_share: String,
    pub writes: String,
    pub write_share: String,
    pub first: String,
}

/// The rows, and in a sentence the limit that is met first.
pub(super) struct Headroom {
    pub read_quota: String,
    pub write_quota: String,
    /// Whether any table has no more than what is provisioned.
    pub is_provisioned: bool,
    pub rows: Vec<Row>,
    pub first: Option<String>,
}

/// A limit and how much of it the peaks take.
struct Limit {
    what: String,
    share: Figure,
}

pub(super) fn headroom(outline: &Outline<'_>, notes: &mut Footnotes) -> Headroom {
    let (db, root) = (outline.db, outline.root);
    let quotas = [quota(db, root, Quota::TableReads), quota(db, root, Quota::TableWrites)];
    let mut rows = Vec::new();
    let mut nearest: Option<(f64, String)> = None;
    let (mut is_known, mut is_provisioned) = (true, false);
    for table in &outline.tables {
        let Some(layout) = layout(db, root, table.decl) else { continue };
        let loads = key_loads(db, root, table.decl);
        let mode = mode(db, root, table.def);
        is_provisioned |= mode != Mode::OnDemand;
        for taking in traffic(db, root, table.decl) {
            let (reads, writes) = (taking.peak_reads(), taking.peak_writes());
            let [of_reads, of_writes] = [reads.scaled(1.0 / quotas[0]), writes.scaled(1.0 / quotas[1])];
            let mut limits = vec![
                Limit { what: String::from("its own reads"), share: of_reads.clone() },
                Limit { what: String::from("its own writes"), share: of_writes.clone() },
            ];
            if let Mode::Provisioned { utilization } = mode {
                limits.extend(provisioned(taking, utilization));
            }
            let own = loads.iter().filter(|load| load.index == taking.index).flat_map(|load| &load.families);
            for family in own {
                let on = |what: &str| format!("the {what} on {}", code(&family.value));
                limits.push(Limit { what: on("reads"), share: family.read_share() });
                limits.push(Limit { what: on("writes"), share: family.write_share() });
            }
            let kind = taking.index.as_deref().and_then(|index| layout.index(index)).map(|index| index.kind);
            let kind = if kind == Some(IndexKind::Global) { " GSI" } else { "" };
            let name = format!("{}{kind}", code(&taking.label));
            let first = most_used(&limits);
            is_known &= limits.iter().all(|limit| limit.share.high().is_some());
            if let Some(limit) = first
                && nearest.as_ref().is_none_or(|(share, _)| limit.share.low() > *share)
            {
                nearest = Some((limit.share.low(), format!("{name}: {}, {}", limit.what, at(&limit.share))));
            }
            let figures = [&reads, &writes];
            notes.add(figures);
            rows.push(Row {
                name: format!("{name}{}", mark(figures)),
                reads: number(&reads),
                read_share: show::part(&of_reads),
                writes: number(&writes),
                write_share: show::part(&of_writes),
                first: first.map_or_else(|| nothing(&limits), |limit| format!("{}, {}", limit.what, at(&limit.share))),
            });
        }
    }
    let unless = if is_known { "" } else { ", as far as the numbers are known" };
    Headroom {
        read_quota: show::count(quotas[0]),
        write_quota: show::count(quotas[1]),
        is_provisioned,
        rows,
        first: nearest.map(|(_, first)| format!("{first}{unless}")),
    }
}

/// What is provisioned of a table or global index: no more than auto scaling may
/// provide in the template.
fn provisioned(taking: &Traffic, utilization: f64) -> [Limit; 2] {
    [false, true].map(|writes| {
        let (least, most) = taking.provisioned(writes, utilization);
        let (peak, what) = if writes { (taking.peak_writes(), "write") } else { (taking.peak_reads(), "read") };
        let how = if least == most { "are provisioned" } else { "auto scaling may provide" };
        let units = things(&most, &format!("{what} unit"));
        Limit { what: format!("the {units} that {how}"), share: peak.divided(&most) }
    })
}

/// The limit of which most is certainly taken; of two with the same share the first.
fn most_used(limits: &[Limit]) -> Option<&Limit> {
    let used = limits.iter().filter(|limit| limit.share.low() > 0.0);
    used.fold(None, |most: Option<&Limit>, limit| match most {
        Some(most) if most.share.low() >= limit.share.low() => Some(most),
        _ => Some(limit),
    })
}

/// What is said where nothing is certainly taken of any limit.
fn nothing(limits: &[Limit]) -> String {
    String::from(match limits.iter().all(|limit| limit.share == Figure::ZERO) {
        true => "nothing loads it",
        false => "not known",
    })
}

/// `at 6.71 times these peaks`.
fn at(share: &Figure) -> String {
    let times = 1.0 / share.low();
    let most = if share.value().is_some() { "" } else { "at most " };
    match times < 1.0 {
        true => String::from("which is passed already"),
        false => format!("at {most}{} times these peaks", show::number(times)),
    }
}
