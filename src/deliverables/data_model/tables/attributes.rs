//! The attributes of the items in a table.

use super::unique::unique;
use crate::deliverables::markdown::{code, inline, prose, sentence};
use crate::deliverables::numbers::{declared, measure};
use crate::deliverables::outline::Outline;
use crate::deliverables::patterns::Pattern;
use crate::deliverables::spell;
use crate::model::copies::updaters;
use crate::model::defs::*;
use crate::model::expression_name::{stands_bare, word};
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::names::entity_def;
use crate::syntax::Unit;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

/// A row of a table's attributes.
pub(super) struct AttributeRow {
    pub entity: String,
    pub name: String,
    pub ty: String,
    pub notes: String,
}

/// The attributes of each item: its entity's, the computed keys, and what it
/// embeds.
pub(super) fn attributes(outline: &Outline<'_>, layout: &TableLayout, patterns: &[Pattern<'_>]) -> Vec<AttributeRow> {
    let mut rows = Vec::new();
    let aliases = Aliases::of(outline, layout);
    for item in &layout.items {
        let entity = item.entity_decl.and_then(|decl| entity_def(outline.db, decl));
        for (name, source) in &item.keys {
            if entity.is_some_and(|entity| entity.attribute(name).is_some()) {
                continue;
            }
            let mut notes = vec![format!("computed: {}", code(&spell::key_value(&source.value)))];
            notes.extend(aliases.note(name));
            let ty = key_type(layout, name);
            rows.push(AttributeRow {
                entity: inline(&item.entity),
                name: code(name),
                ty: ty.map_or_else(|| String::from("not declared"), |ty| typed(ty.word(), Some(ty.letter()))),
                notes: notes.join("; "),
            });
        }
        let cx = Cx { outline, layout, patterns, item, aliases: &aliases };
        for attribute in entity.into_iter().flat_map(|entity| &entity.attributes) {
            rows.push(cx.row(&item.entity, None, attribute));
        }
        for embed in &item.embeds {
            let list = embed.list.as_deref().unwrap_or("?");
            let mut notes = vec![format!("the embedded {} of the item", inline(&embed.entity))];
            notes.extend(aliases.note(list));
            rows.push(AttributeRow {
                entity: inline(&item.entity),
                name: code(list),
                ty: typed("list", Some("L")),
                notes: notes.join("; "),
            });
            let embedded = embed.entity_decl.and_then(|decl| entity_def(outline.db, decl));
            for attribute in embedded.into_iter().flat_map(|entity| &entity.attributes) {
                // The parent's id is in the parent's own item already.
                if attribute.of.as_ref().is_some_and(|of| of.text == item.entity) {
                    continue;
                }
                rows.push(cx.row(&embed.entity, Some(list), attribute));
            }
        }
    }
    rows
}

/// Whose attributes are told of.
struct Cx<'o, 'db> {
    outline: &'o Outline<'db>,
    layout: &'o TableLayout,
    patterns: &'o [Pattern<'db>],
    item: &'o ItemLayout,
    aliases: &'o Aliases,
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

