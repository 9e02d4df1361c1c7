//! Which entities are related, and by what. Two that are related several times are so
//! many pairs: each relationship has its own number of children and its own place in
//! the keys.

use crate::deliverables::markdown::{code, inline};
use crate::deliverables::outline::{Declared as InText, Outline, pair, said};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::names::find_entity;
use crate::model::pairs::unordered;
use crate::syntax::Unit;
use std::collections::{BTreeMap, BTreeSet};

/// Two entities that a relationship or an aggregate ties together; one entity twice is
/// a parent and a child of one kind.
pub(in crate::deliverables) struct Related<'db> {
    pub parent: &'db str,
    pub child: &'db str,
    /// The child's attribute that holds the parent's id, where that is known.
    pub by: Option<&'db str>,
    /// The two are related in other ways as well.
    pub among: bool,
    /// The attributes by which the two are related, this one and the others.
    pub holders: BTreeSet<&'db str>,
    /// The relationships that tie the two so, in the order of the text.
    pub relationships: Vec<&'db RelationshipDef>,
    /// The first of them, else the first aggregate.
    pub decl: Decl,
    /// The aggregates that hold both.
    pub aggregates: Vec<(Decl, &'db AggregateDef)>,
    /// The greatest number of children of one parent, where it is declared.
    pub most: Option<f64>,
    /// The child is the edge of an N:M.
    pub edge: bool,
}

impl Related<'_> {
    /// Both names, and what tells the pair from others of the same two: `U + M by
    /// sender`.
    pub fn name(&self) -> String {
        let names = format!("{} + {}", inline(self.parent), inline(self.child));
        match self.by.filter(|_| self.among) {
            Some(by) => format!("{names} by {}", inline(by)),
            None => names,
        }
    }

    /// The relationships as they are declared, with what is needed to tell them apart:
    /// `A N:M B through E`, `U 1:N M by sender`. `None` where there is none.
    pub fn relationship(&self) -> Option<String> {
        let told = self.relationships.iter().map(|relationship| {
            let through = relationship.through.as_ref().filter(|_| self.edge);
            let through = through.map(|through| format!(" through {}", inline(&through.text))).unwrap_or_default();
            let by = self.by.filter(|_| self.among).map(|by| format!(" by {}", code(by))).unwrap_or_default();
            format!("{}{through}{by}", pair(relationship))
        });
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// Whether parent and child are of one kind.
    pub fn is_of_one(&self) -> bool {
        self.parent == self.child
    }

    /// Whether the child is nothing without its parent. The edge of an N:M is
    /// nothing without its ends.
    pub fn is_identifying(&self) -> bool {
        self.edge || self.relationships.iter().any(|relationship| relationship.identifying.is_some())
    }

    /// The reason of the first aggregate of both that gives one, decided or not.
    pub fn reason(&self) -> Option<&str> {
        self.aggregates.iter().find_map(|(_, aggregate)| aggregate.because.as_ref().and_then(said))
    }

    /// What the first aggregate that decides says of the two, and why.
    pub fn declared(&self) -> Option<(Decision, Option<&str>)> {
        self.aggregates.iter().find_map(|(_, aggregate)| {
            let (decision, _) = aggregate.decision?;
            Some((decision, aggregate.because.as_ref().and_then(said)))
        })
    }
}

/// A parent and a child as one relationship ties them.
struct Tie<'db> {
    parent: &'db str,
    child: &'db str,
    by: Option<&'db str>,
    most: Option<f64>,
    edge: bool,
}

/// The related pairs of a model, each once: those of its relationships in the order
/// of the text, then the first entity of each aggregate with those of the others
/// that no relationship ties to it. The first entity of an aggregate is the one
/// that the others belong to; all pairs would be the square of their number.
pub(super) fn related<'db>(outline: &Outline<'db>) -> Vec<Related<'db>> {
    let mut all = Collected::default();
    for InText { decl, def } in &outline.relationships {
        for tie in ties(outline, def) {
            let pair = all.tied(*decl, &tie);
            pair.relationships.push(def);
            pair.most = pair.most.or(tie.most);
            pair.edge |= tie.edge;
        }
    }
    for InText { decl, def } in &outline.aggregates {
        let Some((first, others)) = def.entities.split_first() else { continue };
        for other in others.iter().filter(|other| other.text != first.text) {
            all.beside(*decl, &first.text, &other.text);
        }
    }
    // An aggregate has a say of every pair that it holds.
    for InText { decl, def } in &outline.aggregates {
        let holds = |name: &str| def.entities.iter().filter(|own| own.text == name).count();
        for pair in &mut all.pairs {
            let wanted = if pair.is_of_one() { 2 } else { 1 };
            if holds(pair.parent) >= wanted && holds(pair.child) >= wanted {
                pair.aggregates.push((*decl, def));
            }
        }
    }
    let of_both = |pair: &Related<'db>| -> Vec<Option<&'db str>> {
        all.of_both(pair.parent, pair.child).iter().map(|at| all.pairs[*at].by).collect()
    };
    let ways: Vec<Vec<Option<&str>>> = all.pairs.iter().map(of_both).collect();
    for (pair, ways) in all.pairs.iter_mut().zip(ways) {
        pair.among = ways.len() > 1;
        pair.holders = ways.into_iter().flatten().collect();
    }
    all.pairs
}

