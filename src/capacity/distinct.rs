//! How many values a key has, and how much of the traffic meets on one
//! (numbers Q1, Q2, H1).

use super::facts::{EntityFacts, Facts, Kind};
use super::figure::{Figure, Input};
use crate::model::db::Decl;
use crate::model::key::KeyHole;
use crate::syntax::template::Format;

/// An entity with its declaration.
#[derive(Clone, Copy)]
pub struct Owner<'f> {
    pub facts: &'f dyn Facts,
    pub decl: Decl,
    pub entity: &'f EntityFacts,
}

impl<'f> Owner<'f> {
    /// The owner of an item; `None` where nobody declares its entity.
    pub fn of(facts: &'f dyn Facts, item: &crate::model::layout::ItemLayout) -> Option<Self> {
        let decl = item.entity_decl?;
        Some(Self { facts, decl, entity: facts.entity(decl)? })
    }
}

/// Distinct values of a hole of a key, the first that applies: `@distinct`; the
/// count of the entity for its only `@id` or a `@unique` attribute; the count of
/// F for `@of(F)`; the names of an enum, two of a boolean; n for a shard, where
/// nothing says that what it is made of has fewer values, and 1 where that is
/// itself another hole of the key (Q1). `others` are the attributes of the other
/// holes of the key.
///
/// An optional attribute that is unique has as many values as there are items
/// that have it. Of parts of a time nothing says how many there are.
pub fn distinct(owner: Owner<'_>, hole: &KeyHole, others: &[&str]) -> Figure {
    values_of(owner, hole, others).0
}

/// The same with the reason.
pub fn values_of(owner: Owner<'_>, hole: &KeyHole, others: &[&str]) -> (Figure, Reason) {
    match hole.format {
        Format::Shard(_) if others.contains(&hole.name.as_str()) => (Figure::known(1.0), Reason::SameShard),
        Format::Shard(n) => {
            let values = attribute_values(owner, &hole.name).min(&Figure::known(f64::from(n)));
            (values.max(&Figure::known(1.0)), Reason::Shards(n))
        }
        Format::Time(_) => {
            let written = hole.spelling();
            let input = Input::Times { entity: owner.entity.name.clone(), hole: written };
            (Figure::unknown(input).max(&Figure::known(1.0)), Reason::Undeclared)
        }
        Format::Plain | Format::Lower | Format::Upper | Format::Padded(_) => values_and_reason(owner, &hole.name),
    }
}

/// Why a part of a key has as many values as it has (Q1).
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// `@distinct`.
    Declared,
    /// Each item of the entity has a value of its own; where only a share of them
    /// has one, that share.
    Own { entity: String, present: Option<f64> },
    /// One for each item of the entity whose id it holds.
    Of(String),
    /// The names of an enum.
    Names,
    /// True and false.
    Boolean,
    /// So many shards, or fewer where what is hashed has fewer values.
    Shards(u32),
    /// The shard of what the key holds anyway.
    SameShard,
    /// Only the beginning of the value is given; of an enum, so many of so many
    /// names begin like that.
    Beginning(Option<(usize, usize)>),
    /// Nothing says.
    Undeclared,
}

/// Distinct values of an attribute.
pub fn attribute_values(owner: Owner<'_>, name: &str) -> Figure {
    values_and_reason(owner, name).0
}

