//! What meets on the hottest value of a key, against its limits (numbers H1–H3).

use super::Cx;
use super::reads::{HOTTEST, by_share, why};
use super::text::{self, Unit, add_new, below, code, equation, is_unknown, number, operand, sum, term};
use crate::capacity::distinct::{Owner, hole_spread, values_of};
use crate::capacity::even::{attribute_of, even_holes, share_on_one, units_on_one};
use crate::capacity::figure::Figure;
use crate::capacity::load::{Contribution, Family, HoleShare, READ_LIMIT, WRITE_LIMIT, Why};
use crate::capacity::select::Given;
use crate::model::layout::ItemLayout;
use crate::model::names::pattern_def;
use crate::syntax::template::Format;

const READS: Unit = Unit::Of("read unit");
const WRITES: Unit = Unit::Of("write unit");

/// Peak × units × the share of each hole, of one step. What it writes to local
/// indexes meets on the table's key (H2).
fn contribution(cx: Cx<'_>, parts: &[&Contribution]) -> Vec<String> {
    let Some(load) = parts.first() else { return Vec::new() };
    let label = label(cx, load);
    let mut lines = Vec::new();
    let holes: String = load.holes.iter().map(|hole| format!(" {}", of_hole(hole))).collect();
    for unit in [READS, WRITES] {
        let of_call = |load: &Contribution| match unit {
            READS => load.read_units.clone(),
            _ => load.write_units.clone(),
        };
        let units: Vec<Figure> =
            parts.iter().map(|load| of_call(load)).filter(|units| *units != Figure::ZERO).collect();
        let sum: Figure = units.iter().sum();
        let terms: Vec<String> = units.iter().map(|units| operand(units, Unit::Number)).collect();
        let units = match terms.len() {
            0 => continue,
            1 => terms.join(""),
            _ => format!("({})", terms.join(" + ")),
        };
        let product = format!("{} (peak) × {units}{holes}", operand(&load.peak, Unit::PerSecond));
        let a_second = load.peak.times(&sum).times(&load.share);
        lines.push(format!("{label}: {}", text::a_second(equation(&product, &a_second, unit), &a_second)));
    }
    lines
}

/// Holes are taken as independent; correlated ones reach the smallest of their
/// shares (H1).
fn correlated(load: &Contribution) -> Option<String> {
    let spreading: Vec<&HoleShare> = load.holes.iter().filter(|hole| hole.share != Figure::known(1.0)).collect();
    let (first, others) = spreading.split_first().filter(|(_, others)| !others.is_empty())?;
    let least = others.iter().fold(first.share.clone(), |least, hole| least.min(&hole.share));
    let shares: Vec<String> = spreading.iter().map(|hole| operand(&hole.share, Unit::Percent)).collect();
    let holes: Vec<String> = spreading.iter().map(|hole| code(&hole.hole)).collect();
    Some(format!(
        "{} are taken as independent; where their hottest values go together, they take {} of the calls",
        holes.join(" and "),
        equation(&format!("min({})", shares.join(", ")), &least, Unit::Percent)
    ))
}

fn of_hole(hole: &HoleShare) -> String {
    let all = |why: &str| format!("× 100 % ({}: {why})", code(&hole.hole));
    match &hole.why {
        Why::Literal => all("given as text"),
        Why::Now => all("the writes of a moment have one time"),
        Why::UselessShard => all("the shard follows from what the key holds anyway"),
        Why::Hottest => format!("× {} ({}: `@hottest`)", operand(&hole.share, Unit::Percent), code(&hole.hole)),
        Why::Shard(n) => by_share(&hole.hole, &hole.share, &Figure::known(f64::from(*n)), &hole.reason, HOTTEST),
        Why::Distinct(values) => by_share(&hole.hole, &hole.share, values, &hole.reason, HOTTEST),
    }
}

