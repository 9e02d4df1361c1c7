//! What a filter keeps of the items that a read passes: what it says by `keeping`,
//! else what its literals imply. A value out of D is kept by 1/D of the items, or
//! by the weighted mean where one value is the hottest (Q1, Q2); what a caller
//! supplies, a range or a part of a text keeps anything between none and all.
//! Terms are taken as independent, as the holes of a key are.

use super::distinct::{Owner, hole_spread};
use super::facts::{Facts, Kind};
use super::figure::{Figure, Input};
use super::reads::ReadNumbers;
use super::sizes::present_input;
use crate::model::db::Db;
use crate::model::defs::*;
use crate::model::key::KeyHole;
use crate::model::layout::{ItemLayout, Source};
use crate::model::resolve::operand_value;
use crate::model::unify::{Meet, meet};
use crate::syntax::Unit;
use crate::syntax::template::Format;

/// What a filter keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The share of the items read that it keeps, from 0 to 1.
    pub share: Figure,
    /// The same of each kind of items, in the order of the read's.
    pub kinds: Vec<Figure>,
    /// `keeping` says it.
    pub declared: bool,
}

/// What the filter of a read of `source` keeps of what that reads.
pub fn kept(
    db: &dyn Db,
    facts: &dyn Facts,
    source: Source<'_>,
    read: &ReadNumbers,
    filter: &FilterDef,
    pattern: &str,
) -> Kept {
    let filtering = Filtering { db, facts, source, pattern };
    let implied = |entity: &str| {
        let item = source.layout.items.iter().find(|item| item.entity == entity);
        match (item, &filter.conditions) {
            (Some(item), Some(conditions)) => filtering.conditions(item, conditions),
            _ => filtering.unknown(),
        }
    };
    let keeping = filter.keeping.as_ref().and_then(|keeping| keeping.get(Unit::Percent));
    let keeping = keeping.filter(|share| (0.0..=1.0).contains(share));
    let kinds: Vec<Figure> = read.kinds.iter().map(|kind| implied(&kind.entity)).collect();
    match keeping {
        Some(share) => {
            let kinds = declared_kinds(read, &kinds, share);
            Kept { share: Figure::known(share), kinds, declared: true }
        }
        None => Kept { share: mean(read, &kinds).unwrap_or_else(|| filtering.unknown()), kinds, declared: false },
    }
}

/// The shares of the kinds where `keeping` says what all of them come to: in the
/// proportion that the literals imply.
fn declared_kinds(read: &ReadNumbers, implied: &[Figure], share: f64) -> Vec<Figure> {
    let weights: Vec<Figure> =
        implied.iter().map(|kind| kind.value().map_or(Figure::known(share), Figure::known)).collect();
    let factor = match mean(read, &weights).and_then(|mean| mean.value()) {
        Some(mean) if mean > 0.0 => share / mean,
        _ => return vec![Figure::known(share); implied.len()],
    };
    weights.iter().map(|weight| weight.scaled(factor).min(&Figure::known(1.0))).collect()
}

/// The mean over the kinds, by how many of each are read; `None` where nothing is.
fn mean(read: &ReadNumbers, kinds: &[Figure]) -> Option<Figure> {
    let taken = || read.kinds.iter().map(|kind| &kind.taken);
    let (first, rest) = kinds.split_first()?;
    let all: f64 = taken().filter_map(Figure::value).sum();
    if rest.is_empty() || taken().any(|taken| taken.value().is_none()) || all <= 0.0 {
        // How many there are of each is not known: it lies between the extremes.
        let high = |figure: &Figure| figure.high().unwrap_or(1.0);
        let sum: Figure = kinds.iter().chain(taken()).sum();
        let low = rest.iter().map(Figure::low).fold(first.low(), f64::min);
        return Some(sum.with_bounds(low, rest.iter().map(high).fold(high(first), f64::max)));
    }
    let weighted = taken().zip(kinds).map(|(taken, share)| share.scaled(taken.low() / all));
    Some(weighted.sum())
}

/// A filter over the items of one read.
struct Filtering<'a> {
    db: &'a dyn Db,
    facts: &'a dyn Facts,
    source: Source<'a>,
    pattern: &'a str,
}

