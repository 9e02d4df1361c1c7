//! A scan that answers a pattern.

use super::check::{Check, Cx, StepCx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::capacity::estimate::{Input, Missing};
use crate::capacity::prices::{
    Mode, Price, PriceList, Priced, Unpriced, mode, monthly, prices, provisioned_monthly, provisioned_units,
};
use crate::capacity::reads::{Scan, contents, scan};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::model::names::table_def;
use crate::syntax::Unit;

pub static RULE: Rule = Rule {
    name: "scan-pattern",
    group: Group::Cost,
    level: Level::Warning,
    summary: "a scan answers a pattern",
    check: Check::Pattern(check),
};

const ADVICE: &str = "a scan pays for every item it passes, whatever a filter keeps of them; answer with a query on a \
                      key or an index, or allow it where it runs rarely over little";

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    for StepCx { operation, step, source, .. } in cx.steps() {
        let (OpDef::Scan { options, .. }, Some(source)) = (&step.op, source) else { continue };
        // In a batch or transaction it answers nothing; that is a finding of its own.
        if operation.group.is_some() {
            continue;
        }
        let message = match contents(cx.db, cx.root, source) {
            Ok(whole) => {
                let pages = pattern.pages.as_ref().and_then(|pages| pages.avg(Unit::Number));
                let scan = scan(whole, options, pages).repeated(step.times());
                format!("{}; {}; {ADVICE}", what_it_reads(source, scan), price(cx, pattern, source, scan))
            }
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

fn what_it_reads(source: Source<'_>, scan: Scan) -> String {
    let whole = format!("{} items ({})", show::count(scan.whole.count), show::bytes(scan.whole.bytes));
    let units = show::count_of(scan.units, "read unit");
    if scan.read == scan.whole {
        return format!("each call scans all {whole} of `{}`: {units}", source.label());
    }
    format!(
        "each call scans {} items ({}) of the {whole} in `{}`: {units}, and {} calls for a pass through them all",
        show::count(scan.read.count),
        show::bytes(scan.read.bytes),
        source.label(),
        show::count(scan.calls())
    )
}

/// What a call and a month of them cost, or what has to be declared for that.
fn price(cx: &Cx<'_>, pattern: &PatternDef, source: Source<'_>, scan: Scan) -> String {
    let Some(table) = table_def(cx.db, source.layout.decl) else { return String::new() };
    let rate = pattern.rate.as_ref().and_then(|rate| rate.avg.as_ref());
    let known_rate = rate.and_then(|rate| Some((rate.get(Unit::Rate)?, &rate.written)));
    let priced = prices(cx.db, cx.root, table).and_then(|list| match mode(cx.db, cx.root, table) {
        Mode::OnDemand => Ok(on_demand(list, list.get(Priced::OnDemandRead)?, scan.units, known_rate)),
        Mode::Provisioned { utilization } => {
            Ok(provisioned(list, list.get(Priced::ProvisionedReadHour)?, scan.units, known_rate, utilization))
        }
    });
    priced.unwrap_or_else(|why: Unpriced| why.to_string())
}

/// On demand every call has its price (numbers C1).
fn on_demand(list: &PriceList, price: &Price, units: f64, rate: Option<(f64, &String)>) -> String {
    let (call, place) = (show::dollars(units * price.usd), place(list, price));
    match rate {
        Some((rate, written)) => {
            format!("{call} a call and {} a month at {written} {place}", show::dollars(monthly(rate, units, price.usd)))
        }
        None => format!("{call} a call {place}, and a month's price needs {}", Missing::from(Input::Rate)),
    }
}

/// A call of its own costs nothing where capacity is provisioned; the units that
/// the scan would need, were it alone, do (numbers C1).
fn provisioned(list: &PriceList, price: &Price, units: f64, rate: Option<(f64, &String)>, utilization: f64) -> String {
    let Some((rate, written)) = rate else {
        return format!("what to provision for it needs {}", Missing::from(Input::Rate));
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
