//! Which value each attribute of each item has.

use super::literals::Literals;
use super::plan::{EntityPlan, Parent, Plan};
use super::relations::{index_attributes, key_attributes};
use super::spell::{self, Wanted};
use super::template::hash;
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key::KeyPiece;
use crate::syntax::Unit;
use crate::syntax::template::Format;
use std::collections::BTreeMap;

/// Ids that hold ids of other entities are followed so far.
const LONGEST_CHAIN: usize = 16;
/// Digits of a number that stands in a template without padding (S3).
const UNPADDED: usize = 8;
/// How far the number of a new value is from that of the old one.
const RENEWED: usize = 1_000_003;
/// The share of the items that have an optional attribute whose `@present` is
/// not declared: so that there are some of both.
const UNSAID_SHARE: f64 = 0.5;

/// One thing of an entity: the values of the attributes that it has.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub values: Item,
    pub who: Who,
}

/// Which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who {
    /// The item of the population whose place it takes: whose parents, and which
    /// of the values that cycle.
    pub like: usize,
    /// What tells it apart from all others.
    pub fresh: usize,
    /// Whether its key belongs to parents that nothing else has.
    pub new_parents: bool,
}

impl Who {
    /// An item of the population.
    pub fn of_population(index: usize) -> Self {
        Self { like: index, fresh: index, new_parents: false }
    }
}

/// Which of its optional attributes an item has.
#[derive(Clone, Copy)]
pub(super) enum Presence<'a> {
    /// Those that its place in the population has.
    AsPlaced,
    /// These and no others.
    Exactly(&'a [&'a str]),
}

/// The values of a plan's items.
pub(super) struct Arrangement<'db> {
    pub plan: Plan<'db>,
    /// The digits that templates leave a number.
    digits: BTreeMap<(&'db str, &'db str), usize>,
    /// The values that patterns name.
    literals: Literals,
}

impl<'db> Arrangement<'db> {
    /// Arranges the values of a plan; of attributes with few values, those that
    /// patterns name are the first.
    pub fn new(plan: Plan<'db>, literals: Literals) -> Self {
        let digits = digits(&plan);
        Self { plan, digits, literals }
    }

    /// The plan of an entity.
    pub fn entity(&self, name: &str) -> Option<&EntityPlan<'db>> {
        self.plan.entities.get(name)
    }

    /// The values of one thing of an entity; `None` for an entity that is not
    /// declared.
    pub fn instance(&self, entity: &str, who: Who, presence: Presence<'_>) -> Option<Instance> {
        let (name, plan) = self.plan.entities.get_key_value(entity)?;
        let mut values = Item::new();
        for attribute in &plan.def.attributes {
            let own = attribute.name.text.as_str();
            let present = match presence {
                _ if !attribute.optional => true,
                Presence::AsPlaced => self.is_present(plan, attribute, who.like),
                Presence::Exactly(names) => names.contains(&own),
            };
            if present {
                values.insert(own.to_owned(), self.value(name, plan, attribute, who, 0, 0));
            }
        }
        Some(Instance { values, who })
    }

    /// Another value of an attribute, of the same length, for an update.
    pub fn renewed(&self, entity: &str, attribute: &AttributeDef, who: Who) -> Option<Value> {
        let (name, plan) = self.plan.entities.get_key_value(entity)?;
        Some(self.value(name, plan, attribute, who, 1, 0))
    }

    fn value(
        &self,
        entity: &str,
        plan: &EntityPlan<'db>,
        attribute: &AttributeDef,
        who: Who,
        version: usize,
        depth: usize,
    ) -> Value {
        let name = attribute.name.text.as_str();
        let digits = self.digits.get(&(entity, name)).copied();
        let tag = hash(&format!("{entity}.{name}"));
        if let Some(parent) = plan.parents.iter().find(|parent| parent.attribute == name)
            && depth < LONGEST_CHAIN
        {
            let index = self.parent_index(parent, who, version, entity);
            if let Some(value) = self.id(parent.entity, attribute, index, depth + 1) {
                return value;
            }
            return spell::value(Wanted { attribute, tag, number: index, digits });
        }
        let number = match plan.cycles.get(name) {
            // What is new for an update is another value, even where there is but one.
            Some(cycle) if version > 0 && cycle.period < 2 => version * RENEWED,
            Some(cycle) => (cycle.value(who.like, plan.count) + version) % cycle.period,
            None => who.fresh + version * RENEWED,
        };
        if plan.cycles.contains_key(name)
            && let Some(value) = self.literal(entity, attribute, number)
        {
            return value;
        }
        spell::value(Wanted { attribute, tag, number, digits })
    }

    /// The value of this number where patterns name values of the attribute: those
    /// come first, and of an enum all others after them.
    fn literal(&self, entity: &str, attribute: &AttributeDef, number: usize) -> Option<Value> {
        let named = self.literals.get(&(entity.to_owned(), attribute.name.text.clone()))?;
        if let Type::Enum(names) = &attribute.ty {
            let all = || names.iter().map(|name| Value::S(name.text.clone()));
            let first = all().filter(|value| named.contains(value));
            return first.chain(all().filter(|value| !named.contains(value))).nth(number);
        }
        let fits = |value: &&Value| {
            matches!((value, &attribute.ty), (Value::S(_), Type::String) | (Value::N(_), Type::Number))
        };
        named.iter().filter(fits).nth(number).cloned()
    }

    /// The id of an entity's item, for an attribute that holds it; `None` where
    /// the entity has no id of that type.
    fn id(&self, entity: &str, holder: &AttributeDef, index: usize, depth: usize) -> Option<Value> {
        let plan = self.entity(entity)?;
        let ids = || plan.def.ids().filter(|id| same_type(&id.ty, &holder.ty));
        let id = ids().find(|id| id.name.text == holder.name.text).or_else(|| ids().next())?;
        Some(self.value(entity, plan, id, Who::of_population(index), 0, depth))
    }

    /// Which item of the parent an item belongs to.
    fn parent_index(&self, parent: &Parent<'db>, who: Who, version: usize, entity: &str) -> usize {
        let there_are = self.entity(parent.entity).map_or(1, |parent| parent.count.max(1));
        if who.new_parents && key_attributes(&self.plan.tables, entity).contains(&parent.attribute) {
            return there_are + who.fresh;
        }
        // What is new for an update is the next parent.
        match parent.children {
            Some(children) if version == 0 => who.like / children,
            Some(children) => (who.like / children + version) % there_are,
            None => (who.like + version) % there_are,
        }
    }

    /// The items of the population that are children of one parent.
    pub fn children(&self, parent: &str, index: usize, child: &str) -> Vec<usize> {
        let Some(plan) = self.entity(child) else { return Vec::new() };
        let Some(own) = plan.parents.iter().find(|p| p.entity == parent) else { return Vec::new() };
        let whose = |i: &usize| self.parent_index(own, Who::of_population(*i), 0, child) == index;
        match own.children {
            Some(children) => (index * children..((index + 1) * children).min(plan.count)).collect(),
            None => (0..plan.count).filter(whose).collect(),
        }
    }

    /// Whether an item of the population has an optional attribute: its exact
    /// share of the items does, and where the share is neither all nor nothing,
    /// at least one does and one does not.
    fn is_present(&self, plan: &EntityPlan<'db>, attribute: &AttributeDef, index: usize) -> bool {
        let count = plan.count;
        let share = attribute.present.as_ref().and_then(|present| present.get(Unit::Percent)).unwrap_or(UNSAID_SHARE);
        let members = match share {
            share if share <= 0.0 => 0,
            share if share >= 1.0 => count,
            share => ((share * count as f64).round() as usize).clamp(1, count.saturating_sub(1).max(1)),
        };
        let optional = plan.def.attributes.iter().filter(|a| a.optional);
        let place = optional.take_while(|a| a.name.text != attribute.name.text).count();
        scattered(index, count, place) < members
    }
}

