//! *Capacity Planning*: what a table or an index takes, where it is hottest and
//! what it holds, in the figures of `keywright cost` and the hovers, with the
//! derivations of these.

use crate::capacity::cost::source_costs;
use crate::capacity::even::{attribute_of, even_holes};
use crate::capacity::figure::Figure;
use crate::capacity::load::{Family, READ_LIMIT, WRITE_LIMIT, key_loads};
use crate::capacity::prices::{GB, Mode, class, mode};
use crate::capacity::show;
use crate::capacity::stock::{Stock, stocks};
use crate::capacity::traffic::{Traffic, traffic};
use crate::deliverables::markdown::{code, codes, inline, prose, some};
use crate::deliverables::numbers::{declared, things};
use crate::deliverables::outline::Outline;
use crate::deliverables::spell;
use crate::derive::{self, Cx};
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::model::names::entity_def;
use crate::syntax::Unit;

/// The share of a limit below which a key is far from it.
const COLD: f64 = 0.01;

/// What a table or an index needs of capacity, as a list; of one without a name
/// yet, how it is paid for.
pub(super) fn planning(outline: &Outline<'_>, def: &TableDef, source: Option<Source<'_>>) -> String {
    let lines = source.map_or_else(|| vec![paid(outline, def)], |source| of_source(outline, def, source));
    let lines = lines.iter().map(|line| {
        let text = line.trim_start();
        format!("{}- {text}", &line[..line.len() - text.len()])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The capacity of a table or of one of its indexes, as the lines of a list.
fn of_source(outline: &Outline<'_>, def: &TableDef, source: Source<'_>) -> Vec<String> {
    let (db, root, table) = (outline.db, outline.root, source.layout.decl);
    let cx = Cx::new(db, root);
    let label = source.label();
    let index = source.index.map(|index| index.name.text.as_str());
    let stock = stocks(db, root, table).iter().find(|stock| stock.label == label);
    let cost = source_costs(db, root, table).iter().find(|cost| cost.label == label);
    let (Some(stock), Some(cost)) = (stock, cost) else { return vec![paid(outline, def)] };
    let taking = traffic(db, root, table).iter().find(|traffic| traffic.index.as_deref() == index);
    let load = key_loads(db, root, table).iter().find(|load| load.index.as_deref() == index);
    let mut lines = vec![paid(outline, def)];
    let mut figures = vec![stock.items.clone(), stock.storage_gb.clone(), cost.total()];
    match taking {
        Some(taking) => {
            for writes in [false, true] {
                lines.extend(units(taking, writes));
            }
            if let Some((reads, writes)) = &cost.provisioned {
                lines.push(provisioned(taking, reads, writes));
                lines.extend(below(derive::usage(cx, table, taking).0));
            }
            figures.extend([taking.peak_reads(), taking.peak_writes()]);
        }
        None => lines.push(String::from("**Units**: a local index draws its reads and writes from its table")),
    }
    match load.and_then(|load| load.families.first()) {
        Some(hottest) => {
            lines.extend(hottest_key(cx, hottest));
            figures.extend([hottest.reads.clone(), hottest.writes.clone()]);
        }
        None if taking.is_some() => lines.push(String::from("**Hottest key**: no pattern loads a key of it")),
        None => lines.push(String::from("**Hottest key**: its load is on the partition key of the table")),
    }
    lines.push(storage(stock));
    lines.extend(below(derive::storage(cx, table, stock)));
    lines.push(format!("**Growth**: {}", growth(outline, source)));
    lines.push(format!("**Cost**: {} a month (see *Cost Estimates*)", show::figure(&cost.total(), show::dollars)));
    let missing = derive::missing(&figures);
    if !missing.is_empty() {
        lines.push(String::from("**Not declared, or computed**:"));
        lines.extend(below(missing));
    }
    lines
}

/// How the throughput is paid for, and the table's class.
fn paid(outline: &Outline<'_>, def: &TableDef) -> String {
    let application = outline.application.as_ref().map(|application| application.def);
    let declared = def.capacity.as_ref().or(application.and_then(|application| application.capacity.as_ref()));
    let class = class(outline.db, outline.root, def);
    let mode = match (mode(outline.db, outline.root, def), declared) {
        (Mode::OnDemand, _) => spell::capacity(None),
        // Where no utilization is declared, there is one all the same.
        (Mode::Provisioned { utilization }, Some(Capacity::Provisioned { utilization: None })) => {
            format!("{}, {} utilization (none declared)", spell::capacity(declared), show::percent(utilization))
        }
        (Mode::Provisioned { .. }, declared) => spell::capacity(declared),
    };
    format!("**Mode**: {mode}; table class {}", spell::class(Some(class)))
}

/// Units a second that are read or written, on average and where all patterns peak
/// at once, with what each pattern takes of them.
fn units(taking: &Traffic, writes: bool) -> Vec<String> {
    let (label, what) = if writes { ("Writes", "write unit") } else { ("Reads", "read unit") };
    let (average, peak) = match writes {
        true => (taking.writes(), taking.peak_writes()),
        false => (taking.reads(), taking.peak_reads()),
    };
    if average == Figure::ZERO && peak == Figure::ZERO {
        return vec![format!("**{label}**: none")];
    }
    let mut own = taking.clone();
    for pattern in &mut own.patterns {
        *if writes { &mut pattern.read_units } else { &mut pattern.write_units } = Figure::ZERO;
    }
    let mut lines = vec![format!(
        "**{label}**: {} on average, {} where all patterns peak at once",
        match average.high().is_none() && average.low() <= 0.0 {
            true => String::from("unknown"),
            false => format!("{} a second", things(&average, what)),
        },
        show::figure(&peak, show::number)
    )];
    lines.extend(below(derive::traffic_lines(&own)));
    lines
}

/// What meets on the hottest value of a key, against its limits. Of a key that is
/// far from them the step that puts most on it says enough.
fn hottest_key(cx: Cx<'_>, hottest: &Family) -> Vec<String> {
    let of = |load: &Figure, share: &Figure, limit: f64, what: &str| {
        if *load == Figure::ZERO {
            return format!("no {what}s");
        }
        let units = things(load, what);
        format!("{units} a second of {} ({})", show::count(limit), show::part(share))
    };
    let mut even: Vec<&str> = Vec::new();
    for hole in hottest.contributions.iter().flat_map(|load| even_holes(cx.db, cx.root, load)) {
        if !even.contains(&attribute_of(&hole.hole)) {
            even.push(attribute_of(&hole.hole));
        }
    }
    let even = match even.is_empty() {
        true => String::new(),
        false => format!(
            ", with {} taken as even: no `@hottest` is declared (see *Hot Partition Analysis*)",
            codes(even.into_iter())
        ),
    };
    let mut lines = vec![format!(
        "**Hottest key**: {}: {}, {}, at the peak{}",
        code(&hottest.value),
        of(&hottest.reads, &hottest.read_share(), READ_LIMIT, "read unit"),
        of(&hottest.writes, &hottest.write_share(), WRITE_LIMIT, "write unit"),
        even,
    )];
    let mut derivation = derive::family(cx, hottest);
    let high = |share: Figure| share.high().unwrap_or(f64::INFINITY);
    if high(hottest.read_share()).max(high(hottest.write_share())) < COLD && hottest.contributions.len() > 1 {
        derivation.truncate(1);
        derivation = derivation.iter().map(|line| format!("Most of it: {line}")).collect();
    }
    lines.extend(below(derivation));
    lines
}

/// What is there now, kind by kind.
fn storage(stock: &Stock) -> String {
    let kinds = stock.kinds.iter().map(|kind| {
        let items = show::figure(&kind.items, show::count);
        let each = show::figure(&kind.each, show::bytes);
        format!("{} {items} of {each}", inline(&kind.entity))
    });
    let kinds: Vec<String> = kinds.collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", some(kinds, ", ")) };
    format!(
        "**Storage now**: {}{kinds}, {}",
        show::figure(&stock.items, |items| show::count_of(items, "item")),
        show::figure(&stock.storage_gb, |gb| show::bytes(gb * GB)),
    )
}

/// What is provisioned, against what the peaks take.
fn provisioned(taking: &Traffic, reads: &Figure, writes: &Figure) -> String {
    let of = |units: &Figure, peak: &Figure, what: &str| {
        let shown = |figure: &Figure| things(figure, what);
        let over = match units.high() {
            Some(high) if peak.low() > high => ", which auto scaling has to follow",
            _ => "",
        };
        format!("{} against {} a second at the peak{over}", shown(units), shown(peak))
    };
    format!(
        "**Provisioned**: {}; {}",
        of(reads, &taking.peak_reads(), "read unit"),
        of(writes, &taking.peak_writes(), "write unit")
    )
}

/// How fast the items become more, as it is declared.
fn growth(outline: &Outline<'_>, source: Source<'_>) -> String {
    let of = source.items().map(|item| {
        let def = item.entity_decl.and_then(|decl| entity_def(outline.db, decl));
        let growing = def.and_then(|def| def.growing.as_ref()).and_then(|growing| declared(growing, Unit::Rate));
        let name = inline(&item.entity);
        match growing {
            Some(growing) if is_part(source, &item.entity) => format!("{name} {growing}, of which it takes its share"),
            Some(growing) => format!("{name} {growing}"),
            None => format!("{name} not declared"),
        }
    });
    let of: Vec<String> = of.collect();
    if of.is_empty() { String::from("not declared") } else { some(of, "; ") }
}

/// Whether an index may hold some of an entity's items only.
fn is_part(source: Source<'_>, entity: &str) -> bool {
    let item = source.layout.items.iter().find(|item| item.entity == entity);
    source.index.is_some()
        && item.is_some_and(|item| source.key().any(|key| item.keys.get(&key.name).is_some_and(|key| key.optional)))
}

/// Derivations below a line of a list. What they name stays code.
fn below(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| derived(&line))
}

/// A derivation as a line that is as far in as it was, and two blanks more.
fn derived(line: &str) -> String {
    let text = line.trim_start();
    let indent = " ".repeat(line.len() - text.len() + 2);
    // A derivation marks what was computed for want of a size.
    let text = text.strip_prefix("*computed*").map(|rest| format!("computed{rest}")).unwrap_or_else(|| text.to_owned());
    let text = text.strip_suffix(", *computed*").map(|start| format!("{start}, computed")).unwrap_or(text);
    format!("{indent}{}", prose(&text))
}
