//! What the analysis expects of a population, held against what was measured.

use super::report::{Agreement, ExpectationReport, MembersReport, OperationReport, StepReport, Verdict};
use super::written::Written;
use crate::capacity::facts::{AttributeFacts, Facts, Kind, entity_facts};
use crate::capacity::figure::Figure;
use crate::capacity::operations::{StepNumbers, Work, numbers_of};
use crate::capacity::reads::{KindRead, ReadKind, ReadNumbers};
use crate::capacity::select::{Given, How, pinned};
use crate::capacity::stock::stock;
use crate::capacity::units::{PAGE, READ_UNIT, WRITE_UNIT};
use crate::capacity::writes::{Effect, IndexWrite, WriteNumbers};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{IndexKind, OpDef, Operator, PatternDef, WriteConditionKind};
use crate::model::key::KeySource;
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, Source, TableLayout};
use crate::model::resolve::steps;
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
    /// Tables and indexes with items of another size than the conventions say.
    odd_sizes: BTreeSet<String>,
    /// How many items of an entity are in a table or index, and the bytes of the
    /// largest.
    items: BTreeMap<(String, String), (f64, u64)>,
}

/// Holds the members of every table and index, and their bytes, against the
/// shares and sizes of the analysis (S1–S6).
pub(super) fn members(
    written: &Written,
    tables: &[&TableLayout],
    oversized: &BTreeSet<&str>,
    members: &[MembersReport],
) -> Held {
    let mut all =
        Held { reports: Vec::new(), uneven: BTreeSet::new(), odd_sizes: BTreeSet::new(), items: BTreeMap::new() };
    for source in tables.iter().flat_map(|layout| layout.sources()) {
        for kind in stock(written, source).kinds {
            let label = source.label();
            let real = members.iter().find(|real| real.source == label && real.entity == kind.entity);
            let (items, bytes) = real.map_or((0.0, 0.0), |real| (real.items as f64, real.bytes as f64));
            let largest = real.map_or(0, |real| real.largest);
            all.items.insert((label.clone(), kind.entity.clone()), (items, largest));
            let what = format!("{} in {label}", kind.entity);
            let item = source.layout.items.iter().find(|item| item.entity == kind.entity);
            let Some(item) = item else { continue };
            let mut count = held(format!("items of {what}"), &kind.items, items, 0.0);
            let exact = count.outcome != Agreement::Differs || optional_of_key(written, source, item) < 2;
            if !exact {
                count = skipped(count.of, DEPENDENT);
                all.uneven.insert(label.clone());
            }
            all.reports.push(count);
            if oversized.contains(kind.entity.as_str()) {
                all.odd_sizes.insert(label.clone());
            }
            let rounding = items * rounded_bytes(written, item);
            let bytes = held(format!("bytes of {what}"), &kind.items.times(&kind.each), bytes, rounding);
            if bytes.outcome == Agreement::Differs && (!exact || is_uneven(written, source, item)) {
                all.odd_sizes.insert(label);
                let why = "its values are shorter than the sizes that the conventions count, or not there alike";
                all.reports.push(skipped(bytes.of, why));
            } else {
                all.reports.push(bytes);
            }
        }
    }
    all
}

/// Bytes below which an item or entry stays within one unit, whatever one call
/// adds to it.
const SMALL: u64 = 512;

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

/// How many bytes an item may differ from its size because no value has a part of a
/// byte: `1.2KB` are 1,228.8.
fn rounded_bytes(written: &Written, item: &ItemLayout) -> f64 {
    let Some(entity) = item.entity_decl.and_then(|decl| written.entity(decl)) else { return 0.0 };
    let sizes = entity.attributes.iter().map(|attribute| attribute.size_avg).chain([entity.size_avg]);
    0.5 * sizes.flatten().filter(|size| size.fract() != 0.0).count() as f64
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
                Work::Read(read) => {
                    let asked = asked(db, root, decl, (report.operation, step.step));
                    reads(own, read, times, step, &asked, report.calls, held)
                }
                Work::Write(write) => {
                    let changed = changed(db, root, decl, (report.operation, step.step));
                    writes(own, write, (times, group), step, &changed, held)
                }
                Work::Unknown(_) => Vec::new(),
            };
            report.expectations.extend(expectations);
        }
        let differs = report.expectations.iter().filter(|one| one.outcome == Agreement::Differs);
        let words: Vec<String> = differs.map(ExpectationReport::words).collect();
        if !words.is_empty() {
            report.verdict = Verdict::Disagrees(words);
        }
    }
}

