//! An entity that is over after a while, in a table that never deletes it.

use super::attribute_column::add_attributes;
use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::{CaseStyle, listed};
use super::rule::{Group, Rule};
use crate::capacity::cost::price;
use crate::capacity::figure::Figure;
use crate::capacity::prices::{GB, Priced, STORED_BESIDES};
use crate::capacity::show;
use crate::capacity::stock::stocks;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::TableLayout;
use crate::model::names::table_def;
use crate::model::uses::{expires_by, items_of};
use crate::syntax::Unit;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "lifetime-without-ttl",
    group: Group::Cost,
    level: Level::Warning,
    summary: "an entity has a `lifetime`, and a table that holds it has no `ttl` attribute that it has",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    let Some(lifetime) = entity.lifetime.as_ref().filter(|lifetime| lifetime.get(Unit::Duration).is_some()) else {
        return;
    };
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    if cx.is_broken() || cx.names().entity(&name) != Some(cx.decl) {
        return;
    }
    let tables: Vec<&TableLayout> = items_of(cx.db, cx.root, &name)
        .filter(|(layout, item)| item.entity == name && expires_by(cx.db, layout, item).is_none())
        .map(|(layout, _)| layout)
        // A table or a `ttl` that cannot be read is a fault of its own.
        .filter(|layout| cx.is_whole(layout.decl) && ttl_is_sound(cx, layout.decl))
        .collect();
    if tables.is_empty() {
        return;
    }
    let labels: Vec<&str> = tables.iter().map(|layout| layout.name.text.as_str()).collect();
    let message = format!(
        "`{name}` is over after {}, and {} {}: it stays, and is read and paid for until somebody deletes it{}; give the \
         table a `ttl` with an `epoch` attribute of the entity: DynamoDB then deletes for nothing",
        lifetime.written,
        listed(&labels),
        if labels.len() == 1 { "never deletes it" } else { "never delete it" },
        growth(cx, entity, &tables, &name),
    );
    let fix = fix(cx, entity, &tables);
    let places: Vec<Place> = tables.iter().filter_map(|layout| cx.name_place(layout.decl)).collect();
    let finding = cx.report(lifetime.range, message);
    for place in places {
        finding.relate(place, "it is kept here");
        finding.about(place);
    }
    if let Some((title, edits)) = fix {
        finding.fix(title, edits);
    }
}

fn ttl_is_sound(cx: &Cx<'_>, table: Decl) -> bool {
    let ttl = table_def(cx.db, table).and_then(|table| table.ttl.as_ref());
    ttl.is_none_or(|ttl| ttl.attribute.is_some())
}

/// What a month adds, where the entity says how it grows.
fn growth(cx: &Cx<'_>, entity: &EntityDef, tables: &[&TableLayout], name: &str) -> String {
    let Some(rate) = entity.growing.as_ref().and_then(|rate| rate.get(Unit::Rate)).filter(|rate| *rate > 0.0) else {
        return String::new();
    };
    let month = rate * crate::capacity::prices::MONTH_SECONDS;
    let (mut bytes, mut dollars) = (Figure::ZERO, Figure::ZERO);
    for layout in tables {
        let kinds = stocks(cx.db, cx.root, layout.decl).iter().flat_map(|stock| &stock.kinds);
        let own = kinds.filter(|kind| kind.entity == *name);
        let each: Figure = own.map(|kind| kind.share.times(&kind.each.plus(&Figure::known(STORED_BESIDES)))).sum();
        dollars =
            dollars.plus(&each.times(&price(cx.db, cx.root, layout.decl, Priced::StorageGbMonth)).scaled(1.0 / GB));
        bytes = bytes.plus(&each);
    }
    match (bytes.value(), dollars.value()) {
        (Some(bytes), Some(usd)) => {
            format!(", {} and {} a month more each month", show::bytes(bytes * month), show::dollars(usd * month))
        }
        (Some(bytes), None) => format!(", {} more each month", show::bytes(bytes * month)),
        _ => String::new(),
    }
}

/// A `ttl` for the tables that have none, and the attribute that the entity lacks.
/// `None` where the tables expire by attributes of several names.
fn fix(cx: &Cx<'_>, entity: &EntityDef, tables: &[&TableLayout]) -> Option<(String, Vec<Edit>)> {
    let declared = |layout: &&TableLayout| table_def(cx.db, layout.decl)?.ttl.as_ref()?.attribute.as_ref();
    let mut names: Vec<&str> = tables.iter().filter_map(declared).map(|name| name.text.as_str()).collect();
    names.dedup();
    let name = match names.as_slice() {
        [] => own_attribute(entity).unwrap_or_else(|| new_name(entity)),
        [only] => (*only).to_owned(),
        _ => return None,
    };
    let mut edits = Vec::new();
    if entity.attribute(&name).is_none() {
        edits.extend(add_attributes(&cx.chunk().text, cx.decl, entity, &[(quote_name(&name), "epoch".to_owned())])?);
    }
    let mut given = Vec::new();
    for layout in tables.iter().filter(|layout| declared(layout).is_none()) {
        let body = table_def(cx.db, layout.decl)?.body?;
        let lines = format!("ttl {}", quote_name(&name));
        edits.push(Edit::AppendToBlock { block: Place { decl: layout.decl, range: body }, lines });
        given.push(layout.name.text.as_str());
    }
    let title = match given.is_empty() {
        true => format!("Add `{name}: epoch`, by which the table deletes"),
        false => format!("Let {} delete by `{name}`", listed(&given)),
    };
    Some((title, edits))
}

/// An attribute of the entity that says when it is over.
fn own_attribute(entity: &EntityDef) -> Option<String> {
    let says = |attribute: &&AttributeDef| {
        let name = attribute.name.text.to_lowercase();
        attribute.ty == Type::Epoch
            && ["expire", "expiry", "expiration", "ttl", "delete_at"].iter().any(|word| name.contains(word))
    };
    entity.attributes.iter().find(says).map(|attribute| attribute.name.text.clone())
}

fn new_name(entity: &EntityDef) -> String {
    let name = CaseStyle::of(entity).join("expires", "at");
    super::fixes::free_name(&name, |name| entity.attribute(name).is_some())
}
