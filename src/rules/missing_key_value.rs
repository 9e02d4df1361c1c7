//! An item without a value for a key of its table.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::key_value;
use super::rule::{Group, Rule};
use crate::model::defs::KeyType;
use crate::model::layout::{ItemLayout, KeyAttribute, TableLayout};
use crate::model::names::{entity_def, table_def};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "missing-key-value",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an item gives no value to a key attribute of its table",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    if cx.is_broken() {
        return;
    }
    let Some(table) = table_def(cx.db, cx.decl) else { return };
    for item in &layout.items {
        // What an entity that nobody declares has is not known.
        let Some(entity) = item.entity_decl.and_then(|decl| entity_def(cx.db, decl)) else { continue };
        for key in layout.primary_key().filter(|key| !item.keys.contains_key(&key.name)) {
            // A key that no item gives a value, and that has no type, is unknown as a whole.
            if key.ty.is_none() {
                continue;
            }
            let def = table.items.iter().find(|def| def.entity.as_ref().is_some_and(|name| name.range == item.range));
            let Some(value) = key_value(key, &item.entity, entity) else {
                report_untold(cx, item, key);
                continue;
            };
            let line = format!("{} = {value}", quote_name(&key.name));
            let edit = match def.and_then(|def| def.body) {
                Some(body) => Edit::AppendToBlock { block: Place { decl: cx.decl, range: body }, lines: line.clone() },
                None => {
                    let end = def.map_or(item.range.end, |def| def.range.end) as usize;
                    let place = Place { decl: cx.decl, range: TextRange::empty(end) };
                    Edit::Replace { place, text: format!(" {{ {line} }}") }
                }
            };
            let place = Place { decl: cx.decl, range: key.range };
            let message = format!(
                "item `{}` gives key `{}` no value: it has no attribute of that name and its block does not set it, \
                 and DynamoDB refuses an item without its whole primary key; set `{line}`",
                item.entity, key.name
            );
            cx.report(item.range, message)
                .relate(place, format!("the key `{}`", key.name))
                .suggest(format!("Set `{line}`"), vec![edit]);
        }
    }
}

/// The entity has nothing that could be the value.
fn report_untold(cx: &mut Cx<'_>, item: &ItemLayout, key: &KeyAttribute) {
    let place = Place { decl: cx.decl, range: key.range };
    let ty = key.ty.map_or("", KeyType::word);
    let message = format!(
        "item `{}` gives key `{}` no value: it has no attribute of that name and its block does not set it, and \
         DynamoDB refuses an item without its whole primary key; give the entity a {ty} for it",
        item.entity, key.name
    );
    cx.report(item.range, message).relate(place, format!("the key `{}`", key.name));
}
