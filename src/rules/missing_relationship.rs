//! An attribute that holds another entity's id, and no relationship between the
//! two.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::rule::{Group, Rule};
use super::unseen::is_any_unreadable;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{layout, placements};
use crate::model::names::{relationships, relationships_of};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use std::collections::{BTreeSet, HashSet};

pub static RULE: Rule = Rule {
    name: "missing-relationship",
    group: Group::Requirements,
    level: Level::Info,
    summary: "`@of(E)` holds the id of an entity with which no relationship is declared",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    // A relationship that cannot be read may be the one.
    if cx.is_broken() || is_any_unreadable(cx) {
        return;
    }
    let related = related_pairs(cx.db, cx.root);
    let mut told = BTreeSet::new();
    let through = edge_of(cx, entity, &name, related);
    if let Some(edge) = &through {
        report_edge(cx, &name, edge);
    }
    for attribute in &entity.attributes {
        let Some(of) = &attribute.of else { continue };
        let Some(other) = cx.names().entity(&of.text) else { continue };
        let is_end = through.as_ref().is_some_and(|edge| edge.ends.contains(&of.text.as_str()));
        if is_end || of.text == name || related.contains(&pair(&name, &of.text)) || !told.insert(&of.text) {
            continue;
        }
        let is_local = is_embedded_apart_from(cx, &name, &of.text);
        let cardinality = cardinality(entity, attribute, is_local);
        let clause = format!("relationship {} {} {}", quote_name(&of.text), cardinality.written(), quote_name(&name));
        let many = match cardinality {
            Cardinality::OneToOne => "",
            _ => ", with `children avg …, max …`",
        };
        let message = format!(
            "`{}` holds the id of `{}`, and no relationship of the two is declared: how many `{name}` one `{}` has is \
             taken from the ratio of their counts or not known at all, and so is what a query of them reads; declare \
             `{clause}`{many}",
            attribute.name.text, of.text, of.text
        );
        let edits = vec![Edit::DeclarationAfter { decl: cx.decl, text: clause.clone() }];
        let place = cx.name_place(other);
        let finding = cx.report(of.range, message);
        if let Some(place) = place {
            finding.relate(place, "the entity whose id it holds");
        }
        finding.fix(format!("Declare `{clause}`"), edits);
    }
}

/// An N:M whose edge the entity seems to be.
struct EdgeOf<'d> {
    decl: Decl,
    right: &'d Name,
    range: TextRange,
    ends: [&'d str; 2],
    /// The first attribute of the edge that holds the id of an end.
    of: &'d Name,
}

/// The one N:M without an edge between two entities whose ids the entity holds,
/// where nothing else relates it to either.
fn edge_of<'d>(
    cx: &Cx<'d>,
    entity: &'d EntityDef,
    name: &str,
    related: &BTreeSet<(String, String)>,
) -> Option<EdgeOf<'d>> {
    let holds = |end: &str| {
        let attributes = entity.attributes.iter();
        attributes.filter(|a| a.of.as_ref().is_some_and(|of| of.text == end)).count()
    };
    // The ends are among those whose ids it holds.
    let held: BTreeSet<&str> = entity.attributes.iter().filter_map(|a| a.of.as_ref()).map(|of| &*of.text).collect();
    let near = held.into_iter().flat_map(|name| relationships_of(cx.db, cx.root, name));
    let mut seen = HashSet::new();
    let mut edges = near.filter(|(decl, _)| seen.insert(*decl)).filter_map(|(decl, def)| {
        let (left, right) = (def.left.as_ref()?, def.right.as_ref()?);
        if def.cardinality != Some(Cardinality::ManyToMany) || def.through.is_some() {
            return None;
        }
        let ends = [left.text.as_str(), right.text.as_str()];
        let is_open = |end: &str| end != name && !related.contains(&pair(name, end));
        let both = match left.text == right.text {
            true => holds(&left.text) == 2,
            false => ends.iter().all(|end| holds(end) > 0),
        };
        let of = entity.attributes.iter().filter_map(|a| a.of.as_ref()).find(|of| ends.contains(&of.text.as_str()))?;
        let range = left.range.cover(right.range);
        (both && ends.iter().all(|end| is_open(end))).then_some(EdgeOf { decl, right, range, ends, of })
    });
    edges.next().filter(|_| edges.next().is_none())
}

fn report_edge(cx: &mut Cx<'_>, name: &str, edge: &EdgeOf<'_>) {
    let clause = format!("through {}", quote_name(name));
    let [left, right] = edge.ends;
    let message = format!(
        "`{name}` holds the ids of both ends of `{left} N:M {right}`, which does not say that it is their edge: how many \
         `{name}` one `{left}` or one `{right}` has is taken from the ratio of the counts or not known at all, and so is \
         what a query of them reads; add `{clause}` to that relationship",
    );
    let place = Place { decl: edge.decl, range: edge.range };
    let end = Place { decl: edge.decl, range: TextRange::empty(edge.right.range.end as usize) };
    let is_whole = cx.is_whole(edge.decl);
    let finding = cx.report(edge.of.range, message);
    finding.relate(place, "the relationship whose edge it is");
    if is_whole {
        let edits = vec![Edit::Replace { place: end, text: format!(" {clause}") }];
        finding.fix(format!("Add `{clause}` to `{left} N:M {right}`"), edits);
    }
}

/// Whether an entity is embedded in the items of another than `of`: its identity
/// is then one within such an item only.
fn is_embedded_apart_from(cx: &Cx<'_>, entity: &str, of: &str) -> bool {
    let tables = placements(cx.db, cx.root).get(entity).into_iter().flatten();
    let layouts = tables.filter_map(|table| layout(cx.db, cx.root, *table).as_ref());
    let mut items = layouts.flat_map(|layout| &layout.items).filter(|item| item.entity != of);
    items.any(|item| item.embeds.iter().any(|embed| embed.entity == entity))
}

/// One of one where the id of the other is all the identity, and that not within
/// another item only, or unique; else many.
fn cardinality(entity: &EntityDef, attribute: &AttributeDef, is_local: bool) -> Cardinality {
    let mut ids = entity.ids();
    let only = attribute.id && ids.next().is_some() && ids.next().is_none() && !is_local;
    let unique = attribute.unique.as_ref().is_some_and(|unique| unique.scope.is_empty());
    if only || unique { Cardinality::OneToOne } else { Cardinality::OneToMany }
}

fn pair(a: &str, b: &str) -> (String, String) {
    if a < b { (a.to_owned(), b.to_owned()) } else { (b.to_owned(), a.to_owned()) }
}

/// The pairs of entities that a relationship ties; `N:M through E` ties E to both
/// ends as well.
#[salsa::tracked(returns(ref))]
fn related_pairs(db: &dyn Db, root: SourceFile) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for (_, relationship) in relationships(db, root) {
        let names = [&relationship.left, &relationship.right, &relationship.through];
        let names: Vec<&str> = names.into_iter().flatten().map(|name| name.text.as_str()).collect();
        for (index, one) in names.iter().enumerate() {
            pairs.extend(names[index + 1..].iter().map(|other| pair(one, other)));
        }
    }
    pairs
}
