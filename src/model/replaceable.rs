//! Global indexes that an identifying relationship makes needless: they find
//! children by their parent's id, where the table could be keyed by it.

use super::db::{Db, SourceFile};
use super::defs::*;
use super::layout::{IndexLayout, ItemLayout, TableLayout};
use super::names::{find_entity, relationships};
use super::resolve::{patterns_of_entities, steps};

/// What a replaceable index finds, and by what.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaceable<'l> {
    /// The only item that the index holds.
    pub child: &'l ItemLayout,
    /// The entity whose id it is found by.
    pub parent: &'l str,
    /// The child's attribute that holds that id.
    pub by: &'l str,
}

/// Whether the table could be keyed by (parent, child) instead of having this
/// index: it is a GSI that holds one entity and finds it by its parent's id; the
/// relationship is identifying; the table's partition key is not itself another
/// entity's id; and whoever gets, updates, deletes or checks one child says that
/// the parent's id is at hand.
pub fn replaceable<'l>(
    db: &'l dyn Db,
    root: SourceFile,
    layout: &'l TableLayout,
    index: &'l IndexLayout,
) -> Option<Replaceable<'l>> {
    let mut items = layout.of_index(index).items();
    let (child, None) = (items.next()?, items.next()) else { return None };
    let ([partition], IndexKind::Global) = (index.partition.as_slice(), index.kind) else { return None };
    let entity = find_entity(db, root, &child.entity)?;
    let mut holes = child.keys.get(&partition.name)?.value.holes();
    let (hole, None) = (holes.next()?, holes.next()) else { return None };
    let by = entity.attribute(&hole.name).filter(|_| !hole.parameter)?;
    let parent = by.of.as_ref()?;
    let identifies = |relationship: &RelationshipDef| {
        let is = |name: &Option<Name>, wanted: &str| name.as_ref().is_some_and(|name| name.text == wanted);
        relationship.identifying.is_some()
            && is(&relationship.left, &parent.text)
            && is(&relationship.right, &child.entity)
            && relationship.by.as_ref().is_none_or(|own| own.text == by.name.text)
    };
    if !relationships(db, root).any(|(_, relationship)| identifies(relationship)) {
        return None;
    }
    let [table_key] = layout.partition.as_slice() else { return None };
    let other_id = |name: &str| entity.attribute(name).is_some_and(|attribute| attribute.of.is_some());
    if child.keys.get(&table_key.name)?.value.attributes().into_iter().any(other_id) {
        return None;
    }
    let parent_ids = find_entity(db, root, &parent.text).into_iter().flat_map(EntityDef::ids);
    let names: Vec<&str> = parent_ids.map(|id| id.name.text.as_str()).chain([by.name.text.as_str()]).collect();
    (!needs_child_alone(db, root, layout, &child.entity, &names)).then_some(Replaceable {
        child,
        parent: &parent.text,
        by: &by.name.text,
    })
}

/// Whether some pattern gets, updates, deletes or checks one child and does not
/// say that it has the parent's id, under one of these names.
fn needs_child_alone(db: &dyn Db, root: SourceFile, layout: &TableLayout, child: &str, names: &[&str]) -> bool {
    let patterns = patterns_of_entities(db, root).get(child).map(Vec::as_slice).unwrap_or_default();
    let of_child = |op: &OpDef| {
        !matches!(op, OpDef::Put { .. })
            && op.subject().is_some_and(|subject| subject.entity.text == child)
            && op.table().is_some_and(|table| table.text == layout.name.text)
    };
    patterns.iter().any(|pattern| {
        let says = super::names::pattern_def(db, *pattern).is_some_and(|def| {
            def.requirements.iter().flat_map(|requirement| &requirement.by).any(|by| names.contains(&by.text.as_str()))
        });
        !says && steps(db, root, *pattern).any(|step| of_child(&step.step.op))
    })
}
