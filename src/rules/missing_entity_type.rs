//! An item of a shared table that does not say what it is.

use super::attribute_column::add_attributes;
use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::CaseStyle;
use super::rule::{Group, Rule};
use super::school::follows;
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::kind_names::says_kind;
use crate::model::layout::{TableLayout, placements};
use crate::model::names::entity_def;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "missing-entity-type",
    group: Group::Design,
    level: Level::Info,
    summary: "an entity of a table with several entities has no attribute that says which it is",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    // The attribute may be what cannot be read.
    if !follows(cx, Style::SingleTable) || cx.is_broken() || says_type(entity) {
        return;
    }
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    // Of two entities with one name the second is a finding of its own.
    if cx.names().entity(&name) != Some(cx.decl) {
        return;
    }
    let tables = placements(cx.db, cx.root).get(&name).map(Vec::as_slice).unwrap_or_default();
    let Some((layout, others)) = tables.iter().find_map(|table| shared(cx, *table, &name)) else { return };
    let attribute = attribute_name(cx, layout, entity);
    let value = quote_name(&name);
    let message = format!(
        "`{name}` shares `{}` with {}, and has no attribute that says what an item is: whoever reads a mixed page, a \
         stream record or an export has to take it from the keys; declare `{attribute}: enum({value})`",
        layout.name.text,
        count(others),
    );
    let place = item_place(layout, &name);
    let edits =
        add_attributes(&cx.chunk().text, cx.decl, entity, &[(quote_name(&attribute), format!("enum({value})"))]);
    let finding = cx.report(cx.name_range(), message);
    finding.relate(place, "its items lie among others here");
    finding.about(place);
    if let Some(edits) = edits {
        finding.fix(format!("Add `{attribute}: enum({value})`"), edits);
    }
}

fn count(others: usize) -> String {
    if others == 1 { "1 other entity".to_owned() } else { format!("{} other entities", show::count(others as f64)) }
}

fn says_type(entity: &EntityDef) -> bool {
    entity.attributes.iter().any(|attribute| says_kind(&attribute.name.text))
}

/// The table, where it holds items of the entity among those of others, and of how
/// many others. What is embedded is no item, and a key may say the type as well.
fn shared<'db>(cx: &Cx<'db>, table: crate::model::db::Decl, name: &str) -> Option<(&'db TableLayout, usize)> {
    let layout = cx.layout(table)?;
    let own = layout.items.iter().find(|item| item.entity == name)?;
    let entities: BTreeSet<&str> = layout.items.iter().map(|item| item.entity.as_str()).collect();
    let keyed = own.keys.keys().any(|key| says_kind(key));
    (entities.len() > 1 && !keyed).then_some((layout, entities.len() - 1))
}

fn item_place(layout: &TableLayout, name: &str) -> Place {
    let item = layout.items.iter().find(|item| item.entity == name);
    Place { decl: layout.decl, range: item.map_or(layout.name.range, |item| item.range) }
}

/// The name that the other entities of the table give it, else one of the custom in
/// the entity's own spelling.
fn attribute_name(cx: &Cx<'_>, layout: &TableLayout, entity: &EntityDef) -> String {
    let others = layout.items.iter().filter_map(|item| entity_def(cx.db, item.entity_decl?));
    let mut named = others.flat_map(|other| &other.attributes).map(|attribute| &attribute.name.text);
    named.find(|name| says_kind(name)).cloned().unwrap_or_else(|| match CaseStyle::of(entity) {
        CaseStyle::Snake => "entity_type".to_owned(),
        CaseStyle::Camel | CaseStyle::Pascal => "EntityType".to_owned(),
    })
}
