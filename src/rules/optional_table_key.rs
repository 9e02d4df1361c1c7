//! A key of a table that some items would not have.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::key_uses::{items, written};
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, KeyAttribute, TableLayout};
use crate::model::names::{entity_def, pattern_def};
use crate::model::resolve::patterns_of_entity;
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "optional-table-key",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a table key takes its value from an optional attribute",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let mut keys: Vec<&KeyAttribute> = Vec::new();
    for key in layout.primary_key() {
        // An attribute twice in one key is a fault of its own.
        if !keys.iter().any(|other| other.name == key.name) {
            keys.push(key);
        }
    }
    for key in keys {
        let mut on_part = false;
        for (item, def) in items(cx, layout) {
            let Some(decl) = item.entity_decl else { continue };
            let optional = optional(cx, decl, item, key);
            let range = written(def, &key.name).map(KeyExpr::range);
            // The part is one place for all items that have the attribute.
            if optional.is_empty() || (range.is_none() && std::mem::replace(&mut on_part, true)) {
                continue;
            }
            report(cx, decl, item, key, range, &optional);
        }
    }
}

fn optional<'db>(cx: &Cx<'db>, decl: Decl, item: &ItemLayout, key: &KeyAttribute) -> Vec<&'db AttributeDef> {
    let (Some(source), Some(entity)) = (item.keys.get(&key.name), entity_def(cx.db, decl)) else { return Vec::new() };
    let used = source.value.attributes().into_iter().filter_map(|name| entity.attribute(name));
    used.filter(|attribute| attribute.optional).collect()
}

fn report(
    cx: &mut Cx<'_>,
    decl: Decl,
    item: &ItemLayout,
    key: &KeyAttribute,
    range: Option<TextRange>,
    optional: &[&AttributeDef],
) {
    let names: Vec<&str> = optional.iter().map(|attribute| attribute.name.text.as_str()).collect();
    let names = listed(&names);
    let (is, without) = match optional {
        [_] => ("is optional", "without it"),
        _ => ("are optional", "without one of them"),
    };
    let present = match optional {
        [one] => one.present.as_ref().map_or(String::new(), |present| format!(", present on {},", present.written)),
        _ => String::new(),
    };
    let message = format!(
        "{names} of `{}` {is}{present} and the table's key `{}` is made of it: DynamoDB refuses an item without its whole \
         primary key, so that no `{}` {without} can be stored; make it required, or key the table by what every item has",
        item.entity, key.name, item.entity
    );
    let edits = required(cx, decl, &item.entity, optional);
    let part = cx.place(key.range);
    let finding = cx.report(range.unwrap_or(key.range), message);
    for attribute in optional {
        finding.relate(Place { decl, range: attribute.name.range }, "optional here");
    }
    if range.is_some() {
        finding.relate(part, format!("the key `{}`", key.name));
    }
    if let Some(edits) = edits {
        finding.suggest(format!("Make {names} required"), edits);
    }
}

/// Takes the `?` away. `None` where a pattern writes items without the attribute:
/// what is absent on purpose needs another key.
fn required(cx: &Cx<'_>, decl: Decl, entity: &str, optional: &[&AttributeDef]) -> Option<Vec<Edit>> {
    let is_one = |name: &Name| optional.iter().any(|attribute| attribute.name.text == name.text);
    let patterns = patterns_of_entity(cx.db, cx.root, entity);
    let steps = patterns.iter().filter_map(|pattern| pattern_def(cx.db, *pattern)).flat_map(PatternDef::steps);
    for (_, step) in steps.filter(|(_, step)| step.op.subject().is_some_and(|own| own.entity.text == entity)) {
        match &step.op {
            OpDef::Put { with: Some(_), .. } => return None,
            OpDef::Update { remove, .. } if remove.iter().any(is_one) => return None,
            _ => {}
        }
    }
    let text = &decl.chunk(cx.db).text;
    let remove =
        |start, end| Edit::Replace { place: Place { decl, range: TextRange::new(start, end) }, text: String::new() };
    let mut edits = Vec::new();
    for attribute in optional {
        let at = attribute.type_range.start as usize + text[attribute.type_range.indices()].rfind('?')?;
        edits.push(remove(at, at + 1));
        // How many have it is no question then.
        if let Some(present) = &attribute.present {
            let before = &text[attribute.range.start as usize..present.range.start as usize];
            let start = attribute.range.start as usize + before[..before.rfind("@present")?].trim_end().len();
            let end = present.range.end as usize;
            edits.push(remove(start, end + text[end..].find(')')? + 1));
        }
    }
    Some(edits)
}
