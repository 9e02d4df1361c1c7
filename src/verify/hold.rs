//! What the analysis expects of a population, held against what was measured.

use super::report::{ExpectationReport, MembersReport, OperationReport, Outcome, StepReport, Verdict};
use super::written::Written;
use crate::capacity::facts::{AttributeFacts, Facts, Kind};
use crate::capacity::figure::Figure;
use crate::capacity::operations::{StepNumbers, Work, numbers_of};
use crate::capacity::reads::{KindRead, ReadKind, ReadNumbers};
use crate::capacity::stock::stock;
use crate::capacity::units::{READ_UNIT, WRITE_UNIT};
use crate::capacity::writes::WriteNumbers;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{IndexKind, PatternDef};
use crate::model::key::KeySource;
use crate::model::layout::{ItemLayout, Source, TableLayout};
use crate::syntax::template::Format;
use std::collections::{BTreeMap, BTreeSet};

/// How near two numbers have to be that should be one: sums in another order
/// differ in their last digits.
const SAME: f64 = 1e-6;

/// What tables and indexes hold, and which of them cannot be foreseen.
pub(super) struct Held {
    pub reports: Vec<ExpectationReport>,
    /// Indexes, by `Table.Index`, that hold another number of items than the
    /// shares of their optional attributes multiply to.
    uneven: BTreeSet<String>,
    /// How many items of an entity are in a table or index.
    items: BTreeMap<(String, String), f64>,
}

/// Holds the members of every table and index, and their bytes, against the
/// shares and sizes of the analysis (S1–S6).
pub(super) fn members(written: &Written, tables: &[&TableLayout], members: &[MembersReport]) -> Held {
    let mut all = Held { reports: Vec::new(), uneven: BTreeSet::new(), items: BTreeMap::new() };
    for source in tables.iter().flat_map(|layout| layout.sources()) {
        for kind in stock(written, source).kinds {
            let label = source.label();
            let real = members.iter().find(|real| real.source == label && real.entity == kind.entity);
            let (items, bytes) = real.map_or((0.0, 0.0), |real| (real.items as f64, real.bytes as f64));
            all.items.insert((label.clone(), kind.entity.clone()), items);
            let what = format!("{} in {label}", kind.entity);
            let item = source.layout.items.iter().find(|item| item.entity == kind.entity);
            let Some(item) = item else { continue };
            let mut count = held(format!("items of {what}"), &kind.items, items, 0.0);
            let exact = count.outcome != Outcome::Differs || optional_of_key(written, source, item) < 2;
            if !exact {
                count = skipped(count.of, DEPENDENT);
                all.uneven.insert(label.clone());
            }
            all.reports.push(count);
            let bytes = held(format!("bytes of {what}"), &kind.items.times(&kind.each), bytes, 0.0);
            if bytes.outcome == Outcome::Differs && (!exact || is_uneven(written, source, item)) {
                let why = "its values are shorter than the sizes that the conventions count, or not there alike";
                all.reports.push(skipped(bytes.of, why));
            } else {
                all.reports.push(bytes);
            }
        }
    }
    all
}

/// Why the items of an index on several optional attributes are not compared.
const DEPENDENT: &str =
    "the optional attributes of its key are not independent of each other among the items of the run";

/// How many optional attributes the key of an index is made of.
fn optional_of_key(written: &Written, source: Source<'_>, item: &ItemLayout) -> usize {
    let Some(entity) = item.entity_decl.and_then(|decl| written.entity(decl)) else { return 0 };
    let made = item.made_from(source.key());
    made.into_iter().filter(|name| entity.attribute(name).is_some_and(|attribute| attribute.optional)).count()
}

/// Whether an entry of an index has another size than the conventions say: an
/// item is filled up to its size, an entry has what it has. Names of enums, shards
/// and numbers in templates may be shorter (S2, S3), and what is optional may be
/// on other items than those in the index.
fn is_uneven(written: &Written, source: Source<'_>, item: &ItemLayout) -> bool {
    let Some(entity) = item.entity_decl.and_then(|decl| written.entity(decl)) else { return true };
    let uneven = |attribute: &AttributeFacts| {
        attribute.optional || matches!(attribute.kind, Kind::Enum(_) | Kind::Number | Kind::Epoch)
    };
    let sharded = |key: &KeySource| key.value.holes().any(|hole| matches!(hole.format, Format::Shard(_)));
    source.index.is_some() && (entity.attributes.iter().any(uneven) || item.keys.values().any(sharded))
}

