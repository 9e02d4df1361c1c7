//! Which entities are read together, and how often (numbers C5).

use super::figure::Figure;
use super::operations::pattern_numbers;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::lower::decl_name;
use crate::model::names::{names, pattern_def};
use crate::model::resolve::steps;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A pattern that reads an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Reader {
    pub pattern: Decl,
    /// Calls a second, on average.
    pub rate: Figure,
}

/// The reads of two entities, in calls a second (C5): the three add up to all
/// reads of either.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedReads {
    pub only_first: Figure,
    pub only_second: Figure,
    pub both: Figure,
    /// The patterns that read both.
    pub together: Vec<Decl>,
}

impl SharedReads {
    /// Calls a second that read either.
    pub fn either(&self) -> Figure {
        self.both.plus(&self.only_first).plus(&self.only_second)
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

/// The entities that a pattern reads: those that its `reads` lists, else those
/// that its reading operations reach, embedded ones included (C5). A pattern that
/// is answered outside DynamoDB reads nothing there.
#[salsa::tracked(returns(ref))]
pub fn entities_read(db: &dyn Db, root: SourceFile, pattern: Decl) -> BTreeSet<String> {
    let Some(def) = pattern_def(db, pattern).filter(|def| def.external.is_none()) else { return BTreeSet::new() };
    let listed = def.requirements.iter().filter(|requirement| !requirement.writes).flat_map(|r| &r.uses);
    let listed: BTreeSet<String> = listed.map(|used| used.entity.text.clone()).collect();
    if !listed.is_empty() {
        return listed;
    }
    let mut read = BTreeSet::new();
    for step in steps(db, root, pattern).filter(|step| step.step.op.reads()) {
        let Some(source) = step.source else { continue };
        for item in source.items().filter(|item| step.resolved.reached.contains(&item.entity)) {
            read.insert(item.entity.clone());
            read.extend(item.embeds.iter().map(|embed| embed.entity.clone()));
        }
    }
    read
}

/// The patterns that read each entity, by its name.
#[salsa::tracked(returns(ref))]
fn readers(db: &dyn Db, root: SourceFile) -> HashMap<String, Vec<Reader>> {
    let mut readers: HashMap<String, Vec<Reader>> = HashMap::new();
    let first = |decls: &Vec<Decl>| decls.first().copied();
    // Of two patterns with one name the second is a finding of its own.
    for pattern in names(db, root).patterns.values().filter_map(first) {
        let Some(numbers) = pattern_numbers(db, root, pattern) else { continue };
        for entity in entities_read(db, root, pattern) {
            let reader = Reader { pattern, rate: numbers.rate.clone() };
            readers.entry(entity.clone()).or_default().push(reader);
        }
    }
    readers
}

/// The patterns that read an entity: apart from those of the others, so that a
/// change of theirs is none of this one's.
#[salsa::tracked(returns(ref))]
pub fn readers_of(db: &dyn Db, root: SourceFile, entity: Decl) -> Vec<Reader> {
    let name = decl_name(db, entity).as_ref();
    name.and_then(|name| readers(db, root).get(name)).cloned().unwrap_or_default()
}

/// How often two entities are read, alone and together (C5).
pub fn shared_reads(db: &dyn Db, root: SourceFile, first: Decl, second: Decl) -> SharedReads {
    let (a, b) = (readers_of(db, root, first), readers_of(db, root, second));
    let of = |readers: &[Reader]| readers.iter().map(|reader| reader.pattern).collect::<HashSet<_>>();
    let (in_a, in_b) = (of(a), of(b));
    let sum = |readers: &[Reader], keep: &dyn Fn(&Decl) -> bool| -> Figure {
        readers.iter().filter(|reader| keep(&reader.pattern)).map(|reader| &reader.rate).sum()
    };
    SharedReads {
        only_first: sum(a, &|pattern| !in_b.contains(pattern)),
        only_second: sum(b, &|pattern| !in_a.contains(pattern)),
        both: sum(a, &|pattern| in_b.contains(pattern)),
        together: a.iter().map(|reader| reader.pattern).filter(|pattern| in_b.contains(pattern)).collect(),
    }
}