/// What a query asks for that nothing but its caller knows.
#[derive(Default)]
struct Asked {
    /// It names a value of the key itself.
    one_value: bool,
    /// It asks for a range, or for a prefix that the caller supplies.
    range: bool,
}

fn asked(db: &dyn Db, root: SourceFile, decl: Decl, place: (usize, usize)) -> Asked {
    let step = steps(db, root, decl).find(|step| (step.resolved.operation, step.resolved.step) == place);
    let Some((step, source)) = step.and_then(|step| Some((step, step.source?))) else { return Asked::default() };
    let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { return Asked::default() };
    let comparisons = conjuncts(conditions);
    let reached = source.items().filter(|item| step.resolved.reached.contains(&item.entity));
    let literal = |given: &Given| matches!(given.how, How::Literal(_) | How::Beginning(_));
    let one_value = reached
        .map(|item| pinned(db, source, item, &comparisons))
        .any(|pinned| pinned.partition.iter().chain(&pinned.sort).any(literal));
    Asked { one_value, range: comparisons.iter().any(|comparison| comparison.operator != Operator::Equal) }
}

fn reads(
    own: &StepNumbers,
    read: &ReadNumbers,
    times: f64,
    step: &StepReport,
    asked: &Asked,
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
    let varied = step.outcomes > 1 || held_there.odd_sizes.contains(&label);
    let count = held(format!("items of {label}"), &items, step.items, if varied { times } else { 0.0 });
    if count.outcome == Agreement::Differs && read.how == ReadKind::Query {
        if calls == 1 || asked.one_value {
            return not("one value of the key is asked for, and not all have as many items");
        }
        if asked.range && step.items < count.expected_low {
            return not("how much of a range or prefix its caller asks for, nothing says");
        }
        // Each item is found by one of the keys, and there are fewer of them than
        // the values of their parts combine to.
        let of = |kind: &KindRead| {
            held_there.items.get(&(label.clone(), kind.entity.clone())).map_or(0.0, |(items, _)| *items)
        };
        let there: f64 = read.kinds.iter().map(of).sum();
        let found = step.items / times * calls as f64;
        if step.items > count.expected_low && found <= there + SAME {
            return not("fewer values of the key are there than its parts combine to");
        }
    }
    let units = read.units.scaled(times / read.pages.unwrap_or(1.0));
    let measured: f64 = step.units.values().sum();
    let largest = read.kinds.iter().map(|kind| kind.each.high().unwrap_or(READ_UNIT)).fold(0.0, f64::max);
    // A page ends before an item that does not fit into it any more.
    let pages = (read.bytes.high().unwrap_or(0.0) / PAGE).floor();
    let rounding = read.consistency.factor() * (1.0 + (largest / READ_UNIT).ceil()) * times * (pages + 1.0);
    let varied = varied || pages > 0.0;
    let units = if read.fetch.is_some() && step.quirk {
        skipped(format!("units of {label}"), "the engine does not charge the fetch")
    } else {
        held(format!("units of {label}"), &units, measured, if varied { rounding } else { 0.0 })
    };
    vec![count, units]
}

/// What a write changes otherwise than the average item shows.
#[derive(Default)]
struct Changed {
    /// The item is another size afterwards: it gets an attribute or an element.
    size: bool,
    /// Indexes whose key holds a part or a hash of what is set, and nothing else
    /// of it: a new value may have the same.
    maybe: BTreeSet<String>,
    /// Its condition picks some of the items.
    picks: bool,
}

fn changed(db: &dyn Db, root: SourceFile, decl: Decl, place: (usize, usize)) -> Changed {
    let mut changed = Changed::default();
    let step = steps(db, root, decl).find(|step| (step.resolved.operation, step.resolved.step) == place);
    let Some((step, source)) = step.and_then(|step| Some((step, step.source?))) else { return changed };
    let Some(subject) = step.step.op.subject() else { return changed };
    let Some(item) = source.layout.item_of(&subject.entity.text) else { return changed };
    changed.size = item.entity != subject.entity.text;
    let condition = step.step.op.condition().map(|condition| &condition.kind);
    changed.picks = matches!(condition, Some(WriteConditionKind::Conditions(_)));
    let OpDef::Update { set, .. } = &step.step.op else { return changed };
    let entity = item.entity_decl.and_then(|decl| entity_facts(db, decl).as_ref());
    let optional = |name: &str| entity.and_then(|e| e.attribute(name)).is_some_and(|attribute| attribute.optional);
    changed.size |= set.iter().any(|name| optional(&name.text));
    for index in source.layout.of_indexes() {
        let holes = index.key().filter_map(|key| item.keys.get(&key.name)).flat_map(|key| key.value.holes());
        let holes: Vec<_> = holes.filter(|hole| set.iter().any(|name| name.text == hole.name)).collect();
        let sure = holes.iter().any(|hole| !matches!(hole.format, Format::Time(_) | Format::Shard(_)));
        if !holes.is_empty() && !sure {
            changed.maybe.insert(index.label());
        }
    }
    changed
}

