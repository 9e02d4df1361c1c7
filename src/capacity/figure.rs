//! Numbers that a model may determine, bound, or leave open.

pub use super::input::{Input, list};
use super::shared::Shared;
use std::collections::BTreeSet;

/// A number of a model: known, bounded from one or both sides, or unknown. No
/// number here is below zero. Unknown is never zero: it is everything from zero
/// up.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    low: f64,
    /// Infinite where nothing bounds it.
    high: f64,
    /// What would have to be declared for the number to be known; empty where
    /// it is.
    missing: Shared<Input>,
    /// The entities whose size no one declared, so that it was computed from
    /// their attributes.
    computed: Shared<String>,
}

static NOTHING_MISSING: BTreeSet<Input> = BTreeSet::new();
static NOTHING_COMPUTED: BTreeSet<String> = BTreeSet::new();

/// So many sizes that were computed are named; of more, how many there are.
const MOST_NAMED: usize = 12;

impl Figure {
    /// Zero, and known to be.
    pub const ZERO: Figure = Figure { low: 0.0, high: 0.0, missing: Shared::EMPTY, computed: Shared::EMPTY };

    /// A number that is known.
    pub fn known(value: f64) -> Self {
        Self { low: value, high: value, ..Self::ZERO }
    }

    /// The number where it is declared, else unknown for want of `input`.
    pub fn declared(value: Option<f64>, input: impl FnOnce() -> Input) -> Self {
        value.map_or_else(|| Self::unknown(input()), Self::known)
    }

    /// A number of which nothing is known.
    pub fn unknown(input: Input) -> Self {
        Self { low: 0.0, high: f64::INFINITY, missing: Shared::one(input), computed: Shared::EMPTY }
    }

    /// A number between two bounds.
    pub fn between(low: f64, high: f64, input: Input) -> Self {
        Self { low, high, missing: Shared::one(input), computed: Shared::EMPTY }.settled()
    }

    /// The number, where it is known.
    pub fn value(&self) -> Option<f64> {
        (self.low == self.high && self.low.is_finite()).then_some(self.low)
    }

    /// What it certainly is at least.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// What it certainly is at most; `None` where nothing bounds it.
    pub fn high(&self) -> Option<f64> {
        self.high.is_finite().then_some(self.high)
    }

    /// What is missing for the number to be known.
    pub fn missing(&self) -> &BTreeSet<Input> {
        self.missing.0.as_deref().unwrap_or(&NOTHING_MISSING)
    }

    /// The entities whose computed size it depends on.
    pub fn computed(&self) -> &BTreeSet<String> {
        self.computed.0.as_deref().unwrap_or(&NOTHING_COMPUTED)
    }

    /// The entities whose size was computed, and not only a part of it for want of
    /// the size of an attribute.
    pub fn computed_whole(&self) -> impl Iterator<Item = &String> {
        let lacks = |name: &str| {
            let of = |input: &Input| matches!(input, Input::AttributeSize { .. }) && input.of_entity() == Some(name);
            self.missing().iter().any(of)
        };
        self.computed().iter().filter(move |name| !lacks(name))
    }

    /// What a message adds where the number depends on sizes that no one declared:
    /// " (size of `User` computed)"; nothing where it does not.
    pub fn computed_note(&self) -> String {
        let names: Vec<String> = self.computed_whole().map(|entity| format!("`{entity}`")).collect();
        match names.split_last() {
            None => String::new(),
            Some((last, [])) => format!(" (size of {last} computed)"),
            Some(_) if names.len() > MOST_NAMED => {
                let more = names.len() - MOST_NAMED;
                format!(" (sizes of {} and {more} more computed)", names[..MOST_NAMED].join(", "))
            }
            Some((last, rest)) => format!(" (sizes of {} and {last} computed)", rest.join(", ")),
        }
    }

    /// Notes that the size of an entity was computed from its attributes.
    pub fn computed_from(mut self, entity: &str) -> Self {
        self.computed.insert(entity.to_owned());
        self
    }

    /// The same from zero up, for want of `input`.
    pub fn at_most(mut self, input: Input) -> Self {
        self.low = 0.0;
        self.missing.insert(input);
        self.settled()
    }

    /// A number between other bounds, for want of the same.
    pub fn with_bounds(&self, low: f64, high: f64) -> Self {
        Self { low, high, ..self.clone() }.settled()
    }

    /// The sum.
    pub fn plus(&self, other: &Figure) -> Self {
        self.joined(other, self.low + other.low, self.high + other.high)
    }

    /// The product. Nothing of an unknown number is nothing, whatever size it
    /// depends on.
    pub fn times(&self, other: &Figure) -> Self {
        if self.high == 0.0 || other.high == 0.0 {
            return Self::ZERO;
        }
        self.joined(other, product(self.low, other.low), product(self.high, other.high))
    }

    /// The product with a known factor.
    pub fn scaled(&self, factor: f64) -> Self {
        if factor == 0.0 {
            return Self::ZERO;
        }
        let mut scaled = self.clone();
        scaled.low = product(self.low, factor);
        scaled.high = product(self.high, factor);
        scaled.settled()
    }

    /// How probable it is that one or the other holds, where they are independent.
    pub fn or(&self, other: &Figure) -> Self {
        let either = |a: f64, b: f64| 1.0 - (1.0 - a) * (1.0 - b);
        self.joined(other, either(self.low, other.low), either(self.high, other.high))
    }

