//! The items that are written before anything is measured.

use super::arrange::{Arrangement, Instance, Presence, Who};
use super::fill::{Filler, build, element, filler};
use super::images::{in_order, sample};
use super::spell::{self, Spelling};
use super::totals::add_up;
use crate::capacity::values::{Item, Value};
use crate::model::db::Db;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source, TableLayout};
use crate::model::names::entity_def;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// An item of a table, with what it was made of.
#[derive(Clone)]
pub struct Stored<'db> {
    pub layout: &'db TableLayout,
    pub kind: &'db ItemLayout,
    pub def: &'db EntityDef,
    pub instance: Instance,
    /// What is embedded in it, list by list.
    pub lists: Vec<Embedded<'db>>,
    pub filler: Filler,
    pub item: Item,
    spelling: Spelling,
}

/// A list of embedded items.
#[derive(Clone)]
pub struct Embedded<'db> {
    pub entity: &'db str,
    pub def: &'db EntityDef,
    /// The attribute that holds it.
    pub list: &'db str,
    /// The attribute of its items that holds the parent's id, where the
    /// relationship says which.
    pub by: Option<&'db str>,
    pub elements: Vec<Instance>,
}

impl<'db> Stored<'db> {
    /// How its values are spelled.
    pub fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// The attributes of its primary key with their values.
    pub fn key(&self) -> Item {
        key_of(self.layout, &self.item)
    }

    /// Makes the item again after a change of what it is made of; the filling
    /// stays.
    pub fn rebuild(&mut self) {
        let lists: Vec<Vec<Value>> = self
            .lists
            .iter()
            .map(|list| {
                list.elements.iter().map(|one| element(&self.kind.entity, list, one, self.spelling).0).collect()
            })
            .collect();
        self.item = build(self.kind, &self.instance.values, &lists);
        if let Some((name, value)) = &self.filler {
            self.item.insert((*name).to_owned(), value.clone());
        }
    }
}

/// The primary key of an item.
pub fn key_of(layout: &TableLayout, item: &Item) -> Item {
    let names = layout.primary_key().map(|attribute| attribute.name.as_str());
    names.filter_map(|name| Some((name.to_owned(), item.get(name)?.clone()))).collect()
}

/// A key as a text that can be compared and shown: `user_id = "…", sk = "…"`.
pub fn spelled(item: &Item) -> String {
    let parts: Vec<String> = item
        .iter()
        .map(|(name, value)| match value {
            Value::S(text) => format!("{name} = {text:?}"),
            Value::N(number) => format!("{name} = {number}"),
            other => format!("{name} = {other:?}"),
        })
        .collect();
    parts.join(", ")
}

/// Everything that the tables hold.
pub struct Population<'db> {
    pub arrangement: Arrangement<'db>,
    /// By the name of the table.
    pub tables: BTreeMap<&'db str, Vec<Stored<'db>>>,
    /// Where each primary key, spelled, stands in its table.
    keys: BTreeMap<&'db str, BTreeMap<String, usize>>,
    /// The entities whose items have another size than the model gives them.
    pub oversized: BTreeSet<&'db str>,
    /// What could not be made as the model says, in sentences.
    pub notes: Vec<String>,
}

impl<'db> Population<'db> {
    /// Makes all items of an arrangement.
    pub fn new(db: &'db dyn Db, arrangement: Arrangement<'db>) -> Self {
        let notes = arrangement.plan.notes.clone();
        let mut population =
            Self { arrangement, tables: BTreeMap::new(), keys: BTreeMap::new(), oversized: BTreeSet::new(), notes };
        population.notes.extend(invented(&population.arrangement));
        for layout in population.arrangement.plan.tables.clone() {
            let name = layout.name.text.as_str();
            population.tables.entry(name).or_default();
            for kind in &layout.items {
                if kind.entity_decl.and_then(|decl| entity_def(db, decl)).is_some() {
                    population.fill(db, layout, kind);
                }
            }
        }
        population
    }

