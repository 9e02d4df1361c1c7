//! `PK`, `SK`, `GSI1`: names that say nothing of what they hold.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::{free_name, index_name, without_id};
use super::renames::{named, rename};
use super::rule::{Group, Rule};
use super::school::follows;
use crate::model::defs::*;
use crate::model::key::KeyValue;
use crate::model::layout::{IndexLayout, KeyAttribute, TableLayout, table_attributes};
use crate::model::names::entity_def;
use crate::model::refs::What;
use crate::syntax::TextRange;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "generic-key-name",
    group: Group::Design,
    level: Level::Warning,
    summary: "a key or index of a model in the aggregate style is named PK, SK or GSI1 and the like",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    if !follows(cx, Style::Aggregate) {
        return;
    }
    let attributes = table_attributes(cx.db, cx.root, cx.decl);
    // Suggestions of one table must not meet, so they are made together.
    let mut taken: BTreeSet<String> = attributes.clone();
    for key in generic_keys(layout) {
        let holds = key.values(layout);
        // An attribute of an entity that bears the name is renamed by its entity,
        // where other tables and patterns have a say as well.
        let is_attribute = layout.items.iter().any(|item| {
            let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
            entity.is_some_and(|entity| entity.attribute(&key.attribute.name).is_some())
        });
        let name = (!is_attribute).then(|| key_name(cx, layout, &key, &holds, &taken)).flatten();
        let places = named(cx, layout, &key.attribute.name, What::Key);
        let example = holds.first().map_or(String::new(), |value| format!(" (such as {})", value.spelling()));
        report(
            cx,
            key.attribute.range,
            &key.attribute.name,
            &format!("what the key holds{example}"),
            name.clone(),
            places,
        );
        taken.extend(name);
    }
    let mut indexes: BTreeSet<String> = layout.indexes.iter().map(|index| index.name.text.clone()).collect();
    for index in layout.indexes.iter().filter(|index| is_generic(&index.name.text)) {
        let name = suggested_index(layout, index).map(|name| free_name(&name, |name| indexes.contains(name)));
        let places = named(cx, layout, &index.name.text, What::Index);
        report(cx, index.name.range, &index.name.text, "what the index finds", name.clone(), places);
        indexes.extend(name);
    }
}

fn report(cx: &mut Cx<'_>, range: TextRange, name: &str, what: &str, better: Option<String>, places: Vec<Place>) {
    let advice = match &better {
        Some(better) => format!("name it after that, `{better}`"),
        None => "name it after that".to_owned(),
    };
    let own = cx.place(range);
    let finding = cx.report(
        range,
        format!(
            "`{name}` does not say {what}, so that every condition has to be read beside the item blocks; {advice}, \
             or let the application say `style single_table`"
        ),
    );
    // Whoever has a hundred conditions need not be shown each.
    for place in places.iter().filter(|place| **place != own).take(5) {
        finding.relate(*place, "named here");
    }
    let Some(better) = better else { return };
    let (title, edits) = rename(name, &better, own, places);
    finding.suggest(title, edits);
}

/// `PK`, `SK`, `GSI1`, `GSI1PK`, `LSI2SK` and the like.
fn is_generic(name: &str) -> bool {
    if matches!(name, "PK" | "SK") {
        return true;
    }
    let Some(rest) = name.strip_prefix("GSI").or_else(|| name.strip_prefix("LSI")) else { return false };
    let digits = rest.strip_suffix("PK").or_else(|| rest.strip_suffix("SK")).unwrap_or(rest);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// A key attribute with a generic name, where it is named first.
struct GenericKey<'l> {
    attribute: &'l KeyAttribute,
    partition: bool,
    index: bool,
}

