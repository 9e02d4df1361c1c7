//! What a pattern asks of an index that does not project it.

use super::check::{Cx, StepCx};
use super::finding::{Edit, Place};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source};
use crate::model::names::{entity_def, table_def};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

/// An attribute that an index lacks, and the places that ask for it.
pub struct Missing<'p> {
    pub attribute: &'p str,
    /// The first in a `project` or `filter` of the step, where one stands there.
    pub in_step: Option<TextRange>,
    /// Whether `project` or `reads` asks for it, and not a `filter` alone.
    pub returned: bool,
    /// Whether a `filter` tests it.
    pub tested: bool,
    pub elsewhere: Vec<TextRange>,
}

/// A read of an index that asks for what the index does not project.
pub struct Lacking<'db> {
    pub step: StepCx<'db>,
    pub source: Source<'db>,
    pub missing: Vec<Missing<'db>>,
}

/// The reads of a pattern from indexes of this kind that ask, by `project`,
/// `filter` or `reads`, for what is not projected. What `reads` lists is missing
/// only where no step of the pattern brings it.
pub fn lacking<'db>(cx: &Cx<'db>, pattern: &'db PatternDef, kind: IndexKind) -> Vec<Lacking<'db>> {
    let steps = cx.steps();
    let mut claimed: Vec<TextRange> = Vec::new();
    let mut found = Vec::new();
    for step in &steps {
        let Some(source) = read_of(step, kind) else { continue };
        // A projection that cannot be read may hold what is missed.
        if !cx.is_whole(source.layout.decl) {
            continue;
        }
        let reached = |item: &&ItemLayout| step.resolved.reached.contains(&item.entity);
        let items: Vec<&'db ItemLayout> = source.layout.items.iter().filter(reached).collect();
        let mut missing: Vec<Missing<'db>> = Vec::new();
        for (name, returned) in names_in(step.step) {
            if items.iter().any(|item| has(cx, item, &name.text) && lacks(source, item, &name.text)) {
                match missing.iter_mut().find(|known| known.attribute == name.text) {
                    Some(known) => {
                        known.elsewhere.push(name.range);
                        known.tested |= !returned;
                    }
                    None => missing.push(Missing {
                        attribute: &name.text,
                        in_step: Some(name.range),
                        returned,
                        tested: !returned,
                        elsewhere: Vec::new(),
                    }),
                }
            }
        }
        for (used, name) in claims(pattern) {
            let lacked = items.iter().find_map(|item| wanted(item, used, name).filter(|own| lacks(source, item, own)));
            let Some(attribute) = lacked else { continue };
            if let Some(known) = missing.iter_mut().find(|known| known.attribute == attribute) {
                known.elsewhere.push(name.range);
                known.returned = true;
                claimed.push(name.range);
            } else if !claimed.contains(&name.range) && !steps.iter().any(|other| gives(other, used, name, kind)) {
                missing.push(Missing {
                    attribute,
                    in_step: None,
                    returned: true,
                    tested: false,
                    elsewhere: vec![name.range],
                });
                claimed.push(name.range);
            }
        }
        if !missing.is_empty() {
            found.push(Lacking { step: *step, source, missing });
        }
    }
    found
}

/// The index of this kind that a step queries or scans. In a transaction or batch
/// neither may stand, and a `get` reads no index: faults of other kinds.
fn read_of<'db>(step: &StepCx<'db>, kind: IndexKind) -> Option<Source<'db>> {
    let reads = matches!(step.step.op, OpDef::Query { .. } | OpDef::Scan { .. }) && step.operation.group.is_none();
    step.source.filter(|source| reads && source.index.is_some_and(|index| index.kind == kind))
}

/// The attributes that a step's own options name, those that it returns first,
/// and whether it returns them.
fn names_in(step: &StepDef) -> Vec<(&Name, bool)> {
    let Some(options) = step.op.options() else { return Vec::new() };
    let filter = options.filter.iter().filter_map(|filter| filter.conditions.as_ref());
    let tested = filter.flat_map(ConditionsDef::leaves).filter_map(Term::attribute);
    options.project.iter().map(|name| (name, true)).chain(tested.map(|name| (name, false))).collect()
}

/// The attributes that `reads` lists, with their entities.
fn claims(pattern: &PatternDef) -> impl Iterator<Item = (&EntityUse, &Name)> {
    let reads = pattern.requirements.iter().filter(|requirement| !requirement.writes);
    reads.flat_map(|reads| &reads.uses).flat_map(|used| used.attributes.iter().map(move |name| (used, name)))
}

/// The attribute of an item that holds what `reads` claims: of an embedded
/// entity it is the list that holds it.
fn wanted<'p>(item: &'p ItemLayout, used: &EntityUse, name: &'p Name) -> Option<&'p str> {
    if item.entity == used.entity.text {
        return Some(&name.text);
    }
    item.embeds.iter().find(|embed| embed.entity == used.entity.text)?.list.as_deref()
}

/// Whether items of this kind can have the attribute, the list or the key.
fn has(cx: &Cx<'_>, item: &ItemLayout, name: &str) -> bool {
    let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
    entity.is_some_and(|entity| entity.attribute(name).is_some())
        || item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name))
        || item.keys.contains_key(name)
}

fn lacks(source: Source<'_>, item: &ItemLayout, attribute: &str) -> bool {
    source.projected(item).is_some_and(|projected| !projected.contains(attribute))
}

/// Whether a step of the pattern brings what `reads` claims: a table has every
/// attribute. A local index fetches what it does not hold, which is enough for
/// who misses it elsewhere, but is what is asked about where `kind` is local.
fn gives(step: &StepCx<'_>, used: &EntityUse, name: &Name, kind: IndexKind) -> bool {
    let Some(source) = step.source.filter(|_| step.step.op.reads()) else { return false };
    let index = match (read_of(step, IndexKind::Global), read_of(step, IndexKind::Local), kind) {
        (Some(index), _, _) | (None, Some(index), IndexKind::Local) => Some(index),
        _ => None,
    };
    let mut reached = source.layout.items.iter().filter(|item| step.resolved.reached.contains(&item.entity));
    reached.any(|item| wanted(item, used, name).is_some_and(|own| index.is_none_or(|index| !lacks(index, item, own))))
}

/// The `projection` clause of an index.
pub fn projection_of<'db>(cx: &Cx<'db>, source: Source<'_>) -> Option<&'db ProjectionDef> {
    let index = source.index?;
    let table = table_def(cx.db, source.layout.decl)?;
    table.indexes.iter().find(|def| def.name.as_ref() == Some(&index.name))?.projection.as_ref()
}

/// Adds attributes to what an index of a table projects.
pub fn include(table: Decl, projection: &ProjectionDef, attributes: &[&str]) -> Option<Edit> {
    let mut names: Vec<String> = attributes.iter().map(|name| quote_name(name)).collect();
    names.dedup();
    let names = names.join(", ");
    let (range, text) = match (projection.kind?, projection.attributes.last()) {
        (ProjectionKind::KeysOnly, _) => (projection.kind_range, format!("include({names})")),
        (ProjectionKind::Include, Some(last)) => (TextRange::empty(last.range.end as usize), format!(", {names}")),
        _ => return None,
    };
    Some(Edit::Replace { place: Place { decl: table, range }, text })
}
