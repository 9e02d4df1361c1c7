//! Embedded entities that a pattern reads or writes by the name of their list.

use super::db::{Db, SourceFile};
use super::defs::*;
use super::layout::{EmbedLayout, ItemLayout, Source};
use super::resolve::{Step, item_matches};
use super::uses::items_of;
use std::collections::BTreeSet;

/// The entities of the lists that these attributes of an entity are, in whatever
/// table its items have them.
pub fn listed_in(db: &dyn Db, root: SourceFile, entity: &str, attributes: &[Name]) -> BTreeSet<String> {
    if attributes.is_empty() {
        return BTreeSet::new();
    }
    let own = items_of(db, root, entity).filter(|(_, item)| item.entity == entity);
    let named = own.flat_map(|(_, item)| &item.embeds).filter(|embed| names_list(attributes, embed));
    named.map(|embed| embed.entity.clone()).collect()
}

/// Whether one of these attributes is the list.
pub fn names_list(attributes: &[Name], embed: &EmbedLayout) -> bool {
    embed.list.as_ref().is_some_and(|list| attributes.iter().any(|attribute| attribute.text == *list))
}

/// What a step does to the children in a list of its subject's item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListWrite {
    /// Whole items come and go with their lists.
    WithItem,
    /// The list alone is set or removed.
    Alone,
    /// The list is set or removed with other attributes of the item.
    WithAttributes,
}

/// What an operation on items with this list writes of it; `None` where it leaves
/// the list alone.
pub fn list_write(op: &OpDef, item: &ItemLayout, embed: &EmbedLayout) -> Option<ListWrite> {
    op.subject().filter(|subject| subject.entity.text == item.entity)?;
    match op {
        OpDef::Put { .. } | OpDef::Delete { .. } => Some(ListWrite::WithItem),
        OpDef::Update { set, remove, .. } if names_list(set, embed) || names_list(remove, embed) => {
            let is_list = |name: &Name| item.embeds.iter().any(|embed| embed.list.as_ref() == Some(&name.text));
            match set.iter().chain(remove).all(is_list) {
                true => Some(ListWrite::Alone),
                false => Some(ListWrite::WithAttributes),
            }
        }
        _ => None,
    }
}

/// The items that a reading step can give back: those that its key condition
/// reaches and that its filter does not rule out by their keys. Where a filter rules
/// out all, that is its fault, and it is meant for any.
pub fn given_back<'db>(db: &'db dyn Db, step: &Step<'db>) -> Vec<&'db ItemLayout> {
    let Some(source) = step.source else { return Vec::new() };
    let reached = |item: &&ItemLayout| step.resolved.reached.contains(&item.entity);
    let reached: Vec<&ItemLayout> = source.layout.items.iter().filter(reached).collect();
    let filter = step.step.op.options().and_then(|options| options.filter.as_ref()?.conditions.as_ref());
    let Some(filter) = filter else { return reached };
    let passes = |item: &&&ItemLayout| {
        [source, source.layout.table()].into_iter().all(|source| item_matches(db, source, item, filter))
    };
    let passing: Vec<&ItemLayout> = reached.iter().filter(passes).copied().collect();
    if passing.is_empty() { reached } else { passing }
}

/// Whether a reading step gives back a list of these items: its index holds it or
/// its table is asked for it, and what it projects does not leave it out.
pub fn gives_list(step: &Step<'_>, source: Source<'_>, item: &ItemLayout, embed: &EmbedLayout) -> bool {
    let asked = step.step.op.options().map(|options| options.project.as_slice()).unwrap_or_default();
    let is_asked = names_list(asked, embed);
    if !asked.is_empty() && !is_asked {
        return false;
    }
    // A local index fetches from the table what it is asked for and does not hold.
    let is_fetched = is_asked && source.index.is_some_and(|index| index.kind == IndexKind::Local);
    let holds = |names: BTreeSet<String>| embed.list.as_ref().is_some_and(|list| names.contains(list));
    is_fetched || source.projected(item).is_none_or(holds)
}