/// The generic names among the keys of a table, each once.
fn generic_keys(layout: &TableLayout) -> Vec<GenericKey<'_>> {
    let own = [(&layout.partition, true, false), (&layout.sort, false, false)];
    let indexes = layout.indexes.iter();
    let of_indexes = indexes.flat_map(|index| [(&index.partition, true, true), (&index.sort, false, true)]);
    let keys = own.into_iter().chain(of_indexes);
    let mut all: Vec<GenericKey<'_>> = keys
        .flat_map(|(keys, partition, index)| {
            keys.iter().map(move |attribute| GenericKey { attribute, partition, index })
        })
        .collect();
    let mut seen = BTreeSet::new();
    all.retain(|key| is_generic(&key.attribute.name) && seen.insert(&key.attribute.name));
    all
}

impl GenericKey<'_> {
    /// The values that items give the key, each once.
    fn values<'l>(&self, layout: &'l TableLayout) -> Vec<&'l KeyValue> {
        let mut values: Vec<&KeyValue> = Vec::new();
        for source in layout.items.iter().filter_map(|item| item.keys.get(&self.attribute.name)) {
            if !values.contains(&&source.value) {
                values.push(&source.value);
            }
        }
        values
    }
}

/// A name for a key from what it holds: of one attribute, `user_key`; of
/// literals alone, `record_type`; of this and that, `collection_key` where it
/// groups items and `record_key` where it orders them. Never the attribute's own
/// name: the computed value would then take the attribute's place in the item.
fn key_name(
    cx: &Cx<'_>,
    layout: &TableLayout,
    key: &GenericKey<'_>,
    holds: &[&KeyValue],
    taken: &BTreeSet<String>,
) -> Option<String> {
    let attributes: BTreeSet<&str> = holds.iter().filter_map(|value| value.attributes().last().copied()).collect();
    let camel = is_camel(cx, layout);
    let join = |words: &[&str]| {
        if !camel {
            return words.join("_");
        }
        let (first, rest) = words.split_at(1);
        first.iter().map(|word| (*word).to_owned()).chain(rest.iter().map(|word| super::fixes::pascal(word))).collect()
    };
    let literal = holds.iter().all(|value| value.as_literal().is_some());
    let stem = match attributes.iter().next() {
        _ if holds.is_empty() => return None,
        Some(one) if attributes.len() == 1 && holds.iter().all(|value| value.as_literal().is_none()) => without_id(one),
        None if literal => "record",
        _ if key.partition => "collection",
        _ => "record",
    };
    let last = if literal { "type" } else { "key" };
    let short = join(&[stem, last]);
    let long = join(&[stem, if key.index { "index" } else { "table" }, last]);
    let name = if taken.contains(&short) { long } else { short };
    Some(free_name(&name, |name| taken.contains(name)))
}

/// Whether the entities of a table name their attributes `likeThis`.
fn is_camel(cx: &Cx<'_>, layout: &TableLayout) -> bool {
    let entities = layout.items.iter().filter_map(|item| entity_def(cx.db, item.entity_decl?));
    let mut names = entities.flat_map(|entity| &entity.attributes).map(|attribute| attribute.name.text.as_str());
    names.any(|name| !name.contains('_') && name.chars().skip(1).any(char::is_uppercase))
}

/// `OrdersByUser`: what an index finds, and by what.
fn suggested_index(layout: &TableLayout, index: &IndexLayout) -> Option<String> {
    let source = layout.of_index(index);
    let entities: Vec<&str> = source.items().map(|item| item.entity.as_str()).collect();
    // A local index shares the table's partition key: what it adds is its sort key.
    let found_by = if index.kind == IndexKind::Local { &index.sort } else { &index.partition };
    let values = source.items().flat_map(|item| {
        found_by.iter().filter_map(|key| item.keys.get(&key.name)).flat_map(|key| key.value.attributes())
    });
    let mut by: Vec<&str> = Vec::new();
    for attribute in values {
        if !by.contains(&attribute) {
            by.push(attribute);
        }
    }
    match entities.as_slice() {
        [] => None,
        [one] => Some(index_name(one, &by)),
        _ => Some(index_name("Item", &by[..by.len().min(1)])),
    }
}
