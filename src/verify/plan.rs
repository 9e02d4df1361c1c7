//! How many items there will be of each entity, whose children they are, and
//! over how many values their attributes cycle. Counts are those of the model,
//! reduced so that a run takes seconds; what relations say stays true as far as
//! that allows.

use super::relations::{Relation, embeds, index_attributes, key_attributes, relation};
use super::spell;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{TableLayout, layout};
use crate::model::names::{entity_def, find_entity, names, pattern_def};
use crate::syntax::Unit;
use std::collections::{BTreeMap, BTreeSet};

/// Items of an entity that is nobody's child.
const ROOTS: usize = 12;
/// The most items of one entity.
const MOST: usize = 720;
/// The most items of all entities together, where they are many.
const MOST_OF_ALL: usize = 20_000;
/// The most bytes of the items of one entity.
const MOST_BYTES: f64 = 4_194_304.0;
/// Children of one parent where the model says nothing.
const ASSUMED_CHILDREN: f64 = 2.0;
/// Steps of one transaction or batch, and so distinct items of an entity that it
/// can need (L22, L24).
const LARGEST_GROUP: usize = 100;

/// One-to-one relations are followed so far.
const LONGEST_CHAIN: usize = 4;

/// The plan of a model's population.
pub(super) struct Plan<'db> {
    pub entities: BTreeMap<&'db str, EntityPlan<'db>>,
    pub tables: Vec<&'db TableLayout>,
    /// What was assumed, in sentences.
    pub notes: Vec<String>,
    /// The most items of one entity.
    most: usize,
}

/// The plan of an entity's items.
pub(super) struct EntityPlan<'db> {
    pub def: &'db EntityDef,
    pub declared: Option<f64>,
    pub count: usize,
    /// Through which attribute each item belongs to which parent.
    pub parents: Vec<Parent<'db>>,
    /// Attributes of few values: which, and how they cycle.
    pub cycles: BTreeMap<&'db str, Cycle>,
}

/// A parent of an entity's items.
pub(super) struct Parent<'db> {
    pub attribute: &'db str,
    pub entity: &'db str,
    /// Children of one parent, in a row; `None`: the items go round the parents
    /// in turn.
    pub children: Option<usize>,
    /// The attribute that the relationship names, where it names one.
    pub by: Option<&'db str>,
    /// The same as the model says, before it was reduced.
    pub declared: Option<f64>,
}

/// How the values of an attribute repeat: item i has value (i / stride) mod
/// period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cycle {
    pub stride: usize,
    pub period: usize,
}

impl Cycle {
    /// Which of its values item `index` has.
    pub fn value(self, index: usize, count: usize) -> usize {
        match self.stride * self.period <= count {
            true => (index / self.stride) % self.period,
            // Too few items for all combinations: a cycle that is out of step with
            // the others.
            false => (index + index / self.period) % self.period,
        }
    }
}

impl<'db> Plan<'db> {
    /// Plans the population of the model with this root.
    pub fn new(db: &'db dyn Db, root: SourceFile) -> Self {
        let all = names(db, root);
        let tables: Vec<&TableLayout> =
            all.tables_in_order(db, root).into_iter().filter_map(|decl| layout(db, root, decl).as_ref()).collect();
        let most = (MOST_OF_ALL / all.entities.len().max(1)).clamp(ROOTS, MOST);
        let mut plan = Plan { entities: BTreeMap::new(), tables, notes: Vec::new(), most };
        let needs = needs(db, root);
        for name in parents_first(db, root) {
            plan.add(db, root, name, &needs);
        }
        plan
    }

