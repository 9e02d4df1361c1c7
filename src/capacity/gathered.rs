//! What everything that touches a parent or its children takes where one query of
//! an item collection reads both, and where each is read by itself (Q7, C1). The
//! writes and the storage of the two are the same either way.

use super::embedding::{Bill, Compared, at_most, bill, bytes_of, read_of, taken, units};
use super::figure::{Figure, Input};
use super::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use super::reads::{ReadKind, ReadNumbers};
use super::shared_reads::readers_of;
use super::units::read_pages;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::names::pattern_def;
use crate::model::resolve::patterns_of_entity;
use std::collections::HashSet;

/// A parent and its children under one partition key, and apart. What is called
/// embedded in its bills is what they take together.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    pub reads: Bill,
    pub writes: Bill,
}

impl Gathered {
    /// Dollars a month together, and apart.
    pub fn dollars(&self) -> (Figure, Figure) {
        let (reads, writes) = (&self.reads, &self.writes);
        (reads.embedded.plus(&writes.embedded), reads.apart.plus(&writes.apart))
    }

    /// Whether one query certainly saves nothing, whatever the prices are.
    pub fn saves_nothing(&self) -> bool {
        at_most(&self.reads.apart_units, &self.reads.embedded_units)
    }
}

/// The two ends of a pair: their declarations and their names.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'e> {
    pub parent: (Decl, &'e str),
    pub child: (Decl, &'e str),
}

/// What the two take either way, at the prices of this table, with the patterns that read
/// both.
pub fn gathered(db: &dyn Db, root: SourceFile, table: Decl, ends: Ends<'_>, together: &[Decl]) -> Gathered {
    let both: HashSet<Decl> = together.iter().copied().collect();
    let readers = [ends.parent.0, ends.child.0].into_iter().flat_map(|end| readers_of(db, root, end));
    let named = [ends.parent.1, ends.child.1].into_iter().flat_map(|name| patterns_of_entity(db, root, name));
    let (mut reads, mut writes, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for pattern in readers.chain(named) {
        let Some(numbers) = pattern_numbers(db, root, *pattern).as_ref().filter(|_| seen.insert(*pattern)) else {
            continue;
        };
        let (together, apart) = match both.contains(pattern) {
            true => of_both(numbers, ends),
            false => {
                let own = as_it_is(numbers, ends);
                (own.clone(), own)
            }
        };
        reads.push(Compared { pattern: *pattern, rate: numbers.rate.clone(), embedded: together, apart });
        let written = written(db, *pattern, numbers, ends);
        writes.push(Compared {
            pattern: *pattern,
            rate: numbers.rate.clone(),
            embedded: written.clone(),
            apart: written,
        });
    }
    Gathered { reads: bill(db, root, table, &reads, false), writes: bill(db, root, table, &writes, true) }
}

/// What a pattern takes that reads both: with one query for both, and with a
/// request for each.
fn of_both(numbers: &PatternNumbers, ends: Ends<'_>) -> (Figure, Figure) {
    if numbers.steps.is_empty() {
        let unknown = Figure::unknown(Input::Operation(numbers.name.clone()));
        return (unknown.clone(), unknown);
    }
    let (parent, child) = (ends.parent.1, ends.child.1);
    let merged = mergeable(numbers, ends);
    let (mut together, mut apart) = (Figure::ZERO, Figure::ZERO);
    for (index, step) in numbers.steps.iter().enumerate() {
        let own = step.read_units();
        let of_parent = read_of(step, parent);
        let of_child = read_of(step, child);
        let (one, other) = match (of_parent, of_child, &merged) {
            (Some(read), Some(_), _) => (own, split(read, parent).scaled(step.times)),
            (Some(_), None, Some(merge)) if merge.get == index => (Figure::ZERO, own),
            (None, Some(read), Some(merge)) if merge.query == index => (merge.units(numbers, read, step), own),
            (None, None, _) => continue,
            _ => (own.clone(), own),
        };
        (together, apart) = (together.plus(&one), apart.plus(&other));
    }
    (together, apart)
}

/// Units of a read of both where the parent is asked for by itself.
fn split(read: &ReadNumbers, parent: &str) -> Figure {
    let parents = taken(read, parent);
    let of_parent: Figure = read.kinds.iter().filter(|kind| kind.entity == parent).map(bytes_of).sum();
    let rest: Figure = read.kinds.iter().filter(|kind| kind.entity != parent).map(bytes_of).sum();
    let own = match parents == Figure::ZERO {
        true => Figure::ZERO,
        false => of_parent.map(|bytes| read_pages(bytes, read.consistency)),
    };
    own.plus(&units(read, &rest))
}

/// A `get` of the parent and a query of its children that one query would do.
struct Merge {
    get: usize,
    query: usize,
}

impl Merge {
    /// Units of the query, were the parent in it.
    fn units(&self, numbers: &PatternNumbers, query: &ReadNumbers, step: &StepNumbers) -> Figure {
        let parent = match &numbers.steps[self.get].work {
            Work::Read(read) => read.kinds.iter().map(bytes_of).sum(),
            _ => Figure::ZERO,
        };
        let bytes = query.kinds.iter().map(bytes_of).sum::<Figure>().plus(&parent);
        units(query, &bytes).scaled(step.times)
    }
}

/// The first `get` of a parent and the first query of children that run equally
/// often and equally consistent. Of children that are got one by one, or found
/// without their parent, nobody can say how one query would read them.
fn mergeable(numbers: &PatternNumbers, ends: Ends<'_>) -> Option<Merge> {
    let step_of = |how: ReadKind, entity: &str, not: &str| {
        numbers
            .steps
            .iter()
            .position(|step| read_of(step, entity).is_some_and(|read| read.how == how) && read_of(step, not).is_none())
    };
    let get = step_of(ReadKind::Get, ends.parent.1, ends.child.1)?;
    let query = step_of(ReadKind::Query, ends.child.1, ends.parent.1)?;
    let of = |index: usize| match &numbers.steps[index].work {
        Work::Read(read) => Some((read.consistency, numbers.steps[index].times.to_bits())),
        _ => None,
    };
    (of(get) == of(query)).then_some(Merge { get, query })
}

/// Units of the reads of a pattern that touch either, as they are.
fn as_it_is(numbers: &PatternNumbers, ends: Ends<'_>) -> Figure {
    if numbers.steps.is_empty() && !numbers.external {
        return Figure::unknown(Input::Operation(numbers.name.clone()));
    }
    let touches = |step: &&StepNumbers| read_of(step, ends.parent.1).or(read_of(step, ends.child.1)).is_some();
    numbers.steps.iter().filter(touches).map(StepNumbers::read_units).sum()
}

/// Write units of the steps that write either, indexes included.
fn written(db: &dyn Db, pattern: Decl, numbers: &PatternNumbers, ends: Ends<'_>) -> Figure {
    let Some(def) = pattern_def(db, pattern) else { return Figure::ZERO };
    let is_either = |step: &&StepNumbers| {
        let op = def.operations.get(step.operation).and_then(|operation| operation.steps.get(step.step));
        let subject = op.and_then(|step| step.op.subject()).map(|subject| subject.entity.text.as_str());
        subject.is_some_and(|name| name == ends.parent.1 || name == ends.child.1)
    };
    let of_step = |step: &StepNumbers| step.write_units().plus(&step.index_writes().map(|(.., units)| units).sum());
    numbers.steps.iter().filter(is_either).map(of_step).sum()
}