    /// The quotient. Of a divisor that may be zero the result is not bounded.
    pub fn divided(&self, divisor: &Figure) -> Self {
        self.times(&divisor.inverse())
    }

    /// One divided by it.
    pub fn inverse(&self) -> Self {
        let of = |value: f64| if value > 0.0 { 1.0 / value } else { f64::INFINITY };
        Self { low: of(self.high), high: of(self.low), ..self.clone() }.settled()
    }

    /// The smaller of the two.
    pub fn min(&self, other: &Figure) -> Self {
        if let Some(winner) = certainly_first(self, other) {
            return winner.clone();
        }
        self.joined(other, self.low.min(other.low), self.high.min(other.high))
    }

    /// The larger of the two.
    pub fn max(&self, other: &Figure) -> Self {
        if let Some(loser) = certainly_first(self, other) {
            return if std::ptr::eq(loser, self) { other.clone() } else { self.clone() };
        }
        self.joined(other, self.low.max(other.low), self.high.max(other.high))
    }

    /// A function that never falls, of the number.
    pub fn map(&self, rising: impl Fn(f64) -> f64) -> Self {
        let mut mapped = self.clone();
        mapped.low = rising(self.low);
        mapped.high = if self.high.is_finite() { rising(self.high) } else { f64::INFINITY };
        mapped.settled()
    }

    /// Adds in place: a sum of many copies no sets.
    fn add(&mut self, other: &Figure) {
        self.low += other.low;
        self.high += other.high;
        self.missing.add(&other.missing);
        self.computed.add(&other.computed);
    }

    fn joined(&self, other: &Figure, low: f64, high: f64) -> Self {
        let (mut missing, mut computed) = (self.missing.clone(), self.computed.clone());
        missing.add(&other.missing);
        computed.add(&other.computed);
        Figure { low, high, missing, computed }.settled()
    }

    /// Of a number that is known nothing is missing.
    fn settled(mut self) -> Self {
        if self.low == self.high {
            self.missing = Shared::EMPTY;
        }
        self
    }
}

/// The one that is the smaller whatever the two turn out to be, so that the
/// other has no part in the result.
fn certainly_first<'f>(a: &'f Figure, b: &'f Figure) -> Option<&'f Figure> {
    if a.high <= b.low {
        Some(a)
    } else if b.high <= a.low {
        Some(b)
    } else {
        None
    }
}

fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// The sum of figures; with an unknown part it has the known ones for a lower
/// bound.
impl<'f> std::iter::Sum<&'f Figure> for Figure {
    fn sum<I: Iterator<Item = &'f Figure>>(figures: I) -> Self {
        figures
            .fold(Figure::ZERO, |mut sum, figure| {
                sum.add(figure);
                sum
            })
            .settled()
    }
}

impl std::iter::Sum for Figure {
    fn sum<I: Iterator<Item = Figure>>(figures: I) -> Self {
        figures
            .fold(Figure::ZERO, |mut sum, figure| {
                sum.add(&figure);
                sum
            })
            .settled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown() -> Figure {
        Figure::unknown(Input::Count("User".into()))
    }

    #[test]
    fn a_sum_with_an_unknown_part_is_at_least_the_known_ones() {
        let sum = Figure::known(3.0).plus(&unknown());
        assert_eq!((sum.value(), sum.low(), sum.high()), (None, 3.0, None));
        assert_eq!(list(sum.missing()), "`count` of `User`");
    }

    #[test]
    fn a_limit_bounds_what_is_unknown() {
        let bounded = unknown().min(&Figure::known(20.0));
        assert_eq!((bounded.low(), bounded.high()), (0.0, Some(20.0)));
        assert!(!bounded.missing().is_empty());
        // Where both bounds begin the same unit, the unit is known all the same.
        let units = bounded.map(|items| (items / 100.0).ceil().max(1.0));
        assert_eq!(units.value(), Some(1.0));
        assert!(units.missing().is_empty());
    }

    #[test]
    fn what_cannot_matter_is_not_missing() {
        assert_eq!(unknown().scaled(0.0), Figure::ZERO);
        assert_eq!(unknown().times(&Figure::ZERO), Figure::ZERO);
        // An index that a write leaves alone costs nothing, however its entry was sized.
        assert_eq!(Figure::known(2.0).computed_from("User").times(&Figure::ZERO), Figure::ZERO);
        assert_eq!(Figure::known(2.0).computed_from("User").scaled(0.0), Figure::ZERO);
        let large = Figure::known(30.0).plus(&unknown());
        assert_eq!(large.min(&Figure::known(20.0)), Figure::known(20.0));
        assert_eq!(large.max(&Figure::known(20.0)), large);
    }

    #[test]
    fn a_computed_size_is_told_in_everything_made_of_it() {
        let size = Figure::known(700.0).computed_from("User");
        let units = size.times(&Figure::known(2.0)).map(f64::ceil);
        assert_eq!(units.computed().iter().collect::<Vec<_>>(), ["User"]);
        assert_eq!(units.computed_note(), " (size of `User` computed)");
        let both = units.plus(&Figure::known(1.0).computed_from("Order"));
        assert_eq!(both.computed_note(), " (sizes of `Order` and `User` computed)");
        assert_eq!(Figure::known(1.0).computed_note(), "");
    }

    #[test]
    fn one_over_an_unknown_number_may_be_anything() {
        let share = unknown().inverse();
        assert_eq!((share.low(), share.high()), (0.0, None));
        assert_eq!(Figure::known(4.0).inverse(), Figure::known(0.25));
    }
}
