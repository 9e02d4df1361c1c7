//! One step of a pattern: what it does, what that costs, what it puts on keys.

use super::cost::{month, pattern_prices, price};
use super::load::by_key;
use super::text::{Unit, computed, list, missing, number, operand, result};
use super::traffic::rates;
use super::{Cx, reads, writes};
use crate::capacity::cost::{PatternCost, pattern_cost};
use crate::capacity::figure::Figure;
use crate::capacity::load::{Contribution, pattern_loads};
use crate::capacity::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use crate::capacity::prices::{MONTH_SECONDS, Mode, Priced, mode};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::IndexKind;
use crate::model::names::table_def;
use crate::model::resolve::steps;

/// The units of a step in one call of its pattern, in short: `5.5 read units`.
pub(in crate::ide) fn units_of(step: &StepNumbers) -> String {
    let index_writes: Figure = step.index_writes().map(|(_, _, units)| units).sum();
    let short = in_short(&step.read_units(), &step.write_units().plus(&index_writes));
    let hot = match step.hot_read_units() {
        hot if hot != step.read_units() => format!(" ({} for the hottest value)", operand(&hot, Unit::Number)),
        _ => String::new(),
    };
    short + &hot + step_label(step)
}

/// The label of a step whose units depend on a computed size.
fn step_label(step: &StepNumbers) -> &'static str {
    computed(&step.read_units().plus(&step.write_units()).plus(&step.index_writes().map(|(_, _, units)| units).sum()))
}

/// Units in short: `1 read unit, 6 write units`.
pub(in crate::ide) fn in_short(reads: &Figure, writes: &Figure) -> String {
    let mut parts = Vec::new();
    for (units, what) in [(reads, "read unit"), (writes, "write unit")] {
        if *units == Figure::ZERO {
            continue;
        }
        parts.push(match units.value() {
            None if units.high().is_none() && units.low() == 0.0 => format!("unknown {what}s"),
            _ => operand(units, Unit::Of(what)),
        });
    }
    if parts.is_empty() { "no units".to_owned() } else { parts.join(", ") }
}

/// The derivation of a step.
pub(in crate::ide) fn step(cx: Cx<'_>, decl: Decl, operation: usize, step: usize) -> Option<String> {
    let pattern = pattern_numbers(cx.db, cx.root, decl).as_ref()?;
    let numbers = pattern.steps.iter().find(|own| (own.operation, own.step) == (operation, step))?;
    let found = steps(cx.db, cx.root, decl)
        .find(|found| (found.resolved.operation, found.resolved.step) == (operation, step))?;
    let mut lines = Vec::new();
    match (&numbers.work, found.source) {
        (Work::Read(read), Some(source)) => {
            if let (Some(subject), [kind]) = (found.step.op.subject(), read.kinds.as_slice())
                && subject.entity.text != kind.entity
            {
                lines.push(format!("`{}` is embedded: the whole `{}` is read", subject.entity.text, kind.entity));
            }
            lines.extend(reads::lines(cx, source, read));
            if numbers.times != 1.0 {
                let product = format!("{} × {} (`times`)", operand(&read.units, Unit::Number), number(numbers.times));
                let total = result(&numbers.read_units(), Unit::Of("read unit"));
                lines.push(format!("One call of the pattern: {product} {total}"));
                if read.hot_units != read.units {
                    let product = format!("{} × {}", operand(&read.hot_units, Unit::Number), number(numbers.times));
                    let total = result(&numbers.hot_read_units(), Unit::Of("read unit"));
                    lines.push(format!("For the hottest value: {product} (`times`) {total}"));
                }
            }
        }
        (Work::Write(write), Some(source)) => {
            lines.extend(writes::lines(cx, source.layout, found.step, write));
            lines.extend(writes::total(write, numbers.times).map(|(text, _)| text));
        }
        (Work::Unknown(input), _) => lines.push(format!("Unknown: {input} is declared nowhere")),
        _ => {}
    }
    lines.extend(rates(cx, decl));
    let (dollars, prices, monthly) = dollars(cx, decl, pattern, numbers);
    lines.extend(dollars);
    let own = |load: &&Contribution| (load.operation, load.step) == (operation, step);
    let loads = pattern_loads(cx.db, cx.root, decl).iter().filter(own);
    let (keys, heaviest, load) = by_key(cx, loads.map(|load| (numbers.table_name.as_str(), load)));
    lines.extend(keys);
    lines.extend(prices);
    let writes: Figure = numbers.write_units().plus(&numbers.index_writes().map(|(_, _, units)| units).sum());
    let mut figures = vec![numbers.read_units(), writes, pattern.rate.clone(), pattern.peak.clone()];
    figures.extend(monthly.clone());
    figures.push(load);
    lines.extend(missing(&figures));
    let short = in_short(&numbers.read_units(), &figures[1]);
    let mut summary = vec![format!("**{short}**{}", step_label(numbers))];
    summary.extend(monthly.map(|monthly| dollars_in_short(&monthly)));
    summary.extend(heaviest.map(|share| limit_in_short(&share)));
    Some(document(&summary.join(" · "), &lines))
}

