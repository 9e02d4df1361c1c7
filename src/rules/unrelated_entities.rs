//! A table of entities that have nothing to do with each other.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use super::school::follows;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::identity::share_owner;
use crate::model::layout::TableLayout;
use crate::model::names::{entity_def, pattern_def};
use crate::model::pairs::{argued_pairs, first_relationships};
use crate::model::resolve::{patterns_of_entity, steps};
use std::collections::{BTreeSet, HashMap, HashSet};

pub static RULE: Rule = Rule {
    name: "unrelated-entities",
    group: Group::Design,
    level: Level::Warning,
    summary: "a table holds entities that no relationship and no pattern ties together",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // What seems to have no key may have one that cannot be read.
    if !follows(cx, Style::Aggregate) || cx.is_broken() {
        return;
    }
    let entities = entities(layout);
    // An entity that nobody declares is a finding of its own.
    if entities.len() < 2 || entities.iter().any(|name| cx.names().entity(name).is_none()) {
        return;
    }
    let mut ties = Ties::new(&entities);
    tie_by_model(cx, layout, &mut ties);
    if ties.groups().len() > 1 {
        tie_by_patterns(cx, &mut ties);
    }
    if ties.groups().len() > 1 {
        tie_by_owner(cx, layout, &mut ties);
    }
    let groups = ties.groups();
    if groups.len() < 2 || may_be_unread(cx, &entities) {
        return;
    }
    report(cx, layout, &groups);
}

/// The entities that a table holds or embeds, each once.
fn entities(layout: &TableLayout) -> Vec<String> {
    let mut entities: Vec<String> = Vec::new();
    for item in &layout.items {
        for name in std::iter::once(&item.entity).chain(item.embeds.iter().map(|embed| &embed.entity)) {
            if !entities.contains(name) {
                entities.push(name.clone());
            }
        }
    }
    entities
}

/// Which of the entities are tied together.
struct Ties<'e> {
    entities: &'e [String],
    places: HashMap<&'e str, usize>,
    /// The group of each.
    group: Vec<usize>,
}

impl<'e> Ties<'e> {
    fn new(entities: &'e [String]) -> Self {
        let places = entities.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        Self { entities, places, group: (0..entities.len()).collect() }
    }

    /// Ties those of the names that are entities of the table.
    fn tie<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let places = &self.places;
        let mut own = names.into_iter().filter_map(|name| places.get(name).copied());
        let Some(first) = own.next() else { return };
        for other in own {
            let (a, b) = (self.group[first], self.group[other]);
            if a != b {
                let (from, to) = (a.max(b), a.min(b));
                self.group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }

    /// The entities by group, in the order of the text.
    fn groups(&self) -> Vec<Vec<&'e str>> {
        let heads: BTreeSet<usize> = self.group.iter().copied().collect();
        let of = |head: usize| (0..self.entities.len()).filter(move |at| self.group[*at] == head);
        heads.into_iter().map(|head| of(head).map(|at| self.entities[at].as_str()).collect()).collect()
    }
}

/// What relationships say, an aggregate that gives its reason, what holds
/// another's id, and what is embedded.
fn tie_by_model(cx: &Cx<'_>, layout: &TableLayout, ties: &mut Ties<'_>) {
    for (a, b) in first_relationships(cx.db, cx.root).keys().chain(argued_pairs(cx.db, cx.root)) {
        ties.tie([a.as_str(), b.as_str()]);
    }
    for name in ties.entities {
        // A missing relationship behind an `@of` is a finding of its own.
        let attributes = cx.entity(name).into_iter().flat_map(|entity| &entity.attributes);
        for of in attributes.filter_map(|attribute| attribute.of.as_ref()) {
            ties.tie([name.as_str(), of.text.as_str()]);
        }
    }
    for item in &layout.items {
        ties.tie(std::iter::once(item.entity.as_str()).chain(item.embeds.iter().map(|embed| embed.entity.as_str())));
    }
}

/// Ids of one owner in the partition key: what belongs to the same user belongs
/// together, though the user is kept elsewhere.
fn tie_by_owner(cx: &Cx<'_>, layout: &TableLayout, ties: &mut Ties<'_>) {
    for (at, one) in layout.items.iter().enumerate() {
        for other in &layout.items[at + 1..] {
            let tied = ties.group[ties.places[one.entity.as_str()]] == ties.group[ties.places[other.entity.as_str()]];
            if !tied && share_owner(cx.db, cx.root, layout.table(), one, other) {
                ties.tie([one.entity.as_str(), other.entity.as_str()]);
            }
        }
    }
}

/// What a pattern needs, reaches or names together. That a scan passes everything
/// ties nothing.
fn tie_by_patterns(cx: &Cx<'_>, ties: &mut Ties<'_>) {
    let patterns: HashSet<Decl> =
        ties.entities.iter().flat_map(|name| patterns_of_entity(cx.db, cx.root, name)).copied().collect();
    for pattern in patterns {
        ties.tie(together(cx, pattern).iter().map(String::as_str));
    }
}

fn together(cx: &Cx<'_>, pattern: Decl) -> BTreeSet<String> {
    let uses = pattern_def(cx.db, pattern).into_iter().flat_map(|def| &def.requirements).flat_map(|r| &r.uses);
    let mut names: BTreeSet<String> = uses.map(|used| used.entity.text.clone()).collect();
    for step in steps(cx.db, cx.root, pattern) {
        names.extend(step.step.op.subject().map(|subject| subject.entity.text.clone()));
        if !matches!(step.step.op, OpDef::Scan { .. }) {
            names.extend(step.resolved.reached.iter().cloned());
        }
    }
    names
}

/// Whether a declaration that does not parse may tie them.
fn may_be_unread(cx: &Cx<'_>, entities: &[String]) -> bool {
    let all = cx.names();
    let aggregates = all.aggregates.iter();
    let own = all.relationships.iter().chain(aggregates).copied().chain(all.all_patterns());
    let mut broken = own.map(|decl| decl.chunk(cx.db)).filter(|chunk| !chunk.is_whole());
    let unread = broken.any(|chunk| entities.iter().any(|name| chunk.text.contains(name.as_str())));
    let decls = || entities.iter().filter_map(|name| all.entity(name));
    unread || decls().any(|decl| !cx.is_whole(decl) || entity_def(cx.db, decl).is_none())
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, groups: &[Vec<&str>]) {
    let told: Vec<String> = groups.iter().map(|group| listed(group)).collect();
    let message = format!(
        "`{}` holds {} groups of entities that no relationship and no pattern ties together: {}; no pattern \
         asks for them together, yet they share one capacity, one stream, one backup and one set of keys, where the one can crowd out the \
         other; give each group a table of its own, or declare the relationship or the pattern that ties them",
        layout.name.text,
        groups.len(),
        told.join("; "),
    );
    let places: Vec<(Place, String)> = groups[1..]
        .iter()
        .filter_map(|group| {
            let item = layout.items.iter().find(|item| group.contains(&item.entity.as_str()))?;
            Some((cx.place(item.range), format!("{} {} tied to none of the others", listed(group), verb(group.len()))))
        })
        .collect();
    let finding = cx.report(layout.name.range, message);
    for (place, message) in places {
        finding.relate(place, message);
    }
}

fn verb(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
