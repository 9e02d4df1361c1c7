//! How many items there will be of each entity, whose children they are, and
//! over how many values their attributes cycle. Counts are those of the model,
//! reduced so that a run takes seconds; what relations say stays true as far as
//! that allows.

use super::cycles::{Cycle, cycles};
use super::relations::{Relation, embeds, key_attributes, relation};
use super::spell::{self, Spelling};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{TableLayout, layout};
use crate::model::names::{entity_def, find_entity, names, pattern_def, table_def};
use crate::syntax::Unit;
use std::collections::{BTreeMap, BTreeSet};

/// The most items of all entities together, where they are many.
const MOST_OF_ALL: usize = 20_000;
/// The most items of one entity in any population.
pub(super) const MOST: usize = 720;
/// The most bytes of the items of one entity.
const MOST_BYTES: f64 = 4_194_304.0;
/// Children of one parent where the model says nothing.
const ASSUMED_CHILDREN: f64 = 2.0;
/// How large a population is.
struct Scale {
    /// Items of an entity that is nobody's child.
    roots: usize,
    /// The fewest items of an entity of which not every parent has one.
    fewest: usize,
    /// The most items of one entity.
    most: usize,
    /// The most children of one parent.
    children: usize,
    /// Items that share a value of an attribute with few of them, at least.
    share: usize,
    /// How often a step of a transaction or batch is run at most.
    times: usize,
    /// Steps of one transaction or batch, and so distinct items of an entity that it
    /// can need.
    group: usize,
    /// Whether what is one with something belongs to whom that belongs to.
    consistent: bool,
}

/// What a run measures: means are those of many items, and a transaction has the
/// hundred steps that it can have (L22, L24).
const MEASURED: Scale =
    Scale { roots: 12, fewest: 1, most: MOST, children: MOST, share: 3, times: 100, group: 100, consistent: false };
/// What a reader takes in: as many items as a sample of a table shows.
const READ: Scale =
    Scale { roots: 6, fewest: 5, most: 60, children: 3, share: 2, times: PRINTED, group: 12, consistent: true };

/// Of a step that a transaction or batch runs many times, so many are printed.
pub const PRINTED: usize = 2;

/// One-to-one relations are followed so far.
const LONGEST_CHAIN: usize = 4;

/// The plan of a model's population.
pub struct Plan<'db> {
    pub entities: BTreeMap<&'db str, EntityPlan<'db>>,
    pub tables: Vec<&'db TableLayout>,
    /// What was assumed, in sentences.
    pub notes: Vec<String>,
    scale: &'static Scale,
    /// The most items of one entity.
    most: usize,
}

/// The plan of an entity's items.
pub struct EntityPlan<'db> {
    pub def: &'db EntityDef,
    pub declared: Option<f64>,
    pub count: usize,
    /// Through which attribute each item belongs to which parent.
    pub parents: Vec<Parent<'db>>,
    /// Attributes of few values: which, and how they cycle.
    pub cycles: BTreeMap<&'db str, Cycle>,
    /// The attributes by which a table lets its items expire.
    pub ttl: BTreeSet<&'db str>,
    /// Seconds for which an item stays useful, where that is declared.
    pub lifetime: Option<u64>,
}

/// A parent of an entity's items.
pub struct Parent<'db> {
    pub attribute: &'db str,
    pub entity: &'db str,
    /// Children of one parent, in a row; `None`: the items go round the parents
    /// in turn.
    pub children: Option<usize>,
    /// The attribute that the relationship names, where it names one.
    pub by: Option<&'db str>,
    /// The same as the model says, before it was reduced.
    pub declared: Option<f64>,
    /// Without the parent they are nothing.
    pub identifying: bool,
    /// One child at most.
    pub one: bool,
    /// For readers: the attribute of another parent with which the items are one, and
    /// that by which it belongs to the same entity.
    pub through: Option<(&'db str, &'db str)>,
}

impl Parent<'_> {
    /// How much of the name of another attribute its own begins with.
    pub fn named_alike(&self, name: &str) -> usize {
        name.bytes().zip(self.attribute.bytes()).take_while(|(a, b)| a == b).count()
    }
}

impl<'db> EntityPlan<'db> {
    /// Its parents of this entity: one for each attribute that holds an id of it.
    pub fn parents_of<'p>(&'p self, entity: &'p str) -> impl Iterator<Item = &'p Parent<'db>> {
        self.parents.iter().filter(move |parent| parent.entity == entity)
    }
}

