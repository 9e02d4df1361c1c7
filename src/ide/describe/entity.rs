//! Entities and attributes.

use super::{Description, code_list, decl_name, key_values, written};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{TableLayout, layout, placements};
use crate::model::lower::lowered;
use crate::model::names::{entity_def, names, pattern_def, relationships};
use crate::model::refs::Declared;
use crate::model::resolve::patterns_of_entity;
use crate::syntax::strings::quote_name;

pub(super) fn entity(db: &dyn Db, root: SourceFile, decl: Decl, out: &mut Description) -> Option<()> {
    let def = entity_def(db, decl)?;
    let own = lowered(db, decl);
    let name = own.name.as_ref()?;
    out.code = format!("entity {}", quote_name(&name.text));
    out.doc(&own.doc);
    let ids = code_list(def.ids().map(|id| &id.name.text));
    if !ids.is_empty() {
        out.line(format!("Identity: {ids}"));
    }
    if let Some(count) = &def.count {
        let growing = def.growing.as_ref().map(|g| format!(", growing {}", g.written)).unwrap_or_default();
        out.line(format!("Count: {}{growing}", count.written));
    }
    if let Some(size) = written(&def.size) {
        out.line(format!("Item size: {size}"));
    }
    let tables = placements(db, root).get(&name.text).map(Vec::as_slice).unwrap_or_default();
    for table in tables {
        let Some(layout) = layout(db, root, *table) else { continue };
        for item in &layout.items {
            if item.entity == name.text {
                out.line(format!("Stored in `{}`: {}", layout.name.text, key_values(item, layout.primary_key())));
                for source in layout.of_indexes() {
                    if source.items().any(|member| member.entity == item.entity) {
                        let sparse = source.key().any(|k| item.keys.get(&k.name).is_some_and(|s| s.optional));
                        let some = if sparse { " (those that have every key attribute)" } else { "" };
                        out.line(format!("In index `{}`{some}: {}", source.label(), key_values(item, source.key())));
                    }
                }
            } else if let Some(embed) = item.embeds.iter().find(|embed| embed.entity == name.text) {
                let list = embed.list.as_ref().map(|list| format!(" as `{list}`")).unwrap_or_default();
                out.line(format!("Embedded in the items of `{}`{list}, in table `{}`", item.entity, layout.name.text));
            }
        }
    }
    if tables.is_empty() {
        out.line("Stored in no table");
    }
    for (_, relationship) in relationships(db, root) {
        let ends = (relationship.left.as_ref(), relationship.right.as_ref());
        if let (Some(left), Some(right)) = ends
            && (left.text == name.text || right.text == name.text)
        {
            let card = relationship.cardinality.map_or("?", Cardinality::written);
            let children = written(&relationship.children).map(|c| format!(", children {c}")).unwrap_or_default();
            let identifying = if relationship.identifying.is_some() { ", identifying" } else { "" };
            out.line(format!("`{} {card} {}`{children}{identifying}", left.text, right.text));
        }
    }
    let patterns = patterns_of_entity(db, root, &name.text);
    if !patterns.is_empty() {
        out.line(format!("Patterns: {}", code_list(patterns.iter().map(|pattern| decl_name(db, *pattern)))));
    }
    Some(())
}

pub(super) fn attribute(db: &dyn Db, root: SourceFile, declared: Declared, out: &mut Description) -> Option<()> {
    let entity = entity_def(db, declared.decl)?;
    let attribute = entity.attributes.iter().find(|a| a.name.range == declared.range)?;
    let owner = decl_name(db, declared.decl);
    let text = &declared.decl.chunk(db).text;
    out.code = text.get(attribute.range.indices())?.split_whitespace().collect::<Vec<_>>().join(" ");
    out.doc(&attribute.doc);
    out.line(format!("Attribute of `{owner}`"));
    let name = &attribute.name.text;
    let updaters: Vec<String> = names(db, root)
        .all_patterns()
        .filter(|decl| pattern_def(db, *decl).is_some_and(|p| p.steps().any(|(_, s)| updates(&s.op, &owner, name))))
        .map(|decl| decl_name(db, decl))
        .collect();
    match updaters.is_empty() {
        true => out.line("Never updated by a pattern of this model"),
        false => out.line(format!("Updated by {}", code_list(updaters))),
    }
    for table in placements(db, root).get(&owner).map(Vec::as_slice).unwrap_or_default() {
        if let Some(layout) = layout(db, root, *table) {
            key_uses(layout, &owner, name, out);
        }
    }
    Some(())
}

fn updates(op: &OpDef, entity: &str, attribute: &str) -> bool {
    let OpDef::Update { subject: Some(subject), set, remove, .. } = op else { return false };
    subject.entity.text == entity && set.iter().chain(remove).any(|name| name.text == attribute)
}

/// The keys whose values are made of an attribute.
fn key_uses(layout: &TableLayout, entity: &str, attribute: &str, out: &mut Description) {
    let Some(item) = layout.items.iter().find(|item| item.entity == entity) else { return };
    for source in layout.sources() {
        for (part, kind) in
            source.partition().iter().map(|k| (k, "partition")).chain(source.sort().iter().map(|k| (k, "sort")))
        {
            let Some(stored) = item.keys.get(&part.name) else { continue };
            if stored.value.attributes().contains(&attribute) {
                out.line(format!(
                    "In the {kind} key `{}` of `{}`: `{}`",
                    part.name,
                    source.label(),
                    stored.value.spelling()
                ));
            }
        }
    }
}
