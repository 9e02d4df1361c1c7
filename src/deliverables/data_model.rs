//! `dynamodb_data_model.md`: how the tables answer what is needed.

use super::findings;
use super::markdown::{code, inline};
use super::numbers::{count, measure};
use super::outline::{Outline, names, said, shown};
use super::patterns::{self, Pattern, Status, accepted};
use super::tables::{TableView, table_view};
use super::{render, spell};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{TableLayout, layout};
use crate::model::names::style;
use crate::model::resolve::Step;
use crate::syntax::Unit;
use askama::Template;

/// The data model document of the model with this root, as Markdown.
pub fn data_model(db: &dyn Db, root: SourceFile) -> String {
    let outline = Outline::new(db, root);
    let patterns = patterns::patterns(&outline);
    let (solved, unsolved): (Vec<_>, Vec<_>) = patterns.iter().partition(|pattern| pattern.status() == Status::Solved);
    render(&DataModel {
        philosophy: philosophy(&outline, &patterns),
        aggregates: aggregates(&outline),
        tables: outline.tables.iter().map(|table| table_view(&outline, table, &patterns)).collect(),
        solved: solved.into_iter().map(|pattern| row(&outline, pattern)).collect(),
        unsolved: unsolved.into_iter().map(unsolved_row).collect(),
        tradeoffs: tradeoffs(&outline),
        copies: copies(&outline),
        accepted: outline
            .allows
            .iter()
            .map(|(decl, allow)| format!("{}: {}", outline.label(*decl), accepted(allow)))
            .collect(),
    })
}

#[derive(Template)]
#[template(path = "data_model.md", escape = "none")]
struct DataModel {
    philosophy: Vec<String>,
    aggregates: Vec<String>,
    tables: Vec<TableView>,
    solved: Vec<Row>,
    unsolved: Vec<UnsolvedRow>,
    tradeoffs: Vec<String>,
    copies: Vec<String>,
    accepted: Vec<String>,
}

/// A row of the solved patterns.
struct Row {
    number: usize,
    description: String,
    kind: String,
    peak: String,
    items: String,
    sizes: String,
    used: String,
    operations: String,
    notes: String,
}

/// A row of the patterns that DynamoDB does not answer, or not yet.
struct UnsolvedRow {
    number: usize,
    description: String,
    status: String,
}

fn philosophy(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> Vec<String> {
    let application = outline.application.as_ref().map(|application| application.def);
    let declared = application.is_some_and(|application| application.style.is_some());
    let default = if declared { "" } else { " (the default: the model declares no style)" };
    let mut lines = vec![match style(outline.db, outline.root) {
        Style::Aggregate => format!(
            "**Style**: aggregate{default}. Entities that are used together are kept together; the others have tables of their own."
        ),
        Style::SingleTable => {
            format!("**Style**: single table{default}. All entities share a table, told apart by their keys.")
        }
    }];
    let indexes = |kind| {
        let all = outline.tables.iter().flat_map(|table| &table.def.indexes);
        all.filter(|index| index.kind == kind).count()
    };
    lines.push(format!(
        "**Design**: {} in {} with {} and {}.",
        count(outline.entities.len(), "entity", "entities"),
        count(outline.tables.len(), "table", "tables"),
        count(indexes(IndexKind::Global), "global secondary index", "global secondary indexes"),
        count(indexes(IndexKind::Local), "local secondary index", "local secondary indexes"),
    ));
    let of = |status| patterns.iter().filter(|pattern| pattern.status() == status).count();
    lines.push(format!(
        "**Coverage**: {}; {} solved, {} not yet, {} answered outside DynamoDB.",
        count(patterns.len(), "access pattern", "access patterns"),
        of(Status::Solved),
        of(Status::Open),
        of(Status::External),
    ));
    let region = application.and_then(|application| application.region.as_ref()).and_then(said);
    lines.push(format!(
        "**Region**: {}. **Capacity mode**: {}. **Table class**: {}. A table that declares otherwise says so.",
        region.map_or_else(|| String::from("not declared"), inline),
        spell::capacity(application.and_then(|application| application.capacity.as_ref())),
        spell::class(application.and_then(|application| application.class)),
    ));
    lines.push(match findings::summary(outline) {
        Some(summary) => format!("**Open findings**: {summary}. The requirement document lists them."),
        None => String::from("**Open findings**: none."),
    });
    lines
}

/// What is kept together, by decision and by design.
fn aggregates(outline: &Outline<'_>) -> Vec<String> {
    let mut lines: Vec<String> = outline.aggregates.iter().map(|aggregate| decided(aggregate)).collect();
    for table in &outline.tables {
        let Some(layout) = layout(outline.db, outline.root, table.decl) else { continue };
        for item in &layout.items {
            for embed in &item.embeds {
                let list = embed.list.as_deref().map(|list| format!(" as the list {}", code(list)));
                lines.push(format!(
                    "**{}** embeds **{}**{} in {}: a single-item aggregate.{}",
                    inline(&item.entity),
                    inline(&embed.entity),
                    list.unwrap_or_default(),
                    code(&layout.name.text),
                    children(outline, &item.entity, &embed.entity),
                ));
            }
        }
        for (value, entities) in collections(layout) {
            lines.push(format!(
                "**{}** share the partition key {} in {}: an item collection.",
                entities.join("** and **"),
                code(&value),
                code(&layout.name.text),
            ));
        }
    }
    lines
}

fn decided(aggregate: &AggregateDef) -> String {
    let decision = match &aggregate.decision {
        Some((Decision::SingleItem, _)) => "single item",
        Some((Decision::ItemCollection, _)) => "item collection",
        Some((Decision::SeparateTables, _)) => "separate tables",
        None => "no decision declared",
    };
    let because = aggregate.because.as_ref().and_then(said).map(|because| format!(" {}", inline(because)));
    format!("**{}**: {decision}.{}", names(&aggregate.entities), because.unwrap_or_default())
}

/// How many children a parent has, as the relationship declares it.
fn children(outline: &Outline<'_>, parent: &str, child: &str) -> String {
    let is = |name: &Option<Name>, text: &str| name.as_ref().is_some_and(|name| name.text == text);
    let relationship = outline.relationships.iter().find(|r| is(&r.left, parent) && is(&r.right, child));
    let children = relationship.and_then(|relationship| measure(relationship.children.as_ref()?, Unit::Number));
    match children {
        Some(children) => format!(" {children} of them in an item."),
        None => String::from(" How many there are in an item is not declared."),
    }
}

/// The entities of a table that have the same partition key, by its value.
fn collections(layout: &TableLayout) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for item in &layout.items {
        // A key that an item does not give is a fault, not a collection.
        if layout.partition.is_empty() || layout.partition.iter().any(|part| !item.keys.contains_key(&part.name)) {
            continue;
        }
        let value = spell::key_of(item, layout.partition.iter());
        let entity = inline(&item.entity);
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, entities)) => entities.push(entity),
            None => groups.push((value, vec![entity])),
        }
    }
    groups.retain(|(_, entities)| entities.len() > 1);
    groups
}

