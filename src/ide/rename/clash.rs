//! What has a name already: renaming something to it would make two things one.

use super::Refused;
use super::class::{Class, Thing};
use super::describe::{enum_owner, list_item};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{keys_of, layout, placements};
use crate::model::lower::decl_name;
use crate::model::names::{entity_def, names, table_def};
use crate::model::occurrences::occurrences;
use crate::model::refs::What;

/// Refuses a name that something else of the same kind and scope has already.
pub(super) fn judge(db: &dyn Db, class: &Class, name: &str) -> Result<(), Refused> {
    for thing in &class.things {
        for root in &class.roots {
            if let Some(taken) = taken(db, *root, thing, name) {
                let is_stored = matches!(thing.declared.what, What::Attribute | What::Key | What::EmbeddedList);
                let why = if is_stored { ", and an item has one value a name" } else { "" };
                return Err(Refused::new(format!("There is {taken} already{why}.")));
            }
        }
    }
    Ok(())
}

/// What has the name, and what it is in the way of.
fn taken(db: &dyn Db, root: SourceFile, thing: &Thing, name: &str) -> Option<String> {
    let all = names(db, root);
    let decl = thing.declared.decl;
    let one = |kind: &str, is_there: bool| is_there.then(|| format!("{} {kind} `{name}`", article(kind)));
    match thing.declared.what {
        What::Entity => one("entity", all.entities.contains_key(name)),
        What::Table => one("table", all.tables.contains_key(name)),
        What::Pattern => one("pattern", all.patterns.contains_key(name)),
        What::Workflow => one("workflow", all.workflows.contains_key(name)),
        What::Application => None,
        What::Index => {
            let mut indexes = table_def(db, decl)?.indexes.iter().filter_map(|index| index.name.as_ref());
            indexes.any(|own| own.text == name).then(|| format!("an index `{name}` of table `{}`", owner(db, decl)))
        }
        What::Attribute => attribute(db, root, decl, name),
        What::Key => key(db, root, decl, name),
        What::EmbeddedList => {
            let item = list_item(db, decl, thing.declared.range)?;
            let mut lists = item.embeds.iter().filter_map(|embed| embed.list.as_ref());
            let entity = item.entity.as_ref()?;
            if lists.any(|list| list.text == name) {
                return Some(format!("a list `{name}` in the items of entity `{}`", entity.text));
            }
            let of_entity = entity_def(db, all.entity(&entity.text)?)?.attribute(name);
            match of_entity {
                Some(_) => Some(format!("an attribute `{name}` of entity `{}`", entity.text)),
                None => is_key(db, decl, name).then(|| key_told(db, decl, name)),
            }
        }
        What::EnumValue => {
            let attribute = enum_owner(db, decl, thing.declared.range)?;
            let Type::Enum(values) = &attribute.ty else { return None };
            let is_there = values.iter().any(|value| value.text == name);
            is_there.then(|| format!("a value `{name}` of `{}.{}`", owner(db, decl), attribute.name.text))
        }
        what @ (What::Role | What::Parameter) => {
            let (word, sign) = if what == What::Role { ("role", "") } else { ("parameter", ":") };
            let own = occurrences(db, root, decl).iter().filter(|occurrence| occurrence.text == name);
            let is_there = own.flat_map(|occurrence| &occurrence.declared).any(|declared| declared.what == what);
            is_there.then(|| format!("a {word} `{sign}{name}` of pattern `{}`", owner(db, decl)))
        }
    }
}

/// What an attribute of an entity would be one with: its siblings, and what else the
/// items hold that it is stored in.
fn attribute(db: &dyn Db, root: SourceFile, decl: Decl, name: &str) -> Option<String> {
    let entity = owner(db, decl);
    if entity_def(db, decl)?.attribute(name).is_some() {
        return Some(format!("an attribute `{name}` of entity `{entity}`"));
    }
    let tables = placements(db, root).get(&entity).map(Vec::as_slice).unwrap_or_default();
    tables.iter().find_map(|table| {
        let layout = layout(db, root, *table).as_ref()?;
        let item = layout.items.iter().find(|item| item.entity_decl == Some(decl))?;
        if is_key(db, *table, name) {
            return Some(key_told(db, *table, name));
        }
        let is_list = item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name));
        is_list.then(|| format!("a list `{name}` in the items of entity `{entity}`"))
    })
}

/// What a key of a table would be one with: its other keys, and what its items hold.
fn key(db: &dyn Db, root: SourceFile, decl: Decl, name: &str) -> Option<String> {
    if is_key(db, decl, name) {
        return Some(key_told(db, decl, name));
    }
    let layout = layout(db, root, decl).as_ref()?;
    layout.items.iter().find_map(|item| {
        let of_entity = entity_def(db, item.entity_decl?)?.attribute(name);
        let is_list = item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name));
        match (of_entity, is_list) {
            (Some(_), _) => Some(format!("an attribute `{name}` of entity `{}`", item.entity)),
            (None, true) => Some(format!("a list `{name}` in the items of entity `{}`", item.entity)),
            (None, false) => None,
        }
    })
}

fn is_key(db: &dyn Db, table: Decl, name: &str) -> bool {
    table_def(db, table).into_iter().flat_map(keys_of).flat_map(|key| &key.parts).any(|part| part.name.text == name)
}

fn key_told(db: &dyn Db, table: Decl, name: &str) -> String {
    format!("a key `{name}` of table `{}`", owner(db, table))
}

fn owner(db: &dyn Db, decl: Decl) -> String {
    decl_name(db, decl).clone().unwrap_or_else(|| "?".to_owned())
}

fn article(kind: &str) -> &'static str {
    if kind.starts_with('e') { "an" } else { "a" }
}
