//! Which columns a sample has: the keys, then the attributes that tell most.

use super::Row;
use crate::capacity::values::Item;
use crate::deliverables::outline::Outline;
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source, TableLayout};
use crate::model::names::entity_def;
use std::cmp::Reverse;

/// Columns of a sample, as long as its keys take no more.
const MOST: usize = 8;
/// Columns besides the keys that there are even then.
const FEWEST: usize = 2;
/// Parts that are told apart where an attribute's worth is divided.
const FINE: usize = 60;
/// Patterns beyond so many make an attribute no more telling.
const MOST_USES: usize = 5;

/// The columns of a sample, besides the one that names the entity.
pub(super) struct Columns {
    pub keys: Vec<String>,
    pub attributes: Vec<String>,
    /// What the rows have and no column shows.
    pub hidden: Vec<String>,
}

/// The columns for rows with these images. `named`: another column says which
/// entity a row is of.
pub(super) fn columns(
    outline: &Outline<'_>,
    source: Source<'_>,
    patterns: &[Pattern<'_>],
    rows: &[(&Row<'_>, &Item)],
    named: bool,
) -> Columns {
    let mut keys: Vec<String> = Vec::new();
    for key in source.key().chain(source.layout.primary_key()) {
        if !keys.contains(&key.name) {
            keys.push(key.name.clone());
        }
    }
    let mut kinds: Vec<Kind> = Vec::new();
    let mut all: Vec<String> = Vec::new();
    for item in &source.layout.items {
        let own: Vec<&Item> =
            rows.iter().filter(|(row, _)| row.entity == item.entity).map(|(_, image)| *image).collect();
        let mut names = stored(outline, item, &own);
        names.retain(|name| !keys.contains(name));
        for name in &names {
            if !all.contains(name) {
                all.push(name.clone());
            }
        }
        let told = names.into_iter().map(|name| (telling(outline, source.layout, item, patterns, &name), name));
        kinds.push(Kind { rows: own.len(), told: told.collect(), chosen: 0 });
    }
    let room = MOST.saturating_sub(keys.len() + usize::from(named)).max(FEWEST);
    let mut chosen: Vec<String> = Vec::new();
    while chosen.len() < room.min(all.len()) {
        let left = all.iter().enumerate().filter(|(_, name)| !chosen.contains(name));
        let best =
            left.max_by_key(|(at, name)| (kinds.iter().map(|kind| kind.gain(name)).sum::<usize>(), Reverse(*at)));
        let Some((_, name)) = best else { break };
        for kind in &mut kinds {
            kind.chosen += usize::from(kind.gain(name) > 0);
        }
        chosen.push(name.clone());
    }
    let (attributes, hidden) = all.into_iter().partition(|name| chosen.contains(name));
    Columns { keys, attributes, hidden }
}

/// The rows of an entity, with what their attributes tell.
struct Kind {
    rows: usize,
    told: Vec<(usize, String)>,
    /// How many of its attributes have a column.
    chosen: usize,
}

impl Kind {
    /// What a column for an attribute tells of the rows: the less, the more columns
    /// they have already.
    fn gain(&self, name: &str) -> usize {
        let own = self.told.iter().find(|(_, own)| own == name);
        own.map_or(0, |(telling, _)| FINE * telling * self.rows / (1 + self.chosen))
    }
}

/// The attributes that rows of an entity have, in the order of its declaration,
/// then embedded lists, then what the table computes.
fn stored(outline: &Outline<'_>, item: &ItemLayout, images: &[&Item]) -> Vec<String> {
    let def = item.entity_decl.and_then(|decl| entity_def(outline.db, decl));
    let declared = def.into_iter().flat_map(|def| &def.attributes).map(|attribute| &attribute.name.text);
    let lists = item.embeds.iter().filter_map(|embed| embed.list.as_ref());
    let mut names: Vec<String> = Vec::new();
    for name in declared.chain(lists).chain(item.keys.keys()) {
        if !names.contains(name) && images.iter().any(|image| image.contains_key(name)) {
            names.push(name.clone());
        }
    }
    names
}

/// How much an attribute tells a reader of the table.
fn telling(
    outline: &Outline<'_>,
    layout: &TableLayout,
    item: &ItemLayout,
    patterns: &[Pattern<'_>],
    name: &str,
) -> usize {
    let uses = patterns.iter().filter(|pattern| uses(pattern, layout, item, name)).count().min(MOST_USES);
    let mut score = 10 + 10 * uses as i32;
    if layout.of_indexes().any(|source| source.key().any(|key| key.name == name)) {
        score += 50;
    }
    if item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name)) {
        score += 60;
    }
    let def = item.entity_decl.and_then(|decl| entity_def(outline.db, decl));
    if let Some(attribute) = def.and_then(|def| def.attribute(name)) {
        score += match &attribute.ty {
            // What is the same on every item says no more than the entity.
            Type::Enum(names) if names.len() < 2 => -100,
            Type::Enum(_) => 20,
            _ => 0,
        };
        score += if attribute.copied_from.is_some() { 20 } else { 0 };
        score += if attribute.unique.is_some() { 10 } else { 0 };
        score += if attribute.optional { 10 } else { 0 };
        // What the key holds already tells nothing more.
        let in_key = item.made_from(layout.primary_key()).contains(name);
        score -= if in_key { 40 } else { 0 };
    }
    usize::try_from(score).unwrap_or(0).max(1)
}

/// Whether a pattern that touches the table names an attribute of an item.
fn uses(pattern: &Pattern<'_>, layout: &TableLayout, item: &ItemLayout, name: &str) -> bool {
    let is = |own: &Name| own.text == name;
    let listed = pattern.def.requirements.iter().flat_map(|requirement| &requirement.uses);
    let listed = listed.filter(|used| used.entity.text == item.entity).any(|used| used.attributes.iter().any(is));
    let own = pattern.steps.iter().filter(|step| step.resolved.table == Some(layout.decl));
    let mut own = own.filter(|step| step.resolved.reached.contains(&item.entity));
    listed
        || own.any(|step| match &step.step.op {
            OpDef::Update { set, remove, .. } => set.iter().chain(remove).any(is),
            op => op.options().is_some_and(|options| options.project.iter().any(is)),
        })
}
