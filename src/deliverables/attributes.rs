//! The attributes of the items in a table.

use super::markdown::{code, codes, inline, prose, sentence};
use super::numbers::{declared, measure};
use super::outline::Outline;
use super::spell;
use crate::model::defs::*;
use crate::model::key::KeyValue;
use crate::model::layout::TableLayout;
use crate::model::names::entity_def;
use crate::syntax::Unit;
use crate::syntax::strings::quote_name;

/// A row of a table's attributes.
pub(super) struct AttributeRow {
    pub entity: String,
    pub name: String,
    pub ty: String,
    pub notes: String,
}

/// The attributes of each item: its entity's, the computed keys, and what it
/// embeds.
pub(super) fn attributes(outline: &Outline<'_>, layout: &TableLayout) -> Vec<AttributeRow> {
    let mut rows = Vec::new();
    for item in &layout.items {
        let entity_name = inline(&item.entity);
        let entity = item.entity_decl.and_then(|decl| entity_def(outline.db, decl));
        for (name, source) in &item.keys {
            if entity.is_some_and(|entity| entity.attribute(name).is_some()) {
                continue;
            }
            let ty = key_type(layout, name);
            rows.push(AttributeRow {
                entity: entity_name.clone(),
                name: code(name),
                ty: ty.map_or_else(|| String::from("not declared"), |ty| typed(ty.word(), Some(ty.letter()))),
                notes: format!("computed: {}", code(&spell::key_value(&source.value))),
            });
        }
        for attribute in entity.into_iter().flat_map(|entity| &entity.attributes) {
            rows.push(attribute_row(
                &entity_name,
                "",
                attribute,
                item.keys.get(&attribute.name.text).map(|s| &s.value),
            ));
        }
        for embed in &item.embeds {
            let list = embed.list.as_deref().unwrap_or("?");
            rows.push(AttributeRow {
                entity: entity_name.clone(),
                name: code(list),
                ty: typed("list", Some("L")),
                notes: format!("the embedded {} of the item", inline(&embed.entity)),
            });
            let embedded = embed.entity_decl.and_then(|decl| entity_def(outline.db, decl));
            for attribute in embedded.into_iter().flat_map(|entity| &entity.attributes) {
                // The parent's id is in the parent's own item already.
                if attribute.of.as_ref().is_some_and(|of| of.text == item.entity) {
                    continue;
                }
                rows.push(attribute_row(&entity_name, &format!("{list}[]."), attribute, None));
            }
        }
    }
    rows
}

/// A type of the language with the one that DynamoDB stores.
fn typed(written: &str, stored: Option<&str>) -> String {
    match stored {
        Some(stored) => format!("{} ({stored})", code(written)),
        None => code(written),
    }
}

fn key_type(layout: &TableLayout, name: &str) -> Option<KeyType> {
    let indexes = layout.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort));
    layout.primary_key().chain(indexes).find(|attribute| attribute.name == name)?.ty
}

fn attribute_row(entity: &str, prefix: &str, attribute: &AttributeDef, key: Option<&KeyValue>) -> AttributeRow {
    let mut notes = Vec::new();
    if let Some(doc) = attribute.doc.as_deref().filter(|doc| !doc.trim().is_empty()) {
        notes.push(sentence(&prose(doc)).trim_end_matches('.').to_owned());
    }
    if attribute.id {
        notes.push(String::from("identity"));
    }
    if let Some(unique) = &attribute.unique {
        notes.push(match unique.scope.is_empty() {
            true => String::from("unique"),
            false => format!("unique within {}", codes(unique.scope.iter().map(|name| name.text.as_str()))),
        });
    }
    if attribute.optional {
        let present = attribute.present.as_ref().and_then(|present| declared(present, Unit::Percent));
        let present = present.map(|present| format!(", on {present} of the items")).unwrap_or_default();
        notes.push(format!("optional{present}"));
    }
    if attribute.immutable.is_some() {
        notes.push(String::from("immutable"));
    }
    if let Some(of) = &attribute.of {
        notes.push(format!("id of {}", inline(&of.text)));
    }
    if let Some(source) = &attribute.copied_from {
        let from = source.attribute.as_ref().map_or("?", |name| name.text.as_str());
        notes.push(format!("copy of {}.{}", inline(&source.entity.text), code(from)));
    }
    if let Some(size) = attribute.size.as_ref().and_then(|size| measure(size, Unit::Size)) {
        notes.push(size);
    }
    // A key that computes its value stores that instead of the attribute.
    if let Some(value) = key.map(spell::key_value).filter(|value| *value != quote_name(&attribute.name.text)) {
        notes.push(format!("stored as {}", code(&value)));
    }
    if let Some(example) = &attribute.example {
        notes.push(format!("for example {}", code(example)));
    }
    AttributeRow {
        entity: entity.to_owned(),
        name: code(&format!("{prefix}{}", attribute.name.text)),
        ty: typed(&attribute.ty.spelling(), spell::stored_as(&attribute.ty)),
        notes: if notes.is_empty() { String::from("–") } else { notes.join("; ") },
    }
}
