//! What patterns take from a table or index each second, and what that costs a
//! month (numbers C1).

use super::Cx;
use super::cost::{month, price, provisioned_lines};
use super::text::{Unit, a_second, add_new, equation, is_unknown, number, operand, sum, term};
use crate::capacity::figure::Figure;
use crate::capacity::prices::{MONTH_SECONDS, Mode, Priced, mode};
use crate::capacity::traffic::{PatternTraffic, Traffic};
use crate::model::db::Decl;
use crate::model::defs::{Measure, PatternDef, Value};
use crate::model::names::{pattern_def, table_def};
use crate::syntax::{Quantity, Unit as Quantum};

/// How often a pattern runs, as it is declared; `None` where it is not.
pub fn rate(pattern: &PatternDef) -> Option<String> {
    let rate = pattern.rate.as_ref()?;
    let shown = |value: &Option<Value>| value.as_ref().map_or("unknown".to_owned(), |value| value.written.clone());
    Some(format!("Rate: avg {}, peak {}", shown(&rate.avg), shown(&rate.max)))
}

/// The rates of a pattern a second, where they are declared by another time.
pub fn rates(cx: Cx<'_>, decl: Decl) -> Vec<String> {
    let rate = pattern_def(cx.db, decl).and_then(|pattern| pattern.rate.as_ref());
    let Some(Measure { avg, max, .. }) = rate else { return Vec::new() };
    let mut lines: Vec<String> = Vec::new();
    for value in [avg, max].into_iter().flatten() {
        add_new(&mut lines, of_time(value));
    }
    lines
}

/// `5,000 ÷ 86,400 s ≈ 0.0578704/s`.
fn of_time(value: &Value) -> Option<String> {
    let per = &value.written[value.written.find('/')?..];
    let one = Quantity::parse(&format!("1{per}"))?.value;
    let rate = value.get(Quantum::Rate)?;
    let seconds = 1.0 / one;
    let quotient = format!("{} ÷ {} s", number(rate / one), number(seconds));
    let quotient = equation(&quotient, &Figure::known(rate), Unit::PerSecond);
    (one != 1.0).then(|| format!("`{}`: {quotient}", value.written))
}

/// Units a second of each pattern, on average and at the peak, and their sums.
pub fn traffic_lines(source: &Traffic) -> Vec<String> {
    let mut lines = Vec::new();
    let sums = [(false, source.reads(), source.peak_reads()), (true, source.writes(), source.peak_writes())];
    for (writes, average, peak) in sums {
        let unit = Unit::Of(if writes { "write unit" } else { "read unit" });
        let units = |pattern: &PatternTraffic| match writes {
            true => pattern.write_units.clone(),
            false => pattern.read_units.clone(),
        };
        let taking: Vec<&PatternTraffic> =
            source.patterns.iter().filter(|pattern| units(pattern) != Figure::ZERO).collect();
        let mut terms = [Vec::new(), Vec::new()];
        for pattern in &taking {
            let each = units(pattern);
            let of = |rate: &Figure| {
                let product = format!("{} × {}", operand(rate, Unit::PerSecond), operand(&each, Unit::Number));
                let total = rate.times(&each);
                a_second(equation(&product, &total, unit), &total)
            };
            lines.push(format!("`{}`: {}; peak: {}", pattern.pattern, of(&pattern.rate), of(&pattern.peak)));
            for (terms, rate) in terms.iter_mut().zip([&pattern.rate, &pattern.peak]) {
                terms.push(term(&rate.times(&each)));
            }
        }
        if taking.len() > 1 {
            let [average_terms, peak_terms] = terms.map(sum);
            let sums = [("Together", average_terms, &average), ("All peaks at once", peak_terms, &peak)];
            // A sum of what is not known says nothing more.
            let sums = sums.into_iter().filter(|(.., total)| !is_unknown(total));
            let told = |(label, terms, total): (&str, String, &Figure)| {
                format!("{label}: {} a second", equation(&terms, total, unit))
            };
            lines.extend(sums.map(told));
        }
    }
    lines
}

/// Dollars a month of its reads and writes, with the prices that this takes.
pub fn usage(cx: Cx<'_>, table: Decl, source: &Traffic) -> (Vec<String>, Vec<Priced>) {
    let on_demand = table_def(cx.db, table).is_none_or(|def| mode(cx.db, cx.root, def) == Mode::OnDemand);
    if !on_demand {
        let reads = provisioned_lines(cx, table, source, false, "Reads");
        let writes = provisioned_lines(cx, table, source, true, "Writes");
        return ([reads, writes].concat(), vec![Priced::ProvisionedReadHour, Priced::ProvisionedWriteHour]);
    }
    let (mut lines, mut wanted) = (Vec::new(), Vec::new());
    for (label, average, what) in
        [("Reads", source.reads(), Priced::OnDemandRead), ("Writes", source.writes(), Priced::OnDemandWrite)]
    {
        if average != Figure::ZERO {
            let price = price(cx, table, what);
            let monthly = average.times(&price).scaled(MONTH_SECONDS);
            lines.push(format!("{label}: {}", month(&average, None, &price, &monthly)));
            wanted.push(what);
        }
    }
    (lines, wanted)
}
