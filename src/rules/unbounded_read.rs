//! A query that nothing ends before its first page is full.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::capacity::facts::Declared;
use crate::capacity::figure::{Figure, Input, list};
use crate::capacity::select::{Start, pinned, select, select_most};
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, entry_bytes};
use crate::capacity::units::PAGE;
use crate::model::defs::*;
use crate::model::key_condition::{conjuncts, unsupported};
use crate::model::layout::{ItemLayout, Source};
use crate::syntax::Unit;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "unbounded-read",
    group: Group::Capacity,
    level: Level::Warning,
    summary: "a query without `limit` and without `pages` can read over 1 MB",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    // A limit may be what cannot be read.
    if cx.is_broken() || pattern.pages.is_some() {
        return;
    }
    for StepCx { operation, step, source, resolved } in cx.steps() {
        let OpDef::Query { conditions: Some(conditions), options, .. } = &step.op else { continue };
        let Some(source) = source.filter(|source| is_sound(*source, conditions)) else { continue };
        // In a batch or transaction it answers nothing; that is a finding of its own.
        if operation.group.is_some() || options.limit.is_some() {
            continue;
        }
        // An item without a value for the key is a finding of its own.
        let keyed = |item: &&ItemLayout| source.partition().iter().all(|key| item.keys.contains_key(&key.name));
        let reached = |item: &&ItemLayout| resolved.reached.contains(&item.entity);
        let items: Vec<&ItemLayout> = source.items().filter(reached).filter(keyed).collect();
        let read = Read::new(cx, source, conditions, options, &items);
        if read.bytes.low() <= PAGE {
            continue;
        }
        let message = read.message();
        let places: Vec<(Place, String)> = read
            .kinds
            .iter()
            .filter(|kind| kind.bytes().low() > 0.0)
            .map(|kind| {
                let message = if read.returning.is_some() { kind.each() } else { kind.written() };
                (Place { decl: source.layout.decl, range: kind.item.range }, message)
            })
            .collect();
        let finding = cx.report(step.range, message);
        for (place, message) in places {
            finding.relate(place, message);
        }
    }
}

/// Whether DynamoDB takes the key condition: else that is the fault, and what
/// the query would read is not known.
fn is_sound(source: Source<'_>, conditions: &ConditionsDef) -> bool {
    let given = conjuncts(conditions);
    let is_given = |name: &str| given.iter().any(|comparison| comparison.attribute.text == name);
    source.has_sound_partition()
        && unsupported(source, conditions).is_empty()
        && source.partition().iter().all(|key| is_given(&key.name))
}

/// What one call of a query can read, if every page of it is fetched.
struct Read<'l> {
    kinds: Vec<KindMost<'l>>,
    /// `returning`: the number of items, and whether it is the declared maximum.
    returning: Option<(f64, bool)>,
    bytes: Figure,
}

/// The most items of one kind, and the size of the largest; the averages are the
/// least that these can be where no maximum is declared.
struct KindMost<'l> {
    item: &'l ItemLayout,
    items: Figure,
    each: Figure,
    /// Whether a relationship says, or could say, how many there are at most.
    related: bool,
}

impl KindMost<'_> {
    fn bytes(&self) -> Figure {
        self.items.times(&self.each)
    }

    /// "5,000 of `Order`, up to 12 KB each".
    fn written(&self) -> String {
        format!("{} of `{}`, {}", show::count(self.items.low()), self.item.entity, self.each())
    }

    /// "up to 12 KB each"; the average where the largest is not known.
    fn each(&self) -> String {
        let at_most = if self.each.value().is_some() { "up to " } else { "" };
        format!("{at_most}{} each", show::bytes(self.each.low()))
    }
}

impl<'l> Read<'l> {
    fn new(
        cx: &Cx<'_>,
        source: Source<'_>,
        conditions: &ConditionsDef,
        options: &ReadOptions,
        items: &[&'l ItemLayout],
    ) -> Self {
        let facts = Declared { db: cx.db, root: cx.root };
        let comparisons = conjuncts(conditions);
        let kind = |item: &&'l ItemLayout| {
            let pinned = pinned(cx.db, source, item, &comparisons);
            let average = entry_bytes(&facts, source, item, Bound::Avg, Presence::Share);
            let largest = entry_bytes(&facts, source, item, Bound::Max, Presence::Share);
            let each = if largest.value().is_some() { largest } else { largest.max(&average) };
            let items = select_most(&facts, source, item, &pinned);
            let start = select(&facts, source, item, &pinned).start;
            let asks = items.missing().iter().any(|input| matches!(input, Input::MaxChildren { .. }));
            KindMost { item, items, each, related: asks || matches!(start, Start::Children { .. }) }
        };
        let kinds: Vec<KindMost<'l>> = items.iter().map(kind).collect();
        let returning = options.returning.as_ref().and_then(|returning| {
            let most = returning.max(Unit::Number).map(|most| (most, true));
            most.or_else(|| returning.avg(Unit::Number).map(|average| (average, false)))
        });
        let bytes = match returning {
            // Whichever kinds they are, they are at most as large as the largest.
            Some((items, _)) => kinds.iter().fold(Figure::ZERO, |largest, kind| largest.max(&kind.each)).scaled(items),
            None => kinds.iter().map(KindMost::bytes).sum(),
        };
        Self { kinds, returning, bytes }
    }

    fn message(&self) -> String {
        let what: Vec<String> = match self.returning {
            Some((items, true)) => vec![format!("`returning` says up to {}", show::count_of(items, "item"))],
            Some((items, false)) => vec![format!("`returning` says {} on average", show::count_of(items, "item"))],
            None => self.kinds.iter().filter(|kind| kind.bytes().low() > 0.0).map(KindMost::written).collect(),
        };
        let bytes = self.bytes.low();
        let pages = (bytes / PAGE).ceil();
        format!(
            "one call can read {}{} ({}), and a page of a query ends at 1 MB: who asks once gets the first of {}, and \
             who fetches them all waits for each; set `limit`, or `pages avg …, max …` where the caller fetches several{}",
            show::bytes_beside(bytes, &[PAGE]),
            self.bytes.computed_note(),
            what.join("; "),
            show::count_of(pages, "page"),
            self.asks()
        )
    }

    /// What the averages stand in for.
    fn asks(&self) -> String {
        let heavy = self.kinds.iter().filter(|kind| kind.bytes().low() > 0.0);
        let mut missing: BTreeSet<&Input> = BTreeSet::new();
        let mut uncounted = false;
        for kind in heavy {
            let maximum = |input: &&Input| matches!(input, Input::MaxSize(_) | Input::AttributeSize { .. });
            missing.extend(kind.each.missing().iter().filter(maximum));
            if self.returning.is_none() {
                missing.extend(kind.items.missing().iter().filter(|input| matches!(input, Input::MaxChildren { .. })));
                uncounted |= !kind.related && kind.items.low() > 1.0;
            }
        }
        let mut asks: Vec<String> = Vec::new();
        if !missing.is_empty() {
            asks.push(list(missing));
        }
        if uncounted || self.returning.is_some_and(|(_, most)| !most) {
            asks.push("`returning max`".to_owned());
        }
        match asks.as_slice() {
            [] => String::new(),
            asks => format!("; these are averages: declare {} for what it is at most", asks.join(" and ")),
        }
    }
}
