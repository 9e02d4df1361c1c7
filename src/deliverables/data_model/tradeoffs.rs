//! *Trade-offs and Optimizations*: what was given for what, with the figures that
//! the rules compute.

use crate::capacity::copying::{CopyCost, copy_costs};
use crate::capacity::cost::source_costs;
use crate::capacity::embedding::{Embedding, embedded};
use crate::capacity::figure::Figure;
use crate::capacity::saving::{Saving, Sources};
use crate::capacity::show;
use crate::capacity::stock::{Stock, stocks};
use crate::deliverables::figures::{bytes, dollars, mark, needs, number};
use crate::deliverables::markdown::{code, inline, prose, sentence};
use crate::deliverables::numbers::{declared, things};
use crate::deliverables::outline::{Outline, shown};
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::accepted;
use crate::deliverables::written;
use crate::model::defs::*;
use crate::model::imports::model_decls;
use crate::model::layout::{TableLayout, layout};
use crate::model::lower::decl_name;
use crate::model::names::entity_def;
use crate::rules::judge::silenced;
use crate::syntax::Unit;
use askama::Template;

#[derive(Template)]
#[template(path = "data_model/tradeoffs.md", escape = "none")]
struct Tradeoffs {
    groups: Vec<Group>,
}

/// Trade-offs of one kind.
struct Group {
    title: &'static str,
    lines: Vec<String>,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>) -> Part {
    let groups = [
        ("Declared", tradeoffs(outline)),
        ("Copies", copies(outline)),
        ("Embedded Items", of_tables(outline, embeddings)),
        ("Indexes", of_tables(outline, indexes)),
        ("Expiry", of_tables(outline, expiry)),
        ("Accepted Findings", allowed(outline)),
    ];
    let groups = groups.into_iter().map(|(title, lines)| Group { title, lines });
    Part::new("trade-offs", &Tradeoffs { groups: groups.filter(|group| !group.lines.is_empty()).collect() })
}

fn tradeoffs(outline: &Outline<'_>) -> Vec<String> {
    let tradeoffs = outline.tradeoffs.iter();
    tradeoffs
        .map(|(text, because)| match because {
            Some(because) => format!("**{}**: {}", inline(text), inline(because)),
            None => format!("**{}** (no reason declared)", inline(text)),
        })
        .collect()
}

/// Attributes that are copies of others, with what that costs and saves.
fn copies(outline: &Outline<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for entity in &outline.entities {
        let costs = copy_costs(outline.db, outline.root, entity.decl);
        for attribute in &entity.def.attributes {
            let Some(source) = &attribute.copied_from else { continue };
            let from = source.attribute.as_ref().map_or("?", |name| name.text.as_str());
            let cost = costs.iter().find(|cost| cost.attribute == attribute.name.text);
            let saves = |cost| of_reading(outline, cost, &source.entity.text, entity.name.unwrap_or_default());
            lines.push(format!(
                "{}.{} is a copy of {}.{}{}",
                shown(entity.name),
                code(&attribute.name.text),
                inline(&source.entity.text),
                code(from),
                match cost {
                    // Nothing may change it: what it shows is what was so when it was written.
                    _ if attribute.immutable.is_some() => frozen(cost.map(saves)),
                    Some(cost) => of_copy(outline, cost, &saves(cost)),
                    None => String::from("; no pattern keeps it in step"),
                }
            ));
        }
    }
    lines
}

fn frozen(saves: Option<String>) -> String {
    let saves = saves.map(|saves| format!("; {saves}")).unwrap_or_default();
    format!("; frozen on purpose (`@immutable`): it keeps what the source was when it was written{saves}")
}

fn of_copy(outline: &Outline<'_>, cost: &CopyCost, saves: &str) -> String {
    let keepers: Vec<String> = cost.keepers.iter().map(|decl| shown(decl_name(outline.db, *decl).as_deref())).collect();
    format!(
        ": keeping it in step costs {} a month{} ({}), {saves}",
        dollars(&cost.costs),
        needs(&cost.costs),
        if keepers.is_empty() { String::from("no pattern") } else { keepers.join(", ") }
    )
}

