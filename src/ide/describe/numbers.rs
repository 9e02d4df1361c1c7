//! What the numbers of a declared thing are made of.

use super::Description;
use crate::capacity::cost::{pattern_cost, source_costs};
use crate::capacity::facts::entity_facts;
use crate::capacity::figure::Figure;
use crate::capacity::load::{Contribution, key_loads, partition_holes, pattern_loads};
use crate::capacity::operations::pattern_numbers;
use crate::capacity::prices::{Mode, Priced, mode};
use crate::capacity::select::{Given, How};
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, item_bytes, list_size};
use crate::capacity::stock::stocks;
use crate::capacity::traffic::traffic;
use crate::derive::*;
use crate::model::db::Decl;
use crate::model::layout::{ItemLayout, Source, layout, placements};
use crate::model::lower::decl_name;
use crate::model::names::table_def;

/// Units, dollars and load of a pattern.
pub(super) fn pattern(cx: Cx<'_>, decl: Decl, out: &mut Description) {
    let (Some(numbers), Some(cost)) = (pattern_numbers(cx.db, cx.root, decl), pattern_cost(cx.db, cx.root, decl))
    else {
        return;
    };
    if numbers.steps.is_empty() {
        // What is answered elsewhere lacks nothing.
        let lacking =
            if numbers.external { Vec::new() } else { missing([&cost.monthly, &numbers.rate, &numbers.peak]) };
        out.section("What is missing or computed", lacking);
        return;
    }
    let loads = pattern_loads(cx.db, cx.root, decl);
    let writes = numbers.all_write_units();
    let label = computed(&numbers.read_units.plus(&writes));
    out.summary.push(format!("**{} a call**{label}", in_short(&numbers.read_units, &writes)));
    out.summary.push(dollars_in_short(&cost.monthly));
    let of_index = |step: &crate::capacity::operations::StepNumbers| -> Figure {
        step.index_writes().map(|(_, _, units)| units).sum()
    };
    let reads = numbers.steps.iter().map(|step| step.read_units());
    let own_writes = numbers.steps.iter().map(|step| step.write_units().plus(&of_index(step)));
    let mut units = Vec::new();
    for (parts, total, unit) in [
        (reads.collect::<Vec<_>>(), &numbers.read_units, Unit::Of("read unit")),
        (own_writes.collect(), &writes, Unit::Of("write unit")),
    ] {
        let terms: Vec<String> =
            parts.iter().filter(|part| **part != Figure::ZERO).map(|part| operand(part, Unit::Number)).collect();
        if terms.len() > 1 {
            units.push(equation(&terms.join(" + "), total, unit));
        }
    }
    out.section("Units of a call", units);
    let mut costs = rates(cx, decl);
    costs.extend(of_pattern(cx, decl));
    let mut tables: Vec<Decl> = Vec::new();
    for table in numbers.steps.iter().filter_map(|step| step.table) {
        if !tables.contains(&table) {
            tables.push(table);
            costs.extend(pattern_prices(cx, table, &wanted(cx, table, &numbers.read_units, &writes)));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    costs.retain(|line| seen.insert(line.clone()));
    out.section("Cost", costs);
    let table_of = |load: &Contribution| {
        let step = numbers.steps.iter().find(|step| (step.operation, step.step) == (load.operation, load.step));
        step.map_or("?", |step| step.table_name.as_str())
    };
    let (keys, heaviest, load) = by_key(cx, loads.iter().map(|load| (table_of(load), load)));
    out.summary.extend(heaviest.map(|share| limit_in_short(&share)));
    out.section("Load on the hottest value of each key", keys);
    out.section(
        "What is missing or computed",
        missing([&numbers.read_units, &writes, &numbers.rate, &numbers.peak, &cost.monthly, &load]),
    );
}

/// The prices that a pattern's units at a table take.
fn wanted(cx: Cx<'_>, table: Decl, reads: &Figure, writes: &Figure) -> Vec<Priced> {
    let on_demand = table_def(cx.db, table).is_none_or(|def| mode(cx.db, cx.root, def) == Mode::OnDemand);
    let (read, write) = match on_demand {
        true => (Priced::OnDemandRead, Priced::OnDemandWrite),
        false => (Priced::ProvisionedReadHour, Priced::ProvisionedWriteHour),
    };
    let both = [(reads, read), (writes, write)];
    both.into_iter().filter(|(units, _)| **units != Figure::ZERO).map(|(_, what)| what).collect()
}

/// What a table or an index holds, takes and costs, and where it is hottest.
pub(super) fn source(cx: Cx<'_>, table: Decl, index: Option<&str>, out: &mut Description) {
    let Some(layout) = layout(cx.db, cx.root, table) else { return };
    let of_index = index.and_then(|index| layout.index(index));
    let source = Source { layout, index: of_index };
    let name = |(name, _): &(String, _)| name.clone();
    let stock = stocks(cx.db, cx.root, table).iter().find(|stock| stock.index.as_ref().map(name).as_deref() == index);
    let costs = source_costs(cx.db, cx.root, table);
    let cost = costs.iter().find(|cost| cost.index.as_ref().map(name).as_deref() == index);
    let taking = traffic(cx.db, cx.root, table).iter().find(|traffic| traffic.index.as_deref() == index);
    let load = key_loads(cx.db, cx.root, table).iter().find(|load| load.index.as_deref() == index);
    let (Some(stock), Some(cost)) = (stock, cost) else { return };
    out.summary.push(format!(
        "**{}, {}**{}",
        show::figure(&stock.items, |items| show::count_of(items, "item")),
        show::figure(&stock.storage_gb, |gb| show::bytes(gb * crate::capacity::prices::GB)),
        computed(&stock.storage_gb)
    ));
    out.summary.push(dollars_in_short(&cost.total()));
    out.section("Holds", [held(cx, source, stock), storage(cx, table, stock)].concat());
    let mut figures = vec![stock.items.clone(), stock.storage_gb.clone(), cost.total()];
    if let Some(taking) = taking {
        out.section("Takes (units of a call: see the pattern)", traffic_lines(taking));
        let (mut lines, mut prices) = usage(cx, table, taking);
        let parts = [&cost.reads, &cost.writes, &cost.storage];
        let terms: Vec<String> = parts.iter().map(|part| operand(part, Unit::Dollars)).collect();
        let together = equation(&terms.join(" + "), &cost.total(), Unit::Dollars);
        lines.push(format!("Reads, writes and storage: {together} a month"));
        prices.push(Priced::StorageGbMonth);
        lines.extend(pattern_prices(cx, table, &prices));
        out.section("Costs", lines);
    } else {
        let line = "A local index: its reads and writes are units of its table".to_owned();
        let prices = pattern_prices(cx, table, &[Priced::StorageGbMonth]);
        out.section("Costs", [vec![line], prices].concat());
    }
    if let Some(hottest) = load.and_then(|load| load.families.first()) {
        let share = hottest.read_share().max(&hottest.write_share());
        out.summary.push(limit_in_short(&share));
        let mut lines = vec![format!("`{}`:", hottest.value)];
        lines.extend(below(family(cx, hottest)));
        out.section("Its hottest value", lines);
        figures.extend([hottest.reads.clone(), hottest.writes.clone()]);
    }
    out.section("What is missing or computed", missing(&figures));
}

/// The values of a key, how many items share one, and what meets on the hottest.
pub(super) fn key(cx: Cx<'_>, table: Decl, key: &str, out: &mut Description) {
    let Some(layout) = layout(cx.db, cx.root, table) else { return };
    let stocks = stocks(cx.db, cx.root, table);
    let mut figures: Vec<Figure> = Vec::new();
    let (mut values_of, mut shared, mut meets) = (Vec::new(), Vec::new(), Vec::new());
    for source in layout.sources().filter(|source| source.key().any(|part| part.name == key)) {
        let Some(stock) = stocks.iter().find(|stock| stock.label == source.label()) else { continue };
        let in_partition = source.partition().iter().any(|part| part.name == key);
        for item in source.items() {
            let given = if in_partition { partition_holes(source, item) } else { holes_of(item, key) };
            add_new(&mut values_of, values(cx, item, &given));
            let kind = stock.kinds.iter().find(|kind| kind.entity == item.entity);
            if let Some(kind) = kind.filter(|_| in_partition) {
                add_new(&mut shared, vec![format!("In `{}`:", source.label())]);
                shared.extend(below(collection(cx, source, item, kind)));
                figures.push(kind.collection.mean.clone());
            }
        }
        let index = source.index.map(|index| index.name.text.as_str());
        let load = key_loads(cx.db, cx.root, table).iter().find(|load| load.index.as_deref() == index);
        for one in load.into_iter().filter(|_| in_partition).flat_map(|load| &load.families) {
            meets.push(format!("On the hottest `{}` of `{}`:", one.value, source.label()));
            meets.extend(below(family(cx, one)));
            out.summary.push(format!("`{}` {}", one.value, limit_in_short(&one.read_share().max(&one.write_share()))));
            figures.extend([one.reads.clone(), one.writes.clone()]);
        }
    }
    out.section("Values", values_of);
    out.section("Items of one value", shared);
    out.section("Load on the hottest value", meets);
    out.section("What is missing or computed", missing(&figures));
}

fn holes_of(item: &ItemLayout, key: &str) -> Vec<Given> {
    let holes = item.keys.get(key).into_iter().flat_map(|key| key.value.holes());
    holes.map(|hole| Given { hole: hole.clone(), how: How::Value }).collect()
}

/// The bytes of an entity's item, and what tables and indexes hold of it.
pub(super) fn entity(cx: Cx<'_>, decl: Decl, out: &mut Description) {
    let (Some(facts), Some(name)) = (entity_facts(cx.db, decl), decl_name(cx.db, decl)) else { return };
    let mut figures: Vec<Figure> = Vec::new();
    let (mut sizes, mut stored) = (Vec::new(), Vec::new());
    let tables = placements(cx.db, cx.root).get(name).map(Vec::as_slice).unwrap_or_default();
    for table in tables {
        let Some(layout) = layout(cx.db, cx.root, *table) else { continue };
        let Some(of) = layout.item_of(name) else { continue };
        let mut lines = item(cx, of, Bound::Avg, Presence::Share);
        add_new(&mut lines, item(cx, of, Bound::Max, Presence::Share));
        let bytes = item_bytes(&cx.facts, of, Bound::Avg, Presence::Share);
        if of.entity == *name {
            let each = show::figure(&bytes, |bytes| operand(&Figure::known(bytes.round()), Unit::Bytes));
            add_new(&mut out.summary, [format!("**{each} an item**{}", computed(&bytes))]);
            for stock in stocks(cx.db, cx.root, *table) {
                let index = stock.index.as_ref().and_then(|(name, _)| layout.index(name));
                let Some(kind) = stock.kinds.iter().find(|kind| kind.entity == *name) else { continue };
                stored.push(format!("In `{}`:", stock.label));
                stored.extend(below(holding(cx, Source { layout, index }, of, kind)));
                figures.push(kind.items.clone());
                figures.push(kind.each.clone());
            }
        } else {
            for embed in of.embeds.iter().filter(|embed| embed.entity == *name) {
                let size = list_size(&cx.facts, of, embed, Bound::Avg);
                let each = show::figure(&size.element, show::bytes);
                out.summary.push(format!("**{each} in `{}`**{}", size.list, computed(&size.element)));
            }
        }
        figures.push(bytes);
        if tables.len() > 1 {
            sizes.push(format!("In `{}`:", layout.name.text));
            sizes.extend(below(lines));
        } else {
            sizes.extend(lines);
        }
    }
    out.section("Size", sizes);
    if let Some(count) = facts.count {
        out.summary.push(show::count_of(count, "item"));
    }
    out.section("Stored", stored);
    out.section("What is missing or computed", missing(&figures));
}