/// Where an index stands after a shuffle of so many; each `way` shuffles
/// otherwise, so that two attributes are not always there together. The first
/// stays the first: one item has them all.
fn scattered(index: usize, count: usize, way: usize) -> usize {
    const STEPS: [usize; 8] = [7, 11, 13, 17, 19, 23, 29, 31];
    let fits = |step: &&usize| count > 0 && gcd(**step, count) == 1;
    let steps = STEPS.iter().cycle().skip(way % STEPS.len()).take(STEPS.len());
    let step = steps.into_iter().find(fits).copied().unwrap_or(1);
    if count == 0 { 0 } else { (index * step) % count }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether two types are the same, wherever they are written.
fn same_type(a: &Type, b: &Type) -> bool {
    a.spelling() == b.spelling()
}

/// The digits of the numbers that stand in templates: as many as the narrowest
/// padding leaves, eight where there is none (S3). An id and what holds it have
/// the same.
fn digits<'db>(plan: &Plan<'db>) -> BTreeMap<(&'db str, &'db str), usize> {
    let mut digits: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut narrow = |entity: &'db str, attribute: &'db str, width: usize| {
        let known = digits.entry((entity, attribute)).or_insert(width);
        *known = (*known).min(width);
    };
    for item in plan.tables.iter().flat_map(|table| &table.items) {
        let Some((entity, known)) = plan.entities.get_key_value(item.entity.as_str()) else { continue };
        for source in item.keys.values().filter(|source| source.template) {
            for part in &source.value.parts {
                let KeyPiece::Hole(hole) = part else { continue };
                let Some(attribute) = known.def.attribute(&hole.name).filter(|a| a.ty == Type::Number) else {
                    continue;
                };
                let width = match hole.format {
                    Format::Padded(width) => width as usize,
                    _ => UNPADDED,
                };
                let own = attribute.name.text.as_str();
                narrow(entity, own, width);
                let parent = known.parents.iter().find(|parent| parent.attribute == own);
                if let Some((parent, plan)) = parent.and_then(|p| plan.entities.get_key_value(p.entity)) {
                    for id in plan.def.ids().filter(|id| id.ty == Type::Number) {
                        narrow(parent, &id.name.text, width);
                    }
                }
            }
        }
    }
    digits
}

/// The attributes whose values the keys of an entity are made of, for what a
/// report says of distinct values.
pub(super) fn of_keys<'db>(plan: &Plan<'db>, entity: &str) -> Vec<&'db str> {
    let mut names = key_attributes(&plan.tables, entity);
    names.extend(index_attributes(&plan.tables, entity));
    names.sort_unstable();
    names.dedup();
    names
}
