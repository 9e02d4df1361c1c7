//! A global index that the table's own key could be.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::index_readers::{is_unclear, readers};
use super::priced;
use super::rule::{Group, Rule};
use crate::capacity::design::drawn_on;
use crate::capacity::distinct::Owner;
use crate::capacity::facts::Declared;
use crate::capacity::load::template;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::key::KeyHole;
use crate::model::layout::{IndexLayout, ItemLayout, TableLayout};
use crate::model::lower::{decl_name, lowered};
use crate::model::names::{entity_def, pattern_def, relationships_of};
use crate::model::resolve::{patterns_of_table, steps};
use crate::syntax::template::Format;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "replaceable-gsi",
    group: Group::Cost,
    level: Level::Warning,
    summary: "a GSI finds one entity by its parent's id, and the table could be keyed by parent and child",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let mut seen = BTreeSet::new();
    for index in layout.indexes.iter().filter(|index| seen.insert(index.name.text.as_str())) {
        // One that nobody reads is another finding.
        if readers(cx, layout, index).is_empty() || is_unclear(cx, index) {
            continue;
        }
        if let Some(replaceable) = replaceable(cx.db, cx.root, layout, index) {
            report(cx, layout, index, &replaceable);
        }
    }
}

/// A GSI whose work the table could do, keyed by the parent's id and the child's.
pub struct Replaceable<'l> {
    /// The child, as it is placed in the table.
    pub item: &'l ItemLayout,
    pub parent: String,
    /// The child's attribute that holds the parent's id.
    pub attribute: String,
    pub relationship: Decl,
}

/// Whether the table could be keyed by (parent, child) in the place of a global index:
/// it holds one entity and finds it by its parent's id, the relationship is
/// identifying, the item's partition key in the table is no other entity's id and
/// no other entity's collection, and whoever gets, updates or deletes the child says
/// that the parent's id is known.
pub fn replaceable<'l>(
    db: &dyn Db,
    root: SourceFile,
    layout: &'l TableLayout,
    index: &IndexLayout,
) -> Option<Replaceable<'l>> {
    let source = layout.of_index(index);
    if index.kind != IndexKind::Global || !source.has_sound_partition() || !layout.table().has_sound_partition() {
        return None;
    }
    // The items live in the layout, whichever index they are asked through.
    let mut items = layout.items.iter().filter(|item| source.key().all(|key| item.keys.contains_key(&key.name)));
    let item = items.next().filter(|_| items.next().is_none())?;
    let entity = entity_def(db, item.entity_decl?)?;
    let [key] = source.partition() else { return None };
    let hole = only_hole(item, &key.name)?;
    let attribute = entity.attribute(&hole.name)?;
    let parent = attribute.of.as_ref()?.text.clone();
    let (relationship, _) = relationships_of(db, root, &parent).find(|(_, relationship)| {
        let is = |name: &Option<Name>, wanted: &str| name.as_ref().is_some_and(|name| name.text == wanted);
        is(&relationship.left, &parent)
            && is(&relationship.right, &item.entity)
            && relationship.cardinality != Some(Cardinality::ManyToMany)
            && relationship.by.as_ref().is_none_or(|by| by.text == attribute.name.text)
            && relationship.identifying.is_some()
    })?;
    (is_own_id(db, root, layout, item, entity) && says_parent(db, root, layout, item, &attribute.name.text))
        .then(|| Replaceable { item, parent, attribute: attribute.name.text.clone(), relationship })
}

/// The one attribute, unchanged, that a key is made of besides text.
fn only_hole<'l>(item: &'l ItemLayout, key: &str) -> Option<&'l KeyHole> {
    let mut holes = item.keys.get(key)?.value.holes();
    let hole = holes.next().filter(|hole| hole.format == Format::Plain && !hole.parameter)?;
    holes.next().is_none().then_some(hole)
}

/// Whether the item's partition key in the table is made of its own attributes, none
/// of them another entity's id, and nothing else lives under its values.
fn is_own_id(db: &dyn Db, root: SourceFile, layout: &TableLayout, item: &ItemLayout, entity: &EntityDef) -> bool {
    let made_from = item.made_from(layout.partition.iter());
    let own = |name: &&str| entity.attribute(name).is_some_and(|attribute| attribute.of.is_none());
    let facts = Declared { db, root };
    let family = |item: &ItemLayout| Some(template(Owner::of(&facts, item)?, layout.table(), item).0);
    let alone =
        layout.items.iter().filter(|other| other.entity != item.entity).all(|other| family(other) != family(item));
    !made_from.is_empty() && made_from.iter().all(own) && alone
}

/// Whether every pattern that touches one item of the child by its key says `by` the
/// parent's id.
fn says_parent(db: &dyn Db, root: SourceFile, layout: &TableLayout, item: &ItemLayout, attribute: &str) -> bool {
    patterns_of_table(db, root, layout.decl).iter().all(|decl| {
        let by_key = steps(db, root, *decl).any(|step| {
            let keyed = match &step.step.op {
                OpDef::Get { .. } | OpDef::Update { .. } | OpDef::Delete { .. } | OpDef::Check { .. } => true,
                OpDef::Query { .. } => step.resolved.index.is_none(),
                OpDef::Put { .. } | OpDef::Scan { .. } => false,
            };
            keyed && step.resolved.table == Some(layout.decl) && step.resolved.reached.contains(&item.entity)
        });
        let mut said = pattern_def(db, *decl).into_iter().flat_map(|def| &def.requirements).flat_map(|r| &r.by);
        !by_key || said.any(|name| name.text == attribute)
    })
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, index: &IndexLayout, replaceable: &Replaceable<'_>) {
    let Replaceable { item, parent, attribute, relationship } = replaceable;
    let upkeep = drawn_on(cx.db, cx.root, layout, index).upkeep().monthly(cx.db, cx.root, layout.decl);
    let cost = priced::month(&upkeep).map(|month| format!(", {month}{}", priced::region(cx.db, cx.root, layout.decl)));
    let child = match &item.entity_decl.and_then(|decl| entity_def(cx.db, decl)) {
        Some(entity) => entity.ids().map(|id| id.name.text.as_str()).collect::<Vec<_>>().join(", "),
        None => String::new(),
    };
    let message = format!(
        "`{}` finds `{}` by the id of its `{parent}` alone, and whoever touches one by its key knows `{attribute}` \
         too; key the table by (`{attribute}`, `{child}`) and the collection is there without an index: its writes \
         and its storage{} are saved, and it can be read consistently",
        index.name.text,
        item.entity,
        cost.map(|cost| format!("{cost},")).unwrap_or_default(),
    );
    let related = relation_place(cx, *relationship);
    let key = layout.partition.first().map(|key| cx.place(key.range));
    let finding = cx.report(index.name.range, message);
    if let Some(key) = key {
        finding.relate(key, "the key that could hold the parent's id");
    }
    if let Some(place) = related {
        finding.relate(place, format!("`{}` cannot be without its `{parent}`", item.entity));
    }
}

/// The names of a relationship.
fn relation_place(cx: &Cx<'_>, decl: Decl) -> Option<Place> {
    let Def::Relationship(relationship) = &lowered(cx.db, decl).def else { return None };
    let (left, right) = (relationship.left.as_ref()?, relationship.right.as_ref()?);
    debug_assert!(decl_name(cx.db, decl).is_none() || left.range.start <= right.range.start);
    Some(Place { decl, range: left.range.cover(right.range) })
}
