//! How the values of attributes with few of them repeat over the items of an
//! entity: evenly, and so that what tells items apart does.

use super::plan::{MOST, Parent, Plan};
use super::relations::{index_attributes, key_attributes};
use crate::model::defs::*;
use crate::syntax::Unit;
use std::collections::BTreeMap;

/// How the values of an attribute repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub period: usize,
    way: Way,
}

/// Which of its values an item has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Each value for so many items in a row.
    Rows(usize),
    /// Each value for one item, and one value further after so many items, as often
    /// as said: what has come round together with others comes round beside others
    /// the next time.
    Laps { length: usize, number: usize },
}

impl Cycle {
    /// Which of its values item `index` has.
    pub fn value(self, index: usize) -> usize {
        match self.way {
            Way::Rows(items) => (index / items) % self.period,
            Way::Laps { length, number } => (index + index / length % number) % self.period,
        }
    }

    /// A cycle that, together with others which all come round after so many items,
    /// tells apart as many items as there are pairs: where the two numbers share a
    /// factor, both would be round before that (the Chinese remainder theorem).
    fn beside(others: usize, period: usize) -> Self {
        let shared = gcd(others, period);
        Self { period, way: Way::Laps { length: (others / shared).saturating_mul(period), number: shared } }
    }
}

/// The attributes with few values. Those of the primary key come first: they
/// tell the children of one parent apart; then those of index keys.
pub(super) fn cycles<'db>(
    plan: &Plan<'db>,
    share: usize,
    (name, def): (&str, &'db EntityDef),
    count: usize,
    parents: &[Parent<'db>],
) -> BTreeMap<&'db str, Cycle> {
    let (keys, indexes) = (key_attributes(&plan.tables, name), index_attributes(&plan.tables, name));
    let mut few: Vec<Few> = Vec::new();
    for attribute in def.attributes.iter().filter(|a| a.of.is_none() && a.unique.is_none()) {
        let own = attribute.name.text.as_str();
        let (period, most) = match (&attribute.ty, &attribute.distinct) {
            (Type::Enum(names), _) => (names.len().max(1), names.len().max(1)),
            (Type::Boolean, _) => (2, 2),
            // What alone tells items apart has a value for each.
            _ if attribute.id && def.ids().count() == 1 => continue,
            (_, Some(distinct)) => match distinct.get(Unit::Number) {
                Some(distinct) => (even(distinct, count, share), distinct.clamp(1.0, MOST as f64) as usize),
                None => continue,
            },
            _ => continue,
        };
        let place = if keys.contains(&own) { 0 } else { 2 - usize::from(indexes.contains(&own)) };
        few.push(Few { place, name: own, period, most });
    }
    few.sort_by_key(|few| few.place);
    let apart = told_apart(plan, &keys, &mut few, count, parents);
    let (mut stride, mut together) = (1, apart.unwrap_or(1));
    let mut cycles = BTreeMap::new();
    for Few { place, name, period, .. } in few {
        let fits = stride * period <= count;
        let cycle = match apart {
            Some(in_turn) if place == 0 && (in_turn > 1 || !fits || together > stride) => {
                Cycle::beside(together, period)
            }
            _ if fits => Cycle { period, way: Way::Rows(stride) },
            // Too few items for all combinations: out of step with the others.
            _ => Cycle { period, way: Way::Laps { length: period, number: period } },
        };
        cycles.insert(name, cycle);
        together = together.saturating_mul(period);
        if fits {
            stride *= period;
        }
    }
    cycles
}

/// After how many items the parents come round that a primary key holds and that
/// items go round in turn, where these and attributes of few values are all that
/// tells items apart. Such attributes get as many values as that takes, up to
/// those that they have. `None` where something else tells every item apart.
fn told_apart(
    plan: &Plan<'_>,
    keys: &[&str],
    few: &mut [Few<'_>],
    count: usize,
    parents: &[Parent<'_>],
) -> Option<usize> {
    let (mut in_turn, mut items) = (1, count);
    for key in keys {
        let is_few = few.iter().any(|few| few.name == *key);
        match parents.iter().find(|parent| parent.attribute == *key) {
            None if is_few => {}
            Some(Parent { children: Some(children), .. }) => items = *children,
            Some(parent) if plan.entities.contains_key(parent.entity) => {
                let round = plan.entities[parent.entity].count.max(1);
                in_turn = (in_turn / gcd(in_turn, round)).saturating_mul(round);
            }
            _ => return None,
        }
    }
    if keys.is_empty() {
        return None;
    }
    let own = |few: &[Few<'_>]| {
        few.iter().filter(|few| few.place == 0).fold(in_turn, |all: usize, few| all.saturating_mul(few.period))
    };
    for place in 0..few.len() {
        let others = own(few) / few[place].period;
        if few[place].place == 0 {
            let wanted = items.div_ceil(others).min(few[place].most);
            few[place].period = few[place].period.max(wanted);
        }
    }
    Some(in_turn)
}

/// An attribute of few values.
struct Few<'d> {
    /// 0 in a primary key, 1 in the key of an index, 2 elsewhere.
    place: usize,
    name: &'d str,
    period: usize,
    /// The most values that it has.
    most: usize,
}

/// The greatest number that divides both.
pub(super) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A number of distinct values that so many items have equally often: at most
/// as many as declared, and so that each is on a share of so many where that can be.
fn even(declared: f64, count: usize, share: usize) -> usize {
    let most = declared.clamp(1.0, (count / share).max(1) as f64) as usize;
    if declared as usize <= most && declared >= 1.0 {
        return declared as usize;
    }
    (1..=most).rev().find(|period| count.is_multiple_of(*period)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn what_comes_round_together_is_told_apart_whatever_factor_it_shares() {
        for others in 1..=12 {
            for period in 1..=12 {
                let cycle = Cycle::beside(others, period);
                // Any so many items in a row, wherever they begin.
                for first in [0, 1, 7, 100] {
                    let pairs: BTreeSet<_> =
                        (first..first + others * period).map(|item| (item % others, cycle.value(item))).collect();
                    assert_eq!(pairs.len(), others * period, "{others} and {period} from {first}");
                }
            }
        }
    }
}
