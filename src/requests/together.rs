//! Which items the writes of one transaction or batch touch: such as belong
//! together. Who copies the request finds the same user, order and slot in all of
//! its parts.

use super::amounts::{bounds, counted, numbers};
use super::common::in_common;
use super::group::{self, key_of_write};
use super::maker::{Beside, made, possible, possible_beside};
use super::printed::Seen;
use super::write::{Action, Write};
use crate::capacity::values::{Item, Value};
use crate::model::db::Db;
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::resolve::Step;
use crate::model::unique::wants_existing;
use crate::population::arrange::Who;
use crate::population::belonging::Adopted;
use crate::population::items::{Population, Stored};
use crate::population::plan::{EntityPlan, PRINTED};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Parents of parents are followed so far.
const GENERATIONS: usize = 3;

/// The writes of one call, in the order of the steps; those of items that have been
/// `seen` come first where nothing else tells which. Why there are none otherwise.
pub(super) fn together<'db>(
    db: &'db dyn Db,
    population: &Population<'db>,
    (kind, steps): (GroupKind, &[Step<'db>]),
    seen: &Seen,
) -> Result<Vec<Write<'db>>, &'static str> {
    let mut call = Call::new(db, population, kind, seen);
    let mut chosen: Vec<Vec<Write>> = vec![Vec::new(); steps.len()];
    let is_new: Vec<bool> = steps.iter().map(is_newcomer).collect();
    let there = |place: &usize| !is_new[*place];
    let needed = |step: &Step<'db>| steps.iter().filter(|other| entity(other) == entity(step)).map(printed).sum();
    let possible: BTreeMap<usize, Vec<Write>> = (0..steps.len())
        .filter(there)
        .map(|place| (place, enough(db, population, steps[place], needed(&steps[place]))))
        .collect();
    for (place, own) in &possible {
        let later: Vec<&[Write]> = possible.range(place + 1..).map(|(_, writes)| writes.as_slice()).collect();
        let sharing = call.sharing(&steps[*place], printed(&steps[*place]));
        chosen[*place] = call.those_there(&steps[*place], sharing.as_deref().unwrap_or(own), &later)?;
        call.give(&steps[*place], &chosen[*place]);
    }
    let newcomers: Vec<usize> = (0..steps.len()).filter(|place| is_new[*place]).collect();
    for place in call.parents_first(steps, newcomers) {
        chosen[place] = call.newcomers(&steps[place])?;
    }
    // What an update refers to, and how much it is about, is known by now.
    let new: Vec<Item> = (0..steps.len())
        .filter(|place| is_new[*place])
        .flat_map(|place| chosen[place].iter().filter_map(|write| write.after.clone()))
        .collect();
    let mut lost: Vec<(&str, Item)> = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        for (ordinal, write) in chosen[place].iter_mut().enumerate() {
            if let Some(referring) = call.referring(step, ordinal, write, &new) {
                *write = referring;
            }
            let counted = counted(step, write);
            if !counted.is_empty() {
                lost.push((entity(step), counted));
            }
        }
    }
    for (place, step) in steps.iter().enumerate().filter(|(_, step)| bounds(&step.step.op).is_empty()) {
        let gained = lost.iter().find(|(own, _)| *own == entity(step)).map(|(_, lost)| lost);
        for (ordinal, write) in chosen[place].iter_mut().enumerate() {
            if let Some(gained) = gained.filter(|_| write.action == Action::Update)
                && let Some(gaining) = call.gaining(step, ordinal, write, gained)
            {
                *write = gaining;
            }
        }
    }
    Ok(chosen.into_iter().flatten().collect())
}

/// The possible writes of a step; where so many are needed and fewer items meet its
/// condition as they are, also those of items that are given its values.
fn enough<'db>(db: &'db dyn Db, population: &Population<'db>, step: Step<'db>, needed: usize) -> Vec<Write<'db>> {
    let mut all = possible(db, population, step);
    if all.len() < needed {
        let known: BTreeSet<String> = all.iter().map(key_of_write).collect();
        let forced = made(db, population, step, &Beside::default(), true).into_iter();
        all.extend(forced.filter(|write| !known.contains(&key_of_write(write))));
    }
    all
}

