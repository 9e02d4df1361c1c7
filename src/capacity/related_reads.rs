//! How often a parent and its children are read where a pair of names does not say
//! which are meant: where two entities are related several times, and where an entity
//! is related to itself (numbers C5).

use super::facts::Declared;
use super::figure::Figure;
use super::select::{Start, given_whole, is_full, pinned, select};
use super::shared_reads::{SharedReads, calls, read_together, readers_of, shared_reads};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{OpDef, PatternDef};
use crate::model::key_condition::conjuncts;
use crate::model::lists::given_back;
use crate::model::lower::decl_name;
use crate::model::names::pattern_def;
use crate::model::resolve::steps;
use std::collections::BTreeSet;

/// The reads of a parent and its children, with the patterns that read both.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedReads {
    pub reads: SharedReads,
    pub together: Vec<Decl>,
    /// Those of them whose keys do not say by which relationship they read both.
    pub untold: Vec<Decl>,
}

/// What a pattern reads of the two.
enum Part {
    First,
    Second,
    Both,
}

impl Default for RelatedReads {
    fn default() -> Self {
        let reads = SharedReads { only_first: Figure::ZERO, only_second: Figure::ZERO, both: Figure::ZERO };
        Self { reads, together: Vec::new(), untold: Vec::new() }
    }
}

impl RelatedReads {
    fn add(&mut self, db: &dyn Db, root: SourceFile, pattern: Decl, part: Part) {
        let sum = match part {
            Part::First => &mut self.reads.only_first,
            Part::Second => &mut self.reads.only_second,
            Part::Both => {
                self.together.push(pattern);
                &mut self.reads.both
            }
        };
        *sum = sum.plus(&calls(db, root, [&pattern]));
    }
}

/// How often two entities are read, whichever relationship ties them.
pub fn reads_of_both(db: &dyn Db, root: SourceFile, parent: Decl, child: Decl) -> RelatedReads {
    RelatedReads {
        reads: shared_reads(db, root, parent, child),
        together: read_together(db, root, parent, child),
        untold: Vec::new(),
    }
}

/// How often a parent is read, the children that hold its id in the attribute `by`, and
/// both, where other attributes of the child hold ids of such parents too. A pattern
/// whose keys give one of the others reads the parent without these children; one whose
/// keys give none may mean any of them.
pub fn reads_by(
    db: &dyn Db,
    root: SourceFile,
    (parent, child): (Decl, Decl),
    by: &str,
    holders: &BTreeSet<&str>,
) -> RelatedReads {
    let mut own = RelatedReads::default();
    let Some(name) = decl_name(db, child) else { return own };
    let both = read_together(db, root, parent, child);
    for pattern in readers_of(db, root, parent) {
        let part = match both.contains(pattern) {
            false => Part::First,
            true => {
                let told = asked_by(db, root, *pattern, name, holders);
                if told.is_empty() {
                    own.untold.push(*pattern);
                }
                if told.is_empty() || told.contains(by) { Part::Both } else { Part::First }
            }
        };
        own.add(db, root, *pattern, part);
    }
    for pattern in readers_of(db, root, child).iter().filter(|pattern| !both.contains(pattern)) {
        own.add(db, root, *pattern, Part::Second);
    }
    own
}

/// The patterns that read a parent and those children that hold its id in this attribute,
/// or of which nothing says by which of several they do.
pub fn together_by(
    db: &dyn Db,
    root: SourceFile,
    (parent, child): (Decl, Decl),
    by: &str,
    holders: &BTreeSet<&str>,
) -> Vec<Decl> {
    let Some(name) = decl_name(db, child) else { return Vec::new() };
    let is_by = |pattern: &Decl| {
        let told = asked_by(db, root, *pattern, name, holders);
        told.is_empty() || told.contains(by)
    };
    read_together(db, root, parent, child).into_iter().filter(is_by).collect()
}

