//! An item block that computes a key that there is not.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place, Tag};
use super::fixes::{listed, nearest};
use super::key_uses::items;
use super::rule::{Group, Rule};
use crate::capacity::facts::Declared;
use crate::capacity::show;
use crate::capacity::sizes::{Bound, entity, key_bytes};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout, keys_of};
use crate::model::names::{entity_def, table_def};
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "orphan-key-value",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "an item block sets a name that is no key of its table or indexes",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let Some(table) = table_def(cx.db, cx.decl) else { return };
    let parts: Vec<&KeyPart> = keys_of(table).flat_map(|key| &key.parts).collect();
    // What cannot be read may be the key; a table without any lacks that first; and
    // a key that nothing gives a value is a fault of its own, with this as its cause.
    let unknown =
        |part: &&KeyPart| part.ty.is_none() && layout.items.iter().all(|item| !item.keys.contains_key(&part.name.text));
    if cx.is_broken() || table.partition.is_none() || parts.iter().any(unknown) {
        return;
    }
    let is_key = |name: &str| parts.iter().any(|part| part.name.text == name);
    for (item, def) in items(cx, layout) {
        for value in def.values.iter().filter(|value| !is_key(&value.key.text)) {
            let is_told = layout.primary_key().any(|key| {
                key.ty.is_some()
                    && item.entity_decl.is_some()
                    && !item.keys.contains_key(&key.name)
                    && misspells(&value.key.text, &key.name)
            });
            if !is_told {
                report(cx, layout, item, value, &parts);
            }
        }
    }
}

/// Whether a name that is no key is one that was mistyped. Another number, as in
/// `GSI2PK` and `GSI1PK`, is another key.
pub fn misspells(name: &str, key: &str) -> bool {
    unnumbered(name) != unnumbered(key) && nearest(name, [key]).is_some()
}

/// A name with a mark for each number in it.
fn unnumbered(name: &str) -> String {
    let mut shape = String::new();
    for c in name.chars() {
        match c {
            '0'..='9' if shape.ends_with('#') => {}
            '0'..='9' => shape.push('#'),
            c => shape.push(c),
        }
    }
    shape
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, item: &ItemLayout, value: &KeyValueDef, parts: &[&KeyPart]) {
    let name = &value.key.text;
    let mut keys: Vec<&str> = Vec::new();
    for part in parts {
        if !keys.contains(&part.name.text.as_str()) {
            keys.push(&part.name.text);
        }
    }
    let free = keys.iter().copied().filter(|key| !item.keys.contains_key(*key) && misspells(name, key));
    let meant = nearest(name, free.filter(|key| fits(cx, item, value, parts, key)));
    let advice = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "remove it, or declare the index that is keyed by it".to_owned(),
    };
    let message = format!(
        "`{name}` is no key of table `{}` or of an index of it, whose keys are {}: it is stored{} with every `{}`, and \
         nothing finds an item by it; {advice}",
        layout.name.text,
        listed(&keys),
        bytes(cx, item, name),
        item.entity
    );
    let place = cx.place(value.key.range);
    let removal = Edit::RemoveLines { place: cx.place(value.range) };
    let related = meant.and_then(|meant| parts.iter().find(|part| part.name.text == meant));
    let related = related.map(|part| Place { range: part.name.range, ..place });
    let finding = cx.report(value.key.range, message);
    match meant {
        Some(meant) => {
            finding.fix(format!("Change to `{meant}`"), vec![Edit::Replace { place, text: quote_name(meant) }]);
            finding.suggest(format!("Remove `{name}`"), vec![removal]);
        }
        None => {
            finding.tag(Tag::Unnecessary).fix(format!("Remove `{name}`"), vec![removal]);
        }
    }
    if let Some(place) = related {
        finding.relate(place, "the key that may be meant");
    }
}

/// Whether the value has the type that the key is declared with.
fn fits(cx: &Cx<'_>, item: &ItemLayout, value: &KeyValueDef, parts: &[&KeyPart], key: &str) -> bool {
    let ty = match &value.value {
        Some(KeyExpr::Template { .. }) => Some(KeyType::String),
        Some(KeyExpr::Attribute(name)) => item
            .entity_decl
            .and_then(|decl| entity_def(cx.db, decl)?.attribute(&name.text))
            .and_then(|attribute| attribute.ty.key_type()),
        None => None,
    };
    let mut declared = parts.iter().filter(|part| part.name.text == key).filter_map(|part| part.ty);
    ty.is_none_or(|ty| declared.all(|declared| declared == ty))
}

/// " in 19 B": what the value adds to each item, where that is known.
fn bytes(cx: &Cx<'_>, item: &ItemLayout, name: &str) -> String {
    let facts = Declared { db: cx.db, root: cx.root };
    let value = item.keys.get(name).zip(entity(&facts, item));
    let size = value.and_then(|(source, entity)| key_bytes(entity, source, Bound::Avg).value());
    size.map_or(String::new(), |size| format!(", {} of it,", show::bytes(size + name.len() as f64)))
}