/// What reading the copy saves, and by which patterns.
fn of_reading(outline: &Outline<'_>, cost: &CopyCost, source: &str, entity: &str) -> String {
    let most = if cost.is_most() && cost.saves.value().is_some() { "at most " } else { "" };
    let readers: Vec<String> = cost
        .readers
        .iter()
        .map(|decl| {
            let name = shown(decl_name(outline.db, *decl).as_deref());
            let saving = cost.savings.iter().find(|saving| saving.pattern == *decl);
            saving.map_or(name.clone(), |saving| format!("{name} {}", of_saving(saving, source, entity)))
        })
        .collect();
    format!(
        "reading it saves {most}{} a month{} ({})",
        dollars(&cost.saves),
        needs(&cost.saves),
        if readers.is_empty() { String::from("no pattern") } else { readers.join("; ") }
    )
}

/// How many reads of the source a reader of a copy saves a call, and why so many.
fn of_saving(saving: &Saving, source: &str, entity: &str) -> String {
    let (source, entity) = (inline(source), inline(entity));
    let reads = || format!("{} of {source} a call", things(&saving.reads, "read"));
    match saving.sources {
        Sources::ReadAnyway => format!("nothing: it reads {source} anyway"),
        Sources::One => reads(),
        Sources::Each => format!("{}, if each {entity} has another", reads()),
    }
}

fn of_tables(outline: &Outline<'_>, of: fn(&Outline<'_>, &TableDef, &TableLayout) -> Vec<String>) -> Vec<String> {
    let tables = outline.tables.iter().filter_map(|table| {
        let layout = layout(outline.db, outline.root, table.decl).as_ref()?;
        Some(of(outline, table.def, layout))
    });
    tables.flatten().collect()
}

/// Lists in items, beside children as items of their own (C3).
fn embeddings(outline: &Outline<'_>, _table: &TableDef, layout: &TableLayout) -> Vec<String> {
    let mut lines = Vec::new();
    for item in &layout.items {
        for embed in &item.embeds {
            let Embedding { writes, reading, updates, reads } = embedded(outline.db, outline.root, layout, item, embed);
            let sum: Figure = [&writes.embedded, &writes.apart, &reading.embedded, &reading.apart].into_iter().sum();
            let child = inline(&embed.entity);
            let of_reads = match reads.is_empty() {
                true => String::from("no pattern reads both"),
                false => format!(
                    "the reads of both cost {} a month, as items of their own {}",
                    dollars(&reading.embedded),
                    dollars(&reading.apart)
                ),
            };
            let of_writes = match updates.is_empty() {
                true => {
                    written::told(outline, layout, item, embed).unwrap_or_else(|| format!("no pattern writes {child}"))
                }
                false => format!(
                    "the writes of {child} cost {} a month, as items of their own {}",
                    dollars(&writes.embedded),
                    dollars(&writes.apart)
                ),
            };
            lines.push(format!(
                "{child} in the item of {}: {of_reads}; {of_writes}{}",
                inline(&item.entity),
                needs(&sum)
            ));
        }
    }
    lines
}

/// What each index costs to keep, what its projection leaves of an item, and what
/// its sparseness leaves of the items.
fn indexes(outline: &Outline<'_>, _table: &TableDef, layout: &TableLayout) -> Vec<String> {
    let (db, root) = (outline.db, outline.root);
    let stocks = stocks(db, root, layout.decl);
    let costs = source_costs(db, root, layout.decl);
    let mut lines = Vec::new();
    for index in &layout.indexes {
        let name = index.name.text.as_str();
        let is_own = |index: &Option<(String, IndexKind)>| index.as_ref().is_some_and(|(own, _)| own == name);
        let (Some(stock), Some(cost)) =
            (stocks.iter().find(|stock| is_own(&stock.index)), costs.iter().find(|cost| is_own(&cost.index)))
        else {
            continue;
        };
        let mut parts = vec![match index.kind {
            IndexKind::Global => format!(
                "keeping it costs {} a month for writes and {} for storage{}, its reads cost {}{}",
                dollars(&cost.writes),
                dollars(&cost.storage),
                needs(&cost.writes.plus(&cost.storage)),
                dollars(&cost.reads),
                needs(&cost.reads)
            ),
            IndexKind::Local => format!(
                "its writes and reads are in its table's cost; its storage costs {} a month{}",
                dollars(&cost.storage),
                needs(&cost.storage)
            ),
        }];
        parts.extend(stocks.first().map(|table| entries(table, stock, index.projection)).unwrap_or_default());
        lines.push(format!("{} {}: {}", code(&stock.label), index.kind.short(), parts.join("; ")));
    }
    lines
}

