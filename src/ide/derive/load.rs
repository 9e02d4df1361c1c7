//! What meets on the hottest value of a key, against its limits (numbers H1–H3).

use super::Cx;
use super::reads::{by_share, why};
use super::text::{Unit, number, operand, result};
use crate::capacity::distinct::{Owner, hole_spread, values_of};
use crate::capacity::figure::Figure;
use crate::capacity::load::{Contribution, Family, HoleShare, READ_LIMIT, WRITE_LIMIT, Why};
use crate::capacity::select::Given;
use crate::model::layout::ItemLayout;
use crate::model::names::pattern_def;
use crate::syntax::template::Format;

const READS: Unit = Unit::Of("read unit");
const WRITES: Unit = Unit::Of("write unit");

/// Peak × units × the share of each hole.
pub(in crate::ide) fn contribution(cx: Cx<'_>, load: &Contribution) -> Vec<String> {
    let label = label(cx, load);
    let mut lines = Vec::new();
    let holes: String = load.holes.iter().map(|hole| format!(" {}", of_hole(hole))).collect();
    for (of_call, a_second, unit) in
        [(&load.read_units, load.reads(), READS), (&load.write_units, load.writes(), WRITES)]
    {
        if *of_call == Figure::ZERO {
            continue;
        }
        let start = format!("{} (peak) × {}", operand(&load.peak, Unit::PerSecond), operand(of_call, Unit::Number));
        lines.push(format!("{label}: {start}{holes} {} a second", result(&a_second, unit)));
        lines.extend(correlated(load, of_call, &start, unit));
    }
    lines
}

/// Holes are taken as independent; correlated ones reach the smallest of their
/// shares (H1).
fn correlated(load: &Contribution, of_call: &Figure, start: &str, unit: Unit) -> Option<String> {
    let spreading: Vec<&HoleShare> = load.holes.iter().filter(|hole| hole.share != Figure::known(1.0)).collect();
    if spreading.len() < 2 {
        return None;
    }
    let least = spreading.iter().skip(1).fold(spreading[0].share.clone(), |least, hole| least.min(&hole.share));
    let shares: Vec<String> = spreading.iter().map(|hole| operand(&hole.share, Unit::Percent)).collect();
    let holes: Vec<String> = spreading.iter().map(|hole| format!("`{}`", hole.hole)).collect();
    let most = load.peak.times(of_call).times(&least);
    Some(format!(
        "If the same calls have the hottest values of {}, as much as: {start} × min({}) {} a second",
        holes.join(" and "),
        shares.join(", "),
        result(&most, unit)
    ))
}

fn of_hole(hole: &HoleShare) -> String {
    let all = |why: &str| format!("× 100% (`{}`: {why})", hole.hole);
    match &hole.why {
        Why::Literal => all("given as text"),
        Why::Now => all("the writes of a moment have one time"),
        Why::UselessShard => all("the shard follows from what the key holds anyway"),
        Why::Hottest => format!("× {} (`{}`: `@hottest`)", operand(&hole.share, Unit::Percent), hole.hole),
        Why::Shard(n) => by_share(&hole.hole, &hole.share, &Figure::known(f64::from(*n)), &hole.reason),
        Why::Distinct(values) => by_share(&hole.hole, &hole.share, values, &hole.reason),
    }
}

/// How many values each hole of an item's key has, and the share of the hottest.
pub(in crate::ide) fn values(cx: Cx<'_>, item: &ItemLayout, given: &[Given]) -> Vec<String> {
    let Some(owner) = Owner::of(&cx.facts, item) else { return Vec::new() };
    let holes = given.iter().map(|given| &given.hole);
    let plain: Vec<&str> =
        holes.clone().filter(|hole| !matches!(hole.format, Format::Shard(_))).map(|hole| hole.name.as_str()).collect();
    let lines = holes.map(|hole| {
        let (values, reason) = values_of(owner, hole, &plain);
        let hot = hole_spread(owner, hole, &plain).hot;
        let start = format!("`{}`, `{}`: {}", item.entity, hole.spelling(), operand(&values, Unit::Of("value")));
        let even = values.value().is_some_and(|values| hot.value() == Some(1.0 / values));
        let hottest = match (even, values.value()) {
            (true, Some(values)) => format!("1 ÷ {} {}", number(values), result(&hot, Unit::Percent)),
            _ => operand(&hot, Unit::Percent),
        };
        format!("{start} ({}); of the hottest: {hottest}", why(&reason))
    });
    lines.collect()
}

fn label(cx: Cx<'_>, load: &Contribution) -> String {
    let pattern = pattern_def(cx.db, load.pattern_decl);
    let step = pattern.and_then(|pattern| pattern.operations.get(load.operation)?.steps.get(load.step));
    step.map_or_else(
        || format!("`{}`", load.pattern),
        |step| match step.op.subject() {
            Some(subject) => format!("`{}` (`{} {}`)", load.pattern, step.op.word(), subject.entity.text),
            None => format!("`{}` (`{}`)", load.pattern, step.op.word()),
        },
    )
}

/// All that meets on one value of a key, and how near that is to the limits.
pub(in crate::ide) fn family(cx: Cx<'_>, family: &Family) -> Vec<String> {
    let mut lines: Vec<String> = family.contributions.iter().flat_map(|load| contribution(cx, load)).collect();
    let [reads, writes] = [Contribution::reads, Contribution::writes];
    for (of, total, unit) in [(reads, &family.reads, READS), (writes, &family.writes, WRITES)] {
        let parts: Vec<Figure> = family.contributions.iter().map(of).filter(|part| *part != Figure::ZERO).collect();
        if parts.len() > 1 {
            let terms: Vec<String> = parts.iter().map(|part| operand(part, Unit::Number)).collect();
            lines.push(format!("Where they meet: {} {} a second", terms.join(" + "), result(total, unit)));
        }
    }
    lines.extend(share_of_limit(&family.reads, &family.writes));
    lines
}

/// The share of each limit of one value that a load takes; of a load of nothing
/// nothing is said.
pub(in crate::ide) fn share_of_limit(reads: &Figure, writes: &Figure) -> Vec<String> {
    let mut lines = Vec::new();
    for (load, limit, what) in [(reads, READ_LIMIT, "reads"), (writes, WRITE_LIMIT, "writes")] {
        if *load != Figure::ZERO {
            let share = load.scaled(1.0 / limit);
            let quotient = format!("{} ÷ {}", operand(load, Unit::Number), number(limit));
            lines.push(format!("Of the limit for {what}: {quotient} {}", result(&share, Unit::Percent)));
        }
    }
    lines
}
