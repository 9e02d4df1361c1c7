//! A scan that answers a pattern.

use super::check::{Check, Cx, StepCx};
use super::finding::Level;
use super::priced;
use super::rule::{Group, Rule};
use crate::capacity::facts::Declared;
use crate::capacity::figure::{Figure, Input, list};
use crate::capacity::operations::{StepNumbers, Work, pattern_numbers};
use crate::capacity::reads::{ReadNumbers, contents};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::layout::Source;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "scan-pattern",
    group: Group::Cost,
    level: Level::Warning,
    summary: "a scan answers a pattern",
    thresholds: &[],
    check: Check::Pattern(check),
};

const ADVICE: &str = "a scan pays for every item it passes, whatever a filter keeps of them; answer with a query on a \
                      key or an index, or allow it where it runs rarely over little";

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    let numbers = pattern_numbers(cx.db, cx.root, cx.decl).as_ref().map_or(&[][..], |numbers| &numbers.steps);
    for StepCx { operation, step, source, resolved } in cx.steps() {
        let (OpDef::Scan { .. }, Some(source)) = (&step.op, source) else { continue };
        // In a batch or transaction it answers nothing; that is a finding of its own.
        if operation.group.is_some() {
            continue;
        }
        let Some(numbers) = numbers.iter().find(|n| (n.operation, n.step) == (resolved.operation, resolved.step))
        else {
            continue;
        };
        let Work::Read(read) = &numbers.work else { continue };
        let whole = contents(&Declared { db: cx.db, root: cx.root }, source);
        let message = match what_it_reads(source, numbers, read, &whole) {
            Ok(reads) => format!(
                "{reads}; {}; {ADVICE}",
                priced::calls(cx.db, cx.root, cx.decl, source.layout.decl, &numbers.read_units(), &Figure::ZERO)
            ),
            Err(missing) => format!(
                "a scan of `{}` answers this pattern, and what it costs cannot be told without {missing}; {ADVICE}",
                source.label()
            ),
        };
        let place = cx.name_place(source.layout.decl);
        let finding = cx.report(step.range, message);
        if let Some(mut place) = place {
            if let Some(index) = source.index {
                place.range = index.name.range;
            }
            finding.relate(place, "what it reads from end to end");
        }
    }
}

/// What each call reads; else what has to be declared for that to be told.
fn what_it_reads(
    source: Source<'_>,
    numbers: &StepNumbers,
    read: &ReadNumbers,
    (count, bytes): &(Figure, Figure),
) -> Result<String, String> {
    let lacks = || {
        let missing: BTreeSet<&Input> = [count, bytes, &read.units].into_iter().flat_map(Figure::missing).collect();
        list(missing)
    };
    let (of_call, bytes_of_call) = read.call();
    let known = (count.value(), bytes.value(), numbers.read_units().value(), of_call.value(), bytes_of_call.value());
    let (Some(count), Some(bytes), Some(units), Some(items), Some(read_bytes)) = known else { return Err(lacks()) };
    let times = match numbers.times {
        1.0 => String::new(),
        times => format!(", {} times", show::count(times)),
    };
    let whole = format!("{} items ({}{})", show::count(count), show::bytes(bytes), computed(read.units.computed()));
    let units = show::count_of(units, "read unit");
    if items >= count * (1.0 - 1e-9) {
        return Ok(format!("each call scans all {whole} of `{}`{times}: {units}", source.label()));
    }
    let all_runs = items * numbers.times;
    let calls = if all_runs > 0.0 { (count / all_runs).ceil().max(1.0) } else { 1.0 };
    Ok(format!(
        "each call scans {} items ({}) of the {whole} in `{}`{times}: {units}, and {} for a pass through them all",
        show::count(items),
        show::bytes(read_bytes),
        source.label(),
        show::count_of(calls, "call")
    ))
}

/// Says whose size nobody declared.
fn computed(entities: &BTreeSet<String>) -> String {
    if entities.is_empty() {
        return String::new();
    }
    let names: Vec<String> = entities.iter().map(|name| format!("`{name}`")).collect();
    format!(", sizes of {} computed from their attributes", names.join(", "))
}
