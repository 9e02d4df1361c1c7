//! Dollars a month of what patterns read and write (numbers C1).

use super::Cx;
use super::text::{Unit, equation, number, operand, sum};
use crate::capacity::cost::{CostPart, pattern_cost};
use crate::capacity::figure::Figure;
use crate::capacity::operations::pattern_numbers;
use crate::capacity::prices::{MONTH_HOURS, MONTH_SECONDS, Mode, Priced, mode, prices, provisioned_units};
use crate::capacity::show::{digits, money};
use crate::capacity::traffic::{Traffic, traffic};
use crate::model::db::Decl;
use crate::model::defs::TableClass;
use crate::model::names::table_def;

/// `60/s × 5.5 × 2,592,000 s × $0.125/M = $106.92 a month`.
pub fn month(rate: &Figure, units: Option<&Figure>, price: &Figure, monthly: &Figure) -> String {
    let units = units.map(|units| format!(" × {}", operand(units, Unit::Number))).unwrap_or_default();
    let rate = operand(rate, Unit::PerSecond);
    let product = format!("{rate}{units} × {} s × {}", number(MONTH_SECONDS), a_million(price));
    format!("{} a month", equation(&product, monthly, Unit::Dollars))
}

/// `$0.125/M`.
fn a_million(price: &Figure) -> String {
    match price.value() {
        Some(usd) => format!("${}/M", digits(usd * 1e6, 0).0),
        None => "unknown price".to_owned(),
    }
}

/// The dollars of a pattern by table and index, and their sum.
pub fn of_pattern(cx: Cx<'_>, decl: Decl) -> Vec<String> {
    let (Some(numbers), Some(cost)) = (pattern_numbers(cx.db, cx.root, decl), pattern_cost(cx.db, cx.root, decl))
    else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for part in &cost.parts {
        let what = format!("`{}`, {}", part.label, if part.writes { "writes" } else { "reads" });
        match &part.provisioned {
            None => {
                let month = month(&numbers.rate, Some(&part.units), &part.price, &part.monthly);
                lines.push(format!("{what}: {month}"));
            }
            Some(_) => {
                let tables = numbers.steps.iter().filter_map(|step| step.table);
                let own = tables.filter_map(|table| provisioned_part(cx, table, &numbers.rate, part, &what, "pattern"));
                lines.extend(own.take(1).flatten());
            }
        }
    }
    if cost.parts.len() > 1 {
        let terms: Vec<String> = cost.parts.iter().map(|part| operand(&part.monthly, Unit::Dollars)).collect();
        lines.push(format!("Together: {} a month", equation(&terms.join(" + "), &cost.monthly, Unit::Dollars)));
    }
    lines
}

/// The share that a part of a pattern has in what is provisioned for all, `whose`
/// it is; `None` where the part is of another table.
pub(super) fn provisioned_part(
    cx: Cx<'_>,
    table: Decl,
    rate: &Figure,
    part: &CostPart,
    what: &str,
    whose: &str,
) -> Option<Vec<String>> {
    let source = traffic(cx.db, cx.root, table).iter().find(|source| source.label == part.label)?;
    let mut lines = provisioned_lines(cx, table, source, part.writes, what);
    let all = if part.writes { source.writes() } else { source.reads() };
    if rate.times(&part.units) != all {
        let whole = operand(&whole_month(part.provisioned.as_ref(), &part.price), Unit::Dollars);
        let own = format!("{} × {}", operand(rate, Unit::PerSecond), operand(&part.units, Unit::Number));
        let share = format!("{whole} × {own} ÷ {}", operand(&all, Unit::PerSecond));
        let share = equation(&share, &part.monthly, Unit::Dollars);
        lines.push(format!("{what}, of this {whose}: {share} a month"));
    }
    Some(lines)
}

fn whole_month(units: Option<&Figure>, price: &Figure) -> Figure {
    units.map_or(Figure::ZERO, |units| units.scaled(MONTH_HOURS).times(price))
}

