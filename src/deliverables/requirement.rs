//! `dynamodb_requirement.md`: what the application needs.

use super::findings::{self, Topic};
use super::markdown::{code, codes, inline, prose, sentence};
use super::numbers::{count, declared, measure, per_second};
use super::outline::{Entry, Outline, pair, said, shown};
use super::patterns::{self, Pattern};
use super::render;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{layout, placements};
use crate::model::names::find_entity;
use crate::syntax::Unit;
use askama::Template;

/// The requirement document of the model with this root, as Markdown.
pub fn requirement(db: &dyn Db, root: SourceFile) -> String {
    let outline = Outline::new(db, root);
    let patterns = patterns::patterns(&outline);
    render(&Requirement {
        name: application_name(&outline),
        domain: application_text(&outline, |application| &application.domain),
        context: context(&outline),
        scale: scale(&outline, &patterns),
        entities: outline.entities.iter().map(|entity| key_entity(&outline, entity)).collect(),
        patterns: patterns.iter().map(|pattern| row(&outline, pattern)).collect(),
        workflows: outline.workflows.iter().map(workflow).collect(),
        relationships: outline.relationships.iter().map(|relationship| deep_dive(relationship)).collect(),
        identifying: identifying(&outline),
        topics: findings::topics(&outline),
        considerations: outline.considerations.iter().map(|text| inline(text)).collect(),
    })
}

#[derive(Template)]
#[template(path = "requirement.md", escape = "none")]
struct Requirement {
    name: String,
    domain: String,
    context: String,
    scale: Vec<String>,
    entities: Vec<String>,
    patterns: Vec<Row>,
    workflows: Vec<String>,
    relationships: Vec<String>,
    identifying: Vec<Identifying>,
    topics: Vec<Topic>,
    considerations: Vec<String>,
}

/// A row of the access pattern table.
struct Row {
    number: usize,
    description: String,
    rps: String,
    kind: &'static str,
    attributes: String,
    requirements: String,
    considerations: String,
    status: String,
}

/// A row of the identifying relationship check.
struct Identifying {
    relationship: String,
    because: String,
    key: String,
}

fn application_name(outline: &Outline<'_>) -> String {
    match &outline.application {
        Some(application) => shown(application.name),
        None => String::from("not declared: the model has no `application`"),
    }
}

fn application_text(outline: &Outline<'_>, of: impl Fn(&ApplicationDef) -> &Option<Text>) -> String {
    let text = outline.application.as_ref().and_then(|application| of(application.def).as_ref());
    text.and_then(said).map_or_else(|| String::from("not declared"), inline)
}

/// What the application says about itself: its doc comment, then its context.
fn context(outline: &Outline<'_>) -> String {
    let Some(application) = &outline.application else { return String::from("not declared") };
    let doc = application.doc.map(|doc| sentence(&prose(doc)));
    let context = application.def.context.as_ref().and_then(said).map(inline);
    let parts: Vec<String> = doc.into_iter().chain(context).collect();
    if parts.is_empty() { String::from("not declared") } else { parts.join(" ") }
}

/// The declared scale and the total of the declared rates.
fn scale<'db>(outline: &Outline<'db>, patterns: &[Pattern<'db>]) -> Vec<String> {
    let mut lines = vec![application_text(outline, |application| &application.scale)];
    if patterns.is_empty() {
        return lines;
    }
    let averages: Vec<f64> = patterns.iter().filter_map(Pattern::average).collect();
    let peaks: Vec<f64> = patterns.iter().filter_map(Pattern::peak).collect();
    let total = |rates: &[f64]| match rates.is_empty() {
        true => String::from("not declared"),
        false => per_second(rates.iter().sum()),
    };
    lines.push(format!(
        "Total of the declared rates over {}: average {}, all peaks together {}",
        count(patterns.len(), "access pattern", "access patterns"),
        total(&averages),
        total(&peaks)
    ));
    let missing = |what: &str, of: fn(&Pattern<'db>) -> Option<f64>| {
        let without: Vec<String> = patterns.iter().filter(|p| of(p).is_none()).map(Pattern::reference).collect();
        (!without.is_empty()).then(|| format!("No {what} rate is declared for: {}", without.join(", ")))
    };
    lines.extend(missing("average", Pattern::average));
    lines.extend(missing("peak", Pattern::peak));
    lines
}

/// An entity with its numbers and its cardinalities.
fn key_entity(outline: &Outline<'_>, entity: &Entry<'_, EntityDef>) -> String {
    let def = entity.def;
    let mut facts = Vec::new();
    facts.push(match def.count.as_ref().and_then(|value| declared(value, Unit::Number)) {
        Some(items) => format!("{items} items"),
        None => String::from("number of items not declared"),
    });
    if let Some(rate) = def.growing.as_ref().and_then(|value| declared(value, Unit::Rate)) {
        facts.push(format!("growing by {rate}"));
    }
    if let Some(size) = def.size.as_ref().and_then(|size| measure(size, Unit::Size)) {
        facts.push(format!("size {size}"));
    }
    if let Some(lifetime) = def.lifetime.as_ref().and_then(|value| declared(value, Unit::Duration)) {
        facts.push(format!("useful for {lifetime}"));
    }
    let ids: Vec<&str> = def.ids().map(|attribute| attribute.name.text.as_str()).collect();
    if !ids.is_empty() {
        facts.push(format!("identified by {}", codes(ids)));
    }
    let own =
        |name: &Option<Name>| entity.name.is_some() && name.as_ref().map(|name| name.text.as_str()) == entity.name;
    let related: Vec<String> = outline
        .relationships
        .iter()
        .filter(|relationship| own(&relationship.left) || own(&relationship.right))
        .map(|relationship| pair(relationship))
        .collect();
    if !related.is_empty() {
        facts.push(related.join(", "));
    }
    let doc = entity.doc.map(|doc| format!(" {}", sentence(&prose(doc)))).unwrap_or_default();
    format!("**{}**:{doc} {}.", shown(entity.name), capital(&facts.join("; ")))
}