/// How many values each hole of an item's key has, and the share of the hottest.
pub fn values(cx: Cx<'_>, item: &ItemLayout, given: &[Given]) -> Vec<String> {
    let Some(owner) = Owner::of(&cx.facts, item) else { return Vec::new() };
    let holes = given.iter().map(|given| &given.hole);
    let plain: Vec<&str> =
        holes.clone().filter(|hole| !matches!(hole.format, Format::Shard(_))).map(|hole| hole.name.as_str()).collect();
    let lines = holes.map(|hole| {
        let (values, reason) = values_of(owner, hole, &plain);
        let hot = hole_spread(owner, hole, &plain).hot;
        let start = format!("`{}`, {}: {}", item.entity, code(&hole.spelling()), operand(&values, Unit::Of("value")));
        let even = values.value().is_some_and(|values| hot.value() == Some(1.0 / values));
        let hottest = match (even, values.value()) {
            (true, Some(values)) => equation(&format!("1 ÷ {}", number(values)), &hot, Unit::Percent),
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
pub fn family(cx: Cx<'_>, family: &Family) -> Vec<String> {
    let contributions: Vec<&Contribution> = family.contributions.iter().collect();
    meeting(cx, &contributions, &family.reads, &family.writes)
}

fn meeting(cx: Cx<'_>, loads: &[&Contribution], all_reads: &Figure, all_writes: &Figure) -> Vec<String> {
    let mut steps: Vec<Vec<&Contribution>> = Vec::new();
    for load in loads {
        let of = |load: &Contribution| (load.pattern_decl, load.operation, load.step);
        let same = |step: &&mut Vec<&Contribution>| {
            step.iter().all(|other| of(other) == of(load) && other.holes == load.holes)
        };
        match steps.iter_mut().find(same) {
            Some(step) => step.push(load),
            None => steps.push(vec![load]),
        }
    }
    let mut lines: Vec<String> = steps.iter().flat_map(|step| contribution(cx, step)).collect();
    let [reads, writes] = [Contribution::reads, Contribution::writes];
    for (of, total, unit) in [(reads, all_reads, READS), (writes, all_writes, WRITES)] {
        let of_step = |step: &Vec<&Contribution>| -> Figure { step.iter().map(|load| of(load)).sum() };
        let parts: Vec<Figure> = steps.iter().map(of_step).filter(|part| *part != Figure::ZERO).collect();
        if parts.len() > 1 {
            let terms = sum(parts.iter().map(term).collect());
            // A sum of what is not known says nothing more.
            if !is_unknown(total) {
                lines.push(format!("Where they meet: {} a second", equation(&terms, total, unit)));
            }
        }
    }
    lines.extend(share_of_limit(all_reads, all_writes));
    lines.extend(on_one_value(cx, loads));
    add_new(&mut lines, loads.iter().filter_map(|load| correlated(load)));
    lines
}

/// What one value takes where all calls meet on it whose values are taken as even.
fn on_one_value(cx: Cx<'_>, loads: &[&Contribution]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    add_new(
        &mut names,
        loads.iter().flat_map(|load| even_holes(cx.db, cx.root, load)).map(|hole| code(attribute_of(&hole.hole))),
    );
    let mut lines = Vec::new();
    for unit in [READS, WRITES] {
        let units_of =
            |load: &Contribution| if unit == READS { load.read_units.clone() } else { load.write_units.clone() };
        let is_assumed =
            |load: &&Contribution| units_of(load) != Figure::ZERO && !even_holes(cx.db, cx.root, load).is_empty();
        if !loads.iter().any(is_assumed) {
            continue;
        }
        let of = |load: &&Contribution| {
            let units = &units_on_one(cx.db, load, &units_of(load));
            let share = share_on_one(cx.db, cx.root, load);
            let others = match share == Figure::known(1.0) {
                true => String::new(),
                false => format!(" × {}", operand(&share, Unit::Percent)),
            };
            let product =
                format!("{} × {}{others}", operand(&load.peak, Unit::PerSecond), operand(units, Unit::Number));
            (*units != Figure::ZERO).then(|| (product, load.peak.times(units).times(&share)))
        };
        let terms: Vec<(String, Figure)> = loads.iter().filter_map(of).collect();
        let total: Figure = terms.iter().map(|(_, figure)| figure).sum();
        if is_unknown(&total) {
            continue;
        }
        lines.push(format!(
            "No `@hottest` is declared of {}, and this is the load of the mean value; if all meet on one: {} a second",
            names.join(" and "),
            equation(&sum(terms), &total, unit)
        ));
    }
    lines
}

/// Loads with the names of their tables, by the key value on which they meet; and
/// the largest share of a limit that one value takes, as far as it is known, and
/// all that they put on keys, for what is missing of it.
pub fn by_key<'l>(
    cx: Cx<'_>,
    loads: impl Iterator<Item = (&'l str, &'l Contribution)>,
) -> (Vec<String>, Option<Figure>, Figure) {
    let mut keys: Vec<(String, Vec<&Contribution>)> = Vec::new();
    for (table, load) in loads {
        let key = load.index.as_ref().map_or_else(|| table.to_owned(), |index| format!("{table}.{index}"));
        let family = |(other, loads): &&mut (String, Vec<&Contribution>)| {
            *other == key && loads.iter().all(|other| other.family == load.family)
        };
        match keys.iter_mut().find(family) {
            Some((_, loads)) => loads.push(load),
            None => keys.push((key, vec![load])),
        }
    }
    let mut lines = Vec::new();
    let mut heaviest: Option<Figure> = None;
    let mut all = Figure::ZERO;
    for (key, loads) in keys {
        let reads: Figure = loads.iter().map(|load| load.reads()).sum();
        let writes: Figure = loads.iter().map(|load| load.writes()).sum();
        let value = loads.first().map_or("", |load| load.value.as_str());
        lines.push(format!("On the hottest {} of `{key}`:", code(value)));
        lines.extend(below(meeting(cx, &loads, &reads, &writes)));
        all = all.plus(&reads).plus(&writes);
        let share = reads.scaled(1.0 / READ_LIMIT).max(&writes.scaled(1.0 / WRITE_LIMIT));
        if heaviest.as_ref().is_none_or(|most| share.low() > most.low()) {
            heaviest = Some(share);
        }
    }
    (lines, heaviest, all)
}

/// The share of each limit of one value that a load takes; of a load of nothing
/// nothing is said.
fn share_of_limit(reads: &Figure, writes: &Figure) -> Vec<String> {
    let mut lines = Vec::new();
    for (load, limit, what) in [(reads, READ_LIMIT, "reads"), (writes, WRITE_LIMIT, "writes")] {
        if *load != Figure::ZERO {
            let share = load.scaled(1.0 / limit);
            let quotient = format!("{} ÷ {}", operand(load, Unit::Number), number(limit));
            lines.push(format!("Of the limit for {what}: {}", equation(&quotient, &share, Unit::Percent)));
        }
    }
    lines
}
