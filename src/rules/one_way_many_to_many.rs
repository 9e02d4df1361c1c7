//! A many-to-many relationship that can only be followed from one side.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::kept_together::name_pair;
use super::rule::{Group, Rule};
use crate::capacity::shared_reads::{calls, readers_of};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source};
use crate::model::lower::decl_name;
use crate::model::names::pattern_def;
use crate::model::resolve::patterns_of_entity;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "one-way-many-to-many",
    group: Group::Design,
    level: Level::Info,
    summary: "patterns follow an N:M relationship from one side only, while both sides are read",
    thresholds: &[],
    check: Check::Declaration(check),
};

/// One end of an N:M with what leads away from it.
struct End<'d> {
    entity: &'d str,
    /// The entity at the other end.
    other: &'d str,
    /// The edge, where the relationship has one.
    edge: Option<&'d str>,
    /// The attributes of the edge that hold this end's id.
    ids: BTreeSet<String>,
    /// The attributes of the other end that do.
    held_by_other: BTreeSet<String>,
}

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Relationship(def) = &lowered.def else { return };
    if cx.is_broken() || def.cardinality != Some(Cardinality::ManyToMany) {
        return;
    }
    let (Some(range), Some(left), Some(right)) = (name_pair(def), &def.left, &def.right) else { return };
    let ends = [end(cx, def, left, right, true), end(cx, def, right, left, false)];
    let followed = [followers(cx, &ends[0]), followers(cx, &ends[1])];
    let (open, blind) = match (followed[0].is_empty(), followed[1].is_empty()) {
        (false, true) => (0, 1),
        (true, false) => (1, 0),
        _ => return,
    };
    let readers = |entity: &str| cx.names().entity(entity).map(|decl| readers_of(cx.db, cx.root, decl));
    let (Some(own), Some(other)) = (readers(ends[blind].entity), readers(ends[open].entity)) else { return };
    if own.is_empty() || other.is_empty() || may_be_unread(cx, &ends[blind]) {
        return;
    }
    report(cx, range, &ends[open], &ends[blind], &followed[open], own);
}

fn end<'d>(cx: &Cx<'_>, def: &'d RelationshipDef, own: &'d Name, other: &'d Name, first: bool) -> End<'d> {
    let edge = def.through.as_ref().map(|name| name.text.as_str());
    let mut ids = edge.map_or_else(BTreeSet::new, |edge| holders(cx, edge, &own.text));
    // Where both ends are one entity, `by` names the attribute of the first; without
    // it the first that is declared is taken for that.
    if let (true, Some(edge)) = (own.text == other.text, edge) {
        let order = cx.entity(edge).map(|entity| entity.attributes.iter().map(|a| a.name.text.clone()));
        let declared: Vec<String> = order.into_iter().flatten().filter(|name| ids.contains(name)).collect();
        let of_first = def.by.as_ref().map(|by| by.text.clone()).or_else(|| declared.first().cloned());
        ids.retain(|name| (of_first.as_ref() == Some(name)) == first);
    }
    let held_by_other = if edge.is_none() { holders(cx, &other.text, &own.text) } else { BTreeSet::new() };
    End { entity: &own.text, other: &other.text, edge, ids, held_by_other }
}

/// The attributes of an entity that hold the id of another: that say so, or bear
/// its name.
fn holders(cx: &Cx<'_>, entity: &str, of: &str) -> BTreeSet<String> {
    let mut ids = cx.entity(of).into_iter().flat_map(EntityDef::ids).map(|id| id.name.text.as_str());
    let id = ids.next().filter(|_| ids.next().is_none());
    let attributes = cx.entity(entity).into_iter().flat_map(|entity| &entity.attributes);
    let holds = attributes.filter(|attribute| match &attribute.of {
        Some(named) => named.text == of,
        None => entity != of && id == Some(attribute.name.text.as_str()),
    });
    holds.map(|attribute| attribute.name.text.clone()).collect()
}

/// The patterns that get from one item of this end to those of the other, or to
/// their edges.
fn followers(cx: &Cx<'_>, end: &End<'_>) -> Vec<Decl> {
    let mut names: Vec<&str> = vec![end.entity, end.other];
    names.extend(end.edge);
    let mut patterns: Vec<Decl> = Vec::new();
    for pattern in names.iter().flat_map(|name| patterns_of_entity(cx.db, cx.root, name)) {
        if !patterns.contains(pattern) && follows(cx, end, *pattern) {
            patterns.push(*pattern);
        }
    }
    patterns
}