    /// Plans an entity whose parents are planned; one that is not, is none.
    fn add(&mut self, db: &'db dyn Db, root: SourceFile, name: &'db str, needs: &BTreeMap<&str, usize>) {
        let Some(def) = names(db, root).entity(name).and_then(|decl| entity_def(db, decl)) else { return };
        let refer = def.attributes.iter().filter_map(|a| Some((a.name.text.as_str(), a.of.as_ref()?.text.as_str())));
        let refer: Vec<(&str, &str)> = refer.collect();
        let is_known = |parent: &str| parent == name || self.entities.contains_key(parent);
        let known: Vec<(&str, &str)> = refer.into_iter().filter(|(_, parent)| is_known(parent)).collect();
        let relations: Vec<Option<Relation>> = known.iter().map(|(_, p)| relation(db, root, p, name)).collect();
        let main = self.main_parent(name, &known, &relations);
        let need = needs.get(name).copied().unwrap_or(0).min(LARGEST_GROUP);
        let declared = def.count.as_ref().and_then(|count| count.get(Unit::Number));
        let most = most(def).min(self.most);
        let mut children = None;
        let mut count = match main {
            None => ROOTS.max(need).min(most.max(need)).min(named_apart(def).unwrap_or(MOST)),
            Some(index) => {
                let parent = &self.entities[known[index].1];
                let said = relations[index].and_then(|r| r.children);
                let by_count = declared.zip(parent.declared).map(|(own, parents)| own / parents);
                let each = said.or(by_count).unwrap_or(ASSUMED_CHILDREN);
                if each < 1.0 {
                    ((each * parent.count as f64).round() as usize).max(1).max(need)
                } else {
                    let room = (most / parent.count).max(1);
                    let mut each = (each.round() as usize).min(room).max(need.div_ceil(parent.count));
                    // Edges are told apart by their ends: no more of one parent than
                    // there are others.
                    if let Some(other) = self.other_end(def, known[index].0, &known) {
                        each = each.min(self.entities[other].count);
                    }
                    each = each.min(named_apart(def).unwrap_or(each));
                    if relations[index].is_some_and(|r| r.one) {
                        each = 1;
                    }
                    children = Some(each);
                    if said.is_none() && by_count.is_none() {
                        let parent = known[index].1;
                        self.notes.push(format!(
                            "The model does not say how many `{name}` one `{parent}` has; the run assumes {each}."
                        ));
                    }
                    each * self.entities[known[index].1].count
                }
            }
        };
        if let Some(declared) = declared.filter(|declared| *declared >= 1.0 && *declared < count as f64) {
            count = (declared as usize).max(need);
        }
        let parents = known.iter().zip(&relations).enumerate().map(|(index, ((attribute, parent), relation))| Parent {
            attribute,
            entity: parent,
            children: children.filter(|_| main == Some(index)),
            declared: relation.as_ref().and_then(|r| r.children),
            by: relation.as_ref().and_then(|r| r.by),
        });
        let parents = parents.collect();
        let cycles = self.cycles(name, def, count);
        self.entities.insert(name, EntityPlan { def, declared, count, parents, cycles });
    }

    /// The parent whose children stand in a row: the one whose item holds them,
    /// else the one without which they are nothing, else one that their key
    /// begins with.
    fn main_parent(&self, name: &str, known: &[(&str, &str)], relations: &[Option<Relation>]) -> Option<usize> {
        let keys = key_attributes(&self.tables, name);
        let rank = |index: &usize| {
            let (attribute, parent) = known[*index];
            let relation = relations[*index];
            let named = relation.and_then(|r| r.by).is_none_or(|by| by == attribute);
            (
                embeds(&self.tables, parent, name) && named,
                relation.is_some_and(|r| r.identifying) && named,
                keys.contains(&attribute),
                relation.is_some_and(|r| r.children.is_some()) && named,
                // The first of equals.
                std::cmp::Reverse(*index),
            )
        };
        // What refers to its own kind is nobody's child by that.
        (0..known.len()).filter(|index| known[*index].1 != name).max_by_key(rank)
    }