/// Holds every step of a pattern's operations against the analysis.
pub(super) fn operations(
    db: &dyn Db,
    root: SourceFile,
    decl: Decl,
    pattern: &PatternDef,
    written: &Written,
    held: &Held,
    operations: &mut [OperationReport],
) {
    let Some(numbers) = numbers_of(db, root, decl, written) else { return };
    for report in operations.iter_mut().filter(|report| report.verdict == Verdict::Agrees) {
        let group = pattern.operations.get(report.operation).is_some_and(|operation| operation.group.is_some());
        for step in &report.steps {
            let own = numbers.steps.iter().find(|own| (own.operation, own.step) == (report.operation, step.step));
            let Some(own) = own else { continue };
            let times = if group { own.times } else { 1.0 };
            let expectations = match &own.work {
                Work::Read(read) => reads(own, read, times, step, report.calls, held),
                Work::Write(write) => writes(own, write, times, step, held),
                Work::Unknown(_) => Vec::new(),
            };
            report.expectations.extend(expectations);
        }
        let differs = report.expectations.iter().filter(|one| one.outcome == Outcome::Differs);
        let words: Vec<String> = differs.map(ExpectationReport::words).collect();
        if !words.is_empty() {
            report.verdict = Verdict::Disagrees(words);
        }
    }
}

fn reads(
    own: &StepNumbers,
    read: &ReadNumbers,
    times: f64,
    step: &StepReport,
    calls: usize,
    held_there: &Held,
) -> Vec<ExpectationReport> {
    let label = own.label();
    let not = |why: &str| vec![skipped(format!("items of {label}"), why)];
    if read.returning.is_some() && read.how != ReadKind::Get {
        return not("`returning` says what the run does not make");
    }
    if held_there.uneven.contains(&label) {
        return not(DEPENDENT);
    }
    if read.how == ReadKind::Scan && read.limit.is_some() && read.kinds.len() > 1 {
        return not("which kinds a scan meets first, nothing says");
    }
    let items = read.items.scaled(times);
    let varied = step.outcomes > 1;
    let count = held(format!("items of {label}"), &items, step.items, if varied { times } else { 0.0 });
    if count.outcome == Outcome::Differs && read.how == ReadKind::Query {
        if calls == 1 {
            return not("one value of the key is asked for, and not all have as many items");
        }
        // Each item is found by one of the keys, and there are fewer of them than
        // the values of their parts combine to.
        let of = |kind: &KindRead| held_there.items.get(&(label.clone(), kind.entity.clone())).copied().unwrap_or(0.0);
        let there: f64 = read.kinds.iter().map(of).sum();
        let found = step.items / times * calls as f64;
        if step.items > count.expected_low && found <= there + SAME {
            return not("fewer values of the key are there than its parts combine to");
        }
    }
    let units = read.units.scaled(times / read.pages.unwrap_or(1.0));
    let measured: f64 = step.units.values().sum();
    let largest = read.kinds.iter().map(|kind| kind.each.high().unwrap_or(READ_UNIT)).fold(0.0, f64::max);
    let rounding = read.consistency.factor() * (1.0 + (largest / READ_UNIT).ceil()) * times;
    let units = if read.fetch.is_some() && step.quirk {
        skipped(format!("units of {label}"), "the engine does not charge the fetch")
    } else {
        held(format!("units of {label}"), &units, measured, if varied { rounding } else { 0.0 })
    };
    vec![count, units]
}

fn writes(
    own: &StepNumbers,
    write: &WriteNumbers,
    times: f64,
    step: &StepReport,
    held_there: &Held,
) -> Vec<ExpectationReport> {
    let table = &own.table_name;
    if step.replaces {
        return vec![skipped(format!("units of {table}"), "it replaces items, and a put counts as an insert")];
    }
    let varied = step.outcomes > 1;
    let measured = |target: &str| step.units.get(target).copied().unwrap_or(0.0);
    let double = if write.transaction { 2.0 } else { 1.0 };
    let rounding = |factor: f64| if varied { factor * times } else { 0.0 };
    let mut all =
        vec![held(format!("units of {table}"), &write.table_units.scaled(times), measured(table), rounding(double))];
    for index in &write.indexes {
        let target = format!("{table}.{}", index.index);
        if held_there.uneven.contains(&target) {
            all.push(skipped(format!("units of {target}"), DEPENDENT));
            continue;
        }
        let kind = if index.kind == IndexKind::Local { "local index " } else { "" };
        let one = 1.0 + index.entry.high().map_or(0.0, |bytes| (bytes / WRITE_UNIT).ceil());
        let units = index.units.scaled(times);
        all.push(held(format!("units of {kind}{target}"), &units, measured(&target), rounding(one)));
    }
    all
}

fn held(of: String, expected: &Figure, measured: f64, rounding: f64) -> ExpectationReport {
    let (low, high) = (expected.low(), expected.high().unwrap_or(f64::INFINITY));
    let same = SAME * measured.abs().max(1.0);
    let outcome = if low - same <= measured && measured <= high + same {
        if expected.value().is_some() { Outcome::Exact } else { Outcome::Within }
    } else if low - rounding - same <= measured && measured <= high + rounding + same {
        Outcome::Rounded
    } else {
        Outcome::Differs
    };
    ExpectationReport { of, expected_low: low, expected_high: expected.high(), measured, outcome }
}

fn skipped(of: String, why: &str) -> ExpectationReport {
    let outcome = Outcome::NotCompared(why.to_owned());
    ExpectationReport { of, expected_low: 0.0, expected_high: None, measured: 0.0, outcome }
}
