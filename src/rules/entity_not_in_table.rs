//! An operation on an entity in a table that does not hold it.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::{key_value, listed};
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::identity::always_same_key;
use crate::model::key::{KeySource, KeyValue};
use crate::model::layout::{ItemLayout, TableLayout, placements};
use crate::model::names::{entity_def, table_def};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "entity-not-in-table",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an operation names an entity that its table neither holds nor embeds",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        report(cx, step);
    }
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>) {
    let op = &step.step.op;
    let (Some(subject), Some(table), Some(decl)) = (op.subject(), op.table(), step.resolved.table) else { return };
    let entity = &subject.entity.text;
    let Some(layout) = cx.layout(decl) else { return };
    // An item clause that cannot be read may be the one that is missed.
    if cx.names().entity(entity).is_none() || !cx.is_whole(decl) || layout.item_of(entity).is_some() {
        return;
    }
    // An item or a list of something that nobody declares is the one that is missed.
    let mut embeds = layout.items.iter().flat_map(|item| &item.embeds);
    if layout.items.iter().any(|item| item.entity_decl.is_none()) || embeds.any(|e| e.entity_decl.is_none()) {
        return;
    }
    let homes: Vec<Decl> = placements(cx.db, cx.root).get(entity).cloned().unwrap_or_default();
    let names: Vec<&str> = homes.iter().filter_map(|home| Some(cx.layout(*home)?.name.text.as_str())).collect();
    let (advice, instead) = match names.as_slice() {
        [] => ("no table holds it yet".to_owned(), format!("declare `item {}` in a table", quote_name(entity))),
        _ => (format!("it is kept in {}", listed(&names)), "aim there, or declare the item here".to_owned()),
    };
    let message = format!(
        "table `{}` neither holds nor embeds `{entity}`, so this `{}` has no key to use: {advice}; {instead}",
        table.text,
        op.word()
    );
    // An index is one of the table that is left.
    let target = match op {
        OpDef::Get { target, .. } => target.range,
        _ => table.range,
    };
    let place = cx.place(target);
    let related: Vec<Place> = homes
        .iter()
        .filter_map(|home| Some(Place { decl: *home, range: cx.layout(*home)?.item_of(entity)?.range }))
        .collect();
    let body = table_def(cx.db, decl).and_then(|table| table.body);
    let own = cx.name_place(decl);
    // Declared here, a get of an index would be the next fault.
    let lines = match cx.names().entity(entity) {
        Some(of) if op.index().is_none() => item_clause(cx, layout, entity, of),
        _ => None,
    };
    let finding = cx.report(table.range, message);
    if let Some(own) = own {
        finding.relate(own, "the table");
    }
    for place in related {
        finding.relate(place, format!("`{entity}` is here"));
    }
    for name in names {
        let edit = Edit::Replace { place, text: quote_name(name) };
        finding.suggest(format!("Aim at table `{name}`"), vec![edit]);
    }
    if let (Some(body), Some(lines)) = (body, lines) {
        let edit = Edit::AppendToBlock { block: Place { decl, range: body }, lines };
        finding.suggest(format!("Declare `{entity}` in table `{}`", table.text), vec![edit]);
    }
}

/// The clause that places an entity in a table, with values for the keys that its
/// attributes do not give. `None` where it has none to give, or where another item
/// has the same key.
fn item_clause(cx: &Cx<'_>, layout: &TableLayout, entity: &str, of: Decl) -> Option<String> {
    let def = entity_def(cx.db, of)?;
    let (given, open): (Vec<_>, Vec<_>) = layout.primary_key().partition(|key| def.attribute(&key.name).is_some());
    let values: Vec<String> = open
        .iter()
        .map(|key| Some(format!("{} = {}", quote_name(&key.name), key_value(key, entity, def)?)))
        .collect::<Option<_>>()?;
    let keys = given.iter().map(|key| {
        let value = KeyValue::of_attribute(&key.name, def.attribute(&key.name));
        (key.name.clone(), KeySource::new(value, Some(def)))
    });
    // The values that are proposed begin with the entity's name, which tells it apart.
    let item = ItemLayout {
        entity: entity.to_owned(),
        entity_decl: Some(of),
        range: TextRange::default(),
        embeds: Vec::new(),
        keys: keys.collect(),
    };
    if layout.items.iter().any(|other| always_same_key(cx.db, cx.root, layout, other, &item)) {
        return None;
    }
    let item = format!("item {}", quote_name(entity));
    Some(match values.as_slice() {
        [] => item,
        [value] => format!("{item} {{ {value} }}"),
        values => format!("{item} {{\n  {}\n}}", values.join("\n  ")),
    })
}