impl<'db> Plan<'db> {
    /// Plans the population of the model with this root.
    pub fn new(db: &'db dyn Db, root: SourceFile, spelling: Spelling) -> Self {
        let scale = match spelling {
            Spelling::Exact => &MEASURED,
            Spelling::Plausible => &READ,
        };
        let all = names(db, root);
        let tables: Vec<&TableLayout> =
            all.tables_in_order(db, root).into_iter().filter_map(|decl| layout(db, root, decl).as_ref()).collect();
        let most = (MOST_OF_ALL / all.entities.len().max(1)).clamp(scale.roots, scale.most);
        let mut plan = Plan { entities: BTreeMap::new(), tables, notes: Vec::new(), scale, most };
        let needs = needs(db, root, scale);
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
        let need = needs.get(name).copied().unwrap_or(0).min(self.scale.group);
        let declared = def.count.as_ref().and_then(|count| count.get(Unit::Number));
        let most = most(def).min(self.most);
        let mut children = None;
        let mut count = match main {
            None => self.scale.roots.max(need).min(most.max(need)).min(named_apart(def).unwrap_or(MOST)),
            Some(index) => {
                let parent = &self.entities[known[index].1];
                let said = relations[index].and_then(|r| r.children);
                let by_count = declared.zip(parent.declared).map(|(own, parents)| own / parents);
                let each = said.or(by_count).unwrap_or(ASSUMED_CHILDREN);
                if each < 1.0 {
                    let fewest = self.scale.fewest.min(parent.count).max(1);
                    ((each * parent.count as f64).round() as usize).max(fewest).max(need)
                } else {
                    let room = (most / parent.count).max(1);
                    let mut each =
                        (each.round() as usize).min(room).min(self.scale.children).max(need.div_ceil(parent.count));
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
            identifying: relation.as_ref().is_some_and(|r| r.identifying),
            one: relation.as_ref().is_some_and(|r| r.one),
            through: None,
        });
        let mut parents: Vec<Parent> = parents.collect();
        if self.scale.consistent {
            self.agree(name, def, &mut parents);
        }
        let cycles = cycles(self, self.scale.share, (name, def), count, &parents);
        let tables = self.tables.iter().filter(|table| table.items.iter().any(|item| item.entity == name));
        let ttl = tables.filter_map(|table| table_def(db, table.decl)?.ttl.as_ref()?.attribute.as_ref());
        let ttl = ttl.map(|name| name.text.as_str()).collect();
        let lifetime = def.lifetime.as_ref().and_then(|lifetime| lifetime.get(Unit::Duration));
        let lifetime = lifetime.map(|seconds| seconds.round() as u64);
        self.entities.insert(name, EntityPlan { def, declared, count, parents, cycles, ttl, lifetime });
    }

    /// Lets what is one with an item of another entity belong to whom that belongs to:
    /// the claim of an address is in its member's tenant. What the key is made of stays
    /// what tells items apart, unless a unique value of the other does.
    fn agree(&self, name: &str, def: &'db EntityDef, parents: &mut [Parent<'db>]) {
        let keys = key_attributes(&self.tables, name);
        let is_required = |def: &EntityDef, name: &str| def.attribute(name).is_some_and(|own| !own.optional);
        for place in 0..parents.len() {
            let own = &parents[place];
            if own.children.is_some() || own.entity == name {
                continue;
            }
            let mut ones = parents.iter().filter(|other| other.one && other.entity != own.entity);
            let way = ones.find_map(|other| {
                let plan = self.entities.get(other.entity).filter(|_| is_required(def, other.attribute))?;
                let is_unique = |key: &&str| plan.def.attribute(key).is_some_and(|of| of.unique.is_some());
                if keys.contains(&own.attribute) && !keys.iter().any(is_unique) {
                    return None;
                }
                let mut above = plan.parents_of(own.entity).filter(|above| is_required(plan.def, above.attribute));
                let first = above.next().filter(|_| above.next().is_none())?;
                Some((other.attribute, first.attribute))
            });
            parents[place].through = way;
        }
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

/// The most items of an entity, so that all fit in the bytes of a run.
fn most(def: &EntityDef) -> usize {
    let attributes = || def.attributes.iter().map(|a| spell::length(a).unwrap_or(spell::UNSAID) as f64).sum();
    let size: f64 = def.size.as_ref().and_then(|size| size.avg(Unit::Size)).unwrap_or_else(attributes);
    ((MOST_BYTES / size.max(1.0)) as usize).clamp(2, MOST)
}

/// How many distinct items of an entity one transaction or batch touches.
fn needs<'db>(db: &'db dyn Db, root: SourceFile, scale: &Scale) -> BTreeMap<&'db str, usize> {
    let mut needs: BTreeMap<&'db str, usize> = BTreeMap::new();
    for pattern in names(db, root).all_patterns().filter_map(|decl| pattern_def(db, decl)) {
        for operation in pattern.operations.iter().filter(|operation| operation.group.is_some()) {
            let mut own: BTreeMap<&str, usize> = BTreeMap::new();
            for step in &operation.steps {
                if let Some(subject) = step.op.subject() {
                    let need = own.entry(&subject.entity.text).or_default();
                    *need = need.saturating_add((step.times().max(1.0) as usize).min(scale.times));
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