/// How many items of a step one printed request shows.
pub(super) fn printed(step: &Step<'_>) -> usize {
    group::times(step).min(PRINTED)
}

/// Whether a step writes an item that is not there yet.
fn is_newcomer(step: &Step<'_>) -> bool {
    let OpDef::Put { subject: Some(subject), condition, .. } = &step.step.op else { return false };
    let is_item = step.resolved.reached.first().is_some_and(|kind| *kind == subject.entity.text);
    is_item && condition.as_ref().is_none_or(|condition| !wants_existing(&condition.kind))
}

fn entity<'db>(step: &Step<'db>) -> &'db str {
    step.step.op.subject().map_or("", |subject| subject.entity.text.as_str())
}

/// One call, as far as its items are chosen.
pub(super) struct Call<'c, 'db> {
    pub(super) db: &'db dyn Db,
    pub(super) population: &'c Population<'db>,
    pub(super) kind: GroupKind,
    pub(super) seen: &'c Seen,
    pub(super) used: BTreeSet<String>,
    /// The items of the population that it touches, by their entity.
    pub(super) there: BTreeMap<&'db str, Vec<usize>>,
    /// The new ones.
    pub(super) new: BTreeMap<&'db str, Vec<usize>>,
    /// The first of them of each entity.
    pub(super) first: BTreeMap<&'db str, Item>,
    /// What those belong to.
    pub(super) above: BTreeMap<&'db str, usize>,
    /// What updates of the call set in the items that it touches.
    pub(super) changed: Vec<(&'db str, usize, Item)>,
    /// What new items of an entity have in common with one that refers to them.
    pub(super) given: Vec<(&'db str, Item)>,
    /// What there is of numbers that updates take from, by the parameter.
    pub(super) most: Vec<(&'db str, Value)>,
    /// What parameters of the pattern are already, by their names.
    pub(super) parameters: Item,
}

impl<'c, 'db> Call<'c, 'db> {
    fn new(db: &'db dyn Db, population: &'c Population<'db>, kind: GroupKind, seen: &'c Seen) -> Self {
        Self {
            db,
            population,
            kind,
            seen,
            used: BTreeSet::new(),
            there: BTreeMap::new(),
            new: BTreeMap::new(),
            first: BTreeMap::new(),
            above: BTreeMap::new(),
            changed: Vec::new(),
            given: Vec::new(),
            most: Vec::new(),
            parameters: seen.parameters.clone(),
        }
    }

    /// The writes of a step in whose condition parameters are what they are already; `None`
    /// where it has none of these, or there are not so many such items.
    fn sharing(&self, step: &Step<'db>, needed: usize) -> Option<Vec<Write<'db>>> {
        let is_known = |(_, parameter): &(&str, &str)| self.parameters.contains_key(*parameter);
        if !equated(step).iter().any(is_known) {
            return None;
        }
        let beside = Beside { given: self.parameters.clone(), ..Beside::default() };
        let free = |forced| {
            let mut all = made(self.db, self.population, *step, &beside, forced);
            all.retain(|write| !self.used.contains(&key_of_write(write)));
            Some(all).filter(|all| all.len() >= needed.max(1))
        };
        free(false).or_else(|| free(true))
    }

    /// Notes what the parameters of a step are that is of one item.
    fn give(&mut self, step: &Step<'db>, chosen: &[Write<'db>]) {
        let [Write { before: Some(before), .. }] = chosen else { return };
        for (attribute, parameter) in equated(step) {
            if let Some(value) = before.get(attribute) {
                self.parameters.entry(parameter.to_owned()).or_insert_with(|| value.clone());
            }
        }
    }

    pub(super) fn plan(&self, entity: &str) -> Option<(&'db str, &'c EntityPlan<'db>)> {
        self.population.arrangement.plan.entities.get_key_value(entity).map(|(name, plan)| (*name, plan))
    }

    /// Items of the population, those first that belong to what is chosen, then those to
    /// which others belong that are chosen `later`.
    fn those_there(
        &mut self,
        step: &Step<'db>,
        possible: &[Write<'db>],
        later: &[&[Write<'db>]],
    ) -> Result<Vec<Write<'db>>, &'static str> {
        if possible.is_empty() {
            return Err(UNMET);
        }
        let mut chosen: Vec<Write<'db>> = Vec::new();
        let mut alike = None;
        for _ in 0..printed(step) {
            if let [first] = chosen.as_slice() {
                alike = self.alike(step, first);
            }
            let possible = alike.as_deref().unwrap_or(possible);
            let free = possible.iter().filter(|write| !self.used.contains(&key_of_write(write)));
            let rank = |write: &&Write<'db>| {
                let stored = self.population.find(write.table(), &write.key);
                let fits = stored.map_or(0, |stored| self.fits(stored, step));
                let kin = stored.map_or(0, |stored| self.kin(stored, later));
                (Reverse(fits), Reverse(kin), self.seen.place(&key_of_write(write)))
            };
            let write = free.min_by_key(rank).ok_or(TOO_FEW)?;
            self.used.insert(key_of_write(write));
            if let Some(stored) = self.population.find(write.table(), &write.key) {
                self.note(stored, step);
                self.note_changed(stored, step, write);
            }
            let before = |name: &str| Some(write.before.as_ref()?.get(name)?.clone());
            let bounds = bounds(&step.step.op).into_iter();
            self.most.extend(bounds.filter_map(|(name, parameter, _)| Some((parameter, before(name)?))));
            chosen.push(write.clone());
        }
        Ok(chosen)
    }

    /// More items of a step that have what a parameter was for its first; `None` where it
    /// has no such parameter, or there are too few.
    fn alike(&mut self, step: &Step<'db>, first: &Write<'db>) -> Option<Vec<Write<'db>>> {
        let before = first.before.as_ref()?;
        for (attribute, parameter) in equated(step) {
            // A number, as a version, is each item's own.
            if let Some(value) = before.get(attribute).filter(|value| !matches!(value, Value::N(_))) {
                self.parameters.entry(parameter.to_owned()).or_insert_with(|| value.clone());
            }
        }
        self.sharing(step, printed(step) - 1)
    }

    /// To how many of the steps that are to come something belongs to an item.
    fn kin(&self, stored: &Stored<'db>, later: &[&[Write<'db>]]) -> usize {
        let belongs = |write: &Write<'db>| {
            let Some(other) = self.population.find(write.table(), &write.key) else { return false };
            let Some((entity, plan)) = self.plan(&other.kind.entity) else { return false };
            let mut own = plan.parents_of(&stored.kind.entity);
            own.any(|parent| {
                let index = self.population.arrangement.parent_index(parent, other.instance.who, 0, entity);
                other.instance.values.contains_key(parent.attribute) && index == stored.instance.who.like
            })
        };
        later.iter().filter(|writes| writes.iter().any(belongs)).count()
    }

    /// How well an item fits those that are chosen.
    fn fits(&self, stored: &Stored<'db>, step: &Step<'db>) -> i32 {
        let Some((entity, plan)) = self.plan(&stored.kind.entity) else { return 0 };
        let like = stored.instance.who.like;
        let own = match self.above.get(entity) {
            Some(index) if *index == like => 3,
            Some(_) => -1,
            None => 0,
        };
        let parents = plan.parents.iter().filter(|parent| stored.instance.values.contains_key(parent.attribute));
        let parents = parents.filter(|parent| !sets(step, parent.attribute)).map(|parent| {
            let index = self.population.arrangement.parent_index(parent, stored.instance.who, 0, entity);
            match (self.there.get(parent.entity), self.above.get(parent.entity)) {
                (Some(known), _) if known.contains(&index) => 2,
                (None, Some(known)) if *known == index => 2,
                (None, None) => 0,
                _ => -1,
            }
        });
        own + parents.sum::<i32>()
    }

    fn note(&mut self, stored: &Stored<'db>, step: &Step<'db>) {
        let Some((entity, plan)) = self.plan(&stored.kind.entity) else { return };
        self.there.entry(entity).or_default().push(stored.instance.who.like);
        for parent in &plan.parents {
            if sets(step, parent.attribute) {
                // Who refers to one of its own has much in common with it.
                if let Some((name, of)) = self.plan(parent.entity).filter(|_| parent.one) {
                    self.given.push((name, in_common(stored, of.def)));
                }
            } else if stored.instance.values.contains_key(parent.attribute) {
                let index = self.population.arrangement.parent_index(parent, stored.instance.who, 0, entity);
                self.note_above(parent.entity, index, 0);
            }
        }
    }

    /// An item to which chosen ones belong, and those to which it does.
    fn note_above(&mut self, entity: &'db str, index: usize, generation: usize) {
        if generation >= GENERATIONS || self.above.contains_key(entity) {
            return;
        }
        self.above.insert(entity, index);
        let Some((_, plan)) = self.plan(entity) else { return };
        let parents = plan.parents.iter().filter(|parent| {
            parent.entity != entity && plan.def.attribute(parent.attribute).is_some_and(|attribute| !attribute.optional)
        });
        for parent in parents {
            let who = Who::of_population(index);
            let index = self.population.arrangement.parent_index(parent, who, 0, entity);
            self.note_above(parent.entity, index, generation + 1);
        }
    }

    /// The steps in an order in which new parents come before their children.
    fn parents_first(&self, steps: &[Step<'db>], mut left: Vec<usize>) -> Vec<usize> {
        let mut ordered = Vec::new();
        while !left.is_empty() {
            let waits = |place: &usize| {
                let own = entity(&steps[*place]);
                let plan = self.plan(own).map(|(_, plan)| plan);
                let is_parent = |other: &usize| {
                    let other = entity(&steps[*other]);
                    other != own && plan.is_some_and(|plan| plan.parents_of(other).next().is_some())
                };
                left.iter().any(is_parent)
            };
            let next = left.iter().position(|place| !waits(place)).unwrap_or(0);
            ordered.push(left.remove(next));
        }
        ordered
    }

    /// New items that belong to what is chosen.
    fn newcomers(&mut self, step: &Step<'db>) -> Result<Vec<Write<'db>>, &'static str> {
        let own = entity(step);
        let mut chosen = Vec::new();
        for _ in 0..printed(step) {
            let ordinal = self.new.get(own).map_or(0, Vec::len);
            let common = self.given.iter().find(|(given, _)| *given == own).map(|(_, item)| item.clone());
            let adopted = self.adopted(own, ordinal, |_| true, true);
            let mut common = common.unwrap_or_default();
            common.extend(self.at_once(own));
            common.extend(self.set_above(own, &adopted));
            common.extend(self.begun_above(own, &adopted));
            let beside = Beside { adopted, common, most: self.most.clone(), ..Beside::default() };
            // Where only one item can belong to all of these, the others belong to as many as
            // they can, first of all to what is new.
            let fewer = |left: usize| {
                let kept = beside.adopted.iter().enumerate().filter(move |(place, _)| *place != left);
                Beside { adopted: kept.map(|(_, own)| own.clone()).collect(), ..beside.clone() }
            };
            let mut places: Vec<usize> = (0..beside.adopted.len()).collect();
            places.sort_by_key(|place| (beside.adopted[*place].new, Reverse(*place)));
            let ways = std::iter::once(beside.clone()).chain(places.into_iter().map(fewer));
            let mut ways = ways.chain(std::iter::once(Beside::default()));
            let made = ways.find_map(|beside| self.free(step, &beside).map(|write| (write, beside.adopted)));
            let (write, adopted) = made.ok_or(if chosen.is_empty() { UNMET } else { TOO_FEW })?;
            self.used.insert(key_of_write(&write));
            if let Some((entity, plan)) = self.plan(own) {
                self.new.entry(entity).or_default().push(write.who.fresh);
                self.first.entry(entity).or_insert_with(|| write.after.clone().unwrap_or_default());
                for parent in plan.parents.iter().filter(|parent| parent.entity != own) {
                    let is_adopted = adopted.iter().any(|adopted| adopted.attribute == parent.attribute);
                    if !is_adopted && !self.new.contains_key(parent.entity) {
                        let index = self.population.arrangement.parent_index(parent, write.who, 0, own);
                        self.note_above(parent.entity, index, 0);
                    }
                }
            }
            chosen.push(write);
        }
        Ok(chosen)
    }

    /// The first new item whose key is free, one of parents that there are before one
    /// that needs others.
    fn free(&self, step: &Step<'db>, beside: &Beside<'_>) -> Option<Write<'db>> {
        let all = possible_beside(self.db, self.population, *step, beside).into_iter();
        all.filter(|write| !self.used.contains(&key_of_write(write))).min_by_key(|write| {
            let is_twin = self.new.get(entity(step)).is_some_and(|known| known.contains(&write.who.fresh));
            (write.original.is_some(), is_twin, write.who.new_parents, self.seen.place(&key_of_write(write)))
        })
    }

    /// An update whose new references are to items of the same call, and whose amount
    /// is that of what is new in it.
    fn referring(&self, step: &Step<'db>, ordinal: usize, write: &Write<'db>, new: &[Item]) -> Option<Write<'db>> {
        let adopted = self.adopted(entity(step), ordinal, |name| sets(step, name), false);
        let told = if bounds(&step.step.op).is_empty() { Item::new() } else { numbers(new, &write.key) };
        if adopted.is_empty() && told.is_empty() {
            return None;
        }
        self.again(step, write, Beside { adopted, told, ..Beside::default() })
    }

