//! Which value each attribute of each item has.

use super::lifecycle::{Lifecycle, Said};
use super::literals::Literals;
use super::plan::{EntityPlan, Parent, Plan};
use super::plausible;
use super::presence::Alternating;
use super::relations::{index_attributes, key_attributes};
use super::spell::{Expires, Spelling, Wanted};
use super::template::hash;
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key::KeyPiece;
use crate::syntax::template::Format;
use std::collections::BTreeMap;

/// Ids that hold ids of other entities are followed so far.
const LONGEST_CHAIN: usize = 16;
/// Digits of a number that stands in a template without padding (S3).
const UNPADDED: usize = 8;

/// One thing of an entity: the values of the attributes that it has.
#[derive(Clone, Debug)]
pub struct Instance {
    pub values: Item,
    pub who: Who,
}

/// Which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
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
pub enum Presence<'a> {
    /// Those that its place in the population has.
    AsPlaced,
    /// These and no others.
    Exactly(&'a [&'a str]),
}

/// The values of a plan's items.
pub struct Arrangement<'db> {
    pub plan: Plan<'db>,
    /// The digits that templates leave a number.
    digits: BTreeMap<(&'db str, &'db str), usize>,
    /// The values that patterns name.
    literals: Literals,
    pub(super) lifecycle: Lifecycle<'db>,
    pub(super) alternating: Alternating<'db>,
    pub spelling: Spelling,
}

/// A value that is wanted: that of an attribute of one item.
#[derive(Clone, Copy)]
pub(super) struct AskedFor<'a, 'db> {
    pub entity: &'a str,
    pub plan: &'a EntityPlan<'db>,
    pub attribute: &'a AttributeDef,
    pub who: Who,
    /// 0 for the first value, more for those of updates.
    pub version: usize,
    /// How many other items were asked to come here.
    pub depth: usize,
}