impl Filtering<'_> {
    fn unknown(&self) -> Figure {
        Figure::between(0.0, 1.0, Input::Keeping(self.pattern.to_owned()))
    }

    /// The share of these items that meets the conditions; `and` binds closer than
    /// `or`.
    fn conditions(&self, item: &ItemLayout, conditions: &ConditionsDef) -> Figure {
        let mut groups: Vec<Vec<&Term>> = vec![Vec::new()];
        for (at, term) in conditions.terms.iter().enumerate() {
            if at > 0 && conditions.operators.get(at - 1).is_some_and(|(or, _)| *or) {
                groups.push(Vec::new());
            }
            if let Some(group) = groups.last_mut() {
                group.push(term);
            }
        }
        let shares = groups
            .iter()
            .map(|group| group.iter().fold(Figure::known(1.0), |product, term| product.times(&self.term(item, term))));
        // No item has two values of one attribute: what they keep adds up.
        if are_exclusive(&groups) {
            return shares.sum::<Figure>().min(&Figure::known(1.0));
        }
        shares.fold(Figure::ZERO, |any, share| any.or(&share))
    }

    fn term(&self, item: &ItemLayout, term: &Term) -> Figure {
        match term {
            Term::Not { term, .. } => not(&self.term(item, term)),
            Term::Group { conditions, .. } => self.conditions(item, conditions),
            Term::Existence { exists, attribute, .. } => {
                let present = self.present(item, &attribute.text);
                if *exists { present } else { not(&present) }
            }
            Term::Comparison(comparison) => {
                let attribute = &comparison.attribute.text;
                let present = self.present(item, attribute);
                let one = |operand: &OperandDef| present.times(&self.equal(item, attribute, operand));
                match (comparison.operator, comparison.operands.as_slice()) {
                    (Operator::Equal, [operand]) => one(operand),
                    // What has no such attribute differs from any value.
                    (Operator::NotEqual, [operand]) => not(&one(operand)),
                    (Operator::In, operands) => operands.iter().map(one).sum::<Figure>().min(&Figure::known(1.0)),
                    (Operator::BeginsWith, [operand]) => present.times(&self.begins(item, attribute, operand)),
                    _ => present.times(&self.unknown()),
                }
            }
        }
    }

    /// The share of these items that has the attribute, the key or the list.
    fn present(&self, item: &ItemLayout, name: &str) -> Figure {
        let Some(owner) = Owner::of(self.facts, item) else { return self.unknown() };
        let uses = match item.keys.get(name) {
            Some(key) => key.value.attributes(),
            None if owner.entity.attribute(name).is_some() => vec![name],
            None if item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name)) => Vec::new(),
            None => return Figure::ZERO,
        };
        // What makes the key of an index is there on every item that has an entry.
        let sure = item.made_from(self.source.key());
        let uses = uses.into_iter().filter(|name| !sure.contains(name));
        let optional = uses.filter_map(|name| owner.entity.attribute(name)).filter(|a| a.optional);
        let shares = optional.map(|attribute| match attribute.present {
            Some(present) => Figure::known(present),
            None => Figure::between(0.0, 1.0, present_input(&item.entity, &attribute.name)),
        });
        shares.fold(Figure::known(1.0), |product, share| product.times(&share))
    }

    /// The share of the items with the attribute that have this value.
    fn equal(&self, item: &ItemLayout, name: &str, operand: &OperandDef) -> Figure {
        if matches!(operand, OperandDef::Parameter(_)) {
            return self.unknown();
        }
        let attribute = match item.keys.get(name) {
            None => name,
            Some(stored) => {
                let asked = operand_value(self.db, self.source.layout, item, operand);
                if !meet(&asked.pieces(), &stored.value.pieces(), Meet::Whole) {
                    return Figure::ZERO;
                }
                match (asked.as_literal(), stored.value.as_literal(), stored.value.whole_attribute()) {
                    (Some(_), Some(_), _) => return Figure::known(1.0),
                    (Some(_), None, Some(attribute)) => attribute,
                    _ => return self.unknown(),
                }
            }
        };
        // A value that is none of the names nothing has.
        if let (Some(Kind::Enum(names)), OperandDef::String { value, .. }) = (self.kind(item, attribute), operand)
            && !names.is_empty()
            && !names.contains(value)
        {
            return Figure::ZERO;
        }
        let hole = KeyHole {
            name: attribute.to_owned(),
            parameter: false,
            format: Format::Plain,
            ty: None,
            without: Vec::new(),
        };
        Owner::of(self.facts, item).map_or_else(|| self.unknown(), |owner| hole_spread(owner, &hole, &[]).mean)
    }

    /// What values the attribute of these items has.
    fn kind(&self, item: &ItemLayout, attribute: &str) -> Option<&Kind> {
        Some(&self.facts.entity(item.entity_decl?)?.attribute(attribute)?.kind)
    }

    /// The share of the items with the attribute whose value begins so.
    fn begins(&self, item: &ItemLayout, name: &str, operand: &OperandDef) -> Figure {
        let Some(stored) = item.keys.get(name) else { return self.unknown() };
        let asked = operand_value(self.db, self.source.layout, item, operand);
        match asked.as_literal() {
            Some(text) if stored.value.leading_literal().starts_with(text) => Figure::known(1.0),
            Some(_) if !meet(&asked.pieces(), &stored.value.pieces(), Meet::Prefix) => Figure::ZERO,
            _ => self.unknown(),
        }
    }
}

/// The share for which something does not hold.
fn not(share: &Figure) -> Figure {
    let high = share.high().unwrap_or(1.0);
    share.with_bounds((1.0 - high).max(0.0), (1.0 - share.low()).max(0.0))
}

/// Whether alternatives are values of one attribute each.
fn are_exclusive(groups: &[Vec<&Term>]) -> bool {
    let mut attributes = groups.iter().map(|group| match group.as_slice() {
        [Term::Comparison(comparison)] if comparison.operator == Operator::Equal => {
            Some(comparison.attribute.text.as_str())
        }
        _ => None,
    });
    let first = attributes.next().flatten();
    first.is_some() && groups.len() > 1 && attributes.all(|attribute| attribute == first)
}
