//! Pairs of entities that a relationship ties together, and what an aggregate
//! says of them.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::lower::lowered;
use super::names::{names, relationships};
use crate::syntax::Unit;
use std::collections::{BTreeSet, HashMap};

/// A parent and a child of one relationship. The edge of an N:M is a child of
/// both its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<'d> {
    pub parent: &'d str,
    pub child: &'d str,
    /// The greatest number of children of one parent, where it is declared.
    pub most: Option<f64>,
    /// The child is the edge of an N:M.
    pub edge: bool,
    /// The child's attribute that holds the parent's id, where a 1:1 or 1:N names it.
    pub by: Option<&'d str>,
}

impl<'d> Pair<'d> {
    fn new(parent: &'d Name, child: &'d Name, most: Option<f64>, edge: bool) -> Self {
        Self { parent: &parent.text, child: &child.text, most, edge, by: None }
    }
}

/// The pairs of a relationship: its two ends, or each end with the edge of an
/// N:M. An N:M without an edge has none: no item of the one end belongs to one
/// item of the other.
pub fn pairs(def: &RelationshipDef) -> Vec<Pair<'_>> {
    let (Some(left), Some(right), Some(cardinality)) = (&def.left, &def.right, def.cardinality) else {
        return Vec::new();
    };
    let max = |measure: &Option<Measure>| measure.as_ref().and_then(|measure| measure.max(Unit::Number));
    let mut pairs = match (cardinality, &def.through) {
        // One of one is one, whether it is said or not.
        (Cardinality::OneToOne, _) => vec![Pair::new(left, right, max(&def.children).or(Some(1.0)), false)],
        (Cardinality::OneToMany, _) => vec![Pair::new(left, right, max(&def.children), false)],
        (Cardinality::ManyToMany, Some(edge)) => {
            vec![Pair::new(left, edge, max(&def.children), true), Pair::new(right, edge, max(&def.parents), true)]
        }
        (Cardinality::ManyToMany, None) => Vec::new(),
    };
    if !pairs.iter().any(|pair| pair.edge) {
        pairs.iter_mut().for_each(|pair| pair.by = def.by.as_ref().map(|by| by.text.as_str()));
    }
    pairs.retain(|pair| pair.parent != pair.child);
    pairs.dedup_by(|b, a| (a.parent, a.child) == (b.parent, b.child));
    pairs
}

/// The attributes by which relationships tie these children to such parents.
pub fn holders<'db>(db: &'db dyn Db, root: SourceFile, parent: &str, child: &str) -> BTreeSet<&'db str> {
    let all = relationships(db, root).flat_map(|(_, def)| pairs(def));
    let own = all.filter(|pair| pair.parent == parent && pair.child == child);
    own.filter_map(|pair| pair.by).collect()
}

/// Two names, whichever comes first.
pub fn unordered(a: &str, b: &str) -> (String, String) {
    if a <= b { (a.to_owned(), b.to_owned()) } else { (b.to_owned(), a.to_owned()) }
}

/// The first relationship that ties two entities together: what is to be said of
/// the two is said there, once.
#[salsa::tracked(returns(ref))]
pub fn first_relationships(db: &dyn Db, root: SourceFile) -> HashMap<(String, String), Decl> {
    let mut first = HashMap::new();
    for (decl, def) in relationships(db, root) {
        let ends = [&def.left, &def.right, &def.through].into_iter().flatten().map(|name| name.text.as_str());
        let ends: Vec<&str> = ends.collect();
        for (at, one) in ends.iter().enumerate() {
            for other in &ends[at + 1..] {
                first.entry(unordered(one, other)).or_insert(decl);
            }
        }
    }
    first
}

/// The pairs of entities of which an `aggregate` gives its reason, or may give it
/// where it does not parse.
#[salsa::tracked(returns(ref))]
pub fn argued_pairs(db: &dyn Db, root: SourceFile) -> BTreeSet<(String, String)> {
    let mut argued = BTreeSet::new();
    for decl in &names(db, root).aggregates {
        let Def::Aggregate(def) = &lowered(db, *decl).def else { continue };
        if def.because.is_none() && decl.chunk(db).is_whole() {
            continue;
        }
        for (at, one) in def.entities.iter().enumerate() {
            argued.extend(def.entities[at + 1..].iter().map(|other| unordered(&one.text, &other.text)));
        }
    }
    argued
}