/// The first letter large, where it is one of ASCII.
fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

fn row(outline: &Outline<'_>, pattern: &Pattern<'_>) -> Row {
    Row {
        number: pattern.number,
        description: pattern.description(),
        rps: pattern.rps(),
        kind: pattern.kind(),
        attributes: pattern.attributes(),
        requirements: pattern.requirements(outline),
        considerations: pattern.considerations(outline),
        status: pattern.status_text(),
    }
}

fn workflow(workflow: &Entry<'_, WorkflowDef>) -> String {
    let steps: Vec<String> = workflow.def.patterns.iter().map(|name| inline(&name.text)).collect();
    let doc = workflow.doc.map(|doc| format!(" {}", sentence(&prose(doc)))).unwrap_or_default();
    format!("**{}**:{doc} {}", shown(workflow.name), steps.join(" → "))
}

/// A relationship with all that is declared of it.
fn deep_dive(relationship: &RelationshipDef) -> String {
    let mut facts = Vec::new();
    let of = |name: &Option<Name>| shown(name.as_ref().map(|name| name.text.as_str()));
    if let Some(children) = relationship.children.as_ref().and_then(|children| measure(children, Unit::Number)) {
        facts.push(format!("{} for each {}: {children}", of(&relationship.right), of(&relationship.left)));
    } else if relationship.cardinality != Some(Cardinality::OneToOne) {
        facts.push(format!(
            "how many of {} each {} has is not declared",
            of(&relationship.right),
            of(&relationship.left)
        ));
    }
    if let Some(parents) = relationship.parents.as_ref().and_then(|parents| measure(parents, Unit::Number)) {
        facts.push(format!("{} for each {}: {parents}", of(&relationship.left), of(&relationship.right)));
    }
    if let Some(through) = &relationship.through {
        facts.push(format!("through {}", inline(&through.text)));
    }
    if let Some(by) = &relationship.by {
        facts.push(format!("by {}", code(&by.text)));
    }
    if relationship.identifying.is_some() {
        facts.push(String::from("identifying"));
    }
    let because = relationship.because.as_ref().and_then(said).map(|because| format!(" {}", inline(because)));
    let facts = if facts.is_empty() { String::new() } else { format!(". {}.", capital(&facts.join("; "))) };
    format!("**{}**{facts}{}", pair(relationship), because.unwrap_or_default())
}

/// For each identifying relationship, whether the tables are keyed by it.
fn identifying(outline: &Outline<'_>) -> Vec<Identifying> {
    let relationships = outline.relationships.iter().filter(|relationship| relationship.identifying.is_some());
    relationships
        .map(|relationship| Identifying {
            relationship: pair(relationship),
            because: match relationship.because.as_ref().and_then(said) {
                Some(because) => inline(because),
                None => String::from("no reason declared"),
            },
            key: keyed_by_parent(outline, relationship),
        })
        .collect()
}

/// Where the child is stored, and whether its key there begins with its parent.
fn keyed_by_parent(outline: &Outline<'_>, relationship: &RelationshipDef) -> String {
    let (Some(parent), Some(child)) = (&relationship.left, &relationship.right) else {
        return String::from("not known: a name is missing");
    };
    let entity = find_entity(outline.db, outline.root, &child.text);
    let held = relationship.by.as_ref().map(|by| by.text.as_str()).or_else(|| {
        let attributes = entity.into_iter().flat_map(|entity| &entity.attributes);
        let mut holders = attributes.filter(|a| a.of.as_ref().is_some_and(|of| of.text == parent.text));
        holders.next().map(|attribute| attribute.name.text.as_str())
    });
    let tables = placements(outline.db, outline.root).get(&child.text).map(Vec::as_slice).unwrap_or_default();
    let mut lines = Vec::new();
    // In the order of the text, which that of the placements is not.
    for table in outline.tables.iter().filter(|table| tables.contains(&table.decl)) {
        let Some(layout) = layout(outline.db, outline.root, table.decl) else { continue };
        let Some(item) = layout.item_of(&child.text) else { continue };
        let place = code(&layout.name.text);
        if item.entity != child.text {
            lines.push(format!("embedded in the {} item of {place}", inline(&item.entity)));
            continue;
        }
        let Some(held) = held else {
            lines.push(format!("{place}: no attribute of {} holds the parent's id", inline(&child.text)));
            continue;
        };
        let partition = item.made_from(layout.partition.iter()).contains(held);
        let anywhere = item.made_from(layout.primary_key()).contains(held);
        lines.push(match (partition, anywhere) {
            (true, _) => format!("{place}: the partition key holds the parent's id {}", code(held)),
            (false, true) => {
                format!("{place}: the sort key holds the parent's id {}, the partition key does not", code(held))
            }
            (false, false) => format!("{place}: the key does not hold the parent's id {}", code(held)),
        });
    }
    if lines.is_empty() { String::from("no table holds it") } else { lines.join("; ") }
}
