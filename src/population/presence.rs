//! Which items have which of their optional attributes.

use super::arrange::Arrangement;
use super::cycles::gcd;
use super::plan::EntityPlan;
use super::relations::share_a_key;
use super::spell::Spelling;
use crate::model::defs::AttributeDef;
use crate::syntax::Unit;
use std::collections::{BTreeMap, BTreeSet};

/// The share of the items that have an optional attribute whose `@present` is
/// not declared: so that there are some of both.
const UNSAID_SHARE: f64 = 0.5;
/// The smallest share of the items that have an optional attribute, in what readers
/// see, where any have.
const RARE: f64 = 0.25;

/// Of optional attributes that are not there beside others, by entity and name, the
/// items that have them.
pub type Alternating<'db> = BTreeMap<(&'db str, &'db str), BTreeSet<usize>>;

impl<'db> Arrangement<'db> {
    /// The items that have an attribute which is not there beside others: as many as
    /// have it anyway, of those that have none of the others named before it.
    pub(super) fn alternating(&self) -> Alternating<'db> {
        let mut all = Alternating::new();
        for (entity, said) in &self.lifecycle.entities {
            let Some(plan) = self.entity(entity) else { continue };
            for attribute in &plan.def.attributes {
                let own = attribute.name.text.as_str();
                let pairs = said.apart.iter().filter(|(one, other)| *one == own || *other == own);
                // An index of both wants items that have both.
                let pairs = pairs.filter(|(one, other)| !share_a_key(&self.plan.tables, entity, one, other));
                let others: Vec<&str> = pairs.map(|(one, other)| if *one == own { *other } else { *one }).collect();
                if others.is_empty() {
                    continue;
                }
                let is_free = |index: &usize| {
                    others.iter().all(|other| all.get(&(*entity, *other)).is_none_or(|items| !items.contains(index)))
                };
                let mut free: Vec<usize> = (0..plan.count).filter(is_free).collect();
                free.sort_by_key(|index| scattered(*index, plan.count, place_of(plan, attribute)));
                // Something is left for who comes after it.
                let left = others.iter().filter(|other| !all.contains_key(&(*entity, **other))).count();
                let most = free.len().saturating_sub(left).max(1);
                free.truncate(self.members(plan, attribute).min(most));
                all.insert((entity, own), free.into_iter().collect());
            }
        }
        all
    }

    /// Whether an item of the population has an optional attribute: its exact
    /// share of the items does, and where the share is neither all nor nothing,
    /// at least one does and one does not.
    pub(super) fn is_present(
        &self,
        entity: &'db str,
        plan: &EntityPlan<'db>,
        attribute: &'db AttributeDef,
        index: usize,
    ) -> bool {
        match self.alternating.get(&(entity, attribute.name.text.as_str())) {
            Some(items) => items.contains(&index),
            None => scattered(index, plan.count, place_of(plan, attribute)) < self.members(plan, attribute),
        }
    }

    /// How many items of the population have an optional attribute.
    fn members(&self, plan: &EntityPlan<'db>, attribute: &AttributeDef) -> usize {
        let count = plan.count;
        let share = attribute.present.as_ref().and_then(|present| present.get(Unit::Percent)).unwrap_or(UNSAID_SHARE);
        match share {
            share if share <= 0.0 => 0,
            share if share >= 1.0 => count,
            share => {
                // A reader sees of a rare thing that there are several.
                let share = if self.spelling == Spelling::Plausible { share.max(RARE) } else { share };
                ((share * count as f64).round() as usize).clamp(1, count.saturating_sub(1).max(1))
            }
        }
    }
}

/// Which of the optional attributes of its entity an attribute is.
fn place_of(plan: &EntityPlan<'_>, attribute: &AttributeDef) -> usize {
    let optional = plan.def.attributes.iter().filter(|a| a.optional);
    optional.take_while(|a| a.name.text != attribute.name.text).count()
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
