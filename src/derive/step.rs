//! One step of a pattern: what it does, what that costs, what it puts on keys.

use super::cost::{month, pattern_prices, price, provisioned_part};
use super::load::by_key;
use super::text::{Unit, add_new, computed, equation, list, missing, number, operand};
use super::traffic::{rate, rates};
use super::{Cx, reads, writes};
use crate::capacity::cost::{CostPart, step_parts};
use crate::capacity::figure::Figure;
use crate::capacity::load::pattern_loads;
use crate::capacity::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use crate::capacity::prices::{MONTH_SECONDS, Mode, Priced, mode};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::IndexKind;
use crate::model::names::{pattern_def, table_def};
use crate::model::resolve::{Step, steps};

const READ: Unit = Unit::Of("read unit");
const WRITE: Unit = Unit::Of("write unit");

/// The units of a step in one call of its pattern, in short: `5.5 read units`.
pub fn units_of(step: &StepNumbers) -> String {
    let short = in_short(&step.read_units(), &all_writes(step));
    let hot = match step.hot_read_units() {
        hot if hot != step.read_units() => format!(" ({} for the hottest value)", operand(&hot, Unit::Number)),
        _ => String::new(),
    };
    short + &hot + computed(&step.read_units().plus(&all_writes(step)))
}

/// Units in short: `1 read unit, 6 write units`.
pub fn in_short(reads: &Figure, writes: &Figure) -> String {
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

/// The items, bytes and units of a step in one call of its pattern.
pub fn work(cx: Cx<'_>, found: &Step<'_>, numbers: &StepNumbers) -> Vec<String> {
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
                let of_call = |units: &Figure, total: &Figure| {
                    let product = format!("{} × {} (`times`)", operand(units, Unit::Number), number(numbers.times));
                    equation(&product, total, READ)
                };
                lines.push(format!("One call of the pattern: {}", of_call(&read.units, &numbers.read_units())));
                if read.hot_units != read.units {
                    let hottest = of_call(&read.hot_units, &numbers.hot_read_units());
                    lines.push(format!("For the hottest value: {hottest}"));
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
    lines
}

/// The derivation of a step.
pub fn step(cx: Cx<'_>, decl: Decl, operation: usize, step: usize) -> Option<String> {
    let pattern = pattern_numbers(cx.db, cx.root, decl).as_ref()?;
    let numbers = pattern.steps.iter().find(|own| (own.operation, own.step) == (operation, step))?;
    let found = steps(cx.db, cx.root, decl)
        .find(|found| (found.resolved.operation, found.resolved.step) == (operation, step))?;
    Some(together(cx, decl, pattern, &[numbers], work(cx, &found, numbers)))
}

/// The steps of a transaction or batch, in short and together.
pub fn group(cx: Cx<'_>, decl: Decl, operation: usize) -> Option<String> {
    let pattern = pattern_numbers(cx.db, cx.root, decl).as_ref()?;
    let own: Vec<&StepNumbers> = pattern.steps.iter().filter(|step| step.operation == operation).collect();
    own.first()?;
    let mut lines: Vec<String> = steps(cx.db, cx.root, decl)
        .filter(|step| step.resolved.operation == operation)
        .zip(&own)
        .map(|(step, numbers)| {
            let name = step.step.op.subject().map_or_else(String::new, |subject| format!(" `{}`", subject.entity.text));
            format!("`{}`{name}: {}", step.step.op.word(), units_of(numbers))
        })
        .collect();
    let reads: Vec<Figure> = own.iter().map(|step| step.read_units()).collect();
    for (units, unit) in [(reads, READ), (own.iter().map(|step| all_writes(step)).collect(), WRITE)] {
        let units: Vec<&Figure> = units.iter().filter(|units| **units != Figure::ZERO).collect();
        if units.len() > 1 {
            let terms: Vec<String> = units.iter().map(|units| operand(units, Unit::Number)).collect();
            let total: Figure = units.into_iter().sum();
            lines.push(format!("Together: {}", equation(&terms.join(" + "), &total, unit)));
        }
    }
    lines.extend(pattern_def(cx.db, decl).and_then(rate));
    Some(together(cx, decl, pattern, &own, lines))
}

/// Write units of a table and its indexes.
fn all_writes(step: &StepNumbers) -> Figure {
    step.write_units().plus(&step.index_writes().map(|(_, _, units)| units).sum())
}

/// The units of some steps of a pattern in short; how they come about, as `lines`
/// say it; then the dollars and the load on keys of these steps, and what is
/// missing for them.
fn together(cx: Cx<'_>, decl: Decl, pattern: &PatternNumbers, own: &[&StepNumbers], mut lines: Vec<String>) -> String {
    lines.extend(rates(cx, decl));
    let (dollars, prices, monthly) = dollars(cx, pattern, own);
    lines.extend(dollars);
    let loads = pattern_loads(cx.db, cx.root, decl).iter().filter_map(|load| {
        let step = own.iter().find(|step| (step.operation, step.step) == (load.operation, load.step))?;
        Some((step.table_name.as_str(), load))
    });
    let (keys, heaviest, load) = by_key(cx, loads);
    lines.extend(keys);
    lines.extend(prices);
    let reads: Figure = own.iter().map(|step| step.read_units()).sum();
    let writes: Figure = own.iter().map(|step| all_writes(step)).sum();
    let label = computed(&reads.plus(&writes));
    let mut summary = vec![format!("**{}**{label}", in_short(&reads, &writes))];
    summary.extend(monthly.as_ref().map(dollars_in_short));
    summary.extend(heaviest.map(|share| limit_in_short(&share)));
    let figures = [reads, writes, pattern.rate.clone(), pattern.peak.clone(), load];
    lines.extend(missing(figures.iter().chain(&monthly)));
    document(&summary.join(" · "), &lines)
}

/// A summary, and the derivation as a list.
fn document(summary: &str, lines: &[String]) -> String {
    format!("{summary}\n\n{}", list(lines))
}

/// `$107 a month`, `at least $3.20 a month`.
pub fn dollars_in_short(monthly: &Figure) -> String {
    match show::figure(monthly, show::dollars) {
        unknown if monthly.high().is_none() && monthly.low() == 0.0 => format!("{unknown} cost"),
        known => format!("{known} a month"),
    }
}

/// `12 % of a key's limit`.
pub fn limit_in_short(share: &Figure) -> String {
    let unknown = share.high().is_none() && share.low() == 0.0;
    format!("{}{} of a key's limit", show::part(share), if unknown { " share" } else { "" })
}

/// What steps take of one kind at a table or index.
struct Taken {
    /// `` `Orders.ByStatus`, writes ``.
    what: String,
    table: Decl,
    priced: Priced,
    /// Its share of what is provisioned; `None` on demand.
    share: Option<CostPart>,
    units: Figure,
    monthly: Figure,
}

/// Dollars a month of some steps of a pattern, by table and index; the prices that
/// this takes; and the sum, where a table is known.
fn dollars(cx: Cx<'_>, pattern: &PatternNumbers, own: &[&StepNumbers]) -> (Vec<String>, Vec<String>, Option<Figure>) {
    let mut parts: Vec<Taken> = Vec::new();
    for taken in own.iter().flat_map(|step| taken(cx, pattern, step)) {
        match parts.iter_mut().find(|part| part.what == taken.what) {
            Some(part) => part.add(taken),
            None => parts.push(taken),
        }
    }
    let mut lines = Vec::new();
    let mut prices = Vec::new();
    for part in &parts {
        lines.extend(match &part.share {
            None => {
                let price = price(cx, part.table, part.priced);
                let month = month(&pattern.rate, Some(&part.units), &price, &part.monthly);
                vec![format!("{}: {month}", part.what)]
            }
            Some(share) => {
                provisioned_part(cx, part.table, &pattern.rate, share, &part.what, "operation").unwrap_or_default()
            }
        });
        let priced: Vec<Priced> =
            parts.iter().filter(|other| other.table == part.table).map(|part| part.priced).collect();
        add_new(&mut prices, pattern_prices(cx, part.table, &priced));
    }
    let total: Figure = parts.iter().map(|part| &part.monthly).sum();
    if parts.len() > 1 {
        let terms: Vec<String> = parts.iter().map(|part| operand(&part.monthly, Unit::Dollars)).collect();
        lines.push(format!("Together: {} a month", equation(&terms.join(" + "), &total, Unit::Dollars)));
    }
    (lines, prices, own.iter().any(|step| step.table.is_some()).then_some(total))
}

impl Taken {
    fn add(&mut self, other: Taken) {
        self.units = self.units.plus(&other.units);
        self.monthly = self.monthly.plus(&other.monthly);
        if let Some(share) = &mut self.share {
            (share.units, share.monthly) = (self.units.clone(), self.monthly.clone());
        }
    }
}

/// What a step takes: on demand what it writes to a local index apart from its
/// table; what is provisioned for a table serves its local indexes too.
fn taken(cx: Cx<'_>, pattern: &PatternNumbers, step: &StepNumbers) -> Vec<Taken> {
    let Some(table) = step.table else { return Vec::new() };
    let on_demand = table_def(cx.db, table).is_none_or(|def| mode(cx.db, cx.root, def) == Mode::OnDemand);
    if !on_demand {
        let parts = step_parts(cx.db, cx.root, &pattern.rate, step).into_iter().map(|part| {
            let (word, priced) = match part.writes {
                true => ("writes", Priced::ProvisionedWriteHour),
                false => ("reads", Priced::ProvisionedReadHour),
            };
            let (units, monthly) = (part.units.clone(), part.monthly.clone());
            Taken { what: format!("`{}`, {word}", part.label), table, priced, share: Some(part), units, monthly }
        });
        return parts.collect();
    }
    let mut parts = vec![
        (format!("`{}`, reads", step.label()), step.read_units(), Priced::OnDemandRead),
        (format!("`{}`, writes", step.table_name), step.write_units(), Priced::OnDemandWrite),
    ];
    parts.extend(step.index_writes().map(|(index, kind, units)| {
        let word = if kind == IndexKind::Local { "writes (with its table)" } else { "writes" };
        (format!("`{}.{index}`, {word}", step.table_name), units, Priced::OnDemandWrite)
    }));
    let parts = parts.into_iter().filter(|(_, units, _)| *units != Figure::ZERO);
    let taken = parts.map(|(what, units, priced)| {
        let price = price(cx, table, priced);
        let monthly = pattern.rate.times(&units).times(&price).scaled(MONTH_SECONDS);
        Taken { what, table, priced, share: None, units, monthly }
    });
    taken.collect()
}
