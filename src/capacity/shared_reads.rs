//! Which entities are read together, and how often (numbers C5).

use super::figure::Figure;
use super::operations::{Work, pattern_numbers};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::lists::{given_back, gives_list, listed_in};
use crate::model::lower::decl_name;
use crate::model::names::{names, pattern_def};
use crate::model::resolve::steps;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The reads of two entities, in calls a second (C5): the three add up to all
/// reads of either.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedReads {
    pub only_first: Figure,
    pub only_second: Figure,
    pub both: Figure,
}

impl SharedReads {
    /// Calls a second that read either.
    pub fn either(&self) -> Figure {
        self.both.plus(&self.only_first).plus(&self.only_second)
    }

    /// Calls a second that read the first alone, the second alone, and both; `None`
    /// where one of them is not known.
    pub fn parts(&self) -> Option<[f64; 3]> {
        Some([self.only_first.value()?, self.only_second.value()?, self.both.value()?])
    }

    /// The share of the reads of either that read both, from 0 to 1; `None` where
    /// nothing reads either. What is not known of the rates leaves an interval.
    pub fn share(&self) -> Option<Figure> {
        let either = self.either();
        if either.high() == Some(0.0) {
            return None;
        }
        let apart = self.only_first.plus(&self.only_second);
        let of = |both: f64, apart: f64| match both + apart {
            all if all > 0.0 && all.is_finite() => both / all,
            _ => 0.0,
        };
        let high = self.both.high().map_or(1.0, |both| if apart.low() > 0.0 { of(both, apart.low()) } else { 1.0 });
        let high = if self.both.high() == Some(0.0) { 0.0 } else { high };
        let low = apart.high().map_or(0.0, |apart| of(self.both.low(), apart));
        Some(either.with_bounds(low, high))
    }
}

/// The entities that a pattern reads: those that its `reads` lists, by their own name
/// or by that of the list they are embedded in, else those that its reading
/// operations give back (C5), up to their limit (Q5). Embedded ones are included
/// wherever they come along: with what is given back, or with an entity that `reads`
/// lists as a whole, without attributes. A pattern that is answered outside DynamoDB
/// reads nothing there.
#[salsa::tracked(returns(ref))]
pub fn entities_read(db: &dyn Db, root: SourceFile, pattern: Decl) -> BTreeSet<String> {
    let Some(def) = pattern_def(db, pattern).filter(|def| def.external.is_none()) else { return BTreeSet::new() };
    let listed = def.requirements.iter().filter(|requirement| !requirement.writes).flat_map(|r| &r.uses);
    let (mut read, mut whole) = (BTreeSet::new(), BTreeSet::new());
    for used in listed {
        read.insert(used.entity.text.clone());
        read.extend(listed_in(db, root, &used.entity.text, &used.attributes));
        if used.attributes.is_empty() {
            whole.insert(used.entity.text.as_str());
        }
    }
    let by_operations = read.is_empty();
    if !by_operations && whole.is_empty() {
        return read;
    }
    for (index, step) in steps(db, root, pattern).enumerate().filter(|(_, step)| step.step.op.reads()) {
        let Some(source) = step.source else { continue };
        for item in given_back(db, &step) {
            if !by_operations && (item.embeds.is_empty() || !whole.contains(item.entity.as_str())) {
                continue;
            }
            if is_cut_off(db, root, pattern, index, &item.entity) {
                continue;
            }
            read.insert(item.entity.clone());
            let given = item.embeds.iter().filter(|embed| gives_list(&step, source, item, embed));
            read.extend(given.map(|embed| embed.entity.clone()));
        }
    }
    read
}

/// Whether the limit of a step of a pattern ends it before any item of an entity (Q5).
pub fn is_cut_off(db: &dyn Db, root: SourceFile, pattern: Decl, step: usize, entity: &str) -> bool {
    let numbers = pattern_numbers(db, root, pattern).as_ref();
    let step = numbers.and_then(|numbers| numbers.steps.get(step));
    step.is_some_and(|step| matches!(&step.work, Work::Read(read) if read.cuts_off(entity)))
}

/// The patterns that read each entity, by its name. How often they do is asked
/// pattern by pattern: another rate changes nothing here.
#[salsa::tracked(returns(ref))]
fn readers(db: &dyn Db, root: SourceFile) -> HashMap<String, Vec<Decl>> {
    let mut readers: HashMap<String, Vec<Decl>> = HashMap::new();
    let first = |decls: &Vec<Decl>| decls.first().copied();
    // Of two patterns with one name the second is a finding of its own.
    for pattern in names(db, root).patterns.values().filter_map(first) {
        for entity in entities_read(db, root, pattern) {
            readers.entry(entity.clone()).or_default().push(pattern);
        }
    }
    readers
}

/// The patterns that read an entity: apart from those of the others, so that a
/// change of theirs is none of this one's.
#[salsa::tracked(returns(ref))]
pub fn readers_of(db: &dyn Db, root: SourceFile, entity: Decl) -> Vec<Decl> {
    let name = decl_name(db, entity).as_ref();
    name.and_then(|name| readers(db, root).get(name)).cloned().unwrap_or_default()
}

/// The patterns that read both of two entities.
pub fn read_together(db: &dyn Db, root: SourceFile, first: Decl, second: Decl) -> Vec<Decl> {
    let second: HashSet<&Decl> = readers_of(db, root, second).iter().collect();
    readers_of(db, root, first).iter().filter(|pattern| second.contains(pattern)).copied().collect()
}

/// Calls a second of these patterns, on average.
pub fn calls<'p>(db: &dyn Db, root: SourceFile, patterns: impl IntoIterator<Item = &'p Decl>) -> Figure {
    let numbers = patterns.into_iter().filter_map(|pattern| pattern_numbers(db, root, *pattern).as_ref());
    numbers.map(|numbers| &numbers.rate).sum()
}

/// How often two entities are read, alone and together (C5).
pub fn shared_reads(db: &dyn Db, root: SourceFile, first: Decl, second: Decl) -> SharedReads {
    let both = read_together(db, root, first, second);
    let together: HashSet<&Decl> = both.iter().collect();
    let alone = |entity: Decl| {
        let patterns = readers_of(db, root, entity).iter();
        calls(db, root, patterns.filter(|pattern| !together.contains(pattern)))
    };
    SharedReads { only_first: alone(first), only_second: alone(second), both: calls(db, root, &both) }
}
