//! A scan that answers a pattern.

use super::check::{Check, Cx, StepCx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::capacity::facts::Declared;
use crate::capacity::figure::{Figure, Input, list};
use crate::capacity::operations::{StepNumbers, Work, pattern_numbers};
use crate::capacity::prices::{
    Mode, Price, PriceList, Priced, Unpriced, mode, monthly, prices, provisioned_monthly, provisioned_units,
};
use crate::capacity::reads::{ReadNumbers, contents};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::model::names::table_def;
use crate::syntax::Unit;
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

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
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
            Ok(reads) => format!("{reads}; {}; {ADVICE}", price(cx, pattern, source, &numbers.read_units())),
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
    let known = (count.value(), bytes.value(), numbers.read_units().value(), read.items.value(), read.bytes.value());
    let (Some(count), Some(bytes), Some(units), Some(items), Some(read_bytes)) = known else { return Err(lacks()) };
    let pages = read.pages.unwrap_or(1.0);
    let (items, read_bytes) = (items * pages * numbers.times, read_bytes * pages * numbers.times);
    let whole = format!("{} items ({}{})", show::count(count), show::bytes(bytes), computed(read.units.computed()));
    let units = show::count_of(units, "read unit");
    if items == count {
        return Ok(format!("each call scans all {whole} of `{}`: {units}", source.label()));
    }
    let calls = if items > 0.0 { (count / items).ceil().max(1.0) } else { 1.0 };
    Ok(format!(
        "each call scans {} items ({}) of the {whole} in `{}`: {units}, and {} calls for a pass through them all",
        show::count(items),
        show::bytes(read_bytes),
        source.label(),
        show::count(calls)
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

/// What a call and a month of them cost, or what has to be declared for that.
pub(super) fn price(cx: &Cx<'_>, pattern: &PatternDef, source: Source<'_>, units: &Figure) -> String {
    let Some(units) = units.value() else { return String::new() };
    let Some(table) = table_def(cx.db, source.layout.decl) else { return String::new() };
    let rate = pattern.rate.as_ref().and_then(|rate| rate.avg.as_ref());
    let name = || cx.lowered().name.as_ref().map_or_else(|| "?".to_owned(), |name| name.text.clone());
    let rate = rate.and_then(|rate| Some((rate.get(Unit::Rate)?, rate.written.as_str())));
    let rate = rate.ok_or_else(|| Input::Rate(name()));
    let priced = prices(cx.db, cx.root, table).and_then(|list| match mode(cx.db, cx.root, table) {
        Mode::OnDemand => Ok(on_demand(list, list.get(Priced::OnDemandRead)?, units, rate)),
        Mode::Provisioned { utilization } => {
            Ok(provisioned(list, list.get(Priced::ProvisionedReadHour)?, units, rate, utilization))
        }
    });
    priced.unwrap_or_else(|why: Unpriced| why.to_string())
}

/// On demand every call has its price (numbers C1).
fn on_demand(list: &PriceList, price: &Price, units: f64, rate: Result<(f64, &str), Input>) -> String {
    let (call, place) = (show::dollars(units * price.usd), place(list, price));
    match rate {
        Ok((rate, written)) => {
            format!("{call} a call and {} a month at {written} {place}", show::dollars(monthly(rate, units, price.usd)))
        }
        Err(input) => format!("{call} a call {place}, and a month's price needs {input}"),
    }
}

/// A call of its own costs nothing where capacity is provisioned; the units that
/// the scan would need, were it alone, do (numbers C1).
fn provisioned(
    list: &PriceList,
    price: &Price,
    units: f64,
    rate: Result<(f64, &str), Input>,
    utilization: f64,
) -> String {
    let (rate, written) = match rate {
        Ok(known) => known,
        Err(input) => return format!("what to provision for it needs {input}"),
    };
    let units = provisioned_units(rate * units, utilization);
    let month = show::dollars(provisioned_monthly(units, price.usd));
    let units = show::count_of(units, "provisioned read unit");
    format!("alone it takes {units} at {written}, {month} a month {}", place(list, price))
}

/// Where the price holds, and whether it is sure.
fn place(list: &PriceList, price: &Price) -> String {
    match price.verified {
        true => format!("in {}", list.region),
        false => format!("in {} (price not verified)", list.region),
    }
}
