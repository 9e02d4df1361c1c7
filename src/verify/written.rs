//! The numbers of a population as it was written, in the place of those that the
//! model declares: what the analysis computes from them is what a run must show.

use crate::capacity::facts::{EntityFacts, Facts, Linked, Relation, entity_facts, linked};
use crate::capacity::sizes::{Bound, list_size};
use crate::capacity::values::{Item, Value, item_bytes};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::names::names;
use crate::population::arrange::{Arrangement, Presence, Who, of_keys};
use crate::population::items::{Population, Stored};
use std::collections::{BTreeSet, HashMap};

/// What was really written, entity by entity.
pub(super) struct Written {
    entities: HashMap<Decl, EntityFacts>,
    linked: HashMap<Decl, Linked>,
}

static NOTHING: Linked = Linked { relations: Vec::new(), targets: std::collections::BTreeMap::new() };

impl Facts for Written {
    fn entity(&self, decl: Decl) -> Option<&EntityFacts> {
        self.entities.get(&decl)
    }

    fn linked(&self, decl: Decl) -> &Linked {
        self.linked.get(&decl).unwrap_or(&NOTHING)
    }
}

impl Written {
    /// Counts what a population is made of.
    pub fn new(db: &dyn Db, root: SourceFile, population: &Population<'_>) -> Self {
        let mut written = Self { entities: HashMap::new(), linked: HashMap::new() };
        let all = names(db, root);
        for name in population.arrangement.plan.entities.keys() {
            let Some(decl) = all.entity(name) else { continue };
            let Some(declared) = entity_facts(db, decl) else { continue };
            let values = values(population, name);
            written.entities.insert(decl, facts(&population.arrangement, declared, &values));
            let mut own = linked(db, root, decl).clone();
            for relation in &mut own.relations {
                realise(population, relation);
            }
            written.linked.insert(decl, own);
        }
        written.measure(population);
        written
    }

    /// Takes the real size of entities whose attributes, or what is embedded in
    /// them, need more than the model gives them.
    fn measure(&mut self, population: &Population<'_>) {
        for layout in &population.arrangement.plan.tables {
            for kind in layout.items.iter().filter(|kind| population.oversized.contains(kind.entity.as_str())) {
                let stored = population.items(&layout.name.text).iter();
                let own: Vec<&Stored<'_>> = stored.filter(|stored| stored.kind.entity == kind.entity).collect();
                if own.is_empty() {
                    continue;
                }
                let mean = own.iter().map(|stored| item_bytes(&stored.item) as f64).sum::<f64>() / own.len() as f64;
                let lists = kind.embeds.iter().map(|embed| list_size(self, kind, embed, Bound::Avg).bytes().low());
                let lists: f64 = lists.sum();
                if let Some(facts) = kind.entity_decl.and_then(|decl| self.entities.get_mut(&decl)) {
                    facts.sized = true;
                    facts.size_avg = Some((mean - lists).max(0.0));
                }
            }
        }
    }
}

/// The values of all things of an entity, stored as items or embedded.
fn values(population: &Population<'_>, entity: &str) -> Vec<Item> {
    let arrangement = &population.arrangement;
    let count = arrangement.entity(entity).map_or(0, |plan| plan.count);
    let all = (0..count).filter_map(|index| {
        arrangement.instance(entity, Who::of_population(index), Presence::AsPlaced).map(|instance| instance.values)
    });
    all.collect()
}

fn facts(arrangement: &Arrangement<'_>, declared: &EntityFacts, values: &[Item]) -> EntityFacts {
    let mut facts = declared.clone();
    facts.count = Some(values.len() as f64);
    let keys = of_keys(&arrangement.plan, &facts.name);
    for attribute in &mut facts.attributes {
        // The run spreads everything evenly.
        attribute.hottest = None;
        let own: Vec<&Value> = values.iter().filter_map(|item| item.get(&attribute.name)).collect();
        if attribute.optional {
            attribute.present = Some(own.len() as f64 / values.len().max(1) as f64);
        }
        if keys.contains(&attribute.name.as_str()) && !attribute.unique {
            let distinct: BTreeSet<String> = own.iter().map(|value| format!("{value:?}")).collect();
            attribute.distinct = Some(distinct.len().max(1) as f64);
        }
    }
    facts
}

/// Gives a relationship the numbers that it has among the items of the run:
/// children of a parent that has some, or, of embedded ones, of every parent.
fn realise(population: &Population<'_>, relation: &mut Relation) {
    let edge = relation.through.clone().unwrap_or_else(|| relation.child.clone());
    let by = relation.by.clone();
    let of = |parent: &str, child: &str, first: bool| -> Option<f64> {
        if let Some(embedded) = embedded(population, parent, child) {
            return Some(embedded);
        }
        let values = values(population, child);
        let plan = population.arrangement.entity(child)?;
        let holds = plan.parents.iter().filter(|held| held.entity == parent);
        let attribute = holds
            .map(|held| held.attribute)
            .find(|attribute| by.as_deref().is_none_or(|by| (by == *attribute) == first))?;
        let held: Vec<String> =
            values.iter().filter_map(|item| item.get(attribute)).map(|value| format!("{value:?}")).collect();
        let is_own = by.is_some() || plan.parents.iter().filter(|held| held.entity == parent).count() == 1;
        // Who is counted by an attribute has it; of several that nothing names, it may be any.
        let children = if is_own { held.len() } else { values.len() };
        let distinct: BTreeSet<&String> = held.iter().collect();
        Some(children as f64 / distinct.len().max(1) as f64)
    };
    if let Some(children) = of(&relation.parent, &edge, true) {
        relation.children_avg = relation.children_avg.and(Some(children));
    }
    let back = relation.through.clone().unwrap_or_else(|| relation.parent.clone());
    if let Some(parents) = of(&relation.child, &back, false) {
        relation.parents_avg = relation.parents_avg.and(Some(parents));
    }
}

/// How many of a child one parent embeds, on average; `None` where none is
/// embedded anywhere.
fn embedded(population: &Population<'_>, parent: &str, child: &str) -> Option<f64> {
    let all = population.tables.values().flatten().filter(|stored| stored.kind.entity == parent);
    let lists: Vec<usize> = all
        .flat_map(|stored| stored.lists.iter().filter(|list| list.entity == child).map(|list| list.elements.len()))
        .collect();
    (!lists.is_empty()).then(|| lists.iter().sum::<usize>() as f64 / lists.len() as f64)
}