/// A summary, and the derivation as a list.
fn document(summary: &str, lines: &[String]) -> String {
    format!("{summary}\n\n{}", list(lines))
}

/// `$107 a month`, `at least $3.20 a month`.
pub(in crate::ide) fn dollars_in_short(monthly: &Figure) -> String {
    match show::figure(monthly, show::dollars) {
        unknown if monthly.high().is_none() && monthly.low() == 0.0 => format!("{unknown} cost"),
        known => format!("{known} a month"),
    }
}

/// `12 % of a key's limit`.
pub(in crate::ide) fn limit_in_short(share: &Figure) -> String {
    let shown = show::figure(share, show::percent);
    let unknown = share.high().is_none() && share.low() == 0.0;
    format!("{shown}{} of a key's limit", if unknown { " share" } else { "" })
}

/// Dollars a month of a step alone: by table and index on demand; what is
/// provisioned belongs to all patterns together.
fn dollars(
    cx: Cx<'_>,
    decl: Decl,
    pattern: &PatternNumbers,
    numbers: &StepNumbers,
) -> (Vec<String>, Vec<String>, Option<Figure>) {
    let Some(table) = numbers.table else { return Default::default() };
    let on_demand = table_def(cx.db, table).is_none_or(|def| mode(cx.db, cx.root, def) == Mode::OnDemand);
    if !on_demand {
        let share = match pattern_cost(cx.db, cx.root, decl) {
            Some(PatternCost { monthly, .. }) => format!(" of {}", dollars_in_short(monthly)),
            None => String::new(),
        };
        let line = format!("Provisioned for all patterns together: the hover of the pattern derives its share{share}");
        return (vec![line], Vec::new(), None);
    }
    let mut parts: Vec<(String, Figure, Priced)> = Vec::new();
    if numbers.read_units() != Figure::ZERO {
        parts.push((format!("`{}`, reads", numbers.label()), numbers.read_units(), Priced::OnDemandRead));
    }
    if numbers.write_units() != Figure::ZERO {
        parts.push((format!("`{}`, writes", numbers.table_name), numbers.write_units(), Priced::OnDemandWrite));
    }
    for (index, kind, units) in numbers.index_writes().filter(|(_, _, units)| *units != Figure::ZERO) {
        let word = if kind == IndexKind::Local { "writes (with its table)" } else { "writes" };
        parts.push((format!("`{}.{index}`, {word}", numbers.table_name), units, Priced::OnDemandWrite));
    }
    let mut lines = Vec::new();
    let mut all = Vec::new();
    for (label, units, what) in &parts {
        let price = price(cx, table, *what);
        let monthly = pattern.rate.times(units).times(&price).scaled(MONTH_SECONDS);
        lines.push(format!("{label}: {}", month(&pattern.rate, Some(units), &price, &monthly)));
        all.push(monthly);
    }
    let total: Figure = all.iter().sum();
    if all.len() > 1 {
        let terms: Vec<String> = all.iter().map(|monthly| operand(monthly, Unit::Dollars)).collect();
        lines.push(format!("Together: {} {} a month", terms.join(" + "), result(&total, Unit::Dollars)));
    }
    let wanted: Vec<Priced> = parts.iter().map(|(_, _, what)| *what).collect();
    (lines, pattern_prices(cx, table, &wanted), Some(total))
}

/// The steps of a transaction or batch together.
pub(in crate::ide) fn group(cx: Cx<'_>, decl: Decl, operation: usize) -> Option<String> {
    let pattern = pattern_numbers(cx.db, cx.root, decl).as_ref()?;
    let own: Vec<&StepNumbers> = pattern.steps.iter().filter(|step| step.operation == operation).collect();
    let reads: Figure = own.iter().map(|step| step.read_units()).sum();
    let write = |step: &StepNumbers| step.write_units().plus(&step.index_writes().map(|(_, _, units)| units).sum());
    let writes: Figure = own.iter().map(|step| write(step)).sum();
    let mut lines: Vec<String> = steps(cx.db, cx.root, decl)
        .filter(|step| step.resolved.operation == operation)
        .zip(&own)
        .map(|(step, numbers)| {
            let name = step.step.op.subject().map_or_else(String::new, |subject| format!(" `{}`", subject.entity.text));
            format!("`{}`{name}: {}", step.step.op.word(), units_of(numbers))
        })
        .collect();
    for (units, total, unit) in [
        (own.iter().map(|step| step.read_units()).collect::<Vec<_>>(), &reads, Unit::Of("read unit")),
        (own.iter().map(|step| write(step)).collect(), &writes, Unit::Of("write unit")),
    ] {
        let terms: Vec<String> =
            units.iter().filter(|units| **units != Figure::ZERO).map(|units| operand(units, Unit::Number)).collect();
        if terms.len() > 1 {
            lines.push(format!("Together: {} {}", terms.join(" + "), result(total, unit)));
        }
    }
    lines.extend(missing([&reads, &writes]));
    let label = computed(&reads.plus(&writes));
    Some(document(&format!("**{}**{label}", in_short(&reads, &writes)), &lines))
}