impl Cx<'_, '_> {
    /// An attribute of an entity, in the list that embeds it where it is embedded.
    fn row(&self, entity: &str, list: Option<&str>, attribute: &AttributeDef) -> AttributeRow {
        let name = &attribute.name.text;
        let mut notes = Vec::new();
        if let Some(doc) = attribute.doc.as_deref().filter(|doc| !doc.trim().is_empty()) {
            notes.push(sentence(&prose(doc)).trim_end_matches('.').to_owned());
        }
        if attribute.id {
            notes.push(String::from("identity"));
        }
        notes.extend(unique(self.outline, self.layout, entity, attribute, self.patterns));
        if attribute.optional {
            let present = attribute.present.as_ref().and_then(|present| declared(present, Unit::Percent));
            notes.push(match present {
                Some(present) => format!("optional, on {present} of the items"),
                None => String::from("optional, share of the items not declared"),
            });
        }
        if attribute.immutable.is_some() {
            notes.push(String::from("immutable"));
        }
        if let Some(of) = &attribute.of {
            notes.push(format!("id of {}", inline(&of.text)));
        }
        notes.extend(attribute.copied_from.as_ref().map(|source| self.copy(entity, attribute, source)));
        if let Some(size) = attribute.size.as_ref().and_then(|size| measure(size, Unit::Size)) {
            notes.push(size);
        }
        if list.is_none() {
            // A key that computes its value stores that instead of the attribute.
            let key = self.item.keys.get(name).map(|key| spell::key_value(&key.value));
            if let Some(value) = key.filter(|value| *value != quote_name(name)) {
                notes.push(format!("stored as {}", code(&value)));
            }
        }
        notes.extend(self.aliases.note(name));
        if let Some(example) = &attribute.example {
            notes.push(format!("for example {}", code(&example.value)));
        }
        AttributeRow {
            entity: inline(&self.item.entity),
            name: code(&list.map_or_else(|| name.clone(), |list| format!("{list}[].{name}"))),
            ty: typed(&attribute.ty.spelling(), spell::stored_as(&attribute.ty)),
            notes: if notes.is_empty() { String::from("–") } else { notes.join("; ") },
        }
    }

    /// What an attribute is a copy of, and what keeps it up.
    fn copy(&self, entity: &str, attribute: &AttributeDef, source: &CopiedFrom) -> String {
        let from = source.attribute.as_ref().map_or("?", |name| name.text.as_str());
        let copy = format!("copy of {}.{}", inline(&source.entity.text), code(from));
        let all = updaters(self.outline.db, self.outline.root);
        let of = |entity: &str, name: &str| {
            let decls = all.get(&(entity.to_owned(), name.to_owned())).map(Vec::as_slice).unwrap_or_default();
            let named = self.patterns.iter().filter(|pattern| decls.contains(&pattern.decl));
            named.map(Pattern::reference).collect::<Vec<_>>()
        };
        let (changed, followed) = (of(&source.entity.text, from), of(entity, &attribute.name.text));
        match (attribute.immutable.is_some(), changed.is_empty(), followed.is_empty()) {
            (true, ..) => format!("{copy} as it was when this was written"),
            (false, true, _) => format!("{copy}, which no pattern changes"),
            (false, false, false) => format!("{copy}, kept up by {}", followed.join(", ")),
            (false, false, true) => format!("{copy}, **not kept up** when {} changes it", changed.join(", ")),
        }
    }
}

/// The aliases that expressions need for names that they cannot hold.
struct Aliases {
    names: BTreeSet<String>,
}

impl Aliases {
    /// Of all names of a table's items.
    fn of(outline: &Outline<'_>, layout: &TableLayout) -> Self {
        let mut names = BTreeSet::new();
        for item in &layout.items {
            let embedded = item.embeds.iter().map(|embed| embed.entity_decl);
            for decl in std::iter::once(item.entity_decl).chain(embedded).flatten() {
                let attributes = entity_def(outline.db, decl).into_iter().flat_map(|entity| &entity.attributes);
                names.extend(attributes.map(|attribute| attribute.name.text.clone()));
            }
            names.extend(item.keys.keys().cloned());
            names.extend(item.embeds.iter().filter_map(|embed| embed.list.clone()));
        }
        names.retain(|name| !stands_bare(name));
        Self { names }
    }

    /// The alias of a name. Where one expression holds several that would have the
    /// same, it numbers them.
    fn note(&self, name: &str) -> Option<String> {
        if stands_bare(name) {
            return None;
        }
        let alias = code(&format!("#{}", word(name)));
        let others = self.names.iter().filter(|other| *other != name && word(other) == word(name));
        let others = others.map(|other| code(other)).collect::<Vec<_>>();
        Some(match others.is_empty() {
            true => format!("{alias} in expressions"),
            false => format!("{alias} in expressions, numbered beside {}", others.join(", ")),
        })
    }
}
