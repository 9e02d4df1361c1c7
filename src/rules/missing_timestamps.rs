//! An entity that does not say when it was created or last updated.

use super::attribute_column::add_attributes;
use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::{CaseStyle, listed};
use super::rule::{Group, Rule};
use super::school::follows;
use crate::model::defs::*;
use crate::model::layout::placements;
use crate::model::names::pattern_def;
use crate::model::resolve::patterns_of_entity;
use crate::model::unique::is_guard;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "missing-timestamps",
    group: Group::Design,
    level: Level::Hint,
    summary: "an entity of a model in the single-table style has no created… attribute, or no updated… one although a pattern updates it",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    // The attribute may be what cannot be read.
    if !follows(cx, Style::SingleTable) || cx.is_broken() {
        return;
    }
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    if cx.names().entity(&name) != Some(cx.decl) || !has_items(cx, &name) {
        return;
    }
    let updates = updates(cx, &name);
    let created = !entity.attributes.iter().any(|a| is_moment(a, &["created", "creation", "createtime", "createdate"]));
    let updated = !updates.is_empty()
        && !entity
            .attributes
            .iter()
            .any(|a| is_moment(a, &["updated", "updatetime", "updatedate", "lastupdate", "modified"]));
    let style = CaseStyle::of(entity);
    let wanted: Vec<(String, &str)> = [(created, "created", "timestamp @immutable"), (updated, "updated", "timestamp")]
        .into_iter()
        .filter(|(is_missing, ..)| *is_missing)
        .map(|(_, word, ty)| (style.join(word, "at"), ty))
        .collect();
    if wanted.is_empty() {
        return;
    }
    let names: Vec<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
    let message = match (created, updated) {
        (true, false) => format!(
            "`{name}` has no attribute that says when it was created: DynamoDB keeps no such time, and an item that \
             lacks it cannot get it later; declare {}",
            listed(&names)
        ),
        (_, _) => format!(
            "{} `{name}`, and it has no attribute that says when it was {}updated: DynamoDB keeps no such time, and \
             nobody can tell which of two copies is the newer; declare {}, and set it in each update",
            match updates.len() {
                1 => "1 pattern updates".to_owned(),
                count => format!("{count} patterns update"),
            },
            if created { "created, nor when it was " } else { "last " },
            listed(&names)
        ),
    };
    let added: Vec<(String, String)> = wanted.iter().map(|(name, ty)| (quote_name(name), (*ty).to_owned())).collect();
    let edits = add_attributes(&cx.chunk().text, cx.decl, entity, &added);
    let title = format!("Add {}", listed(&names));
    let finding = cx.report(cx.name_range(), message);
    for place in updates.into_iter().filter(|_| updated).take(5) {
        finding.relate(place, "updated here");
    }
    if let Some(edits) = edits {
        finding.suggest(title, edits);
    }
}

/// Whether the entity's times are its own: what lives in another's item has that
/// item's, and a guard says nothing but that a value is taken.
fn has_items(cx: &Cx<'_>, name: &str) -> bool {
    let tables = placements(cx.db, cx.root).get(name).map(Vec::as_slice).unwrap_or_default();
    let mut layouts = tables.iter().filter_map(|table| cx.layout(*table)).peekable();
    let embedded = layouts.peek().is_some() && !layouts.any(|layout| layout.items.iter().any(|i| i.entity == name));
    !embedded && !is_guard(cx.db, cx.root, name)
}

/// Where patterns update the entity.
fn updates(cx: &Cx<'_>, name: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for pattern in patterns_of_entity(cx.db, cx.root, name) {
        let steps = pattern_def(cx.db, *pattern).into_iter().flat_map(PatternDef::steps);
        let mut updates = steps.filter(
            |(_, step)| matches!(&step.op, OpDef::Update { subject: Some(subject), .. } if subject.entity.text == name),
        );
        places.extend(updates.next().map(|(_, step)| Place { decl: *pattern, range: step.range }));
    }
    places
}

/// Whether an attribute holds the moment that one of these words names, and not
/// who it was: `created`, `createdAt`, `DateCreated`, not `created_by`.
fn is_moment(attribute: &AttributeDef, words: &[&str]) -> bool {
    let name: String =
        attribute.name.text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let mut ends = words.iter().filter_map(|word| name.find(word).map(|at| &name[at + word.len()..]));
    attribute.of.is_none() && attribute.ty != Type::Boolean && ends.any(|rest| !rest.starts_with("by"))
}