    /// An update that gets what another loses.
    fn gaining(&self, step: &Step<'db>, ordinal: usize, write: &Write<'db>, gained: &Item) -> Option<Write<'db>> {
        let adopted = self.adopted(entity(step), ordinal, |name| sets(step, name), false);
        self.again(step, write, Beside { adopted, gained: gained.clone(), ..Beside::default() })
    }

    /// The write of the same item, beside this.
    fn again(&self, step: &Step<'db>, write: &Write<'db>, mut beside: Beside<'_>) -> Option<Write<'db>> {
        let find = |all: Vec<Write<'db>>| all.into_iter().find(|other| other.key == write.key);
        if !equated(step).is_empty() {
            beside.given = self.parameters.clone();
            let mut ways = [false, true].into_iter();
            let shared = ways.find_map(|forced| find(made(self.db, self.population, *step, &beside, forced)));
            if shared.is_some() {
                return shared;
            }
            beside.given = Item::new();
        }
        find(possible_beside(self.db, self.population, *step, &beside))
    }

    /// The parents of an item that are written in the same call, or belong to what
    /// is. Of several items of a kind, the first has the first parent.
    fn adopted(&self, own: &str, ordinal: usize, may: impl Fn(&str) -> bool, above: bool) -> Vec<Adopted<'db>> {
        let Some((_, plan)) = self.plan(own) else { return Vec::new() };
        let mut all = Vec::new();
        for parent in plan.parents.iter().filter(|parent| may(parent.attribute)) {
            let same = plan.parents_of(parent.entity).count();
            let place = plan.parents_of(parent.entity).take_while(|other| other.attribute != parent.attribute).count();
            let of = |known: &[usize]| {
                let first = known.first().filter(|_| same == 1);
                known.get(ordinal * same + place).or(known.get(place).filter(|_| same > 1)).or(first).copied()
            };
            let new = self.new.get(parent.entity).filter(|_| parent.entity != own);
            let there = self.there.get(parent.entity).filter(|_| above || parent.entity != own);
            let index = match (new, there) {
                (Some(known), _) | (None, Some(known)) => of(known),
                (None, None) => self.above.get(parent.entity).copied().filter(|_| above && place == 0),
            };
            if let Some(index) = index {
                all.push(Adopted { attribute: parent.attribute, index, new: new.is_some() });
            }
        }
        all
    }
}

/// The attributes that the condition of a step wants to be a parameter, each with that.
fn equated<'db>(step: &Step<'db>) -> Vec<(&'db str, &'db str)> {
    let Some(WriteConditionKind::Conditions(conditions)) = step.step.op.condition().map(|condition| &condition.kind)
    else {
        return Vec::new();
    };
    let comparisons = conjuncts(conditions).into_iter().filter(|comparison| comparison.operator == Operator::Equal);
    let pairs = comparisons.filter_map(|comparison| match comparison.operands.as_slice() {
        [OperandDef::Parameter(name)] => Some((comparison.attribute.text.as_str(), name.text.as_str())),
        _ => None,
    });
    pairs.collect()
}

/// Whether a step sets an attribute of its item.
pub(super) fn sets(step: &Step<'_>, name: &str) -> bool {
    matches!(&step.step.op, OpDef::Update { set, .. } if set.iter().any(|own| own.text == name))
}

/// Why there is no write.
pub(super) const UNMET: &str = "no item of the model can meet its condition";
/// Why there are not enough of them.
pub(super) const TOO_FEW: &str = "the model has too few distinct items for one call";
