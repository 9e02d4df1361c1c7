//! *Design Philosophy & Approach*: what the design does, in numbers: what is kept
//! together and apart, what is read and written, what the money goes to.

use super::aggregates::{Group, collections, most_of};
use crate::capacity::cost::{ModelCost, SourceCost, model_cost};
use crate::capacity::figure::Figure;
use crate::capacity::operations::pattern_numbers;
use crate::capacity::show;
use crate::capacity::traffic::traffic;
use crate::deliverables::figures::{dollars, needs};
use crate::deliverables::findings;
use crate::deliverables::markdown::{code, inline};
use crate::deliverables::numbers::{count, number as plain, things_as, units_a_second};
use crate::deliverables::outline::{Outline, said, shown};
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::{Pattern, Status};
use crate::deliverables::spell;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, layout, placements};
use crate::model::names::style;
use crate::model::settings::region;
use askama::Template;
use std::collections::BTreeSet;

#[derive(Template)]
#[template(path = "data_model/philosophy.md", escape = "none")]
struct Philosophy {
    lines: Vec<String>,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> Part {
    let mut lines = vec![the_style(outline), design(outline)];
    lines.extend(together(outline));
    lines.push(coverage(patterns));
    lines.push(traffic_line(outline, patterns));
    lines.push(consistency(patterns));
    lines.push(dominant(outline));
    lines.push(integrations(outline, patterns));
    lines.push(settings(outline));
    lines.push(match findings::summary(outline) {
        Some(summary) => format!("**Open Findings**: {summary}. The requirement document lists them."),
        None => String::from("**Open Findings**: none."),
    });
    Part::new("philosophy", &Philosophy { lines })
}

fn the_style(outline: &Outline<'_>) -> String {
    let application = outline.application.as_ref();
    let declared = application.is_some_and(|application| application.def.style.is_some());
    let default = if declared { "" } else { " (the model declares none)" };
    match style(outline.db, outline.root) {
        Style::Aggregate => format!(
            "**Style**: aggregate{default}. Entities that are used together are kept together; the others have tables of their own."
        ),
        Style::SingleTable => {
            format!("**Style**: single table{default}. All entities share a table, told apart by their keys.")
        }
    }
}

fn design(outline: &Outline<'_>) -> String {
    let indexes = |kind| {
        let all = outline.tables.iter().flat_map(|table| &table.def.indexes);
        all.filter(|index| index.kind == kind).count()
    };
    format!(
        "**Design**: {} in {} with {} and {}.",
        count(outline.entities.len(), "entity", "entities"),
        count(outline.tables.len(), "table", "tables"),
        count(indexes(IndexKind::Global), "global secondary index", "global secondary indexes"),
        count(indexes(IndexKind::Local), "local secondary index", "local secondary indexes"),
    )
}

/// Which entities share an item or a partition key, and which stand alone.
fn together(outline: &Outline<'_>) -> Vec<String> {
    let (mut shared, mut kept) = (Vec::new(), BTreeSet::new());
    for table in &outline.tables {
        let Some(layout) = layout(outline.db, outline.root, table.decl) else { continue };
        for item in layout.items.iter().filter(|item| !item.embeds.is_empty()) {
            let inner: Vec<String> =
                item.embeds.iter().map(|embed| with_most(outline, &[item], &embed.entity)).collect();
            shared.push(format!("{} in the item of {}", inner.join(" and "), inline(&item.entity)));
            kept.extend(item.embeds.iter().map(|embed| embed.entity.as_str()));
            kept.insert(item.entity.as_str());
        }
        for Group { items, .. } in collections(outline, layout) {
            let names: Vec<String> = items.iter().map(|item| with_most(outline, &items, &item.entity)).collect();
            shared.push(format!("{} under one partition key of {}", names.join(" and "), code(&layout.name.text)));
            kept.extend(items.iter().map(|item| item.entity.as_str()));
        }
    }
    let placed = placements(outline.db, outline.root);
    let of = |wanted: &dyn Fn(&str) -> bool| -> Vec<String> {
        let named = outline.entities.iter().filter_map(|entity| entity.name);
        named.filter(|name| wanted(name)).map(inline).collect()
    };
    let apart = of(&|name| placed.contains_key(name) && !kept.contains(name));
    let nowhere = of(&|name| !placed.contains_key(name));
    let list = |names: &[String]| if names.is_empty() { String::from("none") } else { names.join(", ") };
    let mut lines = vec![
        format!("**Kept Together**: {}.", if shared.is_empty() { String::from("nothing") } else { shared.join("; ") }),
        format!(
            "**Kept Apart**: {} with keys of their own: {}.",
            count(apart.len(), "entity", "entities"),
            list(&apart)
        ),
    ];
    if !nowhere.is_empty() {
        lines.push(format!("**In No Table Yet**: {}.", list(&nowhere)));
    }
    lines
}

/// An entity, and how many of it are kept together at most.
fn with_most(outline: &Outline<'_>, items: &[&ItemLayout], entity: &str) -> String {
    let most = most_of(outline, items, entity).map(|most| format!(" ({most})"));
    format!("{}{}", inline(entity), most.unwrap_or_default())
}

fn coverage(patterns: &[Pattern<'_>]) -> String {
    let of = |status| patterns.iter().filter(|pattern| pattern.status() == status).count();
    format!(
        "**Coverage**: {}; {} solved, {} not yet, {} answered outside DynamoDB.",
        count(patterns.len(), "access pattern", "access patterns"),
        of(Status::Solved),
        of(Status::Open),
        of(Status::External),
    )
}

/// Calls and units of reads and of writes, and how many of the one there are to
/// one of the other.
fn traffic_line(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> String {
    if patterns.is_empty() {
        return String::from("**Reads and Writes**: not known; the model declares no access pattern.");
    }
    let calls = |wanted: fn(&OpDef) -> bool| -> Figure {
        let own = patterns.iter().filter(|pattern| pattern.def.external.is_none());
        let own = own.filter(|pattern| pattern.steps.iter().any(|step| wanted(&step.step.op)));
        own.filter_map(|pattern| pattern_numbers(outline.db, outline.root, pattern.decl).as_ref())
            .map(|numbers| numbers.rate.clone())
            .sum()
    };
    let (reads, writes) = (calls(OpDef::reads), calls(OpDef::writes));
    let ratio = match (reads.value(), writes.value()) {
        (Some(reads), Some(writes)) if reads > 0.0 && writes > 0.0 => match reads >= writes {
            true => format!(": {} reads to a write", show::number(reads / writes)),
            false => format!(": {} writes to a read", show::number(writes / reads)),
        },
        _ => needs(&reads.plus(&writes)),
    };
    let tables = || outline.tables.iter().flat_map(|table| traffic(outline.db, outline.root, table.decl));
    let (read_units, write_units): (Figure, Figure) =
        (tables().map(|source| source.reads()).sum(), tables().map(|source| source.writes()).sum());
    format!(
        "**Reads and Writes**: on average {} a second to read and {} a second to write{ratio}. They take {} and {}, \
         indexes included.",
        things_as(&reads, "call", plain),
        things_as(&writes, "call", plain),
        units_a_second(&read_units, "read"),
        units_a_second(&write_units, "write")
    )
}

fn consistency(patterns: &[Pattern<'_>]) -> String {
    let steps = || patterns.iter().flat_map(|pattern| &pattern.steps);
    let of_group = |kind: GroupKind, mode: GroupMode| {
        let operations = patterns.iter().flat_map(|pattern| &pattern.def.operations);
        operations.filter_map(|operation| operation.group.as_ref()).filter(|g| g.kind == kind && g.mode == mode).count()
    };
    let reads = steps().filter(|step| step.step.op.reads()).count();
    let strong =
        steps().filter(|step| step.step.op.options().is_some_and(|options| options.consistent.is_some())).count();
    let writes = steps().filter(|step| step.step.op.writes()).count();
    let guarded = steps().filter(|step| step.step.op.writes() && step.step.op.condition().is_some()).count();
    format!(
        "**Consistency**: of {} {strong} ask for a strongly consistent answer; of {} {guarded} are conditional; {} and {}.",
        count(reads, "read operation", "read operations"),
        count(writes, "write operation", "write operations"),
        count(of_group(GroupKind::Transact, GroupMode::Write), "write transaction", "write transactions"),
        count(of_group(GroupKind::Transact, GroupMode::Get), "read transaction", "read transactions"),
    )
}

/// The largest part of the month's cost, and the dearest pattern.
fn dominant(outline: &Outline<'_>) -> String {
    if outline.tables.is_empty() {
        return String::from("**Cost**: not known; the model declares no table.");
    }
    let ModelCost { patterns, tables, total, .. } = model_cost(outline.db, outline.root);
    type OfSource = fn(&SourceCost) -> &Figure;
    let kinds: [(&str, OfSource); 3] =
        [("reads", |cost| &cost.reads), ("writes", |cost| &cost.writes), ("storage", |cost| &cost.storage)];
    let mut largest: Option<(String, &str, &Figure)> = None;
    for source in tables.iter().flat_map(|(_, sources)| sources) {
        for (what, of) in kinds {
            let cost = of(source);
            if cost.low() > 0.0 && largest.as_ref().is_none_or(|(_, _, other)| cost.low() > other.low()) {
                largest = Some((code(&source.label), what, cost));
            }
        }
    }
    let all = format!("**Cost**: {} a month in all{}", dollars(&total), needs(&total));
    let Some((label, what, cost)) = largest else { return format!("{all}.") };
    let dearest = patterns.iter().find(|(_, cost)| cost.monthly.low() > 0.0).and_then(|(decl, cost)| {
        let name = crate::model::lower::decl_name(outline.db, *decl).as_deref();
        // What is not known may cost more.
        let known = patterns.iter().all(|(_, cost)| cost.monthly.value().is_some());
        Some(format!(
            "; the dearest pattern{} is {} ({} a month, storage apart)",
            if known { "" } else { " of what is known" },
            shown(Some(name?)),
            dollars(&cost.monthly)
        ))
    });
    let known = if total.value().is_some() { "" } else { " of what is known" };
    format!(
        "{all}; most{known} goes to the {what} of {label} ({} a month){}.",
        dollars(cost),
        dearest.unwrap_or_default()
    )
}

/// Streams, expiry, recovery, and what is answered elsewhere.
fn integrations(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for table in &outline.tables {
        if let Some(view) = table.def.stream.as_ref().and_then(said) {
            parts.push(format!("{} has a stream ({})", code(table.name.unwrap_or("?")), code(view)));
        }
        if let Some(ttl) = table.def.ttl.as_ref().and_then(|ttl| ttl.attribute.as_ref()) {
            parts.push(format!("items of {} expire by {}", code(table.name.unwrap_or("?")), code(&ttl.text)));
        }
    }
    for pattern in patterns {
        if let Some(external) = &pattern.def.external {
            let service = external.service.as_ref().and_then(said).map(inline);
            let service = service.unwrap_or_else(|| String::from("a service that is not named"));
            parts.push(format!("{} is answered by {service}", pattern.reference()));
        }
    }
    match parts.is_empty() {
        true => String::from("**Integrations**: none; no stream, no expiry, and nothing is answered outside DynamoDB."),
        false => format!("**Integrations**: {}.", parts.join("; ")),
    }
}

/// Region, capacity mode and table class, and the tables that declare otherwise.
fn settings(outline: &Outline<'_>) -> String {
    let application = outline.application.as_ref().map(|application| application.def);
    let region = region(outline.db, outline.root).as_deref();
    let mode = spell::capacity(application.and_then(|application| application.capacity.as_ref()));
    let class = spell::class(application.and_then(|application| application.class));
    let mut others: Vec<String> = Vec::new();
    for table in &outline.tables {
        let mut own: Vec<String> = Vec::new();
        own.extend(table.def.capacity.as_ref().map(|own| spell::capacity(Some(own))).filter(|own| *own != mode));
        own.extend(table.def.class.map(|own| spell::class(Some(own))).filter(|own| *own != class).map(str::to_owned));
        if !own.is_empty() {
            others.push(format!("{}: {}", code(table.name.unwrap_or("?")), own.join(", ")));
        }
    }
    let others = if others.is_empty() { String::new() } else { format!(" Otherwise: {}.", others.join("; ")) };
    format!(
        "**Region**: {}. **Capacity Mode**: {mode}. **Table Class**: {class}.{others}",
        region.map_or_else(|| String::from("not declared"), inline)
    )
}