/// The pairs that a relationship ties: its two ends, or each end with the edge of an
/// N:M. An N:M without an edge ties its ends all the same.
fn ties<'db>(outline: &Outline<'db>, def: &'db RelationshipDef) -> Vec<Tie<'db>> {
    let (Some(left), Some(right), Some(cardinality)) = (&def.left, &def.right, def.cardinality) else {
        return Vec::new();
    };
    let max = |measure: &Option<Measure>| measure.as_ref().and_then(|measure| measure.max(Unit::Number));
    let tie = |parent: &'db Name, child: &'db Name, most, edge, by| Tie {
        parent: &parent.text,
        child: &child.text,
        by,
        most,
        edge,
    };
    let by = def.by.as_ref().map(|by| by.text.as_str());
    match (cardinality, &def.through) {
        (Cardinality::ManyToMany, Some(edge)) => {
            let [first, second] = ends_of_edge(outline, def, edge);
            vec![tie(left, edge, max(&def.children), true, first), tie(right, edge, max(&def.parents), true, second)]
        }
        // One of one is one, whether it is said or not.
        (Cardinality::OneToOne, _) => {
            let by = by.or_else(|| only_holder(outline, &left.text, &right.text));
            vec![tie(left, right, max(&def.children).or(Some(1.0)), false, by)]
        }
        (Cardinality::OneToMany, _) | (Cardinality::ManyToMany, None) => {
            let by = by.or_else(|| only_holder(outline, &left.text, &right.text));
            vec![tie(left, right, max(&def.children), false, by)]
        }
    }
}

/// The attributes of an edge that hold the ids of its two ends. `by` may name that of
/// either; where both ends are one entity, it names that of the first.
pub(in crate::deliverables) fn ends_of_edge<'db>(
    outline: &Outline<'db>,
    def: &'db RelationshipDef,
    edge: &Name,
) -> [Option<&'db str>; 2] {
    let (Some(left), Some(right)) = (&def.left, &def.right) else { return [None, None] };
    let by = def.by.as_ref().map(|by| by.text.as_str());
    if left.text == right.text {
        let holders = holders(outline, &left.text, &edge.text);
        let first = by.or_else(|| holders.first().copied());
        let mut others = holders.iter().copied().filter(|name| Some(*name) != first);
        return [first, others.next().filter(|_| others.next().is_none())];
    }
    [left, right].map(|end| {
        let own = holders(outline, &end.text, &edge.text);
        by.filter(|by| own.contains(by)).or_else(|| only_holder(outline, &end.text, &edge.text))
    })
}

/// The attributes of a child that hold the id of a parent.
fn holders<'db>(outline: &Outline<'db>, parent: &str, child: &str) -> Vec<&'db str> {
    let attributes = find_entity(outline.db, outline.root, child).into_iter().flat_map(|entity| &entity.attributes);
    let holds = |attribute: &&AttributeDef| attribute.of.as_ref().is_some_and(|of| of.text == parent);
    attributes.filter(holds).map(|attribute| attribute.name.text.as_str()).collect()
}

/// The attribute of a child that holds the id of a parent, where it is the only one.
pub(super) fn only_holder<'db>(outline: &Outline<'db>, parent: &str, child: &str) -> Option<&'db str> {
    match holders(outline, parent, child).as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

#[derive(Default)]
struct Collected<'db> {
    pairs: Vec<Related<'db>>,
    places: BTreeMap<(String, String), Vec<usize>>,
}

impl<'db> Collected<'db> {
    /// The pairs of two entities, whichever of them is the parent.
    fn of_both(&self, parent: &str, child: &str) -> &[usize] {
        self.places.get(&unordered(parent, child)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The pair of a tie: one with another by which the same attribute holds the id of
    /// the same parent.
    fn tied(&mut self, decl: Decl, tie: &Tie<'db>) -> &mut Related<'db> {
        let is_same = |at: &&usize| {
            let pair = &self.pairs[**at];
            (pair.parent, pair.child, pair.by) == (tie.parent, tie.child, tie.by)
        };
        let at = self.of_both(tie.parent, tie.child).iter().find(is_same).copied();
        let at = at.unwrap_or_else(|| self.add(decl, tie.parent, tie.child, tie.by));
        &mut self.pairs[at]
    }

    /// Two entities of one aggregate, unless something ties them already.
    fn beside(&mut self, decl: Decl, parent: &'db str, child: &'db str) {
        if self.of_both(parent, child).is_empty() {
            self.add(decl, parent, child, None);
        }
    }

    fn add(&mut self, decl: Decl, parent: &'db str, child: &'db str, by: Option<&'db str>) -> usize {
        let at = self.pairs.len();
        self.places.entry(unordered(parent, child)).or_default().push(at);
        self.pairs.push(Related {
            parent,
            child,
            by,
            among: false,
            holders: BTreeSet::new(),
            relationships: Vec::new(),
            decl,
            aggregates: Vec::new(),
            most: None,
            edge: false,
        });
        at
    }
}
