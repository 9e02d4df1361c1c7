//! What rules say in dollars: of a call and a month of calls, of a month of
//! anything, and of the difference between two designs.

use super::check::{Cx, StepCx};
use crate::capacity::figure::{Figure, Input, list};
use crate::capacity::operations::{StepNumbers, pattern_numbers};
use crate::capacity::prices::{
    Mode, Price, PriceList, Priced, Unpriced, mode, monthly, prices, provisioned_monthly, provisioned_units,
};
use crate::capacity::show;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::lower::decl_name;
use crate::model::names::{pattern_def, table_def};
use crate::syntax::Unit;

/// The numbers of a step of a pattern.
pub(super) fn numbers<'db>(cx: &Cx<'db>, pattern: Decl, step: StepCx<'_>) -> Option<&'db StepNumbers> {
    let numbers = pattern_numbers(cx.db, cx.root, pattern).as_ref()?;
    let own = (step.resolved.operation, step.resolved.step);
    numbers.steps.iter().find(|numbers| (numbers.operation, numbers.step) == own)
}

/// What a call of a pattern and a month of them cost at a table,
/// for so many read and write units a call; or what has to be declared for that.
/// Nothing where the units are not known.
pub fn calls(db: &dyn Db, root: SourceFile, pattern: Decl, table: Decl, reads: &Figure, writes: &Figure) -> String {
    let (Some(reads), Some(writes)) = (reads.value(), writes.value()) else { return String::new() };
    let (Some(def), Some(table)) = (pattern_def(db, pattern), table_def(db, table)) else { return String::new() };
    let rate = def.rate.as_ref().and_then(|rate| rate.avg.as_ref());
    let name = || decl_name(db, pattern).clone().unwrap_or_else(|| "?".to_owned());
    let rate = rate.and_then(|rate| Some((rate.get(Unit::Rate)?, rate.written.as_str())));
    let rate = rate.ok_or_else(|| Input::Rate(name()));
    let mode = mode(db, root, table);
    let (read, write) = match mode {
        Mode::OnDemand => (Priced::OnDemandRead, Priced::OnDemandWrite),
        Mode::Provisioned { .. } => (Priced::ProvisionedReadHour, Priced::ProvisionedWriteHour),
    };
    let drawn = [(reads, read, "read"), (writes, write, "write")].into_iter().filter(|(units, ..)| *units > 0.0);
    let priced = prices(db, root, table).and_then(|list| {
        let parts: Result<Vec<Part<'_>>, Unpriced> =
            drawn.map(|(units, what, word)| Ok(Part { units, price: list.get(what)?, word })).collect();
        let parts = parts?;
        let place = place(list, parts.iter().map(|part| part.price));
        Ok(match mode {
            Mode::OnDemand => on_demand(&parts, &place, rate),
            Mode::Provisioned { utilization } => provisioned(&parts, &place, rate, utilization),
        })
    });
    priced.unwrap_or_else(|why: Unpriced| why.to_string())
}

/// Units of a call of one kind, with their price.
struct Part<'p> {
    units: f64,
    price: &'p Price,
    word: &'static str,
}

/// On demand every call has its price (numbers C1).
fn on_demand(parts: &[Part<'_>], place: &str, rate: Result<(f64, &str), Input>) -> String {
    let call = show::dollars(parts.iter().map(|part| part.units * part.price.usd).sum());
    match rate {
        Ok((rate, written)) => {
            let month = parts.iter().map(|part| monthly(rate, part.units, part.price.usd)).sum();
            format!("{call} a call and {} a month at {written} {place}", show::dollars(month))
        }
        Err(input) => format!("{call} a call {place}, and a month's price needs {input}"),
    }
}

/// A call of its own costs nothing where capacity is provisioned; the units that
/// the calls would need, were they alone, do (numbers C1).
fn provisioned(parts: &[Part<'_>], place: &str, rate: Result<(f64, &str), Input>, utilization: f64) -> String {
    let (rate, written) = match rate {
        Ok(known) => known,
        Err(input) => return format!("what to provision for it needs {input}"),
    };
    let units = |part: &Part<'_>| provisioned_units(rate * part.units, utilization);
    let month = parts.iter().map(|part| provisioned_monthly(units(part), part.price.usd)).sum();
    let units: Vec<String> =
        parts.iter().map(|part| show::count_of(units(part), &format!("provisioned {} unit", part.word))).collect();
    format!("alone it takes {} at {written}, {} a month {place}", units.join(" and "), show::dollars(month))
}

/// Where prices hold, and whether they are sure.
fn place<'p>(list: &PriceList, mut used: impl Iterator<Item = &'p Price>) -> String {
    match used.all(|price| price.verified) {
        true => format!("in {}", list.region),
        false => format!("in {} (price not verified)", list.region),
    }
}

/// Where the prices of a table hold: " in us-east-1"; nothing where there are none.
pub fn region(db: &dyn Db, root: SourceFile, table: Decl) -> String {
    let Some(def) = table_def(db, table) else { return String::new() };
    let Ok(list) = prices(db, root, def) else { return String::new() };
    let used = match mode(db, root, def) {
        Mode::OnDemand => [&list.on_demand_read, &list.on_demand_write, &list.storage_gb_month],
        Mode::Provisioned { .. } => [&list.provisioned_read_hour, &list.provisioned_write_hour, &list.storage_gb_month],
    };
    format!(" {}", place(list, used.into_iter().flatten()))
}

/// Dollars of a month: "$41 a month", "at least $41 a month"; `None` where nothing
/// is known of them.
pub fn month(usd: &Figure) -> Option<String> {
    let known = usd.value().is_some() || usd.high().is_some() || usd.low() > 0.0;
    known.then(|| format!("{} a month", show::figure(usd, show::dollars)))
}

/// Why nothing is known of a month's dollars: "a month's price needs …".
pub fn lacking(usd: &Figure) -> String {
    format!("a month's price needs {}", list(usd.missing()))
}

/// How a month's dollars change: "−$41 a month"; `None` where they do not, or where
/// that is not known.
pub fn change(now: &Figure, then: &Figure) -> Option<String> {
    let by = then.value()? - now.value()?;
    // What is less than the smallest sum that anybody pays is the trace of a sum.
    (by.abs() > 1e-6).then(|| format!("{}{} a month", sign(by), show::dollars(by.abs())))
}

/// How a number of units changes: "−1 write unit".
pub fn units_change(now: &Figure, then: &Figure, what: &str) -> Option<String> {
    let by = then.value()? - now.value()?;
    (by.abs() > 1e-6).then(|| format!("{}{}", sign(by), show::count_of(by.abs(), what)))
}

fn sign(by: f64) -> char {
    if by < 0.0 { '−' } else { '+' }
}