fn row(outline: &Outline<'_>, pattern: &Pattern<'_>) -> Row {
    let steps = &pattern.steps;
    let each = |of: &dyn Fn(&Step<'_>) -> String| lines(steps.iter().map(of));
    let mut notes: Vec<String> = Vec::new();
    for step in steps {
        let own = step.notes().join(", ");
        if !own.is_empty() {
            // Where there are several steps, each note says whose it is.
            let subject = step.step.op.subject().filter(|_| steps.len() > 1);
            notes.push(match subject {
                Some(subject) => format!("{}: {own}", inline(&subject.entity.text)),
                None => own,
            });
        }
    }
    if let Some(pages) = pattern.def.pages.as_ref().and_then(|pages| measure(pages, Unit::Number)) {
        notes.push(format!("pages: {pages}"));
    }
    Row {
        number: pattern.number,
        description: pattern.description(),
        kind: each(&|step| step.api().to_owned()),
        peak: pattern.peak_rps(),
        items: each(&|step| step.items_returned()),
        sizes: lines(steps.iter().flat_map(|step| step.item_sizes(outline.db))),
        used: each(&|step| step.target().map(|target| code(&target)).unwrap_or_default()),
        operations: steps.iter().map(Step::request).collect::<Vec<_>>().join("<br>"),
        notes: if notes.is_empty() { String::from("–") } else { lines(notes.into_iter()) },
    }
}

/// The lines of a cell, each once.
fn lines(all: impl Iterator<Item = String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in all {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.join("<br>")
}

fn unsolved_row(pattern: &Pattern<'_>) -> UnsolvedRow {
    UnsolvedRow { number: pattern.number, description: pattern.description(), status: pattern.status_text() }
}

fn tradeoffs(outline: &Outline<'_>) -> Vec<String> {
    let tradeoffs = outline.tradeoffs.iter();
    tradeoffs
        .map(|(text, because)| match because {
            Some(because) => format!("**{}**: {}", inline(text), inline(because)),
            None => format!("**{}**", inline(text)),
        })
        .collect()
}

/// Attributes that are copies of others.
fn copies(outline: &Outline<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for entity in &outline.entities {
        for attribute in &entity.def.attributes {
            let Some(source) = &attribute.copied_from else { continue };
            let from = source.attribute.as_ref().map_or("?", |name| name.text.as_str());
            lines.push(format!(
                "{}.{} is a copy of {}.{}",
                shown(entity.name),
                code(&attribute.name.text),
                inline(&source.entity.text),
                code(from)
            ));
        }
    }
    lines
}