fn values_and_reason(owner: Owner<'_>, name: &str) -> (Figure, Reason) {
    let entity = owner.entity;
    let asked = || Input::Distinct { entity: entity.name.clone(), attribute: name.to_owned() };
    let one = Figure::known(1.0);
    let Some(attribute) = entity.attribute(name) else {
        return (Figure::unknown(asked()).max(&one), Reason::Undeclared);
    };
    if let Some(distinct) = attribute.distinct {
        return (Figure::known(distinct), Reason::Declared);
    }
    if attribute.unique || entity.only_id().is_some_and(|id| id.name == name) {
        let count = Figure::declared(entity.count, || Input::Count(entity.name.clone()));
        let present = attribute.present.filter(|_| attribute.optional);
        let reason = Reason::Own { entity: entity.name.clone(), present };
        return (count.scaled(present.unwrap_or(1.0)).max(&one), reason);
    }
    if let Some(of) = &attribute.of {
        let target = owner.facts.linked(owner.decl).targets.get(of).and_then(|decl| owner.facts.entity(*decl));
        let values = match target {
            Some(target) => Figure::declared(target.count, || Input::Count(of.clone())).max(&one),
            None => Figure::unknown(Input::Entity(of.clone())).max(&one),
        };
        return (values, Reason::Of(of.clone()));
    }
    match &attribute.kind {
        Kind::Enum(names) if !names.is_empty() => (Figure::known(names.len() as f64), Reason::Names),
        Kind::Boolean => (Figure::known(2.0), Reason::Boolean),
        _ => (Figure::unknown(asked()).max(&one), Reason::Undeclared),
    }
}

/// How the traffic is spread over the values of a hole.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The share of the items that a call meets on the average: 1/D, and h² +
    /// (1−h)²/(D−1) where the hottest value has the share h (Q2).
    pub mean: Figure,
    /// The share of the hottest value: max(h, 1/D) (Q2, H1).
    pub hot: Figure,
}

/// The spread over D values where the hottest has the share `hottest`, never
/// below 1/D.
pub fn spread(values: &Figure, hottest: Option<f64>) -> Spread {
    let even = values.inverse().min(&Figure::known(1.0));
    let Some(hottest) = hottest else { return Spread { mean: even.clone(), hot: even } };
    let hot = even.max(&Figure::known(hottest));
    let mean = match values.value() {
        Some(values) => {
            let h = hottest.max(1.0 / values);
            Figure::known(if values > 1.0 { h * h + (1.0 - h) * (1.0 - h) / (values - 1.0) } else { 1.0 })
        }
        None => even.max(&Figure::known(hottest * hottest)),
    };
    Spread { mean, hot }
}

/// The spread over the values of a hole.
pub fn hole_spread(owner: Owner<'_>, hole: &KeyHole, others: &[&str]) -> Spread {
    let values = distinct(owner, hole, others);
    let hottest = owner.entity.attribute(&hole.name).and_then(|attribute| attribute.hottest);
    match hole.format {
        Format::Shard(_) if others.contains(&hole.name.as_str()) => spread(&values, None),
        // What shares one value of the attribute shares its shard (H1).
        Format::Shard(n) => {
            let shard = Figure::known(hottest.unwrap_or(0.0).max(1.0 / f64::from(n.max(1))));
            let of_attribute = attribute_values(owner, &hole.name).inverse();
            Spread { mean: spread(&values, None).mean, hot: shard.max(&of_attribute).min(&Figure::known(1.0)) }
        }
        Format::Time(_) => spread(&values, None),
        _ => spread(&values, hottest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hottest_value_is_met_more_often_than_the_mean() {
        let even = spread(&Figure::known(50.0), None);
        assert_eq!((even.mean.value(), even.hot.value()), (Some(0.02), Some(0.02)));
        let skewed = spread(&Figure::known(11.0), Some(0.5));
        assert_eq!((skewed.mean.value(), skewed.hot.value()), (Some(0.25 + 0.025), Some(0.5)));
        // The hottest of two values has at least a half.
        assert_eq!(spread(&Figure::known(2.0), Some(0.1)).hot.value(), Some(0.5));
        assert_eq!(spread(&Figure::known(1.0), Some(0.1)).mean.value(), Some(1.0));
    }

    #[test]
    fn of_an_unknown_number_of_values_the_hottest_still_has_its_share() {
        let input = Input::Count("User".into());
        let unknown = Figure::unknown(input).max(&Figure::known(1.0));
        let spread = spread(&unknown, Some(0.2));
        assert_eq!((spread.hot.low(), spread.hot.high()), (0.2, Some(1.0)));
        assert!(!spread.hot.missing().is_empty());
    }
}