/// What is provisioned for the reads or the writes of a table or index, and what
/// that costs.
pub(super) fn provisioned_lines(cx: Cx<'_>, table: Decl, source: &Traffic, writes: bool, what: &str) -> Vec<String> {
    let Some(Mode::Provisioned { utilization }) = table_def(cx.db, table).map(|def| mode(cx.db, cx.root, def)) else {
        return Vec::new();
    };
    let units = |pattern: &crate::capacity::traffic::PatternTraffic| match writes {
        true => pattern.write_units.clone(),
        false => pattern.read_units.clone(),
    };
    let taking = source.patterns.iter().filter(|pattern| units(pattern) != Figure::ZERO);
    let terms: Vec<(String, Figure)> = taking
        .map(|pattern| {
            let product = (operand(&pattern.rate, Unit::PerSecond), operand(&units(pattern), Unit::Number));
            let text = format!("`{}` {} × {}", pattern.pattern, product.0, product.1);
            (text, pattern.rate.times(&units(pattern)))
        })
        .collect();
    let all = if writes { source.writes() } else { source.reads() };
    let provisioned = all.map(|average| provisioned_units(average, utilization));
    let price = price(cx, table, if writes { Priced::ProvisionedWriteHour } else { Priced::ProvisionedReadHour });
    let hour = match price.value() {
        Some(usd) => format!("${} an hour", digits(usd, 0).0),
        None => "unknown price".to_owned(),
    };
    let mut lines = Vec::new();
    if !terms.is_empty() {
        lines.push(format!("{what}, of all patterns: {}", equation(&sum(terms), &all, Unit::PerSecond)));
    }
    let used = operand(&Figure::known(utilization), Unit::Percent);
    lines.push(format!(
        "{what}, to provision: {} ÷ {used} (utilization) → {}",
        operand(&all, Unit::PerSecond),
        operand(&provisioned, Unit::Of("unit"))
    ));
    let product = format!("{} × {} h × {hour}", operand(&provisioned, Unit::Number), number(MONTH_HOURS));
    let product = equation(&product, &whole_month(Some(&provisioned), &price), Unit::Dollars);
    lines.push(format!("{what}, provisioned: {product} a month"));
    lines
}

/// A price where it is known.
pub(super) fn price(cx: Cx<'_>, table: Decl, what: Priced) -> Figure {
    crate::capacity::cost::price(cx.db, cx.root, table, what)
}

/// The prices that a table's numbers are made with: region, class, source and
/// date, and which are not verified; else why there are none.
pub fn pattern_prices(cx: Cx<'_>, table: Decl, wanted: &[Priced]) -> Vec<String> {
    let Some(def) = table_def(cx.db, table) else { return Vec::new() };
    let list = match prices(cx.db, cx.root, def) {
        Ok(list) => list,
        Err(why) => return vec![format!("No dollars: {why}")],
    };
    let class = match list.class {
        TableClass::Standard => "standard",
        TableClass::InfrequentAccess => "standard_infrequent_access",
    };
    let mut lines = Vec::new();
    for what in Priced::ALL.iter().filter(|what| wanted.contains(what)) {
        let price = match list.get(*what) {
            Ok(price) => price,
            Err(why) => {
                lines.push(format!("No dollars: {why}"));
                continue;
            }
        };
        let amount = match what {
            Priced::OnDemandRead | Priced::OnDemandWrite => format!("${} a million", digits(price.usd * 1e6, 0).0),
            Priced::ProvisionedReadHour | Priced::ProvisionedWriteHour => {
                format!("${} a unit and hour", digits(price.usd, 0).0)
            }
            Priced::StorageGbMonth => format!("{} a GB and month", money(price.usd, 0).0),
        };
        let note = price.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        let doubt = if price.verified { String::new() } else { format!(", **unverified**{note}") };
        lines.push(format!(
            "Price of {} in `{}`, class `{class}`: {amount}{doubt}; {}, {}",
            what.words(),
            list.region,
            price.source,
            price.taken
        ));
    }
    lines
}
