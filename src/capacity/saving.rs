//! What the readers of a copy save: the reads of the items that it is copied from
//! (numbers C2).

use super::cost::step_parts;
use super::facts::{Declared, Facts};
use super::figure::Figure;
use super::kept::kept;
use super::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use super::reads::{ReadNumbers, StepInput, get};
use super::select::{is_full, pinned};
use super::sizes::{Bound, count, list_size};
use crate::model::copies::reaches;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{OpDef, ReadOptions};
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, Source};
use crate::model::names::pattern_def;
use crate::model::resolve::{Step, steps};
use crate::model::uses::items_of;

/// What one reader of a copy saves by it.
#[derive(Clone, Debug, PartialEq)]
pub struct Saving {
    pub pattern: Decl,
    /// How many items of the source one call would read for what it shows.
    pub reads: Figure,
    pub sources: Sources,
    /// Dollars a month for them.
    pub monthly: Figure,
}

/// Of how many sources the copies are that one call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sources {
    /// The call reads the items that they are copied from anyway.
    ReadAnyway,
    /// All that a query finds are of one source: its key names it.
    One,
    /// Each may be of another: there are at most as many as items.
    Each,
}

/// An attribute of an entity: the copy, or what it is copied from.
#[derive(Clone, Copy)]
pub(super) struct Attribute<'a> {
    pub entity: &'a str,
    pub name: &'a str,
}

/// What a pattern that reads a copy saves by it.
pub(super) fn saving(
    db: &dyn Db,
    root: SourceFile,
    decl: Decl,
    copy: Attribute<'_>,
    from: Attribute<'_>,
) -> Option<Saving> {
    let numbers = pattern_numbers(db, root, decl).as_ref()?;
    let (layout, item) = items_of(db, root, from.entity).next()?;
    let facts = Declared { db, root };
    let (mut wanted, mut of_one) = (Figure::ZERO, true);
    let mut anyway = Figure::ZERO;
    for step in steps(db, root, decl) {
        let Some((own, read)) = of_step(numbers, &step) else { continue };
        if reaches(&step, copy.entity, copy.name) {
            let (sources, is_one) = sources(&facts, &step, (own, read), &numbers.name, copy, from);
            wanted = wanted.plus(&sources);
            of_one &= is_one;
        }
        if reaches(&step, from.entity, from.name) {
            let found = found(&facts, &step, (own, read), &numbers.name, from.entity);
            anyway = anyway.plus(&found.into_iter().map(|own| own.kept).sum());
        }
    }
    let wanted = wanted.min(&count(&facts, item));
    let high = |figure: &Figure| figure.high().unwrap_or(f64::INFINITY);
    // Where one copy is read, and one source, the two belong together: who reads both by
    // one call asks for them by one key.
    let least = (wanted.low() - high(&anyway)).max(0.0);
    let most = (high(&wanted) - anyway.low()).max(0.0);
    let reads = if anyway == Figure::ZERO { wanted } else { wanted.plus(&anyway).with_bounds(least, most) };
    let monthly = match most > 0.0 {
        true => dollars(db, root, decl, numbers, &reads, (layout.table(), item))?,
        false => Figure::ZERO,
    };
    let sources = match (most > 0.0, of_one) {
        (false, _) if anyway != Figure::ZERO => Sources::ReadAnyway,
        (_, true) => Sources::One,
        (_, false) => Sources::Each,
    };
    Some(Saving { pattern: decl, reads, sources, monthly })
}

fn of_step<'n>(numbers: &'n PatternNumbers, step: &Step<'_>) -> Option<(&'n StepNumbers, &'n ReadNumbers)> {
    let place = (step.resolved.operation, step.resolved.step);
    let own = numbers.steps.iter().find(|own| (own.operation, own.step) == place)?;
    match &own.work {
        Work::Read(read) => Some((own, read)),
        _ => None,
    }
}

/// Things of an entity that a step finds in one call of its pattern.
struct Found<'l> {
    /// The item that they are, or that holds them in a list.
    holder: &'l ItemLayout,
    /// How many are read.
    read: Figure,
    /// How many its filter keeps.
    kept: Figure,
}