fn writes(
    own: &StepNumbers,
    write: &WriteNumbers,
    (times, grouped): (f64, bool),
    step: &StepReport,
    changed: &Changed,
    held_there: &Held,
) -> Vec<ExpectationReport> {
    let table = &own.table_name;
    if step.replaces {
        return vec![skipped(format!("units of {table}"), "it replaces items, and a put counts as an insert")];
    }
    let measured = |target: &str| step.units.get(target).copied().unwrap_or(0.0);
    let double = if write.transaction { 2.0 } else { 1.0 };
    // Where the largest is far below a kilobyte, all cost one unit whatever they
    // are: nothing is rounded then.
    let small = |target: &str| {
        let there = held_there.items.get(&(target.to_owned(), write.entity.clone()));
        there.is_some_and(|(_, largest)| *largest < SMALL)
    };
    let rounding = |target: &str, factor: f64| {
        let varied = step.outcomes > 1 || changed.size || held_there.odd_sizes.contains(target);
        // A group takes its items in turns: not all of them as often.
        if varied && (grouped || !small(target)) { factor * times } else { 0.0 }
    };
    let units = write.table_units.scaled(times);
    let mut all = vec![held(format!("units of {table}"), &units, measured(table), rounding(table, double))];
    for index in &write.indexes {
        let target = format!("{table}.{}", index.index);
        if held_there.uneven.contains(&target) {
            all.push(skipped(format!("units of {target}"), DEPENDENT));
            continue;
        }
        if changed.maybe.contains(&target) {
            all.push(skipped(format!("units of {target}"), "its key may be the same with another value"));
            continue;
        }
        let kind = if index.kind == IndexKind::Local { "local index " } else { "" };
        let one = 1.0 + index.entry.high().map_or(0.0, |bytes| (bytes / WRITE_UNIT).ceil());
        let units = index.units.scaled(times);
        // Items that a condition picks may be of another size, but where all of them are
        // in the index, or none, this does not hang on which it picks.
        let sure = changed.picks && is_sure(index);
        let rounding = if sure { one * times } else { rounding(&target, one) };
        let mut expectation = held(format!("units of {kind}{target}"), &units, measured(&target), rounding);
        if changed.picks && !sure {
            pick(&mut expectation);
        }
        all.push(expectation);
    }
    if changed.picks {
        pick(&mut all[0]);
    }
    all
}

/// Whether an entry is written, or removed, by each of the calls or by none.
fn is_sure(index: &IndexWrite) -> bool {
    let is_all_or_none = |share: &Figure| matches!(share.value(), Some(0.0 | 1.0));
    matches!(index.effect, Effect::Moved { .. } | Effect::Deleted)
        && is_all_or_none(&index.before)
        && is_all_or_none(&index.after)
}

/// Does not compare what differs because a condition picks some of the items.
fn pick(expectation: &mut ExpectationReport) {
    if expectation.outcome == Agreement::Differs {
        *expectation = skipped(expectation.of.clone(), "its condition picks items that are not like all the others");
    }
}

fn held(of: String, expected: &Figure, measured: f64, rounding: f64) -> ExpectationReport {
    let (low, high) = (expected.low(), expected.high().unwrap_or(f64::INFINITY));
    let same = SAME * measured.abs().max(1.0);
    let outcome = if low - same <= measured && measured <= high + same {
        if expected.value().is_some() { Agreement::Exact } else { Agreement::Within }
    } else if low - rounding - same <= measured && measured <= high + rounding + same {
        Agreement::Rounded
    } else {
        Agreement::Differs
    };
    ExpectationReport { of, expected_low: low, expected_high: expected.high(), measured, outcome }
}

fn skipped(of: String, why: &str) -> ExpectationReport {
    let outcome = Agreement::NotCompared(why.to_owned());
    ExpectationReport { of, expected_low: 0.0, expected_high: None, measured: 0.0, outcome }
}