/// Those of these attributes by which a pattern finds the items of an entity: the keys
/// of its operations give them, the list that holds the items belongs to one, or, before
/// there is an operation, its `reads` name them.
fn asked_by(db: &dyn Db, root: SourceFile, pattern: Decl, entity: &str, holders: &BTreeSet<&str>) -> BTreeSet<String> {
    let Some(def) = pattern_def(db, pattern) else { return BTreeSet::new() };
    let mut told = BTreeSet::new();
    for step in steps(db, root, pattern).filter(|step| step.step.op.reads()) {
        let Some(source) = step.source else { continue };
        for item in given_back(db, &step).into_iter().filter(|item| item.holds(entity)) {
            match &step.step.op {
                _ if item.entity != entity => {
                    let lists = item.embeds.iter().filter(|embed| embed.entity == entity);
                    told.extend(lists.filter_map(|embed| embed.by.clone()));
                }
                op => told.extend(given_whole(db, source, item, op)),
            }
        }
    }
    if def.operations.is_empty() {
        told.extend(wanted_by(def).map(str::to_owned));
    }
    told.retain(|name| holders.contains(name.as_str()));
    told
}

/// The attributes by which the `reads` of a pattern want to find what they list.
fn wanted_by(def: &PatternDef) -> impl Iterator<Item = &str> {
    let wanted = def.requirements.iter().filter(|requirement| !requirement.writes);
    wanted.flat_map(|requirement| &requirement.by).map(|name| name.text.as_str())
}

/// How a pattern reads items of one entity that are below others of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// One item, by its own key.
    One,
    /// Those below one, by the id of that.
    Below,
    /// Those of several levels.
    Any,
}

/// How often the items of an entity are read by themselves, as children of one of
/// their kind whose id this attribute holds, and both.
pub fn own_reads(db: &dyn Db, root: SourceFile, entity: Decl, by: Option<&str>) -> RelatedReads {
    let mut own = RelatedReads::default();
    let Some(name) = decl_name(db, entity) else { return own };
    for pattern in readers_of(db, root, entity) {
        let levels = levels(db, root, *pattern, name, by);
        let part = match levels.iter().copied().collect::<Vec<_>>().as_slice() {
            [Level::One] => Part::First,
            [Level::Below] => Part::Second,
            _ => Part::Both,
        };
        own.add(db, root, *pattern, part);
    }
    own
}

/// How a pattern reads the items of an entity; before there is an operation, by what
/// it wants to find them.
fn levels(db: &dyn Db, root: SourceFile, pattern: Decl, entity: &str, by: Option<&str>) -> BTreeSet<Level> {
    let Some(def) = pattern_def(db, pattern) else { return BTreeSet::new() };
    if def.operations.is_empty() {
        let below = by.is_some_and(|by| wanted_by(def).any(|name| name == by));
        return BTreeSet::from([if below { Level::Below } else { Level::Any }]);
    }
    let facts = Declared { db, root };
    let mut levels = BTreeSet::new();
    for step in steps(db, root, pattern).filter(|step| step.step.op.reads()) {
        let Some(source) = step.source else { continue };
        for item in given_back(db, &step).into_iter().filter(|item| item.holds(entity)) {
            let level = match &step.step.op {
                _ if item.entity != entity => Level::Any,
                OpDef::Get { .. } => Level::One,
                OpDef::Query { conditions: Some(conditions), .. } => {
                    let pinned = pinned(db, source, item, &conjuncts(conditions));
                    let mut given = pinned.partition.iter().chain(&pinned.sort);
                    match select(&facts, source, item, &pinned).start {
                        Start::PrimaryKey | Start::Identity(_) => Level::One,
                        _ if given.any(|given| is_full(given) && Some(given.hole.name.as_str()) == by) => Level::Below,
                        _ => Level::Any,
                    }
                }
                _ => Level::Any,
            };
            levels.insert(level);
        }
    }
    levels
}
