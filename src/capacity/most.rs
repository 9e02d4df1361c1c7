//! The most that one call of a query can read, if every page of it is fetched.

use super::facts::{Declared, Facts};
use super::figure::{Figure, Input};
use super::select::{Start, pinned, select, select_most};
use super::sizes::{Bound, Presence, entry_bytes};
use crate::capacity::units::PAGE;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::key_condition::{conjuncts, unsupported};
use crate::model::layout::{ItemLayout, Source};
use crate::model::resolve::Step;
use crate::syntax::Unit;

/// What one call of a query can read, if every page of it is fetched.
pub struct Most<'l> {
    /// The source that is read.
    pub source: Source<'l>,
    pub kinds: Vec<KindMost<'l>>,
    /// `returning`: the number of items, and whether it is the declared maximum.
    pub returning: Option<(f64, bool)>,
    pub bytes: Figure,
}

/// The most items of one kind, and the size of the largest; the averages are the
/// least that these can be where no maximum is declared.
pub struct KindMost<'l> {
    pub item: &'l ItemLayout,
    pub items: Figure,
    pub each: Figure,
    /// Whether a relationship says, or could say, how many there are at most.
    pub related: bool,
    /// Whether the condition names one item.
    pub is_one: bool,
}

impl KindMost<'_> {
    /// Bytes of all of them.
    pub fn bytes(&self) -> Figure {
        self.items.times(&self.each)
    }
}

impl<'l> Most<'l> {
    /// The most that a query reads; `None` for another operation, and for a query
    /// that DynamoDB does not take: that is the fault, and what it would read is not
    /// known.
    pub fn of(db: &dyn Db, root: SourceFile, step: &Step<'l>) -> Option<Self> {
        let OpDef::Query { conditions: Some(conditions), options, .. } = &step.step.op else { return None };
        let source = step.source.filter(|source| is_sound(*source, conditions))?;
        // An item without a value for the key is a finding of its own.
        let keyed = |item: &&ItemLayout| source.partition().iter().all(|key| item.keys.contains_key(&key.name));
        let reached = |item: &&ItemLayout| step.resolved.reached.contains(&item.entity);
        let items = source.items().filter(reached).filter(keyed);
        let facts = Declared { db, root };
        let comparisons = conjuncts(conditions);
        let kinds: Vec<KindMost<'l>> = items.map(|item| kind(db, &facts, source, item, &comparisons)).collect();
        let returning = options.returning.as_ref().and_then(|returning| {
            let most = returning.max(Unit::Number).map(|most| (most, true));
            most.or_else(|| returning.avg(Unit::Number).map(|average| (average, false)))
        });
        let bytes = match returning {
            // Whichever kinds they are, they are at most as large as the largest.
            Some((items, _)) => kinds.iter().fold(Figure::ZERO, |largest, kind| largest.max(&kind.each)).scaled(items),
            None => kinds.iter().map(KindMost::bytes).sum(),
        };
        Some(Self { source, kinds, returning, bytes })
    }

    /// Whether all of it comes in the first page.
    pub fn within_a_page(&self) -> bool {
        self.is_maximum() && self.bytes.high().is_some_and(|high| high <= PAGE)
    }

    /// Whether something in the model says that there are no more: a declared
    /// maximum, or a key that names one item. Else it is as many as there are.
    pub fn is_maximum(&self) -> bool {
        match self.returning {
            Some((_, is_maximum)) => is_maximum,
            None => self.kinds.iter().all(|kind| kind.related || kind.is_one),
        }
    }
}

fn kind<'l>(
    db: &dyn Db,
    facts: &dyn Facts,
    source: Source<'l>,
    item: &'l ItemLayout,
    comparisons: &[&Comparison],
) -> KindMost<'l> {
    let pinned = pinned(db, source, item, comparisons);
    let average = entry_bytes(facts, source, item, Bound::Avg, Presence::Share);
    let largest = entry_bytes(facts, source, item, Bound::Max, Presence::Share);
    let each = if largest.value().is_some() { largest } else { largest.max(&average) };
    let items = select_most(facts, source, item, &pinned);
    let start = select(facts, source, item, &pinned).start;
    let asks = items.missing().iter().any(|input| matches!(input, Input::MaxChildren { .. }));
    let is_one = matches!(start, Start::PrimaryKey | Start::Identity(_));
    KindMost { item, items, each, related: asks || matches!(start, Start::Children { .. }), is_one }
}

/// Whether DynamoDB takes the key condition.
fn is_sound(source: Source<'_>, conditions: &ConditionsDef) -> bool {
    let given = conjuncts(conditions);
    let is_given = |name: &str| given.iter().any(|comparison| comparison.attribute.text == name);
    source.has_sound_partition()
        && unsupported(source, conditions).is_empty()
        && source.partition().iter().all(|key| is_given(&key.name))
}