/// What an index holds of each kind of item, where that is less than the table does.
fn entries(table: &Stock, index: &Stock, projection: ProjectionKind) -> Vec<String> {
    let mut parts = Vec::new();
    for kind in &index.kinds {
        let Some(whole) = table.kinds.iter().find(|whole| whole.entity == kind.entity) else { continue };
        let entity = inline(&kind.entity);
        if kind.share != Figure::known(1.0) {
            parts.push(format!(
                "sparse: {} of the {entity} items are in it, {} of {}{}",
                show::figure(&kind.share, show::percent),
                number(&kind.items),
                number(&whole.items),
                needs(&kind.items.plus(&whole.items))
            ));
        }
        if projection != ProjectionKind::All {
            parts.push(format!(
                "projection: an entry of {entity} has {}{}, the item {}{}",
                bytes(&kind.each),
                mark([&kind.each]),
                bytes(&whole.each),
                mark([&whole.each])
            ));
        }
    }
    parts
}

/// What DynamoDB deletes by itself.
fn expiry(outline: &Outline<'_>, table: &TableDef, layout: &TableLayout) -> Vec<String> {
    let Some(ttl) = table.ttl.as_ref().and_then(|ttl| ttl.attribute.as_ref()) else { return Vec::new() };
    let expiring = layout.items.iter().filter_map(|item| {
        let entity = entity_def(outline.db, item.entity_decl?)?;
        entity.attribute(&ttl.text)?;
        let lifetime = entity.lifetime.as_ref().and_then(|lifetime| declared(lifetime, Unit::Duration));
        let lifetime =
            lifetime.map_or_else(|| String::from("lifetime not declared"), |time| format!("useful for {time}"));
        let growing = entity.growing.as_ref().and_then(|growing| declared(growing, Unit::Rate));
        let growing = growing.map_or_else(String::new, |rate| format!(", {rate} new"));
        Some(format!("{} ({lifetime}{growing})", inline(&item.entity)))
    });
    let expiring: Vec<String> = expiring.collect();
    let what = if expiring.is_empty() { String::from("no item has it") } else { expiring.join(", ") };
    vec![format!(
        "{} deletes by {}: {what}. A deletion by TTL takes no write units of the table; it comes within days, not at the moment",
        code(&layout.name.text),
        code(&ttl.text)
    )]
}

/// Each `allow` with its reason, and what it accepts.
fn allowed(outline: &Outline<'_>) -> Vec<String> {
    let decls = model_decls(outline.db, outline.root).iter();
    let all: Vec<_> = decls.flat_map(|decl| silenced(outline.db, outline.root, *decl)).collect();
    let mut lines = Vec::new();
    for (at, (decl, allow)) in outline.allows.iter().enumerate() {
        // Which of the allows of its declaration it is.
        let own = outline.allows[..at].iter().filter(|(other, _)| other == decl).count();
        let found = all.iter().filter(|(_, by)| by.decl == *decl && by.allow == own);
        let found: Vec<String> = found.map(|(finding, _)| sentence(&prose(&finding.message))).collect();
        let what = if found.is_empty() { String::new() } else { format!(" Found: {}", found.join(" ")) };
        lines.push(format!("{}: {}{what}", outline.label(*decl), sentence(&accepted(allow))));
    }
    lines
}