    /// Where an entity's whole identity is made of two parents' ids: the other one.
    fn other_end(&self, def: &EntityDef, main: &str, known: &[(&str, &'db str)]) -> Option<&'db str> {
        let ids: Vec<&str> = def.ids().map(|id| id.name.text.as_str()).collect();
        let of = |id: &&str| known.iter().find(|(attribute, _)| attribute == id).map(|(_, parent)| *parent);
        if ids.is_empty() || ids.iter().any(|id| of(id).is_none()) {
            return None;
        }
        ids.iter().filter(|id| **id != main).find_map(of).filter(|other| self.entities.contains_key(other))
    }

    /// The attributes with few values. Those of the primary key come first: they
    /// tell the children of one parent apart; then those of index keys.
    fn cycles(&self, name: &str, def: &'db EntityDef, count: usize) -> BTreeMap<&'db str, Cycle> {
        let (keys, indexes) = (key_attributes(&self.tables, name), index_attributes(&self.tables, name));
        let mut few: Vec<(usize, &str, usize)> = Vec::new();
        for attribute in def.attributes.iter().filter(|a| a.of.is_none() && a.unique.is_none()) {
            let own = attribute.name.text.as_str();
            let period = match (&attribute.ty, &attribute.distinct) {
                (Type::Enum(names), _) => names.len().max(1),
                (Type::Boolean, _) => 2,
                // What alone tells items apart has a value for each.
                _ if attribute.id && def.ids().count() == 1 => continue,
                (_, Some(distinct)) => match distinct.get(Unit::Number) {
                    Some(distinct) => even(distinct, count),
                    None => continue,
                },
                _ => continue,
            };
            let place = if keys.contains(&own) { 0 } else { 2 - usize::from(indexes.contains(&own)) };
            few.push((place, own, period));
        }
        few.sort_by_key(|(place, ..)| *place);
        let mut stride = 1;
        let mut cycles = BTreeMap::new();
        for (_, own, period) in few {
            cycles.insert(own, Cycle { stride, period });
            if stride * period <= count {
                stride *= period;
            }
        }
        cycles
    }
}

/// How many items of one parent, or of none, can be told apart where the rest of
/// the identity is made of names and truth values; `None` where it is not.
fn named_apart(def: &EntityDef) -> Option<usize> {
    let mut rest = def.ids().filter(|id| id.of.is_none()).peekable();
    rest.peek()?;
    rest.map(|id| match &id.ty {
        Type::Enum(names) => Some(names.len().max(1)),
        Type::Boolean => Some(2),
        _ => None,
    })
    .product()
}

/// The entities in an order in which parents come before their children. A circle
/// of parents is cut where it closes.
fn parents_first(db: &dyn Db, root: SourceFile) -> Vec<&str> {
    let all = names(db, root);
    let mut ordered = Vec::new();
    let mut seen = BTreeSet::new();
    for name in all.entities.keys() {
        // A stack of our own: a chain of parents may be as long as the model.
        let mut open = vec![(name.as_str(), false)];
        while let Some((name, done)) = open.pop() {
            if done {
                ordered.push(name);
                continue;
            }
            if !all.entities.contains_key(name) || !seen.insert(name) {
                continue;
            }
            open.push((name, true));
            let attributes = find_entity(db, root, name).into_iter().flat_map(|def| &def.attributes);
            let parents = attributes.filter_map(|attribute| attribute.of.as_ref());
            open.extend(parents.map(|parent| (parent.text.as_str(), false)));
        }
    }
    ordered
}

/// A number of distinct values that so many items have equally often: at most
/// as many as declared, and so that each is on three items where that can be.
fn even(declared: f64, count: usize) -> usize {
    let most = declared.clamp(1.0, (count / 3).max(1) as f64) as usize;
    if declared as usize <= most && declared >= 1.0 {
        return declared as usize;
    }
    (1..=most).rev().find(|period| count.is_multiple_of(*period)).unwrap_or(1)
}

/// The most items of an entity, so that all fit in the bytes of a run.
fn most(def: &EntityDef) -> usize {
    let attributes = || def.attributes.iter().map(|a| spell::length(a).unwrap_or(spell::UNSAID) as f64).sum();
    let size: f64 = def.size.as_ref().and_then(|size| size.avg(Unit::Size)).unwrap_or_else(attributes);
    ((MOST_BYTES / size.max(1.0)) as usize).clamp(2, MOST)
}

/// How many distinct items of an entity one transaction or batch touches.
fn needs(db: &dyn Db, root: SourceFile) -> BTreeMap<&str, usize> {
    let mut needs: BTreeMap<&str, usize> = BTreeMap::new();
    for pattern in names(db, root).all_patterns().filter_map(|decl| pattern_def(db, decl)) {
        for operation in pattern.operations.iter().filter(|operation| operation.group.is_some()) {
            let mut own: BTreeMap<&str, usize> = BTreeMap::new();
            for step in &operation.steps {
                if let Some(subject) = step.op.subject() {
                    let need = own.entry(&subject.entity.text).or_default();
                    *need = need.saturating_add(step.times().max(1.0) as usize);
                }
            }
            for (entity, count) in own {
                let need = needs.entry(entity).or_default();
                *need = (*need).max(count);
            }
        }
    }
    // Who has one parent each needs as many parents.
    for _ in 0..LONGEST_CHAIN {
        let mut parents: Vec<(&str, usize)> = Vec::new();
        for (entity, need) in &needs {
            let attributes = find_entity(db, root, entity).into_iter().flat_map(|def| &def.attributes);
            for parent in attributes.filter_map(|attribute| attribute.of.as_ref()) {
                if relation(db, root, &parent.text, entity).is_some_and(|r| r.one) {
                    parents.push((&parent.text, *need));
                }
            }
        }
        for (parent, need) in parents {
            let known = needs.entry(parent).or_default();
            *known = (*known).max(need);
        }
    }
    needs
}
