//! *Application Overview*: what the application is, and how large.

use super::capital;
use crate::capacity::facts::Declared;
use crate::capacity::show;
use crate::capacity::sizes::Bound;
use crate::capacity::stock::stocks;
use crate::deliverables::bounds::entity_bytes;
use crate::deliverables::markdown::{code, codes, inline, prose, sentence};
use crate::deliverables::numbers::{count, declared, measure, per_second};
use crate::deliverables::outline::{Entry, Mark, Outline, said, shown};
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::model::layout::placements;
use crate::model::resolve::steps;
use crate::model::unique::wants_existing;
use crate::syntax::Unit;
use askama::Template;

#[derive(Template)]
#[template(path = "requirement/overview.md", escape = "none")]
struct Overview {
    name: String,
    domain: String,
    context: String,
    scale: Vec<String>,
    entities: Vec<String>,
}

/// The part.
pub(super) fn part<'db>(outline: &Outline<'db>, patterns: &[Pattern<'db>]) -> Part {
    Part::new(
        "application-overview",
        &Overview {
            name: application_name(outline),
            domain: application_text(outline, |application| &application.domain),
            context: context(outline),
            scale: scale(outline, patterns),
            entities: outline.entities.iter().map(|entity| key_entity(outline, entity)).collect(),
        },
    )
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
        None => of_parents(outline, entity.name).unwrap_or_else(|| String::from("number of items not declared")),
    });
    if let Some(rate) = def.growing.as_ref().and_then(|value| declared(value, Unit::Rate)) {
        facts.push(format!("growing by {rate}"));
    }
    if let Some(size) = def.size.as_ref().and_then(|size| measure(size, Unit::Size)) {
        facts.push(format!("size {size}"));
    } else if let Some(bytes) = computed_size(outline, entity) {
        facts.push(format!("size {} on average, computed from its attributes", show::bytes(bytes)));
    }
    if let Some(lifetime) = def.lifetime.as_ref().and_then(|value| declared(value, Unit::Duration)) {
        facts.push(format!("useful for {lifetime}"));
    }
    if let Some(rate) = entity.name.filter(|_| def.growing.is_none()).and_then(|name| put_a_day(outline, name)) {
        facts.push(format!("growth not declared, its patterns put {rate}"));
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
        .map(|relationship| outline.told(relationship))
        .collect();
    if !related.is_empty() {
        facts.push(related.join(", "));
    }
    let doc = entity.doc.map(|doc| format!(" {}", sentence(&prose(doc)))).unwrap_or_default();
    format!("**{}**:{doc} {}.", shown(entity.name), capital(&facts.join("; ")))
}

/// How many of a child each of its parents has, where that is what the model says.
fn of_parents(outline: &Outline<'_>, entity: Option<&str>) -> Option<String> {
    let own = |name: &Option<Name>| entity.is_some() && name.as_ref().map(|name| name.text.as_str()) == entity;
    outline.relationships.iter().find_map(|relationship| {
        let child = if relationship.through.is_some() { &relationship.through } else { &relationship.right };
        if !own(child) || own(&relationship.left) {
            return None;
        }
        let children = measure(relationship.children.as_ref()?, Unit::Number)?;
        let by = match outline.mark(relationship) {
            Some(Mark::By(by)) => format!(" by {}", code(by)),
            _ => String::new(),
        };
        let parent = shown(relationship.left.as_ref().map(|name| name.text.as_str()));
        Some(format!("{children} for each {parent}{by}"))
    })
}

/// How many items of an entity the patterns put on average, as far as they say how often
/// they run; `None` where none puts any, or only in the place of others.
fn put_a_day(outline: &Outline<'_>, name: &str) -> Option<String> {
    const DAY: f64 = 86_400.0;
    let mut a_day = 0.0;
    for pattern in outline.patterns.iter().filter(|pattern| pattern.def.external.is_none()) {
        let Some(rate) = pattern.def.rate.as_ref().and_then(|rate| rate.avg(Unit::Rate)) else { continue };
        for step in steps(outline.db, outline.root, pattern.decl) {
            let OpDef::Put { subject: Some(subject), condition, .. } = &step.step.op else { continue };
            let replaces = condition.as_ref().is_some_and(|condition| wants_existing(&condition.kind));
            let is_item = step.items().iter().any(|item| item.entity == name);
            if subject.entity.text == name && is_item && !replaces {
                a_day += rate * step.step.times() * DAY;
            }
        }
    }
    (a_day > 0.0).then(|| format!("{}/day on average", show::count(a_day)))
}

/// The average size of an entity that declares none, where it can be computed: of
/// its item in a table, else of its attributes.
fn computed_size(outline: &Outline<'_>, entity: &Entry<'_, EntityDef>) -> Option<f64> {
    let name = entity.name?;
    let tables = placements(outline.db, outline.root).get(name).map(Vec::as_slice).unwrap_or_default();
    let kinds = tables.iter().filter_map(|table| stocks(outline.db, outline.root, *table).first());
    let in_table = kinds.flat_map(|stock| &stock.kinds).find(|kind| kind.entity == name);
    let facts = Declared { db: outline.db, root: outline.root };
    match in_table {
        Some(kind) => kind.each.value(),
        None => entity_bytes(&facts, entity.decl, name, Bound::Avg).value(),
    }
}
