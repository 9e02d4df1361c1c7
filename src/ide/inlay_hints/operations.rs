//! What one call of an operation takes, and what that costs a month.

use super::behind;
use crate::capacity::cost::step_costs;
use crate::capacity::figure::Figure;
use crate::capacity::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use crate::capacity::reads::{ReadKind, ReadNumbers};
use crate::capacity::units::Consistency;
use crate::capacity::writes::{Effect, IndexWrite, WriteNumbers};
use crate::ide::figures::{bytes, count, counted, is_open, marked, monthly, notes, percent, shown};
use crate::ide::{HintKind, InlayHint};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::PatternDef;

/// A hint behind each operation of a pattern.
pub(super) fn hints(db: &dyn Db, root: SourceFile, decl: Decl, pattern: &PatternDef) -> Vec<InlayHint> {
    let Some(numbers) = pattern_numbers(db, root, decl) else { return Vec::new() };
    let text = &decl.chunk(db).text;
    let costs = step_costs(db, root, decl);
    let steps = numbers.steps.iter().zip(costs).filter_map(|(step, cost)| {
        let written = pattern.operations.get(step.operation)?.steps.get(step.step)?;
        // Of one that is being typed nothing can be said yet.
        written.op.table()?;
        Some(behind(text, written.range, HintKind::Operation, label(step, cost), &tooltip(numbers, step, cost)))
    });
    steps.collect()
}

/// The write units of indexes that an operation writes at all.
fn written_indexes(step: &StepNumbers) -> Vec<(&str, Figure)> {
    let writes = step.index_writes().filter(|(_, _, units)| *units != Figure::ZERO);
    writes.map(|(index, _, units)| (index, units)).collect()
}

/// `6.5 RU · $126/mo`, `24 WU + 1 OpenOrders · $98/mo`, `? units`.
fn label(step: &StepNumbers, cost: &Figure) -> String {
    let units = |figure: &Figure, unit: &str| match is_open(figure) {
        true => "? units".to_owned(),
        false => format!("{} {unit}", shown(figure, count)),
    };
    let indexes = written_indexes(step);
    let (own, mut label) = match &step.work {
        Work::Read(_) => (step.read_units(), units(&step.read_units(), "RU")),
        Work::Write(_) => (step.write_units(), units(&step.write_units(), "WU")),
        Work::Unknown(_) => (step.read_units(), "? units".to_owned()),
    };
    for (index, units) in &indexes {
        label.push_str(&format!(" + {} {index}", shown(units, count)));
    }
    if !(is_open(&own) && is_open(cost)) {
        label.push_str(&format!(" · {}", monthly(cost)));
    }
    marked(label, indexes.iter().map(|(_, units)| units).chain([&own, cost]))
}

/// How the numbers come about, in a line or two, and what is missing.
fn tooltip(pattern: &PatternNumbers, step: &StepNumbers, cost: &Figure) -> Vec<String> {
    let (own, mut lines) = match &step.work {
        Work::Read(work) => (step.read_units(), vec![read(step, work)]),
        Work::Write(work) => (step.write_units(), vec![write(step, work)]),
        Work::Unknown(_) => (step.read_units(), Vec::new()),
    };
    let calls = counted(&pattern.rate, "call");
    lines.push(format!("At {calls} of `{}` a second: {}.", pattern.name, monthly(cost)));
    let indexes = written_indexes(step);
    lines.extend(notes(indexes.iter().map(|(_, units)| units).chain([&own, cost, &pattern.rate])));
    lines
}

fn read(step: &StepNumbers, work: &ReadNumbers) -> String {
    let kinds = work.kinds.iter().filter(|kind| kind.taken != Figure::ZERO);
    let kinds: Vec<String> =
        kinds.map(|kind| format!("{} `{}` of {}", shown(&kind.taken, count), kind.entity, bytes(&kind.each))).collect();
    let what = if kinds.is_empty() { "no item".to_owned() } else { kinds.join(", ") };
    // One item's bytes have just been said.
    let sum = match (work.how, work.pages) {
        (ReadKind::Get, _) => String::new(),
        (_, Some(pages)) => {
            format!(", {} a page, {}", bytes(&work.bytes), counted(&Figure::known(pages), "page"))
        }
        (_, None) => format!(", together {}", bytes(&work.bytes)),
    };
    let fetch = work.fetch.as_ref().map(|units| format!(", {} of them for the table's items", shown(units, count)));
    let how = match work.consistency {
        Consistency::Eventual => "eventually consistent",
        Consistency::Strong => "strongly consistent",
        Consistency::Transactional => "in a transaction",
    };
    format!(
        "Reads {what} in `{}`{sum}: {} {how}{}{}.",
        step.label(),
        counted(&work.units, "read unit"),
        fetch.unwrap_or_default(),
        times(step),
    )
}

fn write(step: &StepNumbers, work: &WriteNumbers) -> String {
    let doubled = if work.transaction { ", twice in a transaction" } else { "" };
    let mut line = format!(
        "Writes one `{}` of {} in `{}`{doubled}: {}",
        work.entity,
        bytes(&work.bytes),
        step.table_name,
        counted(&work.table_units, "write unit"),
    );
    for index in work.indexes.iter().filter(|index| index.units != Figure::ZERO) {
        line.push_str(&format!("; {}", index_write(index)));
    }
    line.push_str(&times(step));
    line.push('.');
    line
}

fn index_write(write: &IndexWrite) -> String {
    let entry = bytes(&write.entry);
    let some = |share: &Figure| match share.value() {
        Some(1.0) => String::new(),
        _ => format!(" for {} of the items", shown(share, percent)),
    };
    let what = match &write.effect {
        Effect::Moved { .. } if write.before == Figure::ZERO => format!("an entry of {entry}{}", some(&write.after)),
        Effect::Inserted => format!("an entry of {entry}{}", some(&write.after)),
        Effect::Moved { .. } if write.after == Figure::ZERO => {
            format!("the entry of {entry} goes{}", some(&write.before))
        }
        Effect::Deleted => format!("the entry of {entry} goes{}", some(&write.before)),
        Effect::Moved { .. } => format!("the entry of {entry} moves"),
        Effect::Rewritten { .. } => format!("the entry of {entry} is written anew"),
        Effect::Untouched => "nothing changes".to_owned(),
    };
    format!("in `{}` {what}: {}", write.index, shown(&write.units, count))
}

fn times(step: &StepNumbers) -> String {
    if step.times == 1.0 { String::new() } else { format!("; {} a call", counted(&Figure::known(step.times), "time")) }
}
