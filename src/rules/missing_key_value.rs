//! An item without a value for a key of its table.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::key_value;
use super::heat_show::item_def;
use super::orphan_key_value::misspells;
use super::rule::{Group, Rule};
use crate::model::defs::{KeyType, KeyValueDef};
use crate::model::layout::{ItemLayout, KeyAttribute, TableLayout, keys_of};
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
            let def = item_def(cx, item);
            let is_key = |name: &str| keys_of(table).flat_map(|key| &key.parts).any(|part| part.name.text == name);
            let mut values = def.into_iter().flat_map(|def| &def.values);
            let meant = values.find(|value| !is_key(&value.key.text) && misspells(&value.key.text, &key.name));
            if let Some(meant) = meant {
                report_misspelt(cx, item, key, meant);
                continue;
            }
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

/// The block gives the value under a name that is no key, but near to this one.
fn report_misspelt(cx: &mut Cx<'_>, item: &ItemLayout, key: &KeyAttribute, meant: &KeyValueDef) {
    let (name, written) = (&key.name, &meant.key.text);
    let message = format!(
        "item `{}` gives key `{name}` no value: its block sets `{written}`, which is no key, and DynamoDB refuses an item \
         without its whole primary key; did you mean `{name}`?",
        item.entity
    );
    let place = cx.place(meant.key.range);
    let part = cx.place(key.range);
    let finding = cx.report(item.range, message);
    finding.relate(place, format!("`{written}` is set here")).relate(part, format!("the key `{name}`"));
    finding.fix(format!("Change `{written}` to `{name}`"), vec![Edit::Replace { place, text: quote_name(name) }]);
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