/// What a step finds of an entity, by the items that hold it.
fn found<'l>(
    facts: &Declared<'_>,
    step: &Step<'l>,
    (own, read): (&StepNumbers, &ReadNumbers),
    pattern: &str,
    entity: &str,
) -> Vec<Found<'l>> {
    let Some(source) = step.source else { return Vec::new() };
    let filter = step.step.op.options().and_then(|options| options.filter.as_ref());
    let shares = filter.map(|filter| kept(facts.db, facts, source, read, filter, pattern).kinds);
    let holders = read.kinds.iter().enumerate().filter_map(|(at, kind)| {
        let holder = source.layout.items.iter().find(|item| item.entity == kind.entity && item.holds(entity))?;
        // No call reads more than there is, on however many pages.
        let mut items = read.of_kind(kind).scaled(own.times);
        if let Some(embed) = holder.embeds.iter().find(|embed| embed.entity == entity && holder.entity != entity) {
            items = items.times(&list_size(facts, holder, embed, Bound::Avg).children);
        }
        let share = shares.as_ref().and_then(|shares| shares.get(at));
        let kept = share.map_or_else(|| items.clone(), |share| items.times(share));
        Some(Found { holder, read: items, kept })
    });
    holders.collect()
}

/// How many sources the copies have that a step returns, and whether that is one for each
/// time that the step runs: all that a query finds by the id of the source are of that.
fn sources(
    facts: &Declared<'_>,
    step: &Step<'_>,
    (own, read): (&StepNumbers, &ReadNumbers),
    pattern: &str,
    copy: Attribute<'_>,
    from: Attribute<'_>,
) -> (Figure, bool) {
    let runs = Figure::known(own.times);
    let (mut all, mut of_one) = (Figure::ZERO, true);
    for Found { holder, read, kept } in found(facts, step, (own, read), pattern, copy.entity) {
        let is_one = step.source.is_some_and(|source| is_by_source(facts, step, source, holder, from.entity));
        of_one &= is_one || kept.high().is_some_and(|most| most <= 1.0);
        // One of them that the filter keeps is enough.
        all = all.plus(&if is_one { read.min(&runs) } else { kept });
    }
    (all, of_one)
}

/// Whether a query names the source of what it finds: every attribute that holds the id of
/// one is held against a value.
fn is_by_source(facts: &Declared<'_>, step: &Step<'_>, source: Source<'_>, holder: &ItemLayout, from: &str) -> bool {
    let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { return false };
    let Some(entity) = holder.entity_decl.and_then(|decl| facts.entity(decl)) else { return false };
    let given = pinned(facts.db, source, holder, &conjuncts(conditions));
    let given = || given.partition.iter().chain(&given.sort).filter(|given| is_full(given));
    let is_own = holder.entity == from;
    let mut links = entity
        .attributes
        .iter()
        .filter(|attribute| if is_own { attribute.id } else { attribute.of.as_deref() == Some(from) })
        .peekable();
    links.peek().is_some() && links.all(|link| given().any(|given| given.hole.name == link.name))
}

/// Dollars a month of reading so many items of the source in each call of a pattern.
fn dollars(
    db: &dyn Db,
    root: SourceFile,
    decl: Decl,
    numbers: &PatternNumbers,
    reads: &Figure,
    (source, item): (Source<'_>, &ItemLayout),
) -> Option<Figure> {
    let pattern = pattern_def(db, decl)?;
    let facts = Declared { db, root };
    let input = StepInput { db, facts: &facts, pattern, pattern_name: &numbers.name, group: None, source };
    let read = StepNumbers {
        operation: 0,
        step: 0,
        table: Some(source.layout.decl),
        table_name: source.layout.name.text.clone(),
        index: None,
        times: 1.0,
        work: Work::Read(Box::new(get(&input, item, &ReadOptions::default()))),
    };
    let parts = step_parts(db, root, &numbers.rate.times(reads), &read);
    Some(parts.into_iter().map(|part| part.monthly).sum())
}