impl<'db> Arrangement<'db> {
    /// Arranges the values of a plan; of attributes with few values, those that
    /// patterns name are the first. Of what is never there at the same time, an item
    /// has one at most.
    pub fn new(plan: Plan<'db>, literals: Literals, lifecycle: Lifecycle<'db>, spelling: Spelling) -> Self {
        let digits = digits(&plan);
        let mut all = Self { plan, digits, literals, lifecycle, alternating: Alternating::new(), spelling };
        all.alternating = all.alternating();
        all
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
                Presence::AsPlaced => self.is_present(name, plan, attribute, who.like),
                Presence::Exactly(names) => names.contains(&own),
            };
            if present {
                values.insert(
                    own.to_owned(),
                    self.value(AskedFor { entity: name, plan, attribute, who, version: 0, depth: 0 }),
                );
            }
        }
        self.agree(entity, &mut values, |_| true);
        Some(Instance { values, who })
    }

    /// To a reader, a status that is kept twice, once for a sparse index
    /// (`open_status` beside `status`), is the same in both; where the one is absent,
    /// the other is none of its values. A state that is left with the removal of an
    /// attribute is not left while that is there. Those that may not be `changed` stay.
    pub fn agree(&self, entity: &str, values: &mut Item, changed: impl Fn(&str) -> bool) {
        let Some(plan) = self.entity(entity).filter(|_| self.spelling == Spelling::Plausible) else { return };
        let fixed = key_attributes(&self.plan.tables, entity);
        for state in self.lifecycle.entities.get(entity).into_iter().flat_map(|said| &said.states) {
            let is_there = values.contains_key(state.beside) && !fixed.contains(&state.state);
            if is_there && changed(state.state) {
                values.insert(state.state.to_owned(), Value::S(state.value.to_owned()));
            }
        }
        for (narrow, wide) in plausible::kept_twice(plan.def) {
            let own = wide.name.text.as_str();
            let Some(Value::S(held)) = values.get(own).filter(|_| changed(own)) else { continue };
            let value = match values.get(&narrow.name.text) {
                Some(value) => Some(value.clone()),
                None => plausible::outside(held, narrow, wide),
            };
            if let Some(value) = value {
                values.insert(own.to_owned(), value);
            }
        }
    }

    /// What an update makes of an enum, as far as the model tells it.
    pub fn becomes(&self, op: &OpDef, attribute: &AttributeDef) -> Option<Value> {
        // Exact items keep the length that their sizes were computed with.
        let lifecycle = (self.spelling == Spelling::Plausible).then_some(&self.lifecycle)?;
        let value = lifecycle.becomes(op, &attribute.name.text)?;
        Some(Value::S(value.to_owned()))
    }

    /// What the updates of an entity say of its items; nothing where they are measured.
    pub fn said(&self, entity: &str) -> Option<&Said<'db>> {
        self.lifecycle.entities.get(entity)
    }

    /// What conditions want a flag of an entity to be; `None` where that is not one thing.
    pub fn wants(&self, entity: &str, attribute: &str) -> Option<bool> {
        self.lifecycle.wants(entity, attribute)
    }

    /// Another value of an attribute, of the same length, for an update.
    pub fn renewed(&self, entity: &str, attribute: &AttributeDef, who: Who) -> Option<Value> {
        let (name, plan) = self.plan.entities.get_key_value(entity)?;
        Some(self.value(AskedFor { entity: name, plan, attribute, who, version: 1, depth: 0 }))
    }

    pub(super) fn value(&self, asked: AskedFor<'_, 'db>) -> Value {
        let AskedFor { entity, plan, attribute, who, version, depth } = asked;
        let name = attribute.name.text.as_str();
        let is_cycle = plan.cycles.contains_key(name);
        let wanted = |number| Wanted {
            entity,
            attribute,
            tag: hash(&format!("{entity}.{name}")),
            number,
            digits: self.digits.get(&(entity, name)).copied(),
            alone: attribute.id || attribute.unique.is_some() || is_cycle,
            expires: plan.ttl.contains(name).then(|| plan.lifetime.map_or(Expires::Ahead, Expires::After)),
        };
        if let Some(parent) = plan.parents.iter().find(|parent| parent.attribute == name)
            && depth < LONGEST_CHAIN
        {
            let index = self.parent_index(parent, who, version, entity);
            return match self.id(parent.entity, attribute, index, depth + 1) {
                Some(value) => value,
                None => self.spelling.value(wanted(index)),
            };
        }
        if self.spelling == Spelling::Plausible
            && let Some(value) = plausible::kind_of(entity, attribute)
        {
            return value;
        }
        if self.spelling == Spelling::Plausible
            && depth < LONGEST_CHAIN
            && let Some(value) = self.copied(AskedFor { depth: depth + 1, ..asked })
        {
            return value;
        }
        let renewed = self.spelling.renewed();
        let number = match plan.cycles.get(name) {
            // What is new for an update is another value, even where there is but one.
            Some(cycle) if version > 0 && cycle.period < 2 => version * renewed,
            Some(cycle) => (cycle.value(who.like) + version) % cycle.period,
            None => who.fresh + version * renewed,
        };
        if is_cycle && let Some(value) = self.literal(entity, attribute, number) {
            return value;
        }
        if self.spelling == Spelling::Plausible
            && let Some(value) = self.named(entity, plan, attribute, number)
        {
            return value;
        }
        self.spelling.value(wanted(self.counted(plan, attribute, who, number)))
    }

    /// Of an attribute that shares its values, every now and then one that patterns
    /// name: a reader finds what a query asks for.
    fn named(&self, entity: &str, plan: &EntityPlan<'db>, attribute: &AttributeDef, number: usize) -> Option<Value> {
        let name = attribute.name.text.as_str();
        if attribute.id || attribute.unique.is_some() || plan.cycles.contains_key(name) {
            return None;
        }
        let named = self.literals.get(&(entity.to_owned(), name.to_owned()))?.len();
        self.literal(entity, attribute, number % (named + 1))
    }

    /// The number of a value of its own. To a reader, the lines of one order begin
    /// at one, however many there are of others.
    fn counted(&self, plan: &EntityPlan<'db>, attribute: &AttributeDef, who: Who, number: usize) -> usize {
        let row = plan.parents.iter().find_map(|parent| parent.children.filter(|_| parent.identifying));
        let is_counted = self.spelling == Spelling::Plausible && attribute.id && attribute.ty == Type::Number;
        match row.filter(|_| is_counted && number == who.fresh) {
            Some(children) if number < plan.count => number % children,
            Some(children) => number - plan.count + children,
            None => number,
        }
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
    pub(super) fn id(&self, entity: &str, holder: &AttributeDef, index: usize, depth: usize) -> Option<Value> {
        let plan = self.entity(entity)?;
        let ids = || plan.def.ids().filter(|id| same_type(&id.ty, &holder.ty));
        let id = ids().find(|id| id.name.text == holder.name.text).or_else(|| ids().next())?;
        Some(self.value(AskedFor { entity, plan, attribute: id, who: Who::of_population(index), version: 0, depth }))
    }

    /// Which item of the parent an item belongs to.
    pub fn parent_index(&self, parent: &Parent<'db>, who: Who, version: usize, entity: &str) -> usize {
        let there_are = self.entity(parent.entity).map_or(1, |parent| parent.count.max(1));
        if who.new_parents && key_attributes(&self.plan.tables, entity).contains(&parent.attribute) {
            return there_are + who.fresh;
        }
        if let Some((own, above)) = parent.through.filter(|_| version == 0)
            && let Some(index) = self.through(who, entity, own, above)
        {
            return index % there_are;
        }
        // What is new for an update is the next parent.
        match parent.children {
            Some(children) if version == 0 => who.like / children,
            Some(children) => (who.like / children + version) % there_are,
            None => (self.of_own(parent, who, entity) + version) % there_are,
        }
    }

    /// Where the items go round the parents in turn: from where on, so that to a reader
    /// no item belongs to itself, and nobody follows himself. What has few parents of
    /// the same entity is of another by each attribute.
    fn of_own(&self, parent: &Parent<'db>, who: Who, entity: &str) -> usize {
        // Another attribute than that of the relationship repeats it, or has no say.
        let repeats = parent.by.is_some_and(|by| by != parent.attribute);
        let plan = self.entity(entity).filter(|_| self.spelling == Spelling::Plausible && !repeats);
        let Some(plan) = plan else { return who.like };
        let row = plan.parents_of(parent.entity).find_map(|other| other.children);
        let in_turn = plan.parents_of(parent.entity).filter(|other| other.children.is_none());
        let place = in_turn.take_while(|other| other.attribute != parent.attribute).count();
        match row {
            // The others in turn, beginning behind the one in whose row the item stands.
            Some(children) => who.like / children + 1 + who.like % children + place,
            None => who.like + place + usize::from(parent.entity == entity),
        }
    }

    /// The parent of an item's parent.
    fn through(&self, who: Who, entity: &str, own: &str, above: &str) -> Option<usize> {
        let parent = self.entity(entity)?.parents.iter().find(|parent| parent.attribute == own)?;
        let next = self.entity(parent.entity)?.parents.iter().find(|next| next.attribute == above)?;
        let index = self.parent_index(parent, who, 0, entity);
        Some(self.parent_index(next, Who::of_population(index), 0, parent.entity))
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
}

/// Whether two types are the same, wherever they are written.
pub(super) fn same_type(a: &Type, b: &Type) -> bool {
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
pub fn of_keys<'db>(plan: &Plan<'db>, entity: &str) -> Vec<&'db str> {
    let mut names = key_attributes(&plan.tables, entity);
    names.extend(index_attributes(&plan.tables, entity));
    names.sort_unstable();
    names.dedup();
    names
}