    fn fill(&mut self, db: &'db dyn Db, layout: &'db TableLayout, kind: &'db ItemLayout) {
        let count = self.arrangement.entity(&kind.entity).map_or(0, |plan| plan.count);
        let name = layout.name.text.as_str();
        let (mut over, mut missed, mut twice) = (0, 0, 0);
        for index in 0..count {
            let who = Who::of_population(index);
            let Some((stored, own_over, own_missed)) = self.make(db, layout, kind, who, Presence::AsPlaced) else {
                continue;
            };
            over = over.max(own_over);
            missed = missed.max(own_missed);
            let items = self.tables.entry(name).or_default();
            match self.keys.entry(name).or_default().entry(spelled(&stored.key())) {
                Entry::Vacant(free) => {
                    free.insert(items.len());
                    items.push(stored);
                }
                Entry::Occupied(_) => twice += 1,
            }
        }
        let entity = &kind.entity;
        if over > 0 || missed > 0 {
            self.oversized.insert(entity);
        }
        if over > 0 {
            self.notes.push(format!(
                "The attributes of `{entity}` need up to {over} bytes more than the model gives it; the run uses their real size."
            ));
        }
        if missed > 0 {
            self.notes.push(format!(
                "What is embedded in `{entity}` misses the size that the model gives it by up to {missed} bytes; the run uses the real size."
            ));
        }
        if twice > 0 {
            self.notes.push(format!(
                "{twice} of {count} `{entity}` in `{name}` would have had the primary key of another item; the run leaves them out."
            ));
        }
    }

    /// Makes one item, whether of the population or a new one. Besides, by how
    /// many bytes it exceeds its size, and what is embedded misses its own.
    pub fn make(
        &self,
        db: &'db dyn Db,
        layout: &'db TableLayout,
        kind: &'db ItemLayout,
        who: Who,
        presence: Presence<'_>,
    ) -> Option<(Stored<'db>, u64, u64)> {
        let def = kind.entity_decl.and_then(|decl| entity_def(db, decl))?;
        let mut instance = self.arrangement.instance(&kind.entity, who, presence)?;
        let spelling = self.arrangement.spelling;
        let mut lists = Vec::new();
        let mut missed = 0;
        for embed in &kind.embeds {
            let Some(def) = embed.entity_decl.and_then(|decl| entity_def(db, decl)) else { continue };
            let elements: Vec<Instance> = self
                .arrangement
                .children(&kind.entity, who.like, &embed.entity)
                .into_iter()
                .filter_map(|child| {
                    self.arrangement.instance(&embed.entity, Who::of_population(child), Presence::AsPlaced)
                })
                .collect();
            let list = embed.list.as_deref().unwrap_or_default();
            let plan = self.arrangement.entity(&embed.entity);
            let parent = plan.and_then(|plan| plan.parents.iter().find(|parent| parent.entity == kind.entity));
            let list = Embedded { entity: &embed.entity, def, list, by: parent.and_then(|parent| parent.by), elements };
            let short = list.elements.iter().map(|one| element(&kind.entity, &list, one, spelling).1);
            missed = short.fold(missed, u64::max);
            lists.push(list);
        }
        if spelling == Spelling::Plausible {
            add_up(&self.arrangement.plan, (&kind.entity, def), &mut instance.values, &lists);
        }
        let (filler, over) = filler(kind, def, &instance, spelling);
        let mut stored = Stored { layout, kind, def, instance, lists, filler, item: Item::new(), spelling };
        stored.rebuild();
        Some((stored, over, missed))
    }

    /// The items of a table.
    pub fn items(&self, table: &str) -> &[Stored<'db>] {
        self.tables.get(table).map_or(&[], Vec::as_slice)
    }

    /// What a table or index holds, for readers: partition by partition, each in the
    /// order of its sort key.
    pub fn entries(&self, source: Source<'_>) -> Vec<super::Entry<'_, 'db>> {
        in_order(source, self.items(&source.layout.name.text))
    }

    /// At most so many of them, and at least one of each entity as long as there is
    /// room.
    pub fn sample(&self, source: Source<'_>, most: usize) -> Vec<super::Entry<'_, 'db>> {
        sample(source, self.items(&source.layout.name.text), most)
    }

    /// The item of a table with this primary key.
    pub fn find(&self, table: &str, key: &Item) -> Option<&Stored<'db>> {
        let place = self.keys.get(table)?.get(&spelled(key))?;
        self.items(table).get(*place)
    }
}

/// What the model does not say and the run had to choose.
fn invented(arrangement: &Arrangement<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    for (entity, plan) in &arrangement.plan.entities {
        for attribute in &plan.def.attributes {
            let name = &attribute.name.text;
            // An id of another entity is as long as that.
            if spell::length(attribute).is_none() && attribute.of.is_none() {
                notes.push(format!(
                    "The model does not say how large `{entity}.{name}` is; the run takes {} bytes.",
                    spell::UNSAID
                ));
            }
            if attribute.optional && attribute.present.is_none() {
                notes.push(format!(
                    "The model does not say how many of `{entity}` have `{name}`; in the run every other one has it."
                ));
            }
        }
    }
    notes
}