fn follows(cx: &Cx<'_>, end: &End<'_>, pattern: Decl) -> bool {
    let Some(def) = pattern_def(cx.db, pattern) else { return false };
    if def.operations.is_empty() {
        return asks(cx, end, def);
    }
    cx.steps_of(pattern).iter().filter(|step| step.step.op.reads()).any(|step| {
        let Some(source) = step.source else { return false };
        let is_scan = matches!(step.step.op, OpDef::Scan { .. });
        let reached = source.items().filter(|item| step.resolved.reached.contains(&item.entity));
        let is_get = matches!(step.step.op, OpDef::Get { .. });
        reached.filter(|_| !is_scan).any(|item| leads(cx, end, source, item, is_get))
    })
}

/// Whether a pattern that no operation answers asks for the edges or the other end
/// by this end's id.
fn asks(cx: &Cx<'_>, end: &End<'_>, def: &PatternDef) -> bool {
    let own: BTreeSet<&str> =
        cx.entity(end.entity).into_iter().flat_map(EntityDef::ids).map(|id| id.name.text.as_str()).collect();
    let is_id = |name: &Name| {
        let of_edge = end.ids.contains(&name.text) || end.held_by_other.contains(&name.text);
        of_edge || (end.entity != end.other && own.contains(name.text.as_str()))
    };
    let wanted = |used: &EntityUse| used.entity.text == end.other || Some(used.entity.text.as_str()) == end.edge;
    def.requirements.iter().filter(|r| !r.writes).any(|r| r.uses.iter().any(wanted) && r.by.iter().any(is_id))
}

/// Whether reading this item under a value of its partition key is a way from the
/// end to the other. Who gets an item by the ids of both ends knows the other
/// already.
fn leads(cx: &Cx<'_>, end: &End<'_>, source: Source<'_>, item: &ItemLayout, is_get: bool) -> bool {
    let made_of = item.made_from(source.partition().iter());
    let whole = item.made_from(source.layout.primary_key());
    let keyed_by = |ids: &BTreeSet<String>| {
        let alone = !is_get || whole.iter().all(|name| ids.contains(*name));
        alone && made_of.iter().any(|name| ids.contains(*name))
    };
    let is = |entity: &str| item.entity == entity;
    match end.edge {
        Some(edge) => (is(edge) && keyed_by(&end.ids)) || (is(end.entity) && !is(edge) && item.holds(edge)),
        None => {
            let embeds = is(end.entity) && end.entity != end.other && item.holds(end.other);
            // Its own item lists the ids of the others.
            let lists = is(end.entity) && !holders(cx, end.entity, end.other).is_empty();
            embeds || lists || (is(end.other) && keyed_by(&end.held_by_other))
        }
    }
}

/// Whether a pattern that does not parse may be the way.
fn may_be_unread(cx: &Cx<'_>, end: &End<'_>) -> bool {
    let mut names = vec![end.entity, end.other];
    names.extend(end.edge);
    cx.names().all_patterns().any(|pattern| {
        let chunk = pattern.chunk(cx.db);
        !chunk.is_whole() && names.iter().any(|name| chunk.text.contains(name))
    })
}

fn report(
    cx: &mut Cx<'_>,
    range: crate::syntax::TextRange,
    open: &End<'_>,
    blind: &End<'_>,
    followers: &[Decl],
    readers: &[Decl],
) {
    let names: Vec<&str> = followers.iter().filter_map(|decl| decl_name(cx.db, *decl).as_deref()).take(3).collect();
    let rate = calls(cx.db, cx.root, readers);
    let ids: Vec<&String> = blind.ids.iter().chain(&blind.held_by_other).collect();
    let what = blind.edge.unwrap_or(blind.other);
    let advice = match ids.as_slice() {
        [] => format!("an item for each pair, with the ids of both, and an index on that of `{}`", blind.entity),
        ids => format!("an index of `{what}` with the partition key {}", listed(ids)),
    };
    let [from, to] = match blind.entity == blind.other {
        true => ["the first end".to_owned(), "the second".to_owned()],
        false => [format!("`{}`", open.entity), format!("`{}`", blind.entity)],
    };
    let message = format!(
        "{} from {from} along this relationship ({}), and none from {to}, though `{}` is read {} times a second by {}: \
         whoever wants the `{}` of one `{}` would have to scan; add the pattern with {advice}, or allow it where nobody \
         asks",
        if followers.len() == 1 { "1 pattern leads".to_owned() } else { format!("{} patterns lead", followers.len()) },
        listed(&names),
        blind.entity,
        show::figure(&rate, show::number),
        show::count_of(readers.len() as f64, "pattern"),
        blind.other,
        blind.entity,
    );
    let mut places: Vec<(Place, &str)> = Vec::new();
    places.extend(followers.iter().filter_map(|p| Some((cx.name_place(*p)?, "leads along the relationship"))).take(3));
    places.extend(readers.iter().filter_map(|r| Some((cx.name_place(*r)?, "reads the other side"))).take(3));
    let finding = cx.report(range, message);
    for (place, message) in places {
        finding.relate(place, message);
    }
}
