//! A key attribute of a type that no key can have.

use super::attribute_column::attributes_after;
use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::{CaseStyle, free_name};
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, ItemLayout, KeyAttribute, TableLayout};
use crate::model::names::{entity_def, pattern_def, table_def};
use crate::model::resolve::patterns_of_tables;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "key-type-invalid",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a table or index key attribute is a boolean, list, map or set",
    thresholds: &[],
    check: Check::Table(check),
};

/// A value that a key cannot hold.
struct Invalid<'db> {
    item: &'db ItemLayout,
    entity_decl: Decl,
    attribute: &'db AttributeDef,
    /// Where the item's block computes the value.
    written: Option<TextRange>,
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // An attribute has one definition however many keys it is in: one finding.
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let table_keys = layout.primary_key().map(|key| (None, key));
    let index_keys = layout
        .indexes
        .iter()
        .flat_map(|index| index.partition.iter().chain(&index.sort).map(move |key| (Some(index), key)));
    let keys: Vec<(Option<&IndexLayout>, &KeyAttribute)> = table_keys.chain(index_keys).collect();
    for (index, key) in keys {
        if !seen.insert(&key.name) {
            continue;
        }
        let mut on_part = false;
        for item in &layout.items {
            let Some(invalid) = invalid(cx, item, &key.name) else { continue };
            // The part is one place for all items that have the attribute.
            if invalid.written.is_none() && std::mem::replace(&mut on_part, true) {
                continue;
            }
            report(cx, layout, index, key, &invalid);
        }
    }
}

fn invalid<'db>(cx: &Cx<'db>, item: &'db ItemLayout, key: &str) -> Option<Invalid<'db>> {
    let entity_decl = item.entity_decl?;
    let source = item.keys.get(key)?;
    let entity = entity_def(cx.db, entity_decl)?;
    // A template writes a boolean as text; a collection has no text to write.
    let is_invalid = |attribute: &&AttributeDef| {
        let text = source.template && attribute.ty == Type::Boolean;
        !text && attribute.ty.key_type().is_none() && attribute.ty != Type::Missing
    };
    let mut used = source.value.attributes().into_iter().filter_map(|name| entity.attribute(name));
    let attribute = used.find(is_invalid)?;
    let def =
        table_def(cx.db, cx.decl)?.items.iter().find(|def| def.entity.as_ref().is_some_and(|e| e.range == item.range));
    let value = def.and_then(|def| def.values.iter().rev().find(|value| value.key.text == key));
    let written = value.and_then(|value| value.value.as_ref()).map(KeyExpr::range);
    Some(Invalid { item, entity_decl, attribute, written })
}

fn report(
    cx: &mut Cx<'_>,
    layout: &TableLayout,
    index: Option<&IndexLayout>,
    key: &KeyAttribute,
    invalid: &Invalid<'_>,
) {
    let Invalid { item, attribute, .. } = invalid;
    let what = match index {
        Some(index) => format!("{} `{}`", index.kind.short(), index.name.text),
        None => "the table".to_owned(),
    };
    let advice = match (&attribute.ty, index) {
        (Type::Boolean, Some(_)) => {
            "index a marker instead: a string that is there only while it is true keeps the index small as well"
        }
        (Type::Boolean, None) => {
            "two values spread no load either; key the table by an attribute that tells items apart"
        }
        _ => "key by a string, number or binary that is computed from it, or by another attribute",
    };
    let message = format!(
        "`{}` is a key of {what}, and `{}.{}` is a {}: DynamoDB takes only a string, number or binary as a key and refuses \
         every write of the item; {advice}",
        key.name,
        item.entity,
        attribute.name.text,
        attribute.ty.spelling()
    );
    let edits = index.and_then(|_| marker(cx, layout, key, invalid));
    let place = Place { decl: invalid.entity_decl, range: attribute.name.range };
    let finding = cx.report(invalid.written.unwrap_or(key.range), message);
    finding.relate(place, format!("`{}` is declared here", attribute.name.text));
    if let Some((name, edits)) = edits {
        finding.suggest(format!("Key the index by a sparse marker `{name}`"), edits);
    }
}

/// The edits that put an optional enum attribute of one value in the place of a
/// boolean: in the entity, in the key, and in the queries that ask for `true`.
/// None where a query asks for what is false, which a marker cannot answer.
fn marker(cx: &Cx<'_>, layout: &TableLayout, key: &KeyAttribute, invalid: &Invalid<'_>) -> Option<(String, Vec<Edit>)> {
    let attribute = invalid.attribute;
    let in_table_key = layout.primary_key().any(|part| part.name == key.name);
    let shared = layout.items.iter().filter(|item| item.keys.contains_key(&key.name)).count() > 1;
    // Other items have the key too: taking it from them needs a decision.
    if attribute.ty != Type::Boolean || in_table_key || (shared && invalid.written.is_none()) {
        return None;
    }
    let entity = entity_def(cx.db, invalid.entity_decl)?;
    let value = bare(&attribute.name.text);
    let name = free_name(&CaseStyle::of(entity).join(&value, "marker"), |name| entity.attribute(name).is_some());
    let added = [(quote_name(&name), format!("enum({})?", quote_name(&value)))];
    let text = &invalid.entity_decl.chunk(cx.db).text;
    let mut edits = attributes_after(text, invalid.entity_decl, entity, attribute, &added);
    match invalid.written {
        Some(range) => edits.push(Edit::Replace { place: cx.place(range), text: quote_name(&name) }),
        None => {
            // One attribute may be a key of several indexes.
            let all = layout.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort));
            let mut ranges: Vec<TextRange> = all.filter(|part| part.name == key.name).map(|part| part.range).collect();
            ranges.dedup();
            edits.extend(
                ranges.into_iter().map(|range| Edit::Replace { place: cx.place(range), text: quote_name(&name) }),
            );
        }
    }
    let asked = if invalid.written.is_some() { key.name.clone() } else { name.clone() };
    for pattern in patterns_of_tables(cx.db, cx.root).get(&cx.decl).map(Vec::as_slice).unwrap_or_default() {
        for (_, step) in pattern_def(cx.db, *pattern)?.steps() {
            let OpDef::Query { conditions: Some(conditions), .. } = &step.op else { continue };
            if !step.op.index().is_some_and(|index| key_of(layout, &index.text, &key.name)) {
                continue;
            }
            for leaf in conditions.leaves() {
                let Term::Comparison(comparison) = leaf else { continue };
                if comparison.attribute.text != key.name {
                    continue;
                }
                if comparison.operands.iter().any(|operand| matches!(operand, OperandDef::Boolean { value: false, .. }))
                {
                    return None;
                }
                let place = Place { decl: *pattern, range: comparison.range };
                edits.push(Edit::Replace { place, text: format!("{} = \"{value}\"", quote_name(&asked)) });
            }
        }
    }
    Some((name, edits))
}

/// Whether a key of the index with this name has the attribute.
fn key_of(layout: &TableLayout, index: &str, attribute: &str) -> bool {
    layout
        .index(index)
        .is_some_and(|index| index.partition.iter().chain(&index.sort).any(|part| part.name == attribute))
}

/// `is_open`, `isOpen` and `has_open` as `open`: the value that a marker has.
fn bare(name: &str) -> String {
    for prefix in ["is", "has", "Is", "Has"] {
        let Some(rest) = name.strip_prefix(prefix) else { continue };
        let rest = match rest.strip_prefix('_') {
            Some(rest) => rest,
            None if rest.starts_with(|c: char| c.is_ascii_uppercase()) => rest,
            None => continue,
        };
        if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return rest.to_lowercase();
        }
    }
    name.to_lowercase()
}
